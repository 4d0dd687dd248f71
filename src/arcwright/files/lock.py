"""A lock on an open file that goes away with its process."""

from __future__ import annotations

import os
import sys

if sys.platform == "win32":
    import msvcrt

    _FAR = 1 << 40  # a byte that is never read: others cannot read locked bytes there

    def lock(descriptor: int) -> bool:
        """Take the lock; False where another one has it."""
        os.lseek(descriptor, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def lock(descriptor: int) -> bool:
        """Take the lock; False where another one has it."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:  # a file system without locks
            return True
        return True


def sync(descriptor: int) -> None:
    """Have a file's contents on the disk itself when this returns."""
    if sys.platform == "darwin":
        try:
            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)  # fsync leaves them in the drive's cache
        except OSError:  # a disk that does not know it
            os.fsync(descriptor)
    else:
        os.fsync(descriptor)
