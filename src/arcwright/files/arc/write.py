"""Writing a project file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from arcwright.errors import BadValue, UnknownName
from arcwright.files.arc.seal import EXTENSION, VERSION, digest
from arcwright.files.gltf.output import Output
from arcwright.files.gltf.write import built
from arcwright.files.values import Store
from arcwright.scene.scene import Actor, Scene

_A = TypeVar("_A", bound=Actor)


def write(scene: Scene, path: str | Path, *, clip: str | None = None) -> tuple[str, ...]:
    """Write the scene as a GLB from which `read` gives it back bit for bit.

    With `clip` the other takes are left out.
    """
    path = Path(path)
    if path.suffix.lower() == ".gltf":
        raise BadValue("project file", "a name that ends in .arc.glb", path.name)
    if clip is not None:
        scene = _with_clip(scene, clip)
    output, _ = built(scene, clip)
    store = Store(output.find_view)
    told = {"version": VERSION, "scene": store.put(scene)}
    told |= {"objects": store.objects, "arrays": store.arrays(_view(output, store.blob))}
    output.gltf["extensions"] = {EXTENSION: told}
    used = {*output.gltf.get("extensionsUsed", []), EXTENSION}
    output.gltf["extensionsUsed"] = sorted(used)
    told["digest"] = digest(output.gltf, output.data)
    output.save(path)
    return ()


def _view(output: Output, blob: bytes) -> int:
    return output.view(blob) if blob else 0


def _with_clip(scene: Scene, clip: str) -> Scene:
    def kept(actor: _A) -> _A:
        return replace(actor, takes=tuple(take for take in actor.takes if take.name == clip))

    everyone = (*scene.characters, *scene.props)
    known = dict.fromkeys(take.name for actor in everyone for take in actor.takes)
    if clip not in known:
        raise UnknownName("clip", clip, known)
    return replace(
        scene,
        characters=tuple(kept(each) for each in scene.characters),
        props=tuple(kept(each) for each in scene.props),
    )
