"""Journals as they were before any damage, with the scene after each of their events."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

from arcwright import read
from arcwright.scene.history import History
from arcwright.server import messages as m
from arcwright.server.document import changes
from arcwright.server.storage.journal import recover
from arcwright.server.storage.journal.records import HEAD, Record, scan
from journalled import ODD, WAVE, Document

VERSION_1 = Path(__file__).parents[1] / "server" / "version_1.journal"
OLD_NAME = "20261116-032142-150c54dd"


@dataclass
class Original:
    """A journal as it was left, and the document after every event of it."""

    name: str
    data: bytes
    histories: list[History] = field(default_factory=list)
    checked: bool = True  # every bit of it is guarded by a digest

    @property
    def records(self) -> list[Record]:
        return [*scan(BytesIO(self.data), len(self.data)).records.values()]

    def spans(self) -> list[tuple[int, int]]:
        """First and behind the last byte of each record."""
        return [(each.place - HEAD.size, each.place + each.length) for each in self.records]


class Recorded(Document):
    """A document of which every state is kept."""

    def __init__(self, home, scene=None, path=None):
        super().__init__(home, scene, path)
        self.histories = [self.history]

    def edit(self, edit):
        super().edit(edit)
        self.histories.append(self.history)

    def undo(self):
        super().undo()
        self.histories.append(self.history)

    def redo(self):
        super().redo()
        self.histories.append(self.history)

    def left(self) -> Original:
        name = self.crash()
        return Original(name, self.file.read_bytes(), self.histories)


def small(home: Path) -> Original:
    """Something of everything, two characters edited in turn, undo and a saved file."""
    document = Recorded(home, path="/some/file.arc.glb")
    for step in range(3):
        document.do(f"wave {step}", WAVE)
        document.do(f"odd {step}", ODD)
    document.journal.record_save("/some/other.arc.glb")
    document.undo()
    document.undo()
    document.redo()
    document.do("last", ODD)
    document.undo()
    return document.left()


def lamp(home: Path) -> Original:
    """A built-in character with its mesh, and keys that are moved."""
    document = Recorded(home, read("lamp:hop"))
    curves = document.history.scene.characters[0].takes[0].base.curves
    keyed = [channel for channel, curve in enumerate(curves) if curve is not None]
    for step in range(12):
        moved = [(keyed[step % len(keyed)], 0)]
        change = m.MoveKeys("lamp", "hop", moved, value=0.01 * (step + 1))
        document.edit(changes.edit_of(document.history.scene, change))
        if step % 4 == 3:
            document.undo()
    return document.left()


def compacted(home: Path) -> Original:
    """Some steps dropped, and all of it written anew."""
    document = Recorded(home)
    for step in range(8):
        document.do(f"wave {step}", WAVE)
    document.undo()
    document.journal.record_dropped(3)
    document.history = document.history.without_oldest(3)
    document.file.unlink()
    document.histories = []
    document.redo()
    # Written anew as 5 steps: any number of them may be what is left.
    history = document.history
    fewer = [history]
    while fewer[-1].done:
        back = fewer[-1].undo()
        fewer.append(History(back.scene, back.done))
    document.histories = fewer[::-1]
    return document.left()


def version_1(home: Path) -> Original:
    """A journal of the version before, which had no digests."""
    folder = home / "journals"
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(VERSION_1, folder / f"{OLD_NAME}.journal")
    recover(home, OLD_NAME)[2].close()
    return Original(OLD_NAME, VERSION_1.read_bytes(), checked=False)


BUILDERS = (small, lamp, compacted, version_1)
