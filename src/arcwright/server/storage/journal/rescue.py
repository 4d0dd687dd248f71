"""Rescue: write a project file elsewhere when the studio ends with steps that are not on disk."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from arcwright import files
from arcwright.errors import ArcwrightError
from arcwright.scene.scene import Scene
from arcwright.server.storage.journal.journal import Journal
from arcwright.server.storage.names import sanitized

UNSAFE = 3  # exit code of a studio that could not put all steps into its journal
_TRIES = 100  # names in one folder


def rescue(log: object, scene: Scene, opened: Path, report: Callable[[str], None]) -> int:
    """The exit code of a studio that ends: 0 when every step is on disk.

    Otherwise the scene is written to the opened folder, the home folder or the temporary folder,
    whichever works first, and the file is reported.
    """
    if not isinstance(log, Journal) or not log.unsafe_steps:
        return 0
    count = log.unsafe_steps
    report(f"{count} step{'s are' if count > 1 else ' is'} not on disk: {log.trouble}")
    for folder in _places(opened):
        try:
            report(f"The document as it is now was written to {_written(scene, folder)}")
            return UNSAFE
        except (ArcwrightError, OSError):
            continue
    report("It could not be written anywhere else either: those steps are lost.")
    return UNSAFE


def _places(opened: Path) -> Iterable[Path]:
    yield opened
    with suppress(RuntimeError):  # a user without one
        yield Path.home()
    yield Path(tempfile.gettempdir())


def _written(scene: Scene, folder: Path) -> Path:
    stem = sanitized(f"{scene.name}.bvh").removesuffix(".bvh")
    for number in range(1, _TRIES):
        file = folder / f"{stem} rescued{f' {number}' if number > 1 else ''}.arc.glb"
        if not file.exists():
            files.write(scene, file)
            return file
    raise FileExistsError(str(folder))
