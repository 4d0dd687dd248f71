"""Records: the framing of a journal, and finding every intact record in a damaged one.

A file begins with two marks of how much of it was acknowledged, written in turn, little-endian:

    4s magic   u32 records   u32 steps   u32 0   8s journal   8s digest of the 24 bytes before it

A mark is written together with the next record, so it never claims what may not be on disk; a
file that holds less than its mark says was cut or damaged. Then come the records, each a header of
56 bytes and its payload:

    4s magic   u8 version   u8 kind   u16 0   u32 number   u32 steps   u64 payload length
    f64 time   8s journal   8s digest of the payload   8s digest of the 48 bytes before it

`number` counts records from 0, `steps` those that are steps, up to and with this one; `journal`
is the same in all records of a file and in no other file. Digests are the first 8 bytes of SHA-256.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from hashlib import sha256
from typing import BinaryIO

from arcwright.errors import ArcwrightError

VERSION = 8
"""Since 3 pins and contacts are among the constraints of a scene, since 4 it has recordings, since
5 activities, since 6 cameras and a flow, since 7 a pose library and markers, since 8 a
flow has keys, and a scene roles, its ground and a sound."""
MAGIC = b"\xa9AWJ"
HEAD = struct.Struct("<4sBBHIIQd8s8s8s")
MARK = struct.Struct("<4sIII8s8s")
MARK_MAGIC = b"\xa9AWM"
START = 2 * MARK.size  # where records begin
LARGEST = 2 << 30  # bytes that are looked at
_CHUNK = 1 << 20  # bytes read at once
_COVERED = HEAD.size - 8  # bytes of the header that its own digest covers


class Kind(IntEnum):
    """What a record stands for."""

    START = 1  # the shell of the starting scene; once before and once after its units
    UNIT = 2  # a part of the starting scene
    EDIT = 3
    UNDO = 4
    REDO = 5
    DROPPED = 6  # the oldest step can no longer be undone
    OPENED = 7  # the user's own file that the document was read from
    SAVED = 8  # the document was written to the user's own file


STEPS = {Kind.EDIT: 1, Kind.UNDO: -1, Kind.REDO: 1}  # what steps do to the count of undoable ones


class NewerVersion(ArcwrightError):
    """The journal was written by a later version."""

    def __init__(self, version: int) -> None:
        super().__init__(f"it was written by a newer version ({version}): update Arcwright")


@dataclass(frozen=True)
class Record:
    """A record that is being written, or one whose header could be read."""

    kind: int
    number: int
    steps: int
    time: float  # s since 1970
    place: int = 0  # of the payload in the file
    length: int = 0
    intact: bool = True  # the payload is what was written

    def framed(self, payload: bytes, journal: bytes) -> bytes:
        """Header and payload."""
        start = HEAD.pack(
            *(MAGIC, VERSION, self.kind, 0, self.number, self.steps, len(payload), self.time),
            *(journal, _digest(payload), b""),
        )[:_COVERED]
        return start + _digest(start) + payload


@dataclass(frozen=True)
class Mark:
    """How much of a journal was acknowledged."""

    records: int = 0
    steps: int = 0

    def framed(self, journal: bytes) -> bytes:
        """As it is written."""
        start = MARK.pack(MARK_MAGIC, self.records, self.steps, 0, journal, b"")[:-8]
        return start + _digest(start)


@dataclass
class Scan:
    """All records of a file by their numbers, and how the file ends."""

    records: dict[int, Record] = field(default_factory=dict)
    journal: bytes = b""
    end_damaged: bool = False  # ends in something else than records
    torn: bool = False  # ends in the middle of a record, as when its writer was stopped
    mark: Mark = Mark()  # what it must hold at least
    version: int = VERSION  # of its records

    def could_begin(self, data: bytes) -> bool:
        """Whether these bytes are part of the header of the next record, and no more than that."""
        number = max(self.records, default=-1) + 1
        expected = HEAD.pack(MAGIC, self.version, 0, 0, number, 0, 0, 0.0, self.journal, b"", b"")
        known = (slice(0, 5), slice(6, 12), slice(32, 40))  # what does not depend on the record
        return len(data) < HEAD.size and all(
            data[part] == expected[part][: len(data[part])] for part in known
        )


def scan(file: BinaryIO, size: int) -> Scan:
    """Read a file from its beginning, passing over what is damaged; bounded in memory."""
    found = Scan()
    place, size = START, min(size, LARGEST)
    while place < size:
        head = _header(file, place, found.journal)
        if head is None:
            following = _next_header(file, place + 1, size, found.journal)
            if following is None:
                found.torn = found.could_begin(_read(file, place, size)) or _all_zero(
                    file, place, size
                )
                found.end_damaged = not found.torn
                break
            place = following
            continue
        record, digest, found.journal, found.version = head
        end = record.place + record.length
        if end <= size and _digest_of(file, record.place, end) == digest:
            found.records.setdefault(record.number, record)
            place = end
            continue
        following = _next_header(file, record.place, size, found.journal)
        if following is None and end > size:
            found.torn = True
            break
        damaged = Record(record.kind, record.number, record.steps, record.time, intact=False)
        found.records.setdefault(record.number, damaged)
        place = size if following is None else following
    found.mark = _mark(file, found.journal)
    return found


def _mark(file: BinaryIO, journal: bytes) -> Mark:
    """The later of the two marks that can be read."""
    file.seek(0)
    data = file.read(START)
    best = Mark()
    for place in range(0, START, MARK.size):
        slot = data[place : place + MARK.size]
        if len(slot) == MARK.size and _digest(slot[:-8]) == slot[-8:]:
            magic, records, steps, _, whose, _ = MARK.unpack(slot)
            if magic == MARK_MAGIC and whose == journal and records >= best.records:
                best = Mark(records, steps)
    return best


def _read(file: BinaryIO, start: int, stop: int) -> bytes:
    file.seek(start)
    return file.read(min(stop - start, HEAD.size))


def payload_of(file: BinaryIO, record: Record) -> bytes:
    """The payload of an intact record."""
    file.seek(record.place)
    return file.read(record.length)


def _header(file: BinaryIO, place: int, journal: bytes) -> tuple[Record, bytes, bytes, int] | None:
    """A record at a place, the digest of its payload, its journal and version; None if none is."""
    file.seek(place)
    data = file.read(HEAD.size)
    if len(data) < HEAD.size or _digest(data[:_COVERED]) != data[_COVERED:]:
        return None
    magic, version, kind, _, number, steps, length, time, whose, digest, _ = HEAD.unpack(data)
    if magic != MAGIC or (journal and whose != journal):
        return None
    if version > VERSION:
        raise NewerVersion(version)
    return Record(kind, number, steps, time, place + HEAD.size, length), digest, whose, version


def _next_header(file: BinaryIO, start: int, stop: int, journal: bytes) -> int | None:
    for place in _places_of(file, start, stop, journal):
        if _header(file, place, journal) is not None:
            return place
    return None


def _places_of(file: BinaryIO, start: int, stop: int, journal: bytes) -> Iterator[int]:
    """Where a header may begin: the magic word, and zeros and the journal where they belong."""
    while start < stop:
        file.seek(start)
        data = file.read(min(_CHUNK, stop - start))
        at = data.find(MAGIC)
        while at >= 0:
            head = data[at : at + HEAD.size]
            if head[6:8] == b"\0\0" and (not journal or head[32:40] == journal):
                yield start + at
            at = data.find(MAGIC, at + 1)
        if len(data) < _CHUNK:
            return
        start += len(data) - HEAD.size + 1


def _all_zero(file: BinaryIO, start: int, stop: int) -> bool:
    return all(chunk.count(0) == len(chunk) for chunk in _chunks(file, start, stop))


def _digest_of(file: BinaryIO, start: int, stop: int) -> bytes:
    made = sha256()
    for chunk in _chunks(file, start, stop):
        made.update(chunk)
    return made.digest()[:8]


def _chunks(file: BinaryIO, start: int, stop: int) -> Iterator[bytes]:
    file.seek(start)
    read: Callable[[int], bytes] = file.read
    while start < stop and (chunk := read(min(_CHUNK, stop - start))):
        yield chunk
        start += len(chunk)


def _digest(data: bytes) -> bytes:
    return sha256(data).digest()[:8]
