"""Uploads and downloads: files of clients, kept for a while in a private temporary folder."""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
from collections.abc import AsyncIterable
from pathlib import Path
from threading import Lock
from urllib.parse import quote

from arcwright.errors import ArcwrightError, BadFile
from arcwright.server.storage.names import displayed, sanitized

MAX_UPLOAD = 256 * 2**20  # bytes
_MAX_FILES = 16  # the oldest is deleted when another comes


class TooLarge(ArcwrightError):
    """An upload is larger than allowed."""


class TemporaryFolder:
    """A folder that only this user can read. If it was removed meanwhile, it is made anew."""

    def __init__(self) -> None:
        self._make()

    def new_folder(self) -> tuple[str, Path]:
        """A folder for one file, and its name, which nobody can guess."""
        key = secrets.token_urlsafe(12)
        try:
            if not self._is_ours():
                self._make()
            (self.path / key).mkdir(mode=0o700)
        except OSError as error:
            fault = f"cannot be written: {error.strerror}"
            raise BadFile("the temporary folder", fault, "free some space and try again") from error
        return key, self.path / key

    def close(self) -> None:
        """Delete everything."""
        if self._is_ours():
            shutil.rmtree(self.path, ignore_errors=True)

    def _make(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="arcwright-"))
        self._identity = self._found()

    def _is_ours(self) -> bool:
        """Whether it still exists, and nobody put another one in its place."""
        return self._identity is not None and self._found() == self._identity

    def _found(self) -> tuple[int, int] | None:
        try:
            found = os.lstat(self.path)
        except OSError:
            return None
        return found.st_dev, found.st_ino


class Uploads:
    """Files that clients upload; each gets a key by which `ImportUpload` names it."""

    def __init__(self, max_size: int = MAX_UPLOAD) -> None:
        self.max_size = max_size
        self.folder = TemporaryFolder()
        self._files: dict[str, Path] = {}

    async def receive(self, name: str, chunks: AsyncIterable[bytes]) -> str:
        """Store an uploaded file; returns its key."""
        safe = sanitized(name)
        key, folder = self.folder.new_folder()
        path = folder / safe
        try:
            await self._write(path, chunks)
        except BaseException:
            shutil.rmtree(path.parent, ignore_errors=True)
            raise
        self._files[key] = path
        while len(self._files) > _MAX_FILES:
            self.delete(next(iter(self._files)))
        return key

    def path(self, key: str) -> Path:
        """Where an upload is stored."""
        if key not in self._files or not self._files[key].is_file():
            raise BadFile(displayed(key), "no such upload", "drop the file again")
        return self._files[key]

    def delete(self, key: str) -> None:
        """Delete an upload."""
        path = self._files.pop(key, None)
        if path is not None:
            shutil.rmtree(path.parent, ignore_errors=True)

    def close(self) -> None:
        """Delete all uploads."""
        self._files.clear()
        self.folder.close()

    async def _write(self, path: Path, chunks: AsyncIterable[bytes]) -> None:
        size = 0
        try:
            with path.open("xb") as file:
                async for chunk in chunks:
                    size += len(chunk)
                    if size > self.max_size:
                        limit = f"at most {self.max_size >> 20} MB can be uploaded"
                        raise TooLarge(f"{displayed(path.name)} is too large: {limit}")
                    file.write(chunk)
        except OSError as error:
            fault = f"cannot be stored: {error.strerror}"
            raise BadFile(displayed(path.name), fault) from error


class Downloads:
    """Files exported for clients; each gets an address that nobody can guess."""

    def __init__(self) -> None:
        self.folder = TemporaryFolder()
        self._files: dict[tuple[str, str], Path] = {}
        self._lock = Lock()

    def new_file(self, name: str) -> tuple[str, Path]:
        """The address that a file of this name will have, and the path to write it to."""
        key, folder = self.folder.new_folder()
        with self._lock:
            self._files[key, name] = folder / name
            while len(self._files) > _MAX_FILES:
                oldest = self._files.pop(next(iter(self._files)))
                shutil.rmtree(oldest.parent, ignore_errors=True)
        return f"download/{key}/{quote(name)}", folder / name

    def path(self, key: str, name: str) -> Path | None:
        """Where a file is stored, if there is one."""
        return self._files.get((key, name))

    def close(self) -> None:
        """Delete all downloads."""
        self.folder.close()
