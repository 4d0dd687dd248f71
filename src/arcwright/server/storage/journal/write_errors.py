"""Why a journal cannot be written, for users: no codes and no paths."""

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
    """The reason why steps are not on disk, and the sentence for users."""
    why = _WHY.get(error.errno or 0) or (error.strerror or str(error)).lower()
    if error.errno in _GONE:
        why = "the state folder does not exist and cannot be created"
    many = "The last step is" if steps == 1 else f"The last {steps} steps are"
    what = f"{many} not safe on disk yet" if steps else "Steps will not be safe on disk"
    return why, (
        f"{what}: {why}. Everything is kept in memory and is written as soon as that works: "
        "free some space or allow writing there, or save the file elsewhere now"
    )
