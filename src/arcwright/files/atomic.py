"""Atomic file writes."""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path

from arcwright.errors import BadFile


def write_bytes(path: str | Path, *chunks: bytes) -> None:
    """Write `chunks` to `path` atomically: a crash or power cut leaves the old file or the new."""
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
        sync_folder(path.parent)
    except BaseException as error:
        Path(name).unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise BadFile(path, f"cannot be written: {error.strerror or error}") from error
        raise


def sync_folder(folder: Path) -> None:
    """Flush the entries of a folder to disk, where the system supports it."""
    if os.name == "nt":  # Windows cannot open folders
        return
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:  # writable but not readable
        return
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.EBADF):  # not supported
            raise
    finally:
        os.close(handle)


def _mode(path: Path) -> int:
    """The permissions of the file, or of a new one; mkstemp would set 0600."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
