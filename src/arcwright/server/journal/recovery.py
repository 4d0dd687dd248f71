"""Recovery: documents that a crash or a quick goodbye left in the state folder."""

from __future__ import annotations

import re
import sqlite3
import time
from dataclasses import dataclass
from pathlib import Path

from arcwright.errors import ArcwrightError, BadFile
from arcwright.scene.edit import Change, Edit, value_at
from arcwright.scene.history import History
from arcwright.scene.scene import Scene
from arcwright.server.journal.rows import (
    FORMAT,
    STEPS,
    SUFFIX,
    Row,
    connect,
    folder_of,
    remove,
    rows_in,
)
from arcwright.server.journal.steps import Journal
from arcwright.server.packing import Packer, Unpacker

_NAME = re.compile(r"[0-9a-z-]{1,64}")
_KEPT = 20  # journals
_KEPT_FOR = 30 * 24 * 3600  # s, an unfinished one at least
_NEW = 60  # s in which another process may be about to write the first row


@dataclass(frozen=True)
class Left:
    """A document that was not saved when its process ended."""

    name: str  # as `recover` takes it
    label: str
    when: float  # s since 1970, of its last step
    path: str | None  # the user's own file
    steps: int  # that can be undone


def unfinished(home: Path) -> list[Left]:
    """What `recover` can bring back, the latest first; documents open elsewhere are left out.

    Journals that hold nothing unsaved are removed, and old ones: not the newest 20, and none that
    was touched within 30 days.
    """
    files = sorted(folder_of(home).glob(f"*{SUFFIX}"), key=_touched, reverse=True)
    found = [_left(file, place) for place, file in enumerate(files)]
    return sorted((left for left in found if left), key=lambda left: -left.when)


def recover(home: Path, name: str) -> tuple[History, str | None, Journal]:
    """A document with its whole undo history, its path, and the journal in which it goes on.

    Should a step not be readable any more, those before it come back and `journal.trouble` says so.
    """
    file = _named(home, name)
    connection = _opened(file)
    try:
        return _replayed(home, connection, file)
    except sqlite3.Error as error:
        connection.close()
        raise BadFile(file, f"is damaged: {error}") from error
    except BaseException:
        connection.close()
        raise


def discard(home: Path, name: str) -> None:
    """Remove a document that nobody wants back; one that is open elsewhere stays."""
    _opened(_named(home, name)).close()  # fails where another process holds it
    remove(_named(home, name))


def _named(home: Path, name: str) -> Path:
    file = folder_of(home) / f"{name}{SUFFIX}"
    if not _NAME.fullmatch(name) or not file.is_file():
        raise BadFile(name, "no such document is left to recover")
    return file


def _opened(file: Path) -> sqlite3.Connection:
    try:
        return connect(file)
    except sqlite3.OperationalError as error:
        advice = "is it open in another studio?"
        raise BadFile(file, f"cannot be opened: {error}", advice) from error
    except sqlite3.Error as error:
        raise BadFile(file, f"is damaged: {error}") from error


def _left(file: Path, place: int) -> Left | None:
    age = time.time() - _touched(file)
    try:
        connection = connect(file)
        try:
            told = connection.execute(
                "SELECT word, label, at FROM steps ORDER BY number"
            ).fetchall()
        finally:
            connection.close()
    except sqlite3.Error:  # in use, or damaged
        return None
    left = _summary(file.name.removesuffix(SUFFIX), told)
    if (age > _KEPT_FOR and place >= _KEPT) or (left is None and age > _NEW):
        remove(file)
        return None
    return left


def _summary(name: str, told: list[tuple[str, str, float]]) -> Left | None:
    """What a list of (word, label, time) comes to; None if nothing in it is unsaved."""
    path: str | None = None
    steps = unsaved = 0
    for word, label, _ in told:
        if word in ("from", "saved"):
            path, unsaved = label, 0
        steps += STEPS.get(word, 0)
        unsaved += word in STEPS
    if not unsaved:
        return None
    return Left(name, Path(path).name if path else told[0][1], told[-1][2], path, steps)


def _touched(file: Path) -> float:
    beside = file.with_name(file.name + "-wal")
    return max((each.stat().st_mtime for each in (file, beside) if each.exists()), default=0.0)


def _rows(connection: sqlite3.Connection, file: Path) -> list[Row]:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > FORMAT:
        raise BadFile(file, f"is a journal of version {version}", "update Arcwright")
    return rows_in(connection)


def _replayed(
    home: Path, connection: sqlite3.Connection, file: Path
) -> tuple[History, str | None, Journal]:
    rows, unpacker = _rows(connection, file), Unpacker(file.name)
    scene = _beginning(unpacker, rows, file)
    history, unsaved, kept_at = History(scene), 0, rows[0][3]
    path: str | None = None
    for row in rows[1:]:
        try:
            history = _after(history, unpacker, row)
        except (ArcwrightError, TypeError, ValueError, AssertionError) as error:
            connection.close()
            lost = f"{len(rows) - row[0]} of {len(rows)} entries could not be read ({error})"
            return history, path, _begun_again(home, file, scene, history, path, lost)
        if row[1] in ("from", "saved"):
            path, unsaved, kept_at = row[2], 0, row[3]
        unsaved += row[1] in STEPS
    journal = Journal(file, Packer.after(unpacker), rows[-1][0] + 1, unsaved)
    journal.resume(connection)
    journal.kept_at = kept_at
    return history, path, journal


def _beginning(unpacker: Unpacker, rows: list[Row], file: Path) -> Scene:
    scene = unpacker.unpack(rows[0][4] or b"") if rows else None
    if not isinstance(scene, Scene):
        raise BadFile(file, "is damaged: the scene it began with is not there")
    return scene


def _after(history: History, unpacker: Unpacker, row: Row) -> History:
    """The history after one row of the journal."""
    _, word, label, _, packet = row
    if word == "did":
        return history.do(_edit(history.scene, label, unpacker.unpack(packet or b"")))
    if word in ("undid", "redid"):
        return history.undo() if word == "undid" else history.redo()
    return history


def _edit(scene: Scene, label: str, told: object) -> Edit:
    """The edit as it was made: what was there before stands in the scene."""
    changes: list[Change] = []
    assert isinstance(told, tuple)
    for address, after in told:
        change = Change(address, value_at(scene, address), after)
        scene = Edit(label, (change,)).apply(scene)
        changes.append(change)
    return Edit(label, tuple(changes))


def _begun_again(
    home: Path, file: Path, scene: Scene, history: History, path: str | None, lost: str
) -> Journal:
    """A new journal with what could be read; the damaged one is put aside."""
    journal = Journal.begin(home, scene, path)
    for edit in (*history.done, *history.undone[::-1]):
        journal.did(edit)
    for _ in history.undone:
        journal.undid()
    file.replace(file.with_suffix(".damaged"))
    journal.trouble = f"the journal is damaged: {lost}; all steps before that are here"
    return journal
