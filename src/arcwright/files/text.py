"""Load files with a limit on their size, and tell faults by line."""

from __future__ import annotations

from pathlib import Path

from arcwright.errors import BadFile


def load(path: Path, limit: int) -> bytes:
    """The bytes of a file, or a `BadFile` when it is missing, unreadable or over `limit` bytes."""
    try:
        size = path.stat().st_size
        if size > limit:
            raise BadFile(
                path, f"{size / 1e6:.0f} MB is more than the {limit / 1e6:.0f} MB we read"
            )
        return path.read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise BadFile(path, f"cannot be read: {reason}") from error


def line_at(text: str | bytes, place: int) -> int:
    """The number of the line, from 1, in which a place of the text lies."""
    newline: str | bytes = "\n" if isinstance(text, str) else b"\n"
    return text.count(newline, 0, place) + 1  # type: ignore[arg-type]
