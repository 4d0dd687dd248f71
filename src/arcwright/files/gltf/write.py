"""Write a scene as a glTF file."""

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
from arcwright.scene.scene import Scene, few_warnings


def write(scene: Scene, path: str | Path, *, take: str | None = None) -> tuple[str, ...]:
    """Write a .glb, or a .gltf with its .bin beside it; returns warnings.

    Keys are exact where glTF supports their curves; with `take` only takes of that
    name are written.
    """
    output, warnings = built(scene, take)
    output.save(Path(path))
    return few_warnings(warnings)


def built(scene: Scene, take: str | None = None) -> tuple[Output, list[str]]:
    """The file in memory, and warnings."""
    with np.errstate(over="ignore", invalid="ignore"):  # what becomes too large is refused
        return _built(scene, take)


def _built(scene: Scene, name: str | None) -> tuple[Output, list[str]]:
    actors = scene.actors
    names = [take.name for actor in actors for take in actor.takes]
    if name is not None and name not in names:
        raise UnknownName("take", name, dict.fromkeys(names))
    output = Output()
    looks = [actor.look for actor in actors]
    meshes = MeshWriter(output, write_looks(output, looks))
    roots: list[int] = []
    written = [write_actor(output, meshes, actor, roots) for actor in actors]
    shown = {"name": scene.name} | ({"nodes": roots} if roots else {})
    output.gltf["scene"] = 0
    output.add("scenes", shown)
    warnings = write_animations(output, written, name)
    return output, lost_pictures(looks) + warnings + _not_kept(scene)


def _not_kept(scene: Scene) -> list[str]:
    custom = sum(int((actor.rig.channels.kind == Kind.CUSTOM).sum()) for actor in scene.actors)
    counts = [(custom, "custom channels"), (len(scene.constraints), "constraints")]
    counts.append((len(scene.activities), "activities"))
    return [f"glTF has no {word}: {count} left out" for count, word in counts if count]
