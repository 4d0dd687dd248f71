"""Log: the file of one journal, locked while open; what was appended is on disk."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from arcwright.files.atomic import sync_folder
from arcwright.files.lock import lock, sync
from arcwright.server.storage.home import make_private
from arcwright.server.storage.journal.records import (
    MARK,
    START,
    STEPS,
    Kind,
    Mark,
    NewerVersion,
    Record,
    scan,
)

SUFFIX = ".journal"
UNFINISHED = ".new"  # behind the suffix, while a file is being written
_NEW = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_OLD = os.O_RDWR | getattr(os, "O_BINARY", 0)


@dataclass(frozen=True)
class Entry:
    """A record that has no number yet."""

    kind: Kind
    payload: bytes
    time: float  # s since 1970


class SyncFailed(OSError):
    """It is not known what of a file is on the disk: it has to be written anew."""


class Log:
    """Begins under another name; `install` puts it, complete and on disk, in its place."""

    def __init__(self, file: Path) -> None:
        make_private(file.parent)
        self.size = START
        self._file = file.with_name(f"{file.name}{UNFINISHED}{secrets.token_hex(4)}")
        self._journal = secrets.token_bytes(8)
        self._number = self._steps = 0
        self._acknowledged, self._slot = Mark(), 0
        self._descriptor = os.open(self._file, _NEW, 0o600)
        lock(self._descriptor)

    def write(self, entries: Iterable[Entry]) -> None:
        """Append, or leave the file as it was; `sync` has to follow."""
        number, steps, size = self._number, self._steps, self.size
        try:
            for entry in entries:
                steps += entry.kind in STEPS
                record = Record(entry.kind, number, steps, entry.time)
                size += self._put(record.framed(entry.payload, self._journal), size)
                number += 1
        except BaseException:
            with suppress(OSError):
                os.ftruncate(self._descriptor, self.size)
            raise
        self._number, self._steps, self.size = number, steps, size

    def append(self, entries: Iterable[Entry]) -> None:
        """Append; on disk when this returns."""
        self.write(entries)
        self.mark()
        self.sync()

    def sync(self) -> None:
        """Have all of it on disk."""
        try:
            sync(self._descriptor)
        except OSError as error:
            raise SyncFailed(error.errno, error.strerror) from error
        self._acknowledged = Mark(self._number, self._steps)

    def mark(self) -> None:
        """Note at the beginning how much is on disk, in the slot that was not written last."""
        if self._acknowledged.records:
            self._put(self._acknowledged.framed(self._journal), self._slot * MARK.size)
            self._slot = 1 - self._slot

    def install(self, file: Path) -> None:
        """Take the place of whatever has this name; the lock is kept."""
        self.mark()
        self.sync()
        if os.name == "nt":  # open files cannot be renamed there
            os.close(self._descriptor)
        self._file.replace(file)
        self._file = file
        if os.name == "nt":
            self._descriptor = os.open(file, _OLD)
            lock(self._descriptor)
        sync_folder(file.parent)

    def is_in_place(self) -> bool:
        """Whether the file was not deleted, replaced or shortened."""
        return self._is_there() and os.fstat(self._descriptor).st_size == self.size

    def is_intact(self) -> bool:
        """Whether the file is in its place and every record in it is as it was written."""
        if not self.is_in_place():
            return False
        try:
            with os.fdopen(os.dup(self._descriptor), "rb") as file:
                found = scan(file, self.size)
        except (OSError, NewerVersion):
            return False
        intact = sum(record.intact for record in found.records.values())
        return intact == self._number and not found.end_damaged and not found.torn

    def close(self, *, remove: bool = False) -> None:
        """Let go of the file, and delete it if asked to and if it is still this one."""
        here = self._is_there()
        remove = remove and here
        if here and not remove:
            with suppress(OSError):
                self.mark()
                self.sync()
        os.close(self._descriptor)
        if remove:
            with suppress(OSError):
                self._file.unlink(missing_ok=True)

    def _is_there(self) -> bool:
        try:
            return os.path.samestat(os.fstat(self._descriptor), self._file.stat())
        except OSError:
            return False

    def _put(self, data: bytes, place: int) -> int:
        os.lseek(self._descriptor, place, os.SEEK_SET)
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]
        return len(data)
