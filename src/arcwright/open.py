"""Read and write scenes: a file by its path, a built-in character by its name."""

from __future__ import annotations

from pathlib import Path

from arcwright import characters, files
from arcwright.errors import BadFile
from arcwright.scene.scene import Scene


def read(name: str | Path, *, unit: float | None = None, up: str | None = None) -> Scene:
    """The scene in a file, or a built-in such as `biped` or `biped:walk`.

    `unit` (metres per file unit) and `up` ("Y" or "Z") override what is guessed; what was
    guessed, repaired or dropped is listed in `scene.source.warnings`.
    """
    path = Path(name)
    if not path.exists() and is_built_in(str(name)):
        return characters.built_in(str(name))
    if not path.exists():
        built_ins = ", ".join(characters.names())
        raise BadFile(name, "no such file", f"nor a built-in: {built_ins}")
    return files.read(path, unit=unit, up=up)


def write(scene: Scene, path: str | Path, *, take: str | None = None) -> tuple[str, ...]:
    """Write a scene in the format of the path's suffix; returns warnings.

    `.arc.glb` keeps everything; `.glb`, `.gltf` and `.bvh` keep what the format can hold. Warnings
    list what was changed or dropped. With `take` only takes of that name are written.
    """
    return files.write(scene, Path(path), take=take)


def is_built_in(name: str) -> bool:
    """Whether `name` is a built-in character, with or without a take."""
    return name.partition(":")[0] in characters.names()
