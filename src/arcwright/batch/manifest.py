"""The manifest: a SQLite file in the output folder with one row for each task.

A task is claimed by a transaction before it runs, so that two runs on one folder never do the same
task. Each run holds a lock that goes away with its process: claims of runs that died are free.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields
from enum import Enum
from pathlib import Path
from typing import Any

from arcwright.batch.run_lock import RunLock, is_alive
from arcwright.errors import BadFile
from arcwright.files.regular import open_regular

NAME = "manifest.sqlite"
VERSION = 1
SCHEMA = (
    """
CREATE TABLE tasks (
  verb TEXT NOT NULL,            -- module:name of the function
  input TEXT NOT NULL,           -- absolute path
  output TEXT NOT NULL,          -- relative to the output folder; '' where only a value is kept
  input_hash TEXT NOT NULL,      -- of the contents
  options TEXT NOT NULL,         -- JSON
  options_hash TEXT NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('running', 'done', 'failed', 'stopped')),
  seconds REAL,
  error TEXT,                    -- one line
  value TEXT,                    -- JSON of what the function returned
  files TEXT NOT NULL DEFAULT '{}',  -- JSON: name of each file that was written -> its hash
  replaced TEXT NOT NULL DEFAULT '{}',  -- the same of those they replace, until that is done
  run TEXT NOT NULL,             -- which run has or had it
  PRIMARY KEY (verb, input, output)
)""",
    "CREATE INDEX by_output ON tasks (output) WHERE output != ''",
    "CREATE INDEX running ON tasks (run) WHERE outcome = 'running'",
)


class BadManifest(BadFile):
    """The manifest cannot be used: not one, locked for too long, or no space for it."""

    @property
    def disk_full(self) -> bool:
        """Whether there is no space for it."""
        return getattr(self.__cause__, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL


class Claim(Enum):
    """Whether a task is to be run now."""

    TAKEN = "taken"  # by this run: run it
    DONE = "done"  # before, with the same contents and options; or listed twice
    ELSEWHERE = "elsewhere"  # another run is at it
    FAILED = "failed"  # in another run that still goes on


@dataclass(frozen=True)
class Task:
    """One file and what is made of it."""

    input: Path  # absolute
    output: str  # relative to the output folder; "" where only a value is kept
    input_hash: str
    attempt: int = 1
    work: Path | None = None  # the folder in which its worker writes the output


@dataclass(frozen=True)
class Record:
    """A row of the manifest."""

    verb: str
    input: str
    output: str
    input_hash: str
    options: dict[str, Any]
    options_hash: str
    outcome: str
    seconds: float | None
    error: str | None
    value: Any
    files: dict[str, str]


def read_manifest(folder: str | Path) -> Iterator[Record]:
    """The rows of an output folder's manifest, in the order of their inputs."""
    path = Path(folder) / NAME
    if not path.is_file():
        raise BadFile(path, "no such manifest")
    connection = _connect(str(path))
    try:
        names = [each.name for each in fields(Record)]
        query = f"SELECT {', '.join(names)} FROM tasks ORDER BY input, output, verb"
        for values in connection.execute(query):
            row = dict(zip(names, values, strict=True))
            kept = {name: json.loads(row[name] or "null") for name in ("options", "value", "files")}
            yield Record(**{**row, **kept})
    finally:
        connection.close()


def content_hash(path: Path) -> str:
    """Hash of a regular file's contents."""
    with open_regular(path) as file:
        return hashlib.file_digest(file, _hasher).hexdigest()  # type: ignore[arg-type]


class Manifest:
    """The manifest of one run, which holds its lock until `close`."""

    def __init__(self, folder: Path | None, verb: str, options: Mapping[str, Any]) -> None:
        """Without a folder, rows lie in a temporary database that goes away with the run."""
        self.folder = folder
        self.verb = verb
        self.run = secrets.token_hex(8)
        self._options = json.dumps(options, sort_keys=True)
        self._options_hash = _hasher(self._options.encode()).hexdigest()
        self._path = "" if folder is None else str(folder / NAME)
        self._lock: RunLock | None = None
        self._connection = _connect(self._path)
        try:
            with self._transaction():
                self._create()
                if folder is not None:
                    self._lock = RunLock(folder, self.run)
        except BaseException:
            self.close()
            raise

    @property
    def work(self) -> Path:
        """The folder in which this run keeps files that are not complete yet."""
        assert self._lock is not None
        return self._lock.work

    def claim(self, task: Task, *, overwrite: bool) -> tuple[Claim, str]:
        """Claim a task; also the error of one that failed elsewhere.

        Raises `BadFile` where its output would replace a file that is not its own.
        """
        with self._transaction():
            row = self._select(
                "input_hash, options_hash, outcome, error, files, run FROM tasks"
                " WHERE verb = ? AND input = ? AND output = ?",
                *self._key(task),
            )
            if row is not None:
                input_hash, options_hash, outcome, error, files, run = row
                same = (input_hash, options_hash) == (task.input_hash, self._options_hash)
                if run == self.run or (same and outcome == "done" and self._has(files)):
                    return Claim.DONE, ""
                if outcome == "running" and self._alive(run):
                    return Claim.ELSEWHERE, ""
                if outcome == "failed" and same and self._alive(run):
                    return Claim.FAILED, error
            if task.output:
                self._check_output(task, overwrite)
            self._put(task, "running")
        return Claim.TAKEN, ""

    def keep_files(self, task: Task, files: Mapping[str, str], replaced: Mapping[str, str]) -> None:
        """Record files about to be moved into the output folder, and those that they replace."""
        with self._transaction():
            kept = json.dumps(files), json.dumps(replaced)
            self._update(task, "files = ?, replaced = ?", *kept)

    def check_replaceable(self, task: Task, name: str, *, overwrite: bool) -> str:
        """The hash of what a task would replace in the output folder, "" where there is nothing.

        Refuses to replace the input, and a file that this task has not written.
        """
        assert self.folder is not None
        path = self.folder / name
        if not path.exists():
            return ""
        if path.is_dir() or path.samefile(task.input):
            raise BadFile(path, "is a folder" if path.is_dir() else "is the input itself")
        row = self._select(
            "files, replaced FROM tasks WHERE verb = ? AND input = ? AND output = ?",
            *self._key(task),
        )
        there = content_hash(path)
        if not overwrite and there not in {json.loads(each).get(name) for each in row or ()}:
            advice = "--overwrite, or overwrite=True, replaces it"
            raise BadFile(path, "exists and was not written by this task", advice)
        return there

    def finish(self, task: Task, seconds: float, value: str | None) -> None:
        """Record that a task is done; `value` is JSON."""
        with self._transaction():
            self._update(
                task, "outcome = 'done', seconds = ?, value = ?, replaced = '{}'", seconds, value
            )

    def fail(self, task: Task, seconds: float | None, error: str) -> None:
        """Record that a task failed, and why."""
        with self._transaction():
            self._put(task, "failed")
            self._update(task, "seconds = ?, error = ?", seconds, error)

    def close(self) -> None:
        """Give back what is claimed and not finished, and the lock; remove incomplete files."""
        try:
            with suppress(BadManifest), self._transaction():  # no run can begin meanwhile
                self._connection.execute(
                    "UPDATE tasks SET outcome = 'stopped' WHERE run = ? AND outcome = 'running'",
                    (self.run,),
                )
                self._release()
        finally:
            self._connection.close()
            self._release()

    def _release(self) -> None:
        if self._lock is not None:
            self._lock.release()

    def _create(self) -> None:
        (version,) = self._connection.execute("PRAGMA user_version").fetchone()
        if version not in (0, VERSION):
            raise BadManifest(self._path, f"is a manifest of version {version}, not {VERSION}")
        if version == 0:
            for statement in SCHEMA:
                self._connection.execute(statement)
            self._connection.execute(f"PRAGMA user_version = {VERSION}")

    def _alive(self, run: str) -> bool:
        assert self.folder is not None
        return is_alive(self.folder, run)

    def _has(self, files: str) -> bool:
        names = json.loads(files)
        return self.folder is None or all((self.folder / name).is_file() for name in names)

    def _check_output(self, task: Task, overwrite: bool) -> None:
        other = self._select(
            "verb, input, outcome, run FROM tasks WHERE output = ?"
            " AND NOT (verb = ? AND input = ?) AND outcome IN ('running', 'done')",
            as_text(task.output),
            self.verb,
            as_text(task.input),
        )
        if other is not None:
            verb, name, outcome, run = other
            busy = run == self.run or (outcome == "running" and self._alive(run))
            if busy or (outcome == "done" and not overwrite):
                assert self.folder is not None
                path = self.folder / task.output
                raise BadFile(path, f"is also the output of {name}", "choose another template")
            self._connection.execute(
                "DELETE FROM tasks WHERE verb = ? AND input = ? AND output = ?",
                (verb, name, as_text(task.output)),
            )
        self.check_replaceable(task, task.output, overwrite=overwrite)

    def _key(self, task: Task) -> tuple[str, str, str]:
        return self.verb, as_text(task.input), as_text(task.output)

    def _put(self, task: Task, outcome: str) -> None:
        """Insert or replace a row; the files that it has written before stay known."""
        self._connection.execute(
            "INSERT INTO tasks (verb, input, output, input_hash, options, options_hash, outcome,"
            " run) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
            " input_hash = excluded.input_hash, options = excluded.options,"
            " options_hash = excluded.options_hash, outcome = excluded.outcome,"
            " run = excluded.run, seconds = NULL, error = NULL, value = NULL",
            (
                *self._key(task),
                task.input_hash,
                self._options,
                self._options_hash,
                outcome,
                self.run,
            ),
        )

    def _update(self, task: Task, changes: str, *values: object) -> None:
        self._connection.execute(
            f"UPDATE tasks SET {changes} WHERE verb = ? AND input = ? AND output = ?",
            (*values, *self._key(task)),
        )

    def _select(self, query: str, *values: object) -> Any:
        return self._connection.execute(f"SELECT {query}", values).fetchone()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """One transaction that writes: others wait for its end; an error undoes it."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise BadManifest(self._path or "temporary manifest", str(error)) from error


def as_text(name: str | Path) -> str:
    """A path or line as text that SQLite can keep, whatever bytes a file name holds."""
    return str(name).encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _hasher(data: bytes = b"") -> Any:
    return hashlib.blake2b(data, digest_size=16)


def _connect(path: str) -> sqlite3.Connection:
    try:
        connection = sqlite3.connect(path, timeout=60, isolation_level=None)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
        except BaseException:
            connection.close()
            raise
    except sqlite3.Error as error:
        raise BadManifest(path, f"cannot be used as a manifest: {error}") from error
    return connection
