"""The file of a journal: rows in SQLite, on disk when writing returns; locked while open."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from arcwright.server.home import make_private

SUFFIX = ".journal"
FORMAT = 1
STEPS = {"did": 1, "undid": -1, "redid": 1}  # words of steps, and what they do to the count
Row = tuple[int, str, str, float, bytes | None]  # number, word, label, s since 1970, packet

_INSERT = "INSERT OR REPLACE INTO steps VALUES (?, ?, CAST(? AS TEXT), ?, ?)"
_LETTERS = ("utf-8", "surrogatepass")
_TABLE = """CREATE TABLE IF NOT EXISTS steps (
    number INTEGER PRIMARY KEY, word TEXT NOT NULL, label TEXT NOT NULL, at REAL NOT NULL,
    packet BLOB)"""


def folder_of(home: Path) -> Path:
    """Where the journals of a state folder are."""
    folder = home / "journals"
    make_private(folder)
    return folder


def connect(file: Path, *, new: bool = False) -> sqlite3.Connection:
    """Open a journal for this process alone; `sqlite3.OperationalError` if another one has it."""
    mode = "rwc" if new else "rw"
    connection = sqlite3.connect(
        f"{file.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=0.05,
        isolation_level=None,
        check_same_thread=False,
    )
    connection.text_factory = lambda data: data.decode(*_LETTERS)
    try:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        if new:
            connection.execute(f"PRAGMA user_version = {FORMAT}")
            connection.execute(_TABLE)
    except BaseException:
        connection.close()
        raise
    return connection


def rows_in(connection: sqlite3.Connection) -> list[Row]:
    """All rows, in order."""
    return connection.execute("SELECT * FROM steps ORDER BY number").fetchall()


def remove(file: Path) -> None:
    """Delete a journal and what SQLite keeps beside it."""
    for end in ("", "-wal", "-shm", "-journal"):
        file.with_name(file.name + end).unlink(missing_ok=True)


def insert(connection: sqlite3.Connection, rows: list[Row]) -> None:
    """Put rows on disk, all or none; ones that are there already are written again."""
    if connection.in_transaction:  # left open by a write that failed
        connection.execute("ROLLBACK")
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Paths and names may hold halves of characters, which SQLite takes as bytes only.
        told = [(at, word, label.encode(*_LETTERS), *rest) for at, word, label, *rest in rows]
        connection.executemany(_INSERT, told)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
