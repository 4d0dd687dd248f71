"""Text files as UTF-8, whole or in chunks, with line numbers for errors."""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Iterator
from pathlib import Path

from arcwright.files.regular import TooLarge, open_regular, read_regular


def load_text(path: Path, limit: int) -> bytes:
    """The text of a file as UTF-8 without a byte order mark; UTF-16 is known by its mark."""
    return as_utf8(read_regular(path, limit))


def as_utf8(raw: bytes) -> bytes:
    """The bytes of a text as UTF-8 without a byte order mark; UTF-16 is known by its mark."""
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return raw.decode("utf-16", "replace").encode()
    return raw.removeprefix(codecs.BOM_UTF8)


def line_at(text: bytes, place: int) -> int:
    """The number of the line, from 1, in which a place of the text lies."""
    return text.count(b"\n", 0, place) + 1


class Text:
    """A text file with its head in memory and the rest read in chunks, as UTF-8 without a mark.

    The head is 64 kB, or the whole file where `key` is not found in it. Allocating memory for a
    whole large file takes longer than reading it.
    """

    _HEAD = 1 << 16  # bytes
    _PIECE = 120_000

    def __init__(self, path: Path, limit: int, key: re.Pattern[bytes]) -> None:
        self._path = path
        self._limit = limit
        with open_regular(path) as file:
            self.size = os.fstat(file.fileno()).st_size  # bytes, as the file system claims
            start = file.read(self._HEAD)
        marked = start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF8))
        if self.size > limit:
            raise TooLarge(path, limit)
        self._ends = marked or not key.search(start)  # whether the head is all there is
        self.head = load_text(path, limit) if self._ends else start

    def pieces(self, at: int) -> Iterator[bytes]:
        """The text from `at`, which lies in the head, to the end."""
        yield self.head[at:]
        if self._ends:
            return
        count = len(self.head)
        with open_regular(self._path) as file:
            file.seek(count)
            while piece := file.read(self._PIECE):
                count += len(piece)
                if count > self._limit:
                    raise TooLarge(self._path, self._limit)
                yield piece

    def whole(self) -> bytes:
        """All of the text."""
        return self.head if self._ends else load_text(self._path, self._limit)
