"""The command line with an image beside it of what a power cut would leave of the journals.

    python power_cut.py IMAGE all|files|nothing arguments of arcwright

A killed process leaves what it wrote in the system's cache; a machine without power does not.
The image holds the contents of each file as of its last fsync, and the names in the folder as of
the last fsync of the folder. With `files` no folder is ever synced, with `nothing` no file either.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
import sys
from pathlib import Path

_open, _fsync, _replace = os.open, os.fsync, os.replace


class Image:
    """What of a folder is on the disk itself; a used inode that is used again is another file."""

    def __init__(self, image: Path, folder: Path, synced: str) -> None:
        self.image, self.folder, self.synced = image, folder, synced
        self.numbers: dict[int, int] = {}  # of files, by inode
        shutil.rmtree(image, ignore_errors=True)
        (image / "files").mkdir(parents=True)
        for file in folder.glob("*") if folder.is_dir() else []:
            shutil.copy(file, image / "files" / str(self.number(file.stat().st_ino)))
        self.keep_names()

    def number(self, inode: int, *, new: bool = False) -> int:
        if new or inode not in self.numbers:
            self.numbers[inode] = max(self.numbers.values(), default=0) + 1
        return self.numbers[inode]

    def open(self, path, flags, *rest, **more):  # type: ignore[no-untyped-def]
        handle = _open(path, flags, *rest, **more)
        if flags & os.O_CREAT and os.fstat(handle).st_size == 0:
            self.number(os.fstat(handle).st_ino, new=True)
        return handle

    def fsync(self, handle: int) -> None:
        if self.synced == "nothing":
            return
        _fsync(handle)
        found = os.fstat(handle)
        if stat.S_ISREG(found.st_mode):
            data = os.pread(handle, found.st_size, 0)
            self.write(f"files/{self.number(found.st_ino)}", data)
        elif (
            self.synced == "all"
            and self.folder.is_dir()
            and os.path.samestat(found, self.folder.stat())
        ):
            self.keep_names()

    def keep_names(self) -> None:
        entries = [*os.scandir(self.folder)] if self.folder.is_dir() else []
        names = {entry.name: self.number(entry.inode()) for entry in entries}
        self.write("names.json", json.dumps(names).encode())

    def write(self, name: str, data: bytes) -> None:
        """All or nothing, whenever this process is killed."""
        (self.image / "new").write_bytes(data)
        _replace(self.image / "new", self.image / name)


def after_power_cut(image: Path, home: Path) -> None:
    """Lay out a state folder as the image has it."""
    shutil.rmtree(home, ignore_errors=True)
    (home / "journals").mkdir(parents=True)
    for name, number in json.loads((image / "names.json").read_text()).items():
        file = image / "files" / str(number)
        (home / "journals" / name).write_bytes(file.read_bytes() if file.exists() else b"")


def main() -> None:
    image, synced, *arguments = sys.argv[1:]
    kept = Image(Path(image), Path(os.environ["ARCWRIGHT_HOME"]) / "journals", synced)
    os.open, os.fsync = kept.open, kept.fsync  # type: ignore[assignment]
    from arcwright.cli import main as run

    raise SystemExit(run(arguments))


if __name__ == "__main__":
    main()
