"""Writing a project file."""

from __future__ import annotations

from pathlib import Path

from arcwright.errors import BadValue
from arcwright.files.arc.seal import EXTENSION, VERSION, digest
from arcwright.files.arc.store import Store
from arcwright.files.gltf.write import built
from arcwright.scene.scene import Scene


def write(scene: Scene, path: str | Path) -> tuple[str, ...]:
    """Write the scene as a GLB from which `read` gives it back bit for bit."""
    path = Path(path)
    if path.suffix.lower() == ".gltf":
        raise BadValue("project file", "a name that ends in .arc.glb", path.name)
    output, _ = built(scene)
    store = Store(output)
    told = {"version": VERSION, "scene": store.put(scene)}
    told |= {"objects": store.objects, "arrays": store.arrays}
    output.gltf["extensions"] = {EXTENSION: told}
    used = {*output.gltf.get("extensionsUsed", []), EXTENSION}
    output.gltf["extensionsUsed"] = sorted(used)
    told["digest"] = digest(output.gltf, output.data)
    output.save(path)
    return ()
