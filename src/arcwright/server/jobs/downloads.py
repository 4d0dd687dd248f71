"""Downloads: files made for windows, kept in a private folder for a while."""

from __future__ import annotations

import shutil
from pathlib import Path
from threading import Lock
from urllib.parse import quote

from arcwright.server.storage.temporary import TemporaryFolder

_MOST = 16  # files; the oldest goes when another comes


class Downloads:
    """Each gets an address nobody can guess. `close` deletes them all."""

    def __init__(self) -> None:
        self.folder = TemporaryFolder()
        self._files: dict[tuple[str, str], Path] = {}
        self._lock = Lock()

    def place(self, name: str) -> tuple[str, Path]:
        """The address a file of this name will have, and where to write it."""
        word, folder = self.folder.place()
        with self._lock:
            self._files[word, name] = folder / name
            while len(self._files) > _MOST:
                oldest = self._files.pop(next(iter(self._files)))
                shutil.rmtree(oldest.parent, ignore_errors=True)
        return f"download/{word}/{quote(name)}", folder / name

    def path(self, word: str, name: str) -> Path | None:
        """Where a file lies, if it is there."""
        return self._files.get((word, name))

    def close(self) -> None:
        """Delete everything."""
        self.folder.close()
