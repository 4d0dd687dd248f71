"""Regular files only, and never more bytes than allowed: no pipe, device or folder is read.

Text comes as UTF-8, whole or in chunks, with line numbers for errors.
"""

from __future__ import annotations

import codecs
import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from arcwright.errors import BadFile

_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_PIECE = 1 << 20  # bytes


class TooLarge(BadFile):
    """A file holds more bytes than are read."""

    def __init__(self, path: str | Path, limit: int) -> None:
        super().__init__(path, f"is larger than the {limit / 1e6:.0f} MB that are read")


def open_regular(path: Path) -> BinaryIO:
    """Open a regular file for reading, unbuffered; anything else is a `BadFile`.

    The opened descriptor is checked, not the path, and opening does not wait for a pipe's writer.
    """
    try:
        return checked(os.open(path, _FLAGS))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise BadFile(path, f"cannot be read: {reason}") from error


def read_regular(path: Path, limit: int) -> bytes:
    """The bytes of a regular file, or a `BadFile` when it is not one or has over `limit` bytes."""
    with open_regular(path) as file:
        data = read_within(file, limit)
    if data is None:
        raise TooLarge(path, limit)
    return data


def read_within(file: BinaryIO, limit: int) -> bytes | None:
    """All bytes of a file, or None when there are more than `limit`; never reads further.

    The size that the file system claims may refuse a file, but does not admit one.
    """
    claimed = os.fstat(file.fileno()).st_size
    if claimed > limit:
        return None
    data = file.read(claimed + 1)
    pieces, count = [data], len(data)
    while count <= limit and (piece := file.read(_PIECE)):
        pieces.append(piece)
        count += len(piece)
    return None if count > limit else b"".join(pieces)


def open_inside(folder: Path, steps: tuple[str, ...]) -> BinaryIO:
    """Open a regular file below a folder, following no link on the way; raises `OSError`."""
    link = getattr(os, "O_NOFOLLOW", 0)
    if os.open not in os.supports_dir_fd or not link:  # Windows
        return checked(os.open(folder.joinpath(*steps), _FLAGS))
    here = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for step in steps[:-1]:
            below = os.open(step, os.O_RDONLY | os.O_DIRECTORY | link, dir_fd=here)
            os.close(here)
            here = below
        return checked(os.open(steps[-1], _FLAGS | link, dir_fd=here))
    finally:
        os.close(here)


def checked(descriptor: int) -> BinaryIO:
    """The file behind a descriptor, which is closed again where it is not a regular file."""
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(0, "not a regular file")
    return os.fdopen(descriptor, "rb", buffering=0)


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
