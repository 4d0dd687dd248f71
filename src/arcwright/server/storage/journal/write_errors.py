"""What is said of a journal that cannot be written, in plain words and without paths."""

from __future__ import annotations

import errno

_WHY = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk is full",
    errno.EFBIG: "the file would become larger than the system allows",
    errno.EACCES: "the state folder cannot be written to",
    errno.EPERM: "the state folder cannot be written to",
    errno.EROFS: "the state folder cannot be written to",
    errno.EIO: "the disk reports an error",
}
_GONE = (errno.ENOENT, errno.ENOTDIR, errno.EEXIST)


def trouble(error: OSError, steps: int) -> tuple[str, str]:
    """Why steps are not on disk, and the sentence that says so."""
    why = _WHY.get(error.errno or 0) or (error.strerror or str(error)).lower()
    if error.errno in _GONE:
        why = "the state folder is not there and cannot be made"
    many = "The last step is" if steps == 1 else f"The last {steps} steps are"
    what = f"{many} not safe on disk yet" if steps else "Steps will not be safe on disk"
    return why, (
        f"{what}: {why}. Everything is kept in memory and is written as soon as that works: "
        "make room or allow writing there, or save the file elsewhere now"
    )
