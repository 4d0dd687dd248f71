"""A complete journal file, and a new one that is being written beside it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from arcwright.server.storage.journal.log import Log
from arcwright.server.storage.journal.state import Event, State
from arcwright.server.storage.packing import Packer


class JournalFile:
    """A file that holds everything, and the packer with which it goes on."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.packer = Packer()
        self.start_size = 0  # bytes of the starting scene
        self.records = 0  # of steps
        self.stale = False  # to be written anew; it keeps its lock until then
        self.accepted = 0, 0  # what was dead when a compaction failed: not tried again at once

    def dead(self, state: State) -> tuple[int, int]:
        """Records and bytes of steps that nothing comes of any more."""
        size = self.log.size - self.start_size - state.live_bytes
        return self.records - state.live_records, size

    def is_good(self) -> bool:
        """Whether more can be appended to it."""
        return not self.stale and self.log.is_in_place()

    @classmethod
    def write(cls, file: Path, state: State) -> JournalFile:
        """A complete file of a state, on disk but not in its place yet."""
        made = cls(Log(file))
        try:
            made.log.write(state.start_entries(made.packer))
            made.start_size = made.log.size
            made.log.write(event.entry(made.packer) for event in state.events())
            made.log.sync()
        except BaseException:
            made.log.close(remove=True)
            raise
        made.records = state.live_records
        return made


class Compaction:
    """A compaction under way, and what happened since it began."""

    def __init__(self, run: Callable[[Compaction], None]) -> None:
        self.since: list[Event] = []
        self.abandoned = False
        self.thread = threading.Thread(
            target=run, args=(self,), name="journal compaction", daemon=True
        )
