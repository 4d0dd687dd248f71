"""Ways to damage the file of a journal.

Each takes random numbers and an original, and returns bytes and whether an end that is missing may
go unnoticed; `INSTEAD` puts something else in the place of the file.
"""

from __future__ import annotations

import os
import random
import re
import struct
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

from arcwright.scene.scene import Scene
from arcwright.server.storage.journal.records import HEAD, Kind, Record, _digest, scan
from arcwright.server.storage.journal.units import split
from journal_originals import Original


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


def records(file: Path) -> list[Record]:
    """The records of a journal."""
    data = file.read_bytes()
    return [*scan(BytesIO(data), len(data)).records.values()]


def spoil(file: Path, record: Record) -> None:
    """One flipped bit in the middle of a payload."""
    data = bytearray(file.read_bytes())
    data[record.place + record.length // 2] ^= 4
    file.write_bytes(data)


def unit_of(file: Path, scene: Scene, unit: object) -> Record:
    """The record of a unit of the starting scene."""
    (number,) = [n for n, each in enumerate(split(scene)[1]) if each is unit]
    return next(each for each in records(file) if each.number == number + 1)
