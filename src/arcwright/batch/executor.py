"""What runs tasks, on this machine or on others, as the coordinator sees it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from arcwright.batch.manifest import Task
from arcwright.batch.worker import Result


@dataclass(frozen=True)
class Died:
    """The process of a task ended before the task did."""

    how: str
    final: bool = False  # whether it was run again already


@dataclass(frozen=True)
class OverTime:
    """A task was ended because it took longer than its limit."""

    limit: float
    seconds: float


Outcome = Result | Died | OverTime


class Executor(Protocol):
    """Runs tasks: some at once, and some that wait, so that no worker has to."""

    @property
    def pending(self) -> int:
        """How many tasks were submitted and not collected."""

    @property
    def room(self) -> bool:
        """Whether it takes one more task now."""

    @property
    def workers(self) -> int:
        """How many tasks can run at once."""

    @property
    def retried(self) -> int:
        """How many tasks it ran again on its own, because a worker died."""

    def submit(self, task: Task) -> None:
        """Have a task run."""

    def collect(self, limit: float) -> Iterator[tuple[Task, Outcome]]:
        """Wait for at most `limit` seconds until tasks have ended, and what came of those."""

    def cancel_waiting(self) -> None:
        """Give up tasks that have not begun."""

    def close(self) -> None:
        """End all tasks."""
