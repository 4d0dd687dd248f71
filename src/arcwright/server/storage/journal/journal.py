"""Journal: every step of one document on disk before it is acknowledged."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from arcwright.errors import ArcwrightError
from arcwright.scene.edit import Edit
from arcwright.scene.scene import Scene
from arcwright.server.storage.journal.journal_file import Compaction, JournalFile
from arcwright.server.storage.journal.log import SUFFIX, Entry, SyncFailed
from arcwright.server.storage.journal.names import folder_of, new_name
from arcwright.server.storage.journal.records import STEPS, Kind
from arcwright.server.storage.journal.state import Event, State
from arcwright.server.storage.journal.write_errors import trouble
from arcwright.server.storage.packing import Packer

log = logging.getLogger("arcwright.studio")

RETRY = 3.0  # s between attempts to write what could not be written
MOST_STEP_BYTES = 128 << 20  # of the steps that can be undone
MOST_DEAD_RECORDS = 256  # of steps that nothing comes of any more
MOST_DEAD_BYTES = 8 << 20
MOST_WAITING = 256  # records; beyond that the complete file is written anew once it can be
SAFE_AGAIN = "All steps are safe on disk again."


class JournalTrouble(ArcwrightError):
    """Steps are not on disk yet. The document in memory is complete; they are written later."""


class Journal:
    """The journal of one document. Records that cannot be written wait and are tried again.

    `trouble` says why something waits; it is raised once, and `on_safe_again` is called with a
    sentence when everything is on disk again. `lost` says what a recovered document lacks.
    """

    def __init__(self, file: Path, state: State) -> None:
        self.file = file
        self.trouble: str | None = None
        self.lost = ""
        self.on_safe_again: Callable[[str], None] = lambda _: None
        self.unsafe_steps = 0  # that are not on disk
        self._state = state
        self._current: JournalFile | None = None
        self._waiting: list[Entry] = []
        self._reported = ""  # the reason that was raised last
        self._compaction: Compaction | None = None
        self._timer: threading.Timer | None = None
        self._closed = False
        self._lock = threading.RLock()

    @classmethod
    def begin(cls, home: Path, scene: Scene, path: str | None) -> Journal:
        """The journal of a document just opened; where it cannot be written `trouble` says why."""
        now, folder = time.time(), folder_of(home)
        return cls.of(folder / f"{new_name(folder)}{SUFFIX}", State(scene, now, path, now))

    @classmethod
    def of(cls, file: Path, state: State) -> Journal:
        """A journal of everything that a document is by now, in place of what `file` may hold."""
        journal = cls(file, state)
        with journal._lock, suppress(JournalTrouble):
            journal._flush()
        journal._reported = ""  # the first step that is not safe is reported, too
        return journal

    @property
    def name(self) -> str:
        """What `recover` calls it."""
        return self.file.name.removesuffix(SUFFIX)

    @property
    def saved_at(self) -> float:
        """When the user's own file was read or written last, s since 1970."""
        return self._state.saved_at

    def record_edit(self, edit: Edit) -> None:
        """A step was done. Returns once it is on disk; `JournalTrouble` when it is not."""
        if not edit.empty:
            self._add(Event(Kind.EDIT, time.time(), edit=edit))

    def record_undo(self) -> None:
        """The last step was undone."""
        self._add(Event(Kind.UNDO, time.time()))

    def record_redo(self) -> None:
        """The last undone step was redone."""
        self._add(Event(Kind.REDO, time.time()))

    def record_save(self, path: str) -> None:
        """The document as it is now was written to the user's own file."""
        self._add(Event(Kind.SAVED, time.time(), path=path))

    def record_dropped(self, count: int) -> None:
        """The oldest steps can no longer be undone."""
        # Written with the next step: one that can be undone after all does no harm.
        self._add(*[Event(Kind.DROPPED, time.time())] * count, flush=False)

    def excess_steps(self) -> int:
        """How many of the oldest steps would have to go for the rest to be small enough."""
        excess, count = self._state.live_bytes - MOST_STEP_BYTES, 0
        for step in self._state.done[:-1]:
            if excess <= 0:
                break
            excess -= step.size
            count += 1
        return count

    def retry(self) -> None:
        """Try again to write what waits; trouble stays as it is where that fails."""
        with self._lock, suppress(JournalTrouble):
            self._timer = None
            if self.trouble is not None and not self._closed:
                self._flush()

    def close(self) -> None:
        """A clean end: removed if the user's file holds everything, else kept for next time.

        Raises `JournalTrouble`, and stays open, while unsaved steps are on no disk.
        """
        with self._lock:
            if self._state.unsaved:
                if self._current is not None and not self._current.log.is_intact():
                    self._current.stale = True
                    self.unsafe_steps = max(self.unsafe_steps, self._state.live_records, 1)
                if (
                    self._current is None
                    or self._current.stale
                    or self._waiting
                    or self.unsafe_steps
                ):
                    self._flush_at_last()
            self._closed = True
            self._stop_timer()
            if self._current is not None:
                self._current.log.close(remove=not self._state.unsaved)
                self._current = None
        self.wait_for_compaction()

    def wait_for_compaction(self) -> None:
        """Return when no compaction is under way."""
        while (under_way := self._compaction) is not None:
            under_way.thread.join()

    def _add(self, *events: Event, flush: bool = True) -> None:
        with self._lock:
            for event in events:
                # Without a file there is no use in packing: all of it is packed when there is one.
                entry = event.entry(self._current.packer if self._current else Packer())
                self._state = self._state.after(event, len(entry.payload))
                self._waiting.append(entry)
                self.unsafe_steps += event.kind in STEPS
                if self._compaction is not None:
                    self._compaction.since.append(event)
            if flush:
                self._flush()
                self._consider_compaction()

    def _flush(self) -> None:
        """Put all that waits on disk."""
        try:
            if self._current is None or not self._current.is_good():
                self._write_anew()
            else:
                self._current.log.append(self._waiting)
                self._current.records += len(self._waiting)
        except OSError as error:
            self._fail(error)
        else:
            self._succeed()

    def _flush_at_last(self) -> None:
        self._reported = ""
        try:
            self._flush()
        except JournalTrouble:
            if self.unsafe_steps:
                raise

    def _write_anew(self) -> None:
        """A complete new file from memory, in place of whatever is there."""
        if self._compaction is not None:
            self._compaction.abandoned = True
        if self.file.is_dir():  # somebody's: it stays
            self.file = self.file.with_name(f"{new_name(self.file.parent)}{SUFFIX}")
        self._install(JournalFile.write(self.file, self._state))

    def _install(self, file: JournalFile) -> None:
        try:
            if os.name == "nt" and self._current is not None:  # open files cannot be replaced there
                self._current.log.close()
                self._current = None
            file.log.install(self.file)
        except BaseException:
            file.log.close(remove=True)
            raise
        if self._current is not None:
            self._current.log.close()
        self._current = file

    def _succeed(self) -> None:
        self._waiting.clear()
        self.unsafe_steps = 0
        if self.trouble is not None:
            self.trouble, self._reported = None, ""
            self._stop_timer()
            self.on_safe_again(SAFE_AGAIN)

    def _fail(self, error: OSError) -> None:
        if len(self._waiting) > MOST_WAITING or isinstance(error, SyncFailed):
            self._waiting.clear()
            if self._current is not None:
                self._current.stale = True
        if self._timer is None and not self._closed:
            self._timer = threading.Timer(RETRY, self.retry)
            self._timer.daemon = True
            self._timer.start()
        reason, self.trouble = trouble(error, self.unsafe_steps)
        if reason != self._reported:
            self._reported = reason
            log.warning("journal in %s: %s", self.file.parent, error)
            raise JournalTrouble(self.trouble) from error

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _consider_compaction(self) -> None:
        file, state = self._current, self._state
        if file is None or self._compaction is not None or self.trouble is not None:
            return
        records, size = file.dead(state)
        records, size = records - file.accepted[0], size - file.accepted[1]
        if records > MOST_DEAD_RECORDS or size > max(MOST_DEAD_BYTES, file.start_size):
            self._compaction = Compaction(lambda job: self._compact(job, state))
            self._compaction.thread.start()

    def _compact(self, job: Compaction, state: State) -> None:
        """Write the file anew without what is dead, beside the one that is still in use."""
        try:
            file = JournalFile.write(self.file, state)
            with self._lock:
                if job.abandoned or self._closed:
                    file.log.close(remove=True)
                else:
                    self._change_over(file, job.since)
        except OSError as error:  # the file in use is as good as before
            log.warning("journal in %s: %s", self.file.parent, error)
            with self._lock:
                if self._current is not None:
                    self._current.accepted = self._current.dead(self._state)
        except BaseException:
            self._compaction = None
            raise
        with self._lock:
            self._compaction = None
            self._consider_compaction()  # what was added meanwhile may be dead by now

    def _change_over(self, file: JournalFile, since: list[Event]) -> None:
        """Go on in another file, once it has what happened since it was begun."""
        entries = [event.entry(file.packer) for event in since]
        try:
            file.log.append(entries)
        except BaseException:
            file.log.close(remove=True)
            raise
        file.records += len(entries)
        self._install(file)
        self._succeed()
