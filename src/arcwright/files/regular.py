"""Regular files only, and never more bytes than allowed: no pipe, device or folder is read."""

from __future__ import annotations

import os
import stat
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
