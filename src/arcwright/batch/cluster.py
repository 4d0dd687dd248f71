"""Tasks on the workers of a Dask cluster: its scheduler places them, this collects outcomes.

What runs on those workers is in `cluster_worker.py`.
"""

from __future__ import annotations

import json
import logging
import queue
import time
from collections import deque
from collections.abc import Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arcwright.batch.cluster_worker import Unable, run_tasks
from arcwright.batch.executor import Died, Outcome
from arcwright.batch.manifest import Manifest, Task
from arcwright.batch.pool import MAIN_GUARD, without_interrupts
from arcwright.batch.worker import Result, one_line
from arcwright.errors import ArcwrightError, BadFile, BadValue, MissingExtra
from arcwright.version import __version__

if TYPE_CHECKING:
    from distributed import Client, Future

LOST = "the scheduler of the cluster has gone; run it again to go on"
LOCAL = "local"  # instead of an address: a cluster on this machine, for this run
CONNECT_SECONDS = 10
EVENTS = "all"  # the scheduler says there which workers have gone
POLL_SECONDS = 1.0  # between questions how many workers there are
AHEAD_SECONDS = 1.0  # work that waits for each worker, so that none has to wait
AHEAD_TASKS = 64  # of it at most, for tasks that take next to no time
CHUNK_SECONDS = 0.05  # of short tasks are submitted as one: each submission costs about 3 ms
CHUNK_TASKS = 32  # of them at most
LOCAL_SETTINGS = {  # for the dashboard of a long-lived cluster; here they grow the coordinator
    "distributed.admin.low-level-log-length": 10,
    "distributed.worker.profile.enabled": False,
}

Returned = list[Outcome] | Died | Unable  # of a chunk: outcomes of its first tasks, or why not


class Cluster:
    """Runs one function on all workers of a cluster, a task on each of their threads."""

    def __init__(
        self,
        function: str,
        options: Mapping[str, Any],
        client: Client,
        manifest: Manifest,
        *,
        timeout: float | None,
        memory: float | None,
    ) -> None:
        """Workers have to see the output folder of the manifest, too."""
        work = None if manifest.folder is None else manifest.work
        self.workers = 0
        self.retried = 0
        job = function, json.dumps(options, sort_keys=True), timeout, memory
        self._given = __version__, job, None if work is None else str(work)
        self._group = f"arcwright-{manifest.run}"
        self._waiting: list[Task] = []  # until there are enough to be submitted as one
        self._chunks: dict[Any, tuple[list[Task], Future]] = {}  # by key
        self._running = 0  # tasks of all chunks
        self._suspects: deque[Task] = deque()  # one of them made workers die: run one at a time
        self._suspect_key: Any = None  # of the one that runs
        self._submitted = 0
        self._mean_seconds = AHEAD_SECONDS
        self._ended: queue.SimpleQueue[Future] = queue.SimpleQueue()
        self._threads: dict[str, int] = {}  # by address of the worker
        self._counted = float("-inf")
        self._client = client
        self._client.subscribe_topic(EVENTS, self._on_event)
        self._count_workers()

    @property
    def pending(self) -> int:
        """How many tasks were submitted and not collected."""
        return self._running + len(self._waiting) + len(self._suspects)

    @property
    def room(self) -> bool:
        """Whether less waits than a worker does in a second, and at least one task for each."""
        ahead = self._tasks_in(AHEAD_SECONDS, AHEAD_TASKS)
        return self.pending < max(self.workers, 1) * (1 + ahead)

    def submit(self, task: Task) -> None:
        """Have a worker of the cluster run a task, together with others where they are short."""
        self._waiting.append(task)
        if len(self._waiting) >= self._tasks_in(CHUNK_SECONDS, CHUNK_TASKS):
            self._submit_waiting()

    def collect(self, limit: float) -> Iterator[tuple[Task, Outcome]]:
        """Wait for at most `limit` seconds until tasks have ended, and what came of those."""
        self._count_workers()
        if limit or len(self._chunks) < self.workers:
            self._submit_waiting()
        if self._suspects and self._suspect_key not in self._chunks:
            self._suspect_key = self._submit_chunk([self._suspects.popleft()])
        ended = self._wait(limit)
        returned = self._gather([future for future in ended if future.status == "finished"])
        for future in ended:
            if future.key not in returned and future.status not in ("error", "cancelled"):
                future.add_done_callback(self._ended.put)  # lost with its worker, and made again
                continue
            tasks, _ = self._chunks.pop(future.key)
            self._running -= len(tasks)
            outcomes = returned.get(future.key) or _failure(future)
            if isinstance(outcomes, Died):
                if future.key != self._suspect_key:  # it may only have waited behind the cause
                    self._suspects += tasks
                    continue
                outcomes = [outcomes]
            yield from self._outcomes(tasks, outcomes)

    def cancel_waiting(self) -> None:
        """Give up all tasks: which of them have begun, only their workers know."""
        if self._chunks:
            self._client.cancel([future for _, future in self._chunks.values()])
        self._chunks.clear()
        self._waiting.clear()
        self._suspects.clear()
        self._running = 0

    def close(self) -> None:
        """Give up all tasks: their workers end them."""
        with suppress(Exception):  # where the scheduler is gone, there is nothing to give up
            self._client.unsubscribe_topic(EVENTS)
            self.cancel_waiting()

    def _tasks_in(self, seconds: float, most: int) -> int:
        """How many tasks take so long, as far as is known: at least one, and at most so many."""
        return max(int(min(seconds / max(self._mean_seconds, 1e-9), most)), 1)

    def _submit_waiting(self) -> None:
        tasks, self._waiting = self._waiting, []
        if tasks:
            self._submit_chunk(tasks)

    def _submit_chunk(self, tasks: list[Task]) -> Any:
        self._submitted += 1
        given = [
            (str(task.input), task.output, None if task.work is None else str(task.work))
            for task in tasks
        ]
        key = (self._group, self._submitted)
        future = self._client.submit(run_tasks, *self._given, given, key=key, pure=False)
        self._chunks[future.key] = tasks, future
        self._running += len(tasks)
        future.add_done_callback(self._ended.put)
        return key

    def _wait(self, limit: float) -> list[Future]:
        """Futures that have ended; those that were given up are not among them."""
        ended = []
        with suppress(queue.Empty):
            ended.append(self._ended.get(timeout=limit) if limit else self._ended.get_nowait())
            while True:
                ended.append(self._ended.get_nowait())
        return [future for future in ended if future.key in self._chunks]

    def _gather(self, futures: list[Future]) -> dict[Any, Returned]:
        """What chunks returned, by key; fetched from their workers, which may have gone since."""
        if not futures:
            return {}
        with _reachable():
            try:
                returned = self._client.gather(futures)
            except _killed_worker():
                return dict.fromkeys((each.key for each in futures), Died("its result is lost"))
        return {each.key: outcomes for each, outcomes in zip(futures, returned, strict=True)}

    def _outcomes(
        self, tasks: list[Task], returned: list[Outcome] | Unable
    ) -> Iterator[tuple[Task, Outcome]]:
        """The outcome of each task; those that were not begun are submitted again."""
        if isinstance(returned, Unable):
            raise ArcwrightError(returned.reason)
        if len(returned) < len(tasks):
            self._submit_chunk(tasks[len(returned) :])
        for task, outcome in zip(tasks, returned, strict=False):
            if isinstance(outcome, Result):
                self._mean_seconds += 0.1 * (outcome.seconds - self._mean_seconds)
            yield task, outcome

    def _count_workers(self) -> None:
        """Count workers, which come and go, at most once in `POLL_SECONDS`."""
        if time.monotonic() - self._counted < POLL_SECONDS:
            return
        with _reachable():
            self._threads = dict(self._client.nthreads())
        self.workers = sum(self._threads.values())
        self._counted = time.monotonic()

    def _on_event(self, event: tuple[float, Mapping[str, Any]]) -> None:
        """Count tasks of a worker that died: the scheduler gives them to another one."""
        _, said = event
        if said.get("action") == "remove-worker":
            found = (self._chunks.get(key, ([], None))[0] for key in said["processing-tasks"])
            ours = [tasks for tasks in found if tasks]
            self.retried += sum(map(len, ours[: self._threads.get(said["worker"], 1)]))


@contextmanager
def _reachable() -> Iterator[None]:
    """Say it in one line where the scheduler does not answer any more."""
    try:
        yield
    except (OSError, RuntimeError, CancelledError) as error:
        raise ArcwrightError(LOST) from error


def _killed_worker() -> Any:
    """The error of a task that Dask gave up, because its workers died."""
    from distributed import KilledWorker

    return KilledWorker


@contextmanager
def connected(address: str, workers: int | None) -> Iterator[Client]:
    """A client of the cluster; `LOCAL` starts one on this machine and stops it in the end."""
    try:
        import dask
        import distributed
        from distributed.comm import resolve_address
    except ImportError as error:
        raise MissingExtra("a cluster", "cluster") from error
    expected = "the address of a Dask scheduler that answers"
    in_file = address.endswith(".json")
    if in_file and not Path(address).is_file():
        raise BadFile(address, "no such scheduler file")
    with ExitStack() as stack:
        try:
            if address == LOCAL:
                stack.enter_context(dask.config.set(LOCAL_SETTINGS))
                with without_interrupts():
                    given = stack.enter_context(_local_cluster(workers))
            else:
                given = address
                if not in_file:
                    resolve_address(address)  # a client with a bad one is slow to end
            where = "scheduler_file" if in_file else "address"
            client = distributed.Client(
                **{where: given}, timeout=CONNECT_SECONDS, set_as_default=False
            )
        except (OSError, ValueError, RuntimeError) as error:
            if address == LOCAL:
                said = f"the cluster cannot start: {one_line(error)}; {MAIN_GUARD}"
                raise ArcwrightError(said) from error
            raise BadValue("cluster", f"{expected} ({one_line(error)})", address) from error
        stack.callback(client.close, CONNECT_SECONDS)
        yield client


def _local_cluster(workers: int | None) -> Any:
    from distributed import LocalCluster

    return LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        memory_limit=0,  # tasks have limits of their own
        dashboard_address="127.0.0.1:0",  # any free port
        silence_logs=logging.CRITICAL,
    )


def _failure(future: Future) -> Died | Unable:
    """What came of a chunk that did not return."""
    if future.status != "error":
        return Unable(LOST)
    error = future.exception()
    if isinstance(error, _killed_worker()):
        return Died(f"the worker of the cluster died, {error.allowed_failures + 1} times", True)
    return Unable(f"a worker of the cluster cannot run tasks: {one_line(error)}")
