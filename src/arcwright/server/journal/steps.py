"""Journal: writing down every step of one document."""

from __future__ import annotations

import secrets
import sqlite3
import threading
import time
from contextlib import suppress
from pathlib import Path

from arcwright.errors import ArcwrightError
from arcwright.scene.edit import Edit
from arcwright.scene.scene import Scene
from arcwright.server.journal.rows import (
    STEPS,
    SUFFIX,
    Row,
    connect,
    folder_of,
    insert,
    remove,
    rows_in,
)
from arcwright.server.packing import Packer


class JournalTrouble(ArcwrightError):
    """Steps are not on disk yet. The document in memory is whole, and nothing is left out later."""


class Journal:
    """The journal of one document. What cannot be written waits, and is written with the next step.

    `trouble` says in plain words why something waits, or what a recovered journal had lost.
    `kept_at` is when the user's own file was read or written last, s since 1970.
    """

    def __init__(self, file: Path, packer: Packer, first: int = 0, unsaved: int = 0) -> None:
        self.file = file
        self.trouble: str | None = None
        self.kept_at = time.time()
        self._packer = packer
        self._next = first
        self._unsaved = unsaved  # steps since the user's own file was written
        self._waiting: list[Row] = []
        self._connection: sqlite3.Connection | None = None
        self._lock = threading.Lock()

    @classmethod
    def begin(cls, home: Path, scene: Scene, path: str | None) -> Journal:
        """The journal of a document just opened; where it cannot be written `trouble` says why."""
        name = f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(4)}"
        journal = cls(folder_of(home) / f"{name}{SUFFIX}", Packer())
        with suppress(JournalTrouble):
            journal._add("began", scene.name, scene)
            if path is not None:
                journal._add("from", path)
        return journal

    @property
    def name(self) -> str:
        """What `recover` calls it."""
        return self.file.name.removesuffix(SUFFIX)

    def did(self, edit: Edit) -> None:
        """A step was done. Returns once it is on disk; `JournalTrouble` when it is not."""
        if not edit.empty:
            # What was there before is in the scene already, bit for bit.
            after = tuple((change.address, change.after) for change in edit.changes)
            self._unsaved += 1
            self._add("did", edit.label, after)

    def undid(self) -> None:
        """The last step was taken back."""
        self._unsaved += 1
        self._add("undid", "")

    def redid(self) -> None:
        """What was taken back was done again."""
        self._unsaved += 1
        self._add("redid", "")

    def saved(self, path: str) -> None:
        """The document as it is now was written to the user's own file."""
        self._unsaved, self.kept_at = 0, time.time()
        self._add("saved", path)

    def close(self) -> None:
        """A clean end: removed if the user's file holds everything, else kept for next time."""
        with self._lock:
            try:
                if self._waiting and self._unsaved:
                    self._write()
            finally:
                if self._connection is not None:
                    self._connection.close()
                    self._connection = None
                if not self._unsaved:
                    remove(self.file)

    def resume(self, connection: sqlite3.Connection) -> None:
        """Go on in a file that is already open."""
        self._connection = connection

    def _add(self, word: str, label: str, value: object = None) -> None:
        with self._lock:
            packet = None if value is None else self._packer.pack(value)
            self._waiting.append((self._next, word, label, time.time(), packet))
            self._next += 1
            self._write()

    def _write(self) -> None:
        """Put all that waits on disk, in one piece."""
        try:
            if self._connection is None or not self.file.exists():
                self._reopen()
            assert self._connection is not None
            insert(self._connection, self._waiting)
        except (sqlite3.Error, OSError) as error:
            steps = sum(row[1] in STEPS for row in self._waiting)
            self.trouble = _spoken(error, self.file.parent, steps)
            raise JournalTrouble(self.trouble) from error
        self._waiting.clear()
        self.trouble = None

    def _reopen(self) -> None:
        """Open the file; one that was deleted is written again from what its ghost still holds."""
        if self._connection is not None:
            rows = rows_in(self._connection)
            kept = {row[0]: row for row in rows}
            self._waiting = [*(kept | {row[0]: row for row in self._waiting}).values()]
            self._connection.close()
            self._connection = None
        self._connection = connect(self.file, new=True)


def _spoken(error: Exception, folder: Path, steps: int) -> str:
    code = getattr(error, "sqlite_errorname", "")
    if code == "SQLITE_FULL":
        why = "the disk is full"
    elif code.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")):
        why = "the folder cannot be written to"
    else:
        why = getattr(error, "strerror", None) or str(error)
    many = "the last step is" if steps == 1 else f"the last {steps} steps are"
    what = f"{many} not safe on disk yet" if steps else "steps will not be safe on disk"
    return (
        f"{what}: {why} ({folder}). Everything is kept in memory and is written once that works: "
        "make room or allow writing there, or save the file elsewhere now"
    )
