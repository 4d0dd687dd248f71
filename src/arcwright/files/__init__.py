"""File formats: readers and writers of scenes, chosen by content and then by file name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from arcwright.errors import BadFile
from arcwright.files.regular import open_regular
from arcwright.scene.scene import Scene


@dataclass(frozen=True)
class Format:
    """A file format: its module, its suffixes and the first bytes of its files."""

    name: str
    module: str  # has read(), and write() where we write the format
    suffixes: tuple[str, ...]
    begins: tuple[bytes, ...] = ()  # how its files begin, in lower case
    writes: bool = True


FORMATS = (
    Format("bvh", "arcwright.files.bvh", (".bvh",), (b"hierarchy",)),
    Format("arc", "arcwright.files.arc", (".arc.glb", ".arc"), (b"gltf",)),
    Format("gltf", "arcwright.files.gltf", (".glb", ".gltf"), (b"gltf", b"{")),
    Format("obj", "arcwright.files.obj", (".obj",), writes=False),
)


def read(path: str | Path, *, unit: float | None = None, up: str | None = None) -> Scene:
    """Read a file; `unit` (metres per file unit) and `up` override guesses."""
    path = Path(path)
    named = _by_suffix(path)
    fitting = _by_beginning(path)
    chosen = fitting[0] if fitting and named not in fitting else named
    if chosen is None:
        raise BadFile(path, "unsupported format", f"supported: {_listed(FORMATS)}")
    scene: Scene = import_module(chosen.module).read(path, unit=unit, up=up)
    return scene


def write(scene: Scene, path: str | Path, **options: Any) -> tuple[str, ...]:
    """Write a scene in the format of the path's suffix; returns warnings."""
    path = Path(path)
    chosen = _by_suffix(path)
    if chosen is None or not chosen.writes:
        known = _listed(each for each in FORMATS if each.writes)
        raise BadFile(path, "unsupported format to write", f"supported: {known}")
    return tuple(import_module(chosen.module).write(scene, path, **options) or ())


def _by_suffix(path: Path) -> Format | None:
    name = path.name.lower()
    return next((each for each in FORMATS if name.endswith(each.suffixes)), None)


def _by_beginning(path: Path) -> list[Format]:
    """The formats whose first bytes match; several where one contains another."""
    with open_regular(path) as file:
        start = file.read(64).removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    return [each for each in FORMATS if any(start.startswith(word) for word in each.begins)]


def _listed(formats: Iterable[Format]) -> str:
    return ", ".join(suffix for each in formats for suffix in each.suffixes)
