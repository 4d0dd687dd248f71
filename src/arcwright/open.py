"""Read and write scenes: a file by its path, a built-in character by its name."""

from __future__ import annotations

from pathlib import Path

from arcwright import characters, files
from arcwright.errors import BadFile
from arcwright.scene.scene import Scene


def read(name: str | Path, *, unit: float | None = None, up: str | None = None) -> Scene:
    """The scene in a file, or a built-in such as `biped` or `biped:walk`.

    `unit` (metres per file unit) and `up` ("Y" or "Z") override what is guessed; what was
    guessed, mended or dropped is told in `scene.source.warnings`.
    """
    path = Path(name)
    if not path.exists() and is_built_in(str(name)):
        return characters.built_in(str(name))
    if not path.exists():
        built_ins = ", ".join(characters.names())
        raise BadFile(name, "no such file", f"nor a built-in: {built_ins}")
    return files.read(path, unit=unit, up=up)


def write(scene: Scene, path: str | Path, *, clip: str | None = None) -> tuple[str, ...]:
    """Write a scene in the format of the path's suffix; returns what had to be changed or dropped.

    `.arc.glb` keeps everything; `.glb`, `.gltf` and `.bvh` keep what the format can hold.
    """
    return files.write(scene, Path(path), clip=clip)


def is_built_in(name: str) -> bool:
    """Whether `name` begins with the name of a built-in character."""
    return name.partition(":")[0] in characters.names()
