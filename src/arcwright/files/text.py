"""Load files with a limit on their size, and tell faults by line."""

from __future__ import annotations

import codecs
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
