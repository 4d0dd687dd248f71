"""Damage done to journals in every way, and the law that holds for what comes of them.

However a journal is damaged, its document opens as it was after some event, or with what was
lost named, or it is listed as damaged; nothing raises, nothing differs in silence, and every other
document in the folder is as it was.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

from arcwright import read
from arcwright.arrays import same
from arcwright.errors import BadFile
from arcwright.scene.history import History
from arcwright.scene.scene import Actor
from arcwright.server import messages as m
from arcwright.server.document import changes
from arcwright.server.storage.journal import Journal, discard, recover, unfinished
from arcwright.server.storage.journal.records import HEAD, Kind, Record, _digest, scan
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


# Damage: (random, original) -> bytes, and whether an end that is missing may go unnoticed


def flip_bit(dice: random.Random, original: Original) -> tuple[bytes, bool]:
    data = bytearray(original.data)
    data[_place(dice, original)] ^= 1 << dice.randrange(8)
    return bytes(data), False


def flip_header_bit(dice: random.Random, original: Original) -> tuple[bytes, bool]:
    data = bytearray(original.data)
    start, _ = dice.choice(original.spans() or [(0, 100)])
    data[start + dice.randrange(HEAD.size)] ^= 1 << dice.randrange(8)
    return bytes(data), False


def random_bytes(dice: random.Random, original: Original) -> tuple[bytes, bool]:
    data, start = bytearray(original.data), _place(dice, original)
    count = dice.choice([1, 4, 60, 5000])
    some = dice.randbytes(count)[: len(data) - start]
    data[start : start + count] = some
    return bytes(data), False


def zero_range(dice: random.Random, original: Original) -> tuple[bytes, bool]:
    data, start = bytearray(original.data), _place(dice, original)
    stop = len(data) if dice.random() < 0.3 else min(len(data), start + dice.choice([1, 50, 4096]))
    data[start:stop] = bytes(stop - start)
    return bytes(data), stop == len(data)


def truncate(dice: random.Random, original: Original) -> tuple[bytes, bool]:
    places = [
        place for span in original.spans() for place in (*span, span[0] + HEAD.size, span[0] + 3)
    ]
    place = dice.choice(places) if places and dice.random() < 0.7 else _place(dice, original)
    return original.data[:place], True


def truncate_and_zero(dice: random.Random, original: Original) -> tuple[bytes, bool]:
    short, _ = truncate(dice, original)
    return short + bytes(dice.choice([1, 100, 4096])), True


def append_foreign(dice: random.Random, original: Original) -> tuple[bytes, bool]:
    return original.data + dice.randbytes(dice.choice([1, 40, 5000])), False


def append_foreign_record(dice: random.Random, original: Original) -> tuple[bytes, bool]:
    last = max(original.records, key=lambda each: each.number, default=Record(4, 0, 0, 0.0))
    record = Record(Kind.UNDO, last.number + 1, last.steps + 1, 0.0)
    return original.data + record.framed(b"", dice.randbytes(8)), False


def duplicate_record(dice: random.Random, original: Original) -> tuple[bytes, bool]:
    start, stop = _span(dice, original)
    other = _span(dice, original)[1]
    return original.data[:other] + original.data[start:stop] + original.data[other:], False


def swap_records(dice: random.Random, original: Original) -> tuple[bytes, bool]:
    (a, b), (c, d) = sorted([_span(dice, original), _span(dice, original)])
    if b > c:
        return original.data, False
    data = original.data
    return data[:a] + data[c:d] + data[b:c] + data[a:b] + data[d:], False


def remove_record(dice: random.Random, original: Original) -> tuple[bytes, bool]:
    start, stop = _span(dice, original)
    return original.data[:start] + original.data[stop:], stop == len(original.data)


def remove_bytes(dice: random.Random, original: Original) -> tuple[bytes, bool]:
    start = _place(dice, original)
    stop = min(len(original.data), start + dice.choice([1, 8, 300]))
    last = max(original.spans() or [(0, 0)])[0]
    return original.data[:start] + original.data[stop:], stop > last


def insert_bytes(dice: random.Random, original: Original) -> tuple[bytes, bool]:
    start = _place(dice, original)
    return original.data[:start] + dice.randbytes(dice.choice([1, 8, 300])) + original.data[
        start:
    ], False


def spoil_label(dice: random.Random, original: Original) -> tuple[bytes, bool]:
    places = [found.start() for found in re.finditer(rb"Name it|Move 1|file\.arc", original.data)]
    data = bytearray(original.data)
    data[dice.choice(places)] = 0xFF
    return bytes(data), False


def lie_in_header(dice: random.Random, original: Original) -> tuple[bytes, bool]:
    """A length, number or time that makes no sense, under a digest that fits it."""
    start = dice.choice(original.spans() or [(0, 0)])[0]
    data = bytearray(original.data)
    if len(original.spans()) == 0:
        return bytes(data[:-1]), True
    place, form, value = dice.choice(
        [
            *((16, "<Q", 4 << 30), (16, "<Q", 2**63), (16, "<Q", 0)),
            *((8, "<I", 2**32 - 1), (24, "<d", float("nan")), (24, "<d", float("inf"))),
            *((24, "<d", -1e300), (4, "<B", 9), (5, "<B", 77), (12, "<I", 2**32 - 1)),
        ]
    )
    struct.pack_into(form, data, start + place, value)
    covered = bytes(data[start : start + HEAD.size - 8])
    data[start + HEAD.size - 8 : start + HEAD.size] = _digest(covered)
    return bytes(data), True


def garbage(dice: random.Random, original: Original) -> tuple[bytes, bool]:
    return dice.randbytes(dice.choice([0, 1, 16, 100_000])), False


def all_zero(dice: random.Random, original: Original) -> tuple[bytes, bool]:
    return bytes(len(original.data)), False


DAMAGE: tuple[Callable[[random.Random, Original], tuple[bytes, bool]], ...] = (
    *(flip_bit, flip_bit, flip_header_bit, random_bytes, zero_range, truncate, truncate_and_zero),
    *(append_foreign, append_foreign_record, duplicate_record, swap_records, remove_record),
    *(remove_bytes, insert_bytes, spoil_label, lie_in_header, garbage, all_zero),
)
FORGED = (lie_in_header,)  # no digest can tell


def _place(dice: random.Random, original: Original) -> int:
    """Anywhere; half of the time near the beginning of a record, or in the first or last bytes."""
    size = len(original.data)
    if dice.random() < 0.5 and (spans := original.spans()):
        return min(size - 1, dice.choice(spans)[0] + dice.randrange(200))
    return dice.choice([dice.randrange(size), dice.randrange(min(100, size)), size - 1])


def _span(dice: random.Random, original: Original) -> tuple[int, int]:
    return dice.choice(original.spans() or [(0, len(original.data) // 2)])


# What lies in the place of the file


def a_folder(file: Path) -> None:
    file.mkdir()
    (file / "something").write_text("of somebody")


def a_pipe(file: Path) -> None:
    os.mkfifo(file)


def a_link(file: Path) -> None:
    file.symlink_to("/dev/zero")


def a_broken_link(file: Path) -> None:
    file.symlink_to(file.parent / "nowhere")


INSTEAD = (a_folder, a_pipe, a_link, a_broken_link)


class Corruption:
    """Journals in a folder: one that is damaged, and one that must never be."""

    def __init__(self, home: Path, seed: int) -> None:
        self.home, self.dice = home, random.Random(seed)
        self.originals = []
        for build in BUILDERS:
            self.originals.append(build(home / build.__name__))
        self.other = small(home / "other")
        self.outcomes: dict[str, int] = {}

    def case(self) -> None:
        """One damaged journal beside a whole one."""
        dice = self.dice
        original, damage = dice.choice(self.originals), dice.choice(DAMAGE)
        if dice.random() < 0.08:
            instead = dice.choice(INSTEAD)
            folder, file = self._folder(original)
            instead(file)
            self._check_unreadable(folder, original, instead.__name__)
            return
        data, may_lack_end = damage(dice, original)
        if may_lack_end and damage not in FORGED:  # at most what no mark had confirmed
            found = scan(BytesIO(data), len(data))
            may_lack_end = len(found.records) >= found.mark.records
        folder, file = self._folder(original)
        file.write_bytes(data)
        self.check(folder, original, may_lack_end, damage.__name__, forged=damage in FORGED)

    def check(
        self, home: Path, original: Original, may_lack_end: bool, what: str, *, forged: bool = False
    ) -> None:
        """The law."""
        listed = {left.name: left for left in unfinished(home)}
        assert self.other.name in listed, f"{what}: the other document is not listed"
        left = listed.get(original.name)
        if left is None:  # all that is unsaved is behind the end
            assert may_lack_end or not original.checked, f"{what}: it is not listed"
            self._count("nothing unsaved left")
        else:
            self._recovered(home, original, left.damage, may_lack_end, what, forged)
        history, _, journal = recover(home, self.other.name)
        journal.close()
        assert same(history, self.other.histories[-1]), f"{what}: the other document differs"
        shutil.rmtree(home)

    def _recovered(
        self,
        home: Path,
        original: Original,
        damage: str,
        may_lack_end: bool,
        what: str,
        forged: bool,
    ) -> None:
        history, journal, refused = _recovered(home, original.name)
        if refused:
            assert damage, f"{what}: listed as whole, but {refused}"
            assert str(home) not in refused
            discard(home, original.name)
            self._count("listed as damaged")
            return
        if journal.lost:
            assert [name for name in _names(home) if name.endswith(".damaged")]
            self._count("some of it lost, and named")
            if original.checked and not forged:
                check_named(history, journal.lost, original, what)
        elif not original.checked or forged:
            self._count("opened")
        elif same(history, original.histories[-1]):
            self._count("opened as it was")
        else:
            assert may_lack_end, f"{what}: it differs in silence"
            assert any(alike(history, each) for each in original.histories), f"{what}: no prefix"
            self._count("opened up to where it ends")

    def _check_unreadable(self, home: Path, original: Original, what: str) -> None:
        listed = {left.name: left for left in unfinished(home)}
        assert listed[original.name].damage, what
        assert _recovered(home, original.name)[2], f"{what}: recovered"
        discard(home, original.name)
        assert [left.name for left in unfinished(home)] == [self.other.name], what
        self._count("listed as damaged")
        shutil.rmtree(home)

    def _folder(self, original: Original) -> tuple[Path, Path]:
        home = self.home / "case"
        folder = home / "journals"
        folder.mkdir(parents=True)
        (folder / f"{self.other.name}.journal").write_bytes(self.other.data)
        return home, folder / f"{original.name}.journal"

    def _count(self, outcome: str) -> None:
        self.outcomes[outcome] = self.outcomes.get(outcome, 0) + 1


def _recovered(home: Path, name: str) -> tuple[History, Journal, str]:
    """A document and its journal, put away again; or why it cannot be recovered."""
    try:
        history, _, journal = recover(home, name)
    except BadFile as error:
        return None, None, str(error)  # type: ignore[return-value]
    journal.close()
    return history, journal, ""


def _names(home: Path) -> list[str]:
    return [each.name for each in (home / "journals").iterdir()]


def alike(found: History, meant: History) -> bool:
    """Whether a history is this one; labels first, which is quick."""
    labels = [[edit.label for edit in each.done] for each in (found, meant)]
    return labels[0] == labels[1] and same(found, meant)


def check_named(found: History, lost: str, original: Original, what: str) -> None:
    """Takes and shapes that are not reported lost are as they were at some time."""
    actors: list[Actor] = [*found.scene.characters, *found.scene.props]
    for actor in actors:
        once = [history.scene.actor(actor.name) for history in original.histories]
        if re.search(f"(character|prop) {actor.name!r}", lost, re.IGNORECASE):
            continue
        assert any(same(actor.rig, each.rig) for each in once), f"{what}: rig of {actor.name}"
        for take in actor.takes:
            if f"take {take.name!r} of" not in lost.replace("Take", "take"):
                known = [one for each in once for one in each.takes if same(one, take)]
                assert known, f"{what}: take {take.name} of {actor.name} differs ({lost})"
        for shape in actor.shapes:
            known_shapes = [one for each in once for one in each.shapes if same(one, shape)]
            assert known_shapes, f"{what}: shape of {actor.name} differs"
        missing = {shape.name for shape in once[0].shapes} - {each.name for each in actor.shapes}
        assert all(f"shape {name!r}" in lost.lower() for name in missing), f"{what}: {missing}"
