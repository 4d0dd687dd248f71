"""Load files with a limit on their size, and tell faults by line."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from pathlib import Path

from arcwright.errors import BadFile


def load(path: Path, limit: int) -> bytes:
    """The bytes of a file, or a `BadFile` when it is missing, unreadable or over `limit` bytes."""
    try:
        size = path.stat().st_size
        if size > limit:
            told = f"{size / 1e6:.0f} MB are more than the {limit / 1e6:.0f} MB that are read"
            raise BadFile(path, told)
        return path.read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise BadFile(path, f"cannot be read: {reason}") from error


def load_text(path: Path, limit: int) -> bytes:
    """The text of a file as UTF-8 without a byte order mark; UTF-16 is known by its mark."""
    raw = load(path, limit)
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return raw.decode("utf-16", "replace").encode()
    return raw.removeprefix(codecs.BOM_UTF8)


def line_at(text: bytes, place: int) -> int:
    """The number of the line, from 1, in which a place of the text lies."""
    return text.count(b"\n", 0, place) + 1


class Text:
    """A text file whose head is held and whose rest comes in pieces, as UTF-8 without a mark.

    The head is 64 kB, or the whole file where `key` is not found in those. Fresh memory for
    all of a large file costs more time than reading it.
    """

    _HEAD = 1 << 16  # bytes
    _PIECE = 120_000

    def __init__(self, path: Path, limit: int, key: re.Pattern[bytes]) -> None:
        self._path = path
        self._limit = limit
        self.size = self._size()  # bytes
        self._ends = False  # whether the head is all there is
        self.head = self._start(key)

    def _start(self, key: re.Pattern[bytes]) -> bytes:
        if self.size <= self._limit:
            with self._path.open("rb") as file:
                head = file.read(self._HEAD)
            marked = head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF8))
            if not marked and key.search(head):
                return head
        self._ends = True
        return load_text(self._path, self._limit)

    def _size(self) -> int:
        try:
            return self._path.stat().st_size if self._path.is_file() else self._limit + 1
        except (OSError, ValueError):
            return self._limit + 1

    def pieces(self, at: int) -> Iterator[bytes]:
        """The text from `at`, which lies in the head, to the end."""
        yield self.head[at:]
        if not self._ends:
            with self._path.open("rb", buffering=0) as file:
                file.seek(len(self.head))
                while piece := file.read(self._PIECE):
                    yield piece

    def whole(self) -> bytes:
        """All of the text."""
        return self.head if self._ends else load_text(self._path, self._limit)
