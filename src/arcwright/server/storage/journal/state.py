"""The state of a journal as values; written out, it is a complete new journal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from arcwright.scene.edit import Edit
from arcwright.scene.scene import Scene
from arcwright.server.storage.journal.log import Entry
from arcwright.server.storage.journal.records import Kind
from arcwright.server.storage.journal.units import split
from arcwright.server.storage.packing import Packer, pack


@dataclass(frozen=True)
class Event:
    """Something that happened to a document."""

    kind: Kind
    time: float  # s since 1970
    edit: Edit | None = None
    path: str | None = None

    def entry(self, packer: Packer) -> Entry:
        """The event as a record."""
        payload = b""
        if self.edit is not None:
            payload = packer.pack(step_value(self.edit))
        elif self.path is not None:
            payload = pack(self.path)
        return Entry(self.kind, payload, self.time)


@dataclass(frozen=True)
class Step:
    """An edit and when it was done."""

    edit: Edit
    time: float  # s since 1970
    size: int = 0  # bytes it takes in the file


@dataclass(frozen=True)
class State:
    """A starting scene and the steps done and undone since."""

    start: Scene
    began: float  # s since 1970
    path: str | None = None  # the user's own file
    saved_at: float = 0.0  # s since 1970, when that file was read or written last
    unsaved: bool = False  # whether anything is not in that file
    done: tuple[Step, ...] = ()
    undone: tuple[Step, ...] = ()  # the last one undone is last

    def after(self, event: Event, size: int = 0) -> State:
        """The state after an event, which takes `size` bytes in the file."""
        done, undone = self.done, self.undone
        match event.kind:
            case Kind.EDIT:
                assert event.edit is not None
                step = Step(event.edit, event.time, size)
                return replace(self, done=(*done, step), undone=(), unsaved=True)
            case Kind.UNDO:
                return replace(self, done=done[:-1], undone=(*undone, done[-1]), unsaved=True)
            case Kind.REDO:
                return replace(self, done=(*done, undone[-1]), undone=undone[:-1], unsaved=True)
            case Kind.DROPPED:
                return replace(self, start=done[0].edit.apply(self.start), done=done[1:])
            case Kind.SAVED:
                return replace(self, path=event.path, saved_at=event.time, unsaved=False)
        raise AssertionError(event.kind)

    def events(self) -> Iterator[Event]:
        """What leads from the starting scene to here."""
        for step in (*self.done, *self.undone[::-1]):
            yield Event(Kind.EDIT, step.time, edit=step.edit)
        for step in self.undone:
            yield Event(Kind.UNDO, step.time)
        if self.path is not None and not self.unsaved:
            yield Event(Kind.SAVED, self.saved_at, path=self.path)

    def start_entries(self, packer: Packer) -> Iterator[Entry]:
        """The starting scene. Its shell comes twice: without it the rest would be of little use."""
        shell, units = split(self.start)
        described = pack(shell | {"unsaved": self.unsaved})
        yield Entry(Kind.START, described, self.began)
        for number, unit in enumerate(units):
            yield Entry(Kind.UNIT, packer.pack_unit(number, unit), self.began)
        yield Entry(Kind.START, described, self.began)
        if self.path is not None:
            yield Event(Kind.OPENED, self.saved_at, path=self.path).entry(packer)

    @property
    def live_bytes(self) -> int:
        """What the steps take in the file."""
        return sum(step.size for step in (*self.done, *self.undone))

    @property
    def live_records(self) -> int:
        """The records that its steps come to when it is written out."""
        return len(self.done) + 2 * len(self.undone)


def step_value(edit: Edit) -> tuple[object, ...]:
    """Label, address, value after it, address, ...: what was before is in the scene already."""
    pairs = [part for change in edit.changes for part in (change.address, change.after)]
    return (edit.label, *pairs)
