"""Writing a scene as a glTF file."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from arcwright.errors import UnknownName
from arcwright.files.gltf.output import Output
from arcwright.files.gltf.write_animation import write_animations
from arcwright.files.gltf.write_looks import lost_pictures, write_looks
from arcwright.files.gltf.write_meshes import MeshWriter
from arcwright.files.gltf.write_nodes import write_actor
from arcwright.scene.rig import Kind
from arcwright.scene.scene import Actor, Scene


def write(scene: Scene, path: str | Path, *, clip: str | None = None) -> tuple[str, ...]:
    """Write a .glb, or a .gltf with its .bin beside it; returns what could not be kept as it is.

    Keys stay as they are where glTF can play them exactly; with `clip` only takes of that
    name are written.
    """
    output, warnings = built(scene, clip)
    output.save(Path(path))
    return tuple(warnings)


def built(scene: Scene, clip: str | None = None) -> tuple[Output, list[str]]:
    """The file in memory, and what could not be kept as it is."""
    with np.errstate(over="ignore", invalid="ignore"):  # what becomes too large is refused
        return _built(scene, clip)


def _built(scene: Scene, clip: str | None) -> tuple[Output, list[str]]:
    everyone: tuple[Actor, ...] = (*scene.characters, *scene.props)
    names = [take.name for actor in everyone for take in actor.takes]
    if clip is not None and clip not in names:
        raise UnknownName("clip", clip, dict.fromkeys(names))
    output = Output()
    looks = [actor.look for actor in everyone]
    meshes = MeshWriter(output, write_looks(output, looks))
    roots: list[int] = []
    placed = [write_actor(output, meshes, actor, roots) for actor in everyone]
    shown = {"name": scene.name} | ({"nodes": roots} if roots else {})
    output.gltf["scene"] = 0
    output.add("scenes", shown)
    warnings = write_animations(output, placed, clip)
    return output, lost_pictures(looks) + warnings + _not_kept(scene, everyone)


def _not_kept(scene: Scene, everyone: tuple[Actor, ...]) -> list[str]:
    custom = sum(int((actor.rig.channels.kind == Kind.CUSTOM).sum()) for actor in everyone)
    wishes = len(scene.pins) + len(scene.contacts)
    said = [(custom, "custom channels"), (wishes, "pins and contacts")]
    said.append((len(scene.constraints), "constraints"))
    return [f"glTF has no {word}: {count} left out" for count, word in said if count]
