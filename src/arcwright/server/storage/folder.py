"""The opened folder: the only place where clients read and write files."""

from __future__ import annotations

import os
from dataclasses import dataclass
from math import inf
from pathlib import Path
from threading import Lock

from arcwright.errors import BadFile
from arcwright.open import read, write
from arcwright.scene.scene import Scene
from arcwright.server.messages import FileInfo
from arcwright.server.storage.names import (
    READABLE,
    WRITABLE,
    check_new,
    check_suffix,
    displayed,
    named_as,
    parts_of,
)

_MAX_ENTRIES = 2000


@dataclass(frozen=True)
class _Stamp:
    """The state of a file when it was last read or written."""

    changed: int  # ns
    size: int
    number: int

    @classmethod
    def of(cls, path: Path) -> _Stamp | None:
        try:
            found = path.stat()
        except OSError:
            return None
        return cls(found.st_mtime_ns, found.st_size, found.st_ino)


class Folder:
    """Files by relative names with slashes; detects files that changed since they were read."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self._seen: dict[Path, _Stamp | None] = {}
        self._writing = Lock()  # a later save must not be overtaken by an earlier one

    @property
    def displayed_name(self) -> str:
        """The name of the folder itself; clients never receive its path."""
        return displayed(self.root.name or self.root)

    def entries(self, inside: str = "") -> list[FileInfo]:
        """What can be opened, folders first."""
        folder = self.resolve(inside) if inside else self.root
        try:
            with os.scandir(folder) as found:
                entries = [each for entry in found if (each := self._info(entry)) is not None]
        except OSError as error:
            called = displayed(inside) if inside else "the opened folder"
            raise BadFile(called, f"cannot be listed: {error.strerror}") from error
        return sorted(entries, key=lambda each: (not each.folder, each.name.lower()))[:_MAX_ENTRIES]

    def read(self, name: str) -> Scene:
        """The scene in a file of the folder."""
        path = self.resolve(name)
        check_suffix(path.name, READABLE)
        if not path.is_file():
            raise BadFile(displayed(name), "no such file in the opened folder")
        self._see(path)
        with named_as(name):
            return read(path)

    def mark_seen(self, path: Path, *, unless_after: float = inf) -> None:
        """The content of a file is known, so saving may overwrite it.

        Not if the file was changed after a time, s since 1970.
        """
        found = _Stamp.of(path)
        if found is not None and found.changed <= unless_after * 1e9:
            self._see(path.resolve())

    def write(self, scene: Scene, name: str, *, replace: bool = False) -> tuple[str, ...]:
        """Write a scene in the format of the suffix; returns what the format cannot hold.

        A file that was not read here, or has changed since, is only overwritten with `replace`.
        """
        check_new(name)
        check_suffix(name, WRITABLE)
        path = self.resolve(name)
        if not path.parent.is_dir():
            raise BadFile(displayed(name), "is in a folder that does not exist")
        with self._writing:
            for each in _written(path):
                if each.exists() and not each.is_file():
                    raise BadFile(displayed(name), "already exists and is not a file")
                if not replace:
                    self._check_unchanged(each, name)
            with named_as(name, "free some space, allow writing there, or save elsewhere"):
                dropped = write(scene, path)
            for each in _written(path):
                self._see(each)
        return dropped

    def resolve(self, name: str) -> Path:
        """The path of a name, links followed; `BadFile` if it is outside the folder."""
        try:
            path = self.root.joinpath(*parts_of(name)).resolve()
            if path != self.root and path.is_relative_to(self.root):
                if any(step.startswith(".") for step in path.relative_to(self.root).parts):
                    raise BadFile(displayed(name), "is hidden")
                return path
        except (OSError, ValueError, RuntimeError) as error:  # loops of links, odd characters
            raise BadFile(displayed(name), "cannot be found") from error
        raise BadFile(displayed(name), "is outside the opened folder")

    def name_of(self, path: str | Path) -> str | None:
        """The name by which clients may open a file; None if it is not in the folder."""
        try:
            name = Path(path).resolve().relative_to(self.root).as_posix()
            self.resolve(name)
        except (ValueError, OSError, BadFile):
            return None
        return name

    def _info(self, entry: os.DirEntry[str]) -> FileInfo | None:
        """The description of an entry; None for what clients cannot open."""
        try:
            parts_of(entry.name)
            if entry.is_symlink() and not Path(entry.path).resolve().is_relative_to(self.root):
                return None
            if entry.is_dir():
                return FileInfo(entry.name, True, 0)
            if entry.is_file() and entry.name.lower().endswith(READABLE):
                return FileInfo(entry.name, False, entry.stat().st_size)
        except (OSError, RuntimeError, BadFile):  # links that go round in circles
            return None
        return None

    def _see(self, path: Path) -> None:
        self._seen[path] = _Stamp.of(path)

    def _check_unchanged(self, path: Path, name: str) -> None:
        now = _Stamp.of(path)
        if now is None or now == self._seen.get(path):
            return
        seen = path in self._seen
        fault = "has changed on disk since it was read" if seen else "already exists"
        advice = "save under another name"
        raise BadFile(displayed(name), f"{fault}, so it was not overwritten", advice)


def _written(path: Path) -> tuple[Path, ...]:
    """All files that writing to a path makes."""
    return (path, path.with_suffix(".bin")) if path.suffix.lower() == ".gltf" else (path,)
