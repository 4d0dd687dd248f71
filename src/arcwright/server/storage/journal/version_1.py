"""Journals of version 1: rows in SQLite. Still read."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from math import isfinite
from pathlib import Path

from arcwright.errors import ArcwrightError
from arcwright.scene.scene import Scene
from arcwright.server.storage.journal.old_addresses import Changes
from arcwright.server.storage.journal.reading import InUse, Summary, Unreadable
from arcwright.server.storage.journal.records import Kind, NewerVersion
from arcwright.server.storage.journal.replay import Content, Losses, Written, replayed
from arcwright.server.storage.journal.state import State
from arcwright.server.storage.journal.units import Joined
from arcwright.server.storage.packing import Unpacker

MAGIC = b"SQLite format 3\0"
BESIDE = ("-wal", "-shm", "-journal")  # what SQLite keeps beside a file
_KINDS = {
    **{b"did": Kind.EDIT, b"undid": Kind.UNDO, b"redid": Kind.REDO},
    **{b"from": Kind.OPENED, b"saved": Kind.SAVED},
}
_Row = tuple[bytes, bytes, float, bytes | None]  # kind, label, s since 1970, packet


class Version1:
    """All rows of a file, as far as they can be read."""

    def __init__(self, file: Path) -> None:
        self._losses = Losses()
        self._rows: list[_Row] = []
        try:
            with closing(_connected(file)) as connection:
                self._read(connection)
        except sqlite3.Error as error:
            if not self._rows:
                raise _readable_error(error) from error
            self._losses.end_unread = True
        if not self._rows or self._rows[0][0] != b"began":
            raise Unreadable("the scene it began with is not there")

    def summary(self) -> Summary:
        """What it holds. It has no digests: only recovering it shows what is lost."""
        label, when = self._text(self._rows[0][1]), self._rows[-1][2]
        state, _, losses = self.restored("journal")
        steps, damage = len(state.done), losses.describe()
        return Summary(label, when, state.path, steps, state.unsaved, damage)

    def restored(self, name: str) -> tuple[State, Scene, Losses]:
        """All of it that can be read, its scene, and what cannot."""
        unpacker = Unpacker(name)
        try:
            scene = unpacker.unpack(self._rows[0][3] or b"")
        except ArcwrightError as error:
            raise Unreadable("the scene it began with cannot be read") from error
        if not isinstance(scene, Scene):
            raise Unreadable("the scene it began with is not there")
        began = self._rows[0][2]
        events = self._events(unpacker)
        empty = State(scene, began, None, began)
        found = replayed(Joined(scene), events, empty, self._losses, old_groups=True)
        return *found, self._losses

    def _read(self, connection: sqlite3.Connection) -> None:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version > 1:
            raise NewerVersion(version)
        for number, *row in connection.execute("SELECT * FROM steps ORDER BY number"):
            match row:
                case [bytes(), bytes(), float(at), None | bytes()] if number == len(
                    self._rows
                ) and isfinite(at):
                    self._rows.append(tuple(row))
                case _:
                    self._losses.end_unread = True
                    return

    def _events(self, unpacker: Unpacker | None) -> list[Written]:
        made, readable = [], True
        for place, (name, label, at, packet) in enumerate(self._rows[1:], 1):
            kind = _KINDS.get(name)
            if kind is None:
                self._losses.end_unread = True
                break
            if kind in (Kind.OPENED, Kind.SAVED):
                path = _decoded(label)
                self._losses.path = path is None
                made.append(Written(kind, at, path=path))
                continue
            text = self._text(label, f"the label of entry {place}")
            content = None
            if kind == Kind.EDIT and unpacker is not None and readable:
                # packets count on from those before: one that cannot be read ends it
                content = _content(unpacker, text, packet or b"")
                readable = content is not None
            made.append(Written(kind, at, content, size=len(packet or b"")))
        return made

    def _text(self, label: bytes, what: str = "the name of the scene") -> str:
        text = _decoded(label)
        if text is None:
            self._losses.parts.append(what)
            return label.decode("utf-8", "replace")
        return text


def _connected(file: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{file.absolute().as_uri()}?mode=rw", uri=True, timeout=0.05, isolation_level=None
    )
    connection.text_factory = bytes
    try:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("PRAGMA journal_mode = WAL")
    except BaseException:
        connection.close()
        raise
    return connection


def _decoded(text: bytes) -> str | None:
    with suppress(UnicodeDecodeError):
        return text.decode("utf-8", "surrogatepass")
    return None


def _content(unpacker: Unpacker, label: str, packet: bytes) -> Content:
    try:
        pairs = unpacker.unpack(packet)
    except (ArcwrightError, ValueError):
        return None
    changes: Changes = []
    for pair in pairs if isinstance(pairs, tuple) else [None]:
        match pair:
            case (tuple() as address, after):
                changes.append((address, after))
            case _:
                return None
    return label, changes


def _readable_error(error: sqlite3.Error) -> Unreadable:
    if getattr(error, "sqlite_errorname", "").startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return InUse("it is open in another studio")
    return Unreadable(f"it is damaged: {error}")
