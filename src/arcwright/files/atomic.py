"""Write a file whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from arcwright.errors import BadFile


def write_bytes(path: str | Path, *chunks: bytes) -> None:
    """Put `chunks` at `path` in one step: a crash leaves the old file or the new one."""
    path = Path(path)
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name[:64]}.", dir=path.parent)
    except OSError as error:
        raise BadFile(path, f"cannot be written: {error.strerror or error}") from error
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(chunks)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(_mode(path))
        Path(name).replace(path)
    except BaseException as error:
        Path(name).unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise BadFile(path, f"cannot be written: {error.strerror or error}") from error
        raise


def _mode(path: Path) -> int:
    """The permissions the file has, or those a new one would get: mkstemp gives only 0600."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
