"""Write a project file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from arcwright.errors import BadValue, UnknownName
from arcwright.files.arc.format import EXTENSION, VERSION, digest
from arcwright.files.gltf.output import Output
from arcwright.files.gltf.write import built
from arcwright.files.values import Store
from arcwright.scene.scene import Actor, Scene

_A = TypeVar("_A", bound=Actor)


def write(scene: Scene, path: str | Path, *, take: str | None = None) -> tuple[str, ...]:
    """Write the scene as a GLB from which `read` restores it bit for bit.

    With `take` only takes of that name are written.
    """
    path = Path(path)
    if path.suffix.lower() == ".gltf":
        raise BadValue("project file", "a name that ends in .arc.glb", path.name)
    if take is not None:
        scene = _with_take_only(scene, take)
    output, _ = built(scene, take)
    store = Store(output.find_view)
    extension = {"version": VERSION, "scene": store.put(scene)}
    extension |= {"objects": store.objects, "arrays": store.arrays(_view(output, store.blob))}
    output.gltf["extensions"] = {EXTENSION: extension}
    used = {*output.gltf.get("extensionsUsed", []), EXTENSION}
    output.gltf["extensionsUsed"] = sorted(used)
    extension["digest"] = digest(output.gltf, output.data)
    output.save(path)
    return ()


def _view(output: Output, blob: bytes) -> int:
    return output.view(blob) if blob else 0


def _with_take_only(scene: Scene, name: str) -> Scene:
    def kept(actor: _A) -> _A:
        return replace(actor, takes=tuple(take for take in actor.takes if take.name == name))

    known = dict.fromkeys(take.name for actor in scene.actors for take in actor.takes)
    if name not in known:
        raise UnknownName("take", name, known)
    return replace(
        scene,
        characters=tuple(kept(each) for each in scene.characters),
        props=tuple(kept(each) for each in scene.props),
        recordings=tuple(each for each in scene.recordings if each.take == name),
        activities=tuple(each for each in scene.activities if scene.subject(each)[1] == name),
    )
