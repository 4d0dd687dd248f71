"""What runs on a worker of a cluster: a process for each of its threads, as in a local run.

A thread of the engine cannot be ended, and its memory is that of all others. So the task itself
runs in a process that the thread watches: limits, deaths and one thread for linear algebra are
those of a local run.
"""

from __future__ import annotations

import json
import os
import pickle
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from arcwright.batch.executor import Died, Outcome
from arcwright.batch.manifest import Task
from arcwright.batch.pool import ONE_THREAD, Pool
from arcwright.batch.run_lock import LOCK
from arcwright.batch.worker import work
from arcwright.errors import ArcwrightError
from arcwright.version import __version__

POLL_SECONDS = 0.5  # between checks whether the task is still wanted
LONGEST_CHUNK = 1.0  # seconds, until those of its tasks that have not begun are given back
IDLE_SECONDS = 30.0  # until a process without tasks ends
TRIM = "MALLOC_TRIM_THRESHOLD_"  # Dask sets it; costs a tenth of the time by page faults


@dataclass(frozen=True)
class Unable:
    """A worker cannot run any task of this run."""

    reason: str


_here = threading.local()  # of each thread: its pools of one process, by what they run


def run_tasks(
    version: str,
    job: tuple[str, str, float | None, float | None],
    run_folder: str | None,
    tasks: list[tuple[str, str, str | None]],
) -> list[Outcome] | Unable:
    """Run tasks (input, output, work folder) in a process of this thread, one after the other.

    `job` is function, options as JSON, and the limits of time and memory. What comes here is of
    built-in types, so that a worker with another version can read it and say so. Where they take
    long, the outcomes of the first ones are returned: the others have not begun.
    """
    host = socket.gethostname()
    if version != __version__:
        reason = f"the worker on {host} has Arcwright {__version__}, this is {version}"
        return Unable(f"{reason}: install the same on all")
    if run_folder is not None and not Path(run_folder, LOCK).exists():
        reason = f"the worker on {host} does not see {Path(run_folder).parent.parent}"
        return Unable(f"{reason}: inputs and outputs must be on a file system that all share")
    pool, wanted, start = _pool_of(job), _is_wanted(), time.monotonic()
    outcomes: list[Outcome] = []
    try:
        for path, output, work in tasks:
            task = Task(Path(path), output, "", work=None if work is None else Path(work))
            outcomes.append(_run(pool, task, wanted))
            if time.monotonic() - start > LONGEST_CHUNK or not wanted():
                break
    except ArcwrightError as error:
        pool.close()
        return Unable(f"{host}: {error}")
    return outcomes


def _run(pool: Pool, task: Task, wanted: Callable[[], bool]) -> Outcome:
    pool.submit(task)
    while wanted():
        for _, outcome in pool.collect(POLL_SECONDS):
            return outcome
    pool.close()
    return Died("the cluster took the task back")


def _pool_of(job: tuple[str, str, float | None, float | None]) -> Pool:
    """The pool of this thread for a job; those whose process has ended are dropped."""
    pools: dict[Any, Pool] = vars(_here).setdefault("pools", {})
    for each, pool in list(pools.items()):
        for _ in pool.collect(0):  # notices that a process ended while it was idle
            pass
        if not pool.processes:
            del pools[each]
    if job not in pools:
        function, options, timeout, memory = job
        limits = {"timeout": timeout, "memory": memory}
        pools[job] = Pool(function, json.loads(options), workers=1, start=launch, **limits)
    return pools[job]


def _is_wanted() -> Callable[[], bool]:
    """Whether the scheduler still wants the task of this thread: its run may have ended."""
    from distributed import get_worker

    worker = get_worker()
    key = worker.get_current_task()

    def wanted() -> bool:
        state = worker.state.tasks.get(key)
        return state is not None and state.state == "executing"

    return wanted


class Launched(subprocess.Popen[bytes]):
    """A process with the names of `multiprocessing`."""

    @property
    def exitcode(self) -> int | None:
        """What it ended with."""
        return self.poll()

    def join(self, timeout: float | None = None) -> None:
        """Wait until it has ended."""
        with suppress(subprocess.TimeoutExpired):
            self.wait(timeout)
            assert self.stdin is not None
            self.stdin.close()


def launch(connection: Connection, given: tuple[Any, ...]) -> Launched:
    """Start a worker process; workers of the engine must not spawn one by `multiprocessing`."""
    code = f"from {__name__} import main; main({connection.fileno()})"
    paths = os.pathsep.join(path for path in sys.path if path)
    kept = {name: value for name, value in os.environ.items() if name != TRIM}
    process = Launched(
        [sys.executable, "-c", code],
        env=kept | ONE_THREAD | {"PYTHONPATH": paths},
        stdin=subprocess.PIPE,  # stays open: it closes when this process ends
        pass_fds=[connection.fileno()],
        start_new_session=True,  # Ctrl-C does not reach it
    )
    assert process.stdin is not None
    with suppress(OSError):  # it has ended already: its connection says so
        pickle.dump(given, process.stdin)
        process.stdin.flush()
    return process


def main(descriptor: int) -> None:
    """What `launch` starts."""
    given = pickle.load(sys.stdin.buffer)
    work(Connection(descriptor), *given, parent=sys.stdin.fileno(), idle=IDLE_SECONDS)
