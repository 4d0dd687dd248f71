"""Worker processes: spawned when there is work, ended when over time, replaced when they die."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any

from arcwright.batch.manifest import Task
from arcwright.batch.worker import Ready, Result, work
from arcwright.errors import ArcwrightError

FAILED_STARTS = 3  # in a row, until the run gives up
MAIN_GUARD = "a script needs `if __name__ == '__main__':` around the call"
_ONE_THREAD = dict.fromkeys(
    (
        *("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"),
        *("VECLIB_MAXIMUM_THREADS", "BLIS_NUM_THREADS", "NUMEXPR_NUM_THREADS"),
    ),
    "1",
)


@dataclass(eq=False)
class Worker:
    """A worker process and the task it is at."""

    process: SpawnProcess
    connection: Connection
    ready: bool = False
    task: Task | None = None
    started: float = 0.0  # when it was given the task


@dataclass(frozen=True)
class Died:
    """A worker died at its task."""

    how: str


@dataclass(frozen=True)
class OverTime:
    """A task was ended because it took longer than its limit."""

    limit: float
    seconds: float


class Pool:
    """At most `size` workers that run one function."""

    def __init__(
        self,
        function: str,
        options: Mapping[str, Any],
        *,
        size: int,
        timeout: float | None,
        memory: float | None,
    ) -> None:
        self.size = size
        self._given = (function, dict(options), memory)
        self._timeout = timeout
        self._workers: list[Worker] = []
        self._failed_starts = 0

    @property
    def busy(self) -> int:
        """How many tasks are running."""
        return sum(worker.task is not None for worker in self._workers)

    def grow(self, waiting: int) -> None:
        """Start workers for tasks that wait, where there may be more."""
        idle = len(self._workers) - self.busy
        for _ in range(min(waiting - idle, self.size - len(self._workers))):
            self._workers.append(self._start())

    def idle(self) -> Worker | None:
        """A worker that can be given a task."""
        return next((each for each in self._workers if each.ready and each.task is None), None)

    def give(self, worker: Worker, task: Task) -> None:
        """Have a worker run a task."""
        worker.task, worker.started = task, time.monotonic()
        with suppress(OSError):  # it died while it waited: the next event of it says so
            worker.connection.send((task.input, task.work))

    def events(self, limit: float | None) -> Iterator[tuple[Task, Result | Died | OverTime]]:
        """Wait for at most `limit` seconds until something happens, and what happened then."""
        connections = {worker.connection: worker for worker in self._workers}
        for connection in wait(list(connections), self._patience(limit)):
            assert isinstance(connection, Connection)
            yield from self._receive(connections[connection])
        now = time.monotonic()
        for worker in list(self._workers):
            task, seconds = worker.task, now - worker.started
            if task is None or self._timeout is None or seconds <= self._timeout:
                continue
            if not worker.connection.poll():  # else it has just ended
                self._end(worker)
                yield task, OverTime(self._timeout, seconds)

    def close(self) -> None:
        """End all workers, also those at a task."""
        for worker in list(self._workers):
            self._end(worker)

    def _patience(self, limit: float | None) -> float | None:
        """How long to wait: to the next task's time limit, at most `limit`."""
        if self._timeout is None:
            return limit
        starts = [worker.started for worker in self._workers if worker.task is not None]
        if not starts:
            return limit
        left = max(min(starts) + self._timeout - time.monotonic(), 0.0) + 0.01
        return left if limit is None else min(left, limit)

    def _receive(self, worker: Worker) -> Iterator[tuple[Task, Result | Died]]:
        task = worker.task
        try:
            message = worker.connection.recv()
        except (EOFError, OSError):
            self._end(worker, wait_for_exit=True)
            how = _how_it_ended(worker.process.exitcode)
            if task is not None:
                yield task, Died(how)
            elif not worker.ready:
                self._failed_starts += 1
                if self._failed_starts >= FAILED_STARTS:
                    raise ArcwrightError(f"workers cannot start: {how}; {MAIN_GUARD}") from None
            return
        if isinstance(message, Ready):
            if message.error:
                raise ArcwrightError(f"workers cannot start: {message.error}")
            worker.ready, self._failed_starts = True, 0
            return
        assert task is not None
        worker.task = None
        if message.out_of_memory:  # what it left allocated would count for the next task
            self._end(worker)
        yield task, message

    def _start(self) -> Worker:
        context = get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=work, args=(theirs, *self._given), daemon=True)
        resource_tracker.ensure_running()  # starting it unblocks signals
        with _without_interrupts(), _one_thread():
            process.start()
        theirs.close()
        return Worker(process, ours)

    def _end(self, worker: Worker, *, wait_for_exit: bool = False) -> None:
        if wait_for_exit:  # its connection is closed: it is about to
            worker.process.join(1)
        worker.process.kill()
        worker.process.join()
        worker.connection.close()
        self._workers.remove(worker)


def _how_it_ended(code: int | None) -> str:
    if code is not None and code < 0:
        with suppress(ValueError):
            return f"the worker was ended by {signal.Signals(-code).name}"
    return f"the worker ended with code {code}"


@contextmanager
def _one_thread() -> Iterator[None]:
    """Start processes whose linear algebra uses one thread: read when NumPy is loaded."""
    before = {name: os.environ.get(name) for name in _ONE_THREAD}
    os.environ.update(_ONE_THREAD)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Start processes that Ctrl-C does not reach; one that comes meanwhile is handled after."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows: the worker ignores it once it runs
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
