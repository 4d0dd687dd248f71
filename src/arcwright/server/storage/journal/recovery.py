"""Recovery: documents that a crash or an unsaved exit left in the state folder."""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path

from arcwright.errors import BadFile
from arcwright.scene.history import History
from arcwright.server.storage.journal.journal import Journal
from arcwright.server.storage.journal.log import SUFFIX, UNFINISHED
from arcwright.server.storage.journal.names import ALLOWED, folder_of, names_in, new_name, number_of
from arcwright.server.storage.journal.reading import Contents, InUse, Summary, Unreadable, opened
from arcwright.server.storage.journal.records import NewerVersion
from arcwright.server.storage.journal.state import State
from arcwright.server.storage.journal.version_1 import BESIDE, MAGIC, Version1

log = logging.getLogger("arcwright.studio")

MOST_LEFT = 100  # documents that are listed, the newest; unsaved ones are never removed
MOST_DAMAGED = 20  # originals that are kept aside
DAMAGED = ".damaged"


@dataclass(frozen=True)
class Unsaved:
    """A document that was not saved when its process ended."""

    name: str  # as `recover` takes it
    label: str
    when: float  # s since 1970, of its last step
    path: str | None  # the user's own file
    steps: int  # that can be undone
    damage: str = ""  # what happened to it
    differs: bool = True  # False: its steps were undone up to what the file holds


_known: dict[Path, tuple[tuple[int, ...], Summary | str]] = {}  # summaries of files, by stamp


def unfinished(home: Path) -> list[Unsaved]:
    """What `recover` can bring back, the latest first; documents open elsewhere are left out.

    Damaged ones are listed with what happened to them. Journals that hold nothing unsaved are
    removed; of the others the newest 100 are listed.
    """
    folder = folder_of(home)
    names = names_in(folder)
    for name in names:
        if UNFINISHED in name:
            _remove_unfinished(folder / name)
    files = [folder / name for name in names if _is_ours(name)]
    for file in [file for file in _known if file.parent == folder and file not in files]:
        del _known[file]
    found = [left for file in files if (left := _looked_at(file)) is not None]
    found.sort(key=lambda left: (number_of(left.name), left.name))
    return sorted(found[-MOST_LEFT:], key=lambda left: -left.when)


def _is_ours(name: str) -> bool:
    """Whether a name is one that journals are given."""
    return name.endswith(SUFFIX) and bool(ALLOWED.fullmatch(name.removesuffix(SUFFIX)))


def recover(home: Path, name: str) -> tuple[History, str | None, Journal]:
    """A document with its undo history, its path, and the journal in which it goes on.

    What could not be read is named by `journal.lost`; then the damaged file is kept aside.
    """
    file = _named(home, name)
    try:
        with opened(file) as stream:
            state, scene, losses = _contents(stream, file).restored(name)
            if os.name != "nt":  # the lock is kept until the new journal has its own
                journal = _continued(file, state, damaged=bool(losses))
    except (Unreadable, NewerVersion) as error:
        raise BadFile("this document", f"cannot be restored: {error}") from error
    if os.name == "nt":  # open files cannot be replaced there
        journal = _continued(file, state, damaged=bool(losses))
    if losses:
        journal.lost = f"{losses.describe()}. Everything else was restored."
    done, undone = ([step.edit for step in steps] for steps in (state.done, state.undone))
    return History(scene, tuple(done), tuple(undone)), state.path, journal


def discard(home: Path, name: str) -> None:
    """Delete a document left by a crash; one that is open elsewhere stays."""
    file = _named(home, name)
    try:
        with opened(file) as stream:
            if stream.read(len(MAGIC)) == MAGIC:
                Version1(file)
    except InUse as error:
        raise BadFile("this document", f"cannot be discarded: {error}") from error
    except (Unreadable, NewerVersion):
        pass
    if file.is_dir() and not file.is_symlink():
        _put_aside(file)  # whatever is in there, it was not written here
    else:
        _remove(file)


def _named(home: Path, name: str) -> Path:
    file = folder_of(home) / f"{name}{SUFFIX}"
    if not ALLOWED.fullmatch(name) or not os.path.lexists(file):
        raise BadFile(name, "no such document is left to recover")
    return file


def _contents(stream: BufferedReader, file: Path) -> Contents | Version1:
    head = stream.read(len(MAGIC))
    return Version1(file) if head == MAGIC else Contents(stream)


def _continued(file: Path, state: State, *, damaged: bool) -> Journal:
    """A new journal of what was read, in place of the old one; a damaged one is kept aside."""
    beside = [file.with_name(file.name + end) for end in BESIDE]
    if damaged or any(each.exists() for each in beside):
        fresh = file.with_name(f"{new_name(file.parent)}{SUFFIX}")
        journal = Journal.of(fresh, state)
        if journal.trouble is None:
            _put_aside(file) if damaged else _remove(file)
        return journal
    return Journal.of(file, state)


def _looked_at(file: Path) -> Unsaved | None:
    """What is left in a file; None where another process has it, or where nothing is unsaved."""
    name = file.name.removesuffix(SUFFIX)
    try:
        found = _summary(file)
    except InUse:
        return None
    except Exception:  # one bad file must not hide the others
        log.exception("journal %s", file.name)
        found = "it cannot be read"
    if isinstance(found, str):
        return Unsaved(name, "A document", _touched(file), None, 0, f"Cannot be restored: {found}")
    if not found.unsaved:
        _remove(file)
        return None
    label = Path(found.path).name if found.path else found.label
    steps, losses = found.steps, found.losses
    return Unsaved(name, label, found.when, found.path, steps, losses, found.differs)


def _summary(file: Path) -> Summary | str:
    """The summary of a file, or why it cannot be read; read again only when it changed."""
    try:
        with opened(file) as stream:
            stamp, known = _stamp(stream, file), _known.get(file)
            if known is not None and known[0] == stamp:
                return known[1]
            found: Summary | str
            try:
                found = _contents(stream, file).summary()
            except NewerVersion as error:
                found = str(error)
            _known[file] = stamp, found
            return found
    except InUse:
        raise
    except Unreadable as error:
        return str(error)


def _stamp(stream: BufferedReader, file: Path) -> tuple[int, ...]:
    own = os.fstat(stream.fileno())
    stamp: tuple[int, ...] = own.st_dev, own.st_ino, own.st_size, own.st_mtime_ns
    with suppress(OSError):
        beside = file.with_name(f"{file.name}{BESIDE[0]}").stat()
        stamp += beside.st_size, beside.st_mtime_ns
    return stamp


def _touched(file: Path) -> float:
    try:
        return file.lstat().st_mtime
    except OSError:
        return 0.0


def _remove(file: Path) -> None:
    for each in (file, *(file.with_name(file.name + end) for end in BESIDE)):
        with suppress(OSError):
            each.unlink(missing_ok=True)


def _put_aside(file: Path) -> None:
    """Keep a damaged file under another name; only the newest few are kept."""
    with suppress(OSError):
        file.replace(file.with_suffix(DAMAGED))
    _remove(file)
    aside = [name for name in names_in(file.parent) if name.endswith(DAMAGED)]
    for name in sorted(aside, key=lambda name: (number_of(name), name))[:-MOST_DAMAGED]:
        _remove(file.with_name(name))


def _remove_unfinished(file: Path) -> None:
    """A file whose writer ended before it was complete; the document is elsewhere."""
    with suppress(Unreadable), opened(file):
        _remove(file)
