"""Worker processes: spawned when there is work, ended when over time, replaced when they die."""

from __future__ import annotations

import os
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any, Protocol

from arcwright.batch.executor import Died, Outcome, OverTime
from arcwright.batch.manifest import Task
from arcwright.batch.worker import Ready, Result, work
from arcwright.errors import ArcwrightError

FAILED_STARTS = 3  # in a row, until the run gives up
MAIN_GUARD = "a script needs `if __name__ == '__main__':` around the call"
ONE_THREAD = dict.fromkeys(
    (
        *("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"),
        *("VECLIB_MAXIMUM_THREADS", "BLIS_NUM_THREADS", "NUMEXPR_NUM_THREADS"),
    ),
    "1",
)


class Process(Protocol):
    """A process, as `multiprocessing` has it."""

    @property
    def exitcode(self) -> int | None:
        """What it ended with; a negative number is that of a signal."""

    def kill(self) -> None:
        """End it at once."""

    def join(self, timeout: float | None = None) -> None:
        """Wait until it has ended."""


@dataclass(eq=False)
class Worker:
    """A worker process and the task it is at."""

    process: Process
    connection: Connection
    ready: bool = False
    task: Task | None = None
    started: float = 0.0  # when it was given the task


class Pool:
    """At most `workers` processes that run one function; one task more waits for the next."""

    retried = 0  # tasks whose worker died are left to the coordinator

    def __init__(
        self,
        function: str,
        options: Mapping[str, Any],
        *,
        workers: int,
        timeout: float | None,
        memory: float | None,
        start: Callable[[Connection, tuple[Any, ...]], Process] | None = None,
    ) -> None:
        """`start` starts a process that works on a connection; spawned ones by default."""
        self.workers = workers
        self._given = (function, dict(options), memory)
        self._timeout = timeout
        self._start_process = start or _spawn
        self._waiting: deque[Task] = deque()
        self._workers: list[Worker] = []
        self._failed_starts = 0

    @property
    def pending(self) -> int:
        """How many tasks run or wait."""
        return len(self._waiting) + self._busy

    @property
    def processes(self) -> int:
        """How many processes there are, also idle ones."""
        return len(self._workers)

    @property
    def room(self) -> bool:
        """Whether a worker, or the place of the one task that waits, is free."""
        return self.pending <= self.workers

    def submit(self, task: Task) -> None:
        """Have a worker run a task, as soon as one is free."""
        self._waiting.append(task)
        self._assign()

    def cancel_waiting(self) -> None:
        """Give up tasks that no worker is at."""
        self._waiting.clear()

    def collect(self, limit: float) -> Iterator[tuple[Task, Outcome]]:
        """Wait for at most `limit` seconds until something happens, and what happened then."""
        connections = {worker.connection: worker for worker in self._workers}
        for connection in wait(list(connections), self._wait_seconds(limit)):
            assert isinstance(connection, Connection)
            outcomes = list(self._receive(connections[connection]))
            self._assign()  # a worker that is free goes on while its outcome is looked at
            yield from outcomes
        now = time.monotonic()
        for worker in list(self._workers):
            task, seconds = worker.task, now - worker.started
            if task is None or self._timeout is None or seconds <= self._timeout:
                continue
            if not worker.connection.poll():  # else it has just ended
                self._end(worker)
                self._assign()
                yield task, OverTime(self._timeout, seconds)

    def close(self) -> None:
        """End all workers, also those at a task."""
        self._waiting.clear()
        for worker in list(self._workers):
            self._end(worker)

    @property
    def _busy(self) -> int:
        return sum(worker.task is not None for worker in self._workers)

    def _assign(self) -> None:
        """Give tasks that wait to workers that wait; start workers where there may be more."""
        idle = len(self._workers) - self._busy
        for _ in range(min(len(self._waiting) - idle, self.workers - len(self._workers))):
            self._workers.append(self._start())
        for worker in self._workers:
            if self._waiting and worker.ready and worker.task is None:
                task = worker.task = self._waiting.popleft()
                worker.started = time.monotonic()
                with suppress(OSError):  # it died while it waited: the next event of it says so
                    worker.connection.send((task.input, task.output, task.work))

    def _wait_seconds(self, limit: float) -> float:
        """How long to wait: to the next task's time limit, at most `limit`."""
        starts = [worker.started for worker in self._workers if worker.task is not None]
        if self._timeout is None or not starts:
            return limit
        return min(max(min(starts) + self._timeout - time.monotonic(), 0.0) + 0.01, limit)

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
        ours, theirs = get_context("spawn").Pipe()
        process = self._start_process(theirs, self._given)
        theirs.close()
        return Worker(process, ours)

    def _end(self, worker: Worker, *, wait_for_exit: bool = False) -> None:
        if wait_for_exit:  # its connection is closed: it is about to
            worker.process.join(1)
        worker.process.kill()
        worker.process.join()
        worker.connection.close()
        self._workers.remove(worker)


def _spawn(connection: Connection, given: tuple[Any, ...]) -> Process:
    process = get_context("spawn").Process(target=work, args=(connection, *given), daemon=True)
    with without_interrupts(), _one_thread():
        process.start()
    return process


def _how_it_ended(code: int | None) -> str:
    if code is not None and code < 0:
        with suppress(ValueError):
            return f"the worker was ended by {signal.Signals(-code).name}"
    return f"the worker ended with code {code}"


@contextmanager
def _one_thread() -> Iterator[None]:
    """Start processes whose linear algebra uses one thread: read when NumPy is loaded."""
    before = {name: os.environ.get(name) for name in ONE_THREAD}
    os.environ.update(ONE_THREAD)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def without_interrupts() -> Iterator[None]:
    """Start processes that Ctrl-C does not reach; one that comes meanwhile is handled after."""
    resource_tracker.ensure_running()  # starting it unblocks signals
    if not hasattr(signal, "pthread_sigmask"):  # Windows: the worker ignores it once it runs
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
