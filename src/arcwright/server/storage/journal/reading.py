"""Reading a journal: its intact records in order, and what was lost."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import BufferedReader
from math import isfinite
from pathlib import Path

from arcwright.errors import ArcwrightError, BadFile
from arcwright.files.lock import lock
from arcwright.scene.scene import Scene
from arcwright.server.storage.journal.old_addresses import Changes
from arcwright.server.storage.journal.records import Kind, Record, payload_of, scan
from arcwright.server.storage.journal.replay import (
    Content,
    Losses,
    Written,
    replayed,
    standing,
)
from arcwright.server.storage.journal.state import State
from arcwright.server.storage.journal.units import Shell, has_old_groups, join, names
from arcwright.server.storage.packing import Unpacker, unpack

_FLAGS = os.O_RDONLY | getattr(os, "O_BINARY", 0)
_FLAGS |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)  # never wait for a pipe


class Unreadable(ArcwrightError):
    """Nothing can be recovered from a journal; the text says why."""


class InUse(Unreadable):
    """A journal of a process that is still at work."""


@contextmanager
def opened(file: Path) -> Iterator[BufferedReader]:
    """A journal for this process alone; `InUse` where another one has it."""
    try:
        descriptor = os.open(file, _FLAGS)
    except OSError as error:
        if file.is_symlink():
            raise Unreadable("a link is in its place") from error
        raise Unreadable(f"it cannot be opened: {(error.strerror or '').lower()}") from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise Unreadable("something that is not a file is in its place")
    with os.fdopen(descriptor, "rb") as stream:
        if not lock(descriptor):
            raise InUse("it is open in another studio")
        try:
            yield stream
        except OSError as error:
            raise Unreadable(f"it cannot be read: {(error.strerror or '').lower()}") from error


@dataclass(frozen=True)
class Summary:
    """What a journal holds, without recovering it."""

    label: str  # the name of the scene
    when: float  # s since 1970, of the last event
    path: str | None
    steps: int  # that can be undone
    unsaved: bool
    losses: str  # "" where nothing is
    differs: bool = True  # from the user's file, or from what was opened


class Contents:
    """The records of an open journal."""

    def __init__(self, stream: BufferedReader) -> None:
        self._stream = stream
        size = os.fstat(stream.fileno()).st_size
        if size == 0:
            raise Unreadable("it is empty")
        self._scan = scan(stream, size)
        self._last = max(self._scan.records, default=-1)
        self._mark = self._scan.mark
        self._shell = self._find_shell()
        # A journal is complete before it gets its name: one that ends before that was cut.
        self._end_unread = self._scan.end_damaged or self._last < self._units + 1

    def summary(self) -> Summary:
        """What it holds; damage is reported as far as the records themselves show it."""
        losses = Losses(end_unread=self._end_unread, unconfirmed=not self._mark.records)
        broken = {n for n in range(self._units) if not self._is_intact(n + 1)}
        losses.parts = names(self._shell, broken)
        found = standing(self._events(losses, None), self._empty(Scene()))
        steps = found.in_order
        unread = next((at for at, event in enumerate(steps) if not event.intact), None)
        undoable = len(found.done)
        if unread is not None:
            losses.cut(unread, len(steps))
            undoable = max(0, min(undoable, unread - len(found.dropped)))
        when = self._scan.records[self._last].time
        return Summary(
            *(self._shell["name"], when if isfinite(when) else 0.0, found.state.path, undoable),
            *(found.state.unsaved or bool(losses), losses.describe()),
            differs=found.differs or bool(losses),
        )

    def restored(self, name: str) -> tuple[State, Scene, Losses]:
        """All of it that can be read, its scene, and what cannot."""
        losses = Losses(end_unread=self._end_unread, unconfirmed=not self._mark.records)
        unpacker = Unpacker(name)

        def unit(number: int) -> object:
            if not self._is_intact(number + 1):
                raise BadFile(name, f"unit {number} is lost")
            return unpacker.unpack_unit(number, self._payload(self._scan.records[number + 1]))

        try:
            joined = join(self._shell, unit, unpacker.put_unit)
        except (ArcwrightError, TypeError, ValueError, LookupError) as error:
            raise Unreadable("the scene it began with cannot be put together") from error
        losses.parts = joined.lost
        events = self._events(losses, unpacker)
        empty, old = self._empty(joined.scene), has_old_groups(self._shell)
        return *replayed(joined, events, empty, losses, old_groups=old), losses

    @property
    def _units(self) -> int:
        return int(self._shell["units"])

    def _empty(self, scene: Scene) -> State:
        began = min((record.time for record in self._scan.records.values()), default=0.0)
        return State(scene, began, None, began, bool(self._shell["unsaved"]))

    def _find_shell(self) -> Shell:
        for record in sorted(self._scan.records.values(), key=lambda record: record.number):
            if record.kind == Kind.START and record.intact:
                with suppress(ArcwrightError):
                    shell = unpack(self._payload(record), "journal")
                    if isinstance(shell, dict):
                        return shell
        why = "nothing in it can be read" if self._last < 0 else "its beginning cannot be read"
        raise Unreadable(why)

    def _is_intact(self, number: int) -> bool:
        record = self._scan.records.get(number)
        return record is not None and record.intact

    def _payload(self, record: Record) -> bytes:
        return payload_of(self._stream, record)

    def _events(self, losses: Losses, unpacker: Unpacker | None) -> list[Written]:
        """What happened, up to the first record of which nothing is known."""
        made: list[Written] = []
        records, steps = self._scan.records, 0
        for number in range(self._units + 2, max(self._last + 1, self._mark.records)):
            record = records.get(number)
            if record is None:
                known = max(records[self._last].steps, self._mark.steps)
                losses.cut(steps, max(known, steps + 1))
                break
            made.append(self._event(record, losses, unpacker))
            steps = record.steps
        return made

    def _event(self, record: Record, losses: Losses, unpacker: Unpacker | None) -> Written:
        if record.kind in (Kind.OPENED, Kind.SAVED):
            path = self._path(record)
            losses.path = path is None
            return Written(record.kind, record.time, path=path)
        content = None
        if record.kind == Kind.EDIT and record.intact and unpacker is not None:
            content = _content(unpacker, self._payload(record))
        return Written(record.kind, record.time, content, None, record.intact, record.length)

    def _path(self, record: Record) -> str | None:
        with suppress(BadFile):
            path = unpack(self._payload(record), "journal") if record.intact else None
            return path if isinstance(path, str) else None
        return None


def _content(unpacker: Unpacker, payload: bytes) -> Content:
    try:
        label, *pairs = unpacker.unpack_each(payload)
    except (ArcwrightError, ValueError):
        return None
    changes: Changes = []
    for address, after in zip(pairs[::2], pairs[1::2], strict=False):
        if not isinstance(address, tuple):
            return None
        changes.append((address, after))
    return (label, changes) if isinstance(label, str) else None
