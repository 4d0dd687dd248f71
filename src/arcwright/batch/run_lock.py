"""The lock of a run: a file in its work folder, locked until its process ends, however it ends."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

from arcwright.files.lock import lock

FOLDER = ".batch"  # in the output folder; has a work folder for each run
LOCK = "lock"  # the file in it


class RunLock:
    """A work folder for files that are not complete yet, and the lock in it.

    Made and released while the manifest is locked: no other run looks meanwhile.
    """

    def __init__(self, out: Path, run: str) -> None:
        _remove_dead(out)
        self.work = out / FOLDER / run
        self.work.mkdir(parents=True)
        self._descriptor: int | None = os.open(self.work / LOCK, os.O_RDWR | os.O_CREAT)
        lock(self._descriptor)

    def release(self) -> None:
        """Release the lock and remove the work folder, the first time this is called."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
            shutil.rmtree(self.work, ignore_errors=True)
            with suppress(OSError):
                self.work.parent.rmdir()  # only where no other run is in it


def is_alive(out: Path, run: str) -> bool:
    """Whether the process of another run still holds its lock."""
    try:
        descriptor = os.open(out / FOLDER / run / LOCK, os.O_RDWR)
    except FileNotFoundError:
        return False
    try:
        return not lock(descriptor)
    finally:
        os.close(descriptor)


def _remove_dead(out: Path) -> None:
    """Remove the work folders of runs that died."""
    for each in (out / FOLDER).glob("*"):
        if not is_alive(out, each.name):
            shutil.rmtree(each, ignore_errors=True)
