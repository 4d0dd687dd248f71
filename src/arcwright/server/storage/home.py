"""The state folder: journals, certificates, what was opened lately."""

from __future__ import annotations

import json
import os
import sys
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from arcwright.errors import BadFile
from arcwright.files.atomic import write_bytes

_KEPT = 12  # recent files


@dataclass(frozen=True)
class Recent:
    """A file that was opened or saved."""

    path: str
    when: float  # s since 1970


def home() -> Path:
    """The state folder, made if need be: $ARCWRIGHT_HOME, or where the system keeps such."""
    named = os.environ.get("ARCWRIGHT_HOME")
    folder = Path(named) if named else _usual(sys.platform)
    make_private(folder)
    return folder


def make_private(folder: Path) -> None:
    """A folder that only this user can look into; whether that works shows when it is used."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return


def delete_token(folder: Path) -> None:
    """Earlier versions kept the token of a link in a file."""
    with suppress(OSError):
        (folder / "token").unlink(missing_ok=True)


def write_private(file: Path, data: bytes) -> None:
    """Write a file that only this user can read, at no moment other users."""
    try:
        file.unlink(missing_ok=True)
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except OSError as error:
        raise BadFile(file, f"cannot be written: {error.strerror or error}") from error
    write_bytes(file, data)


def recent(folder: Path) -> list[Recent]:
    """Files opened lately that are still there, the last one first."""
    try:
        stored = json.loads((folder / "recent.json").read_text(encoding="utf-8"))
        found = [Recent(str(each["path"]), float(each["when"])) for each in stored]
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return []
    return [each for each in found if _is_file(each.path)][:_KEPT]


def remember(folder: Path, path: str | Path) -> None:
    """Put a file first among the recent ones, unless the folder cannot be written."""
    now = Recent(str(Path(path).absolute()), time.time())
    others = [each for each in recent(folder) if each.path != now.path]
    text = json.dumps([asdict(each) for each in [now, *others][:_KEPT]])
    make_private(folder)  # it may have been deleted meanwhile
    try:
        write_bytes(folder / "recent.json", text.encode())
    except BadFile:
        return


def _is_file(path: str) -> bool:
    try:
        return Path(path).is_file()
    except (OSError, ValueError):
        return False


def _usual(platform: str) -> Path:
    if platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return (Path(local) if local else Path.home() / "AppData" / "Local") / "Arcwright"
    if platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Arcwright"
    state = os.environ.get("XDG_STATE_HOME", "")
    # The standard asks for relative ones to be ignored.
    return (Path(state) if state.startswith("/") else Path.home() / ".local/state") / "arcwright"
