"""Uploads: files that windows hand in, kept in a private folder until they are read."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterable
from pathlib import Path

from arcwright.errors import ArcwrightError, BadFile
from arcwright.server.storage.names import sanitized, spoken
from arcwright.server.storage.temporary import TemporaryFolder

LARGEST = 256 * 2**20  # bytes
_MOST = 16  # files; the oldest goes when another comes


class TooLarge(ArcwrightError):
    """More was sent than is taken."""


class Uploads:
    """Each gets a word by which `Bring` names it. `close` deletes them all."""

    def __init__(self, largest: int = LARGEST) -> None:
        self.largest = largest
        self.folder = TemporaryFolder()
        self._files: dict[str, Path] = {}

    async def receive(self, name: str, chunks: AsyncIterable[bytes]) -> str:
        """Take in a file; the word that names it."""
        safe = sanitized(name)
        word, folder = self.folder.place()
        path = folder / safe
        try:
            await self._write(path, chunks)
        except BaseException:
            shutil.rmtree(path.parent, ignore_errors=True)
            raise
        self._files[word] = path
        while len(self._files) > _MOST:
            self.forget(next(iter(self._files)))
        return word

    def path(self, word: str) -> Path:
        """Where an upload lies."""
        if word not in self._files or not self._files[word].is_file():
            raise BadFile(spoken(word), "no such upload", "drop the file again")
        return self._files[word]

    def forget(self, word: str) -> None:
        """An upload has been read."""
        path = self._files.pop(word, None)
        if path is not None:
            shutil.rmtree(path.parent, ignore_errors=True)

    def close(self) -> None:
        """Delete everything."""
        self._files.clear()
        self.folder.close()

    async def _write(self, path: Path, chunks: AsyncIterable[bytes]) -> None:
        size = 0
        try:
            with path.open("xb") as file:
                async for chunk in chunks:
                    size += len(chunk)
                    if size > self.largest:
                        most = f"at most {self.largest >> 20} MB are taken"
                        raise TooLarge(f"{spoken(path.name)} is too large: {most}")
                    file.write(chunk)
        except OSError as error:
            raise BadFile(spoken(path.name), f"cannot be kept: {error.strerror}") from error
