"""A temporary folder for files that come and go over the network."""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
from pathlib import Path

from arcwright.errors import BadFile


class TemporaryFolder:
    """Only this user can look into it. If it was removed meanwhile, it is made anew."""

    def __init__(self) -> None:
        self._make()

    def place(self) -> tuple[str, Path]:
        """A folder of its own for one file, and its name, which nobody can guess."""
        word = secrets.token_urlsafe(12)
        try:
            if not self._is_ours():
                self._make()
            (self.path / word).mkdir(mode=0o700)
        except OSError as error:
            fault = f"cannot be written: {error.strerror}"
            raise BadFile("the temporary folder", fault, "make room, then try again") from error
        return word, self.path / word

    def close(self) -> None:
        """Delete everything."""
        if self._is_ours():
            shutil.rmtree(self.path, ignore_errors=True)

    def _make(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="arcwright-"))
        self._identity = self._found()

    def _is_ours(self) -> bool:
        """Whether it is still there, and nobody put another one in its place."""
        return self._identity is not None and self._found() == self._identity

    def _found(self) -> tuple[int, int] | None:
        try:
            found = os.lstat(self.path)
        except OSError:
            return None
        return found.st_dev, found.st_ino
