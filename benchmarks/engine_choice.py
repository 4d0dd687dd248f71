"""Ray and Dask side by side: start-up, memory, overhead per task, and what comes of bad tasks.

Run `python benchmarks/engine_choice.py distributed|ray` in an environment with that engine and
nothing else of this project. The engine is used as it comes, with two workers on this machine.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

from process_memory import processes_below, resident

MEGABYTES = 1e6
THRESHOLD = "RAY_memory_usage_threshold"


def nothing(_: int) -> int:
    return os.getpid()


def hang(mark: str) -> None:
    Path(mark).write_text(str(os.getpid()))
    time.sleep(600)


def die_once(mark: str) -> str:
    if not Path(mark).exists():
        Path(mark).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return "run again by the engine"


def die(_: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def eat(megabytes: int) -> str:
    eaten = []
    for _ in range(megabytes // 10):
        eaten.append(b"x" * 10_000_000)
        time.sleep(0.005)
    return f"was let have {megabytes} MB"


class Dask:
    """Dask's distributed: a scheduler in this process, workers with a nanny each."""

    package = "distributed"

    def start(self, workers: int, limit: float | None = None) -> None:
        """Start workers; each, or the machine, may have `limit` bytes."""
        from distributed import Client, LocalCluster

        self.cluster = LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            memory_limit=limit or "auto",
            dashboard_address=None,
        )
        self.client = Client(self.cluster)

    def submit(self, function: Callable[..., Any], *given: Any) -> Any:
        """Have a function run."""
        return self.client.submit(function, *given, pure=False)

    def result(self, future: Any, seconds: float | None = None) -> Any:
        """What it returned."""
        return future.result(seconds)

    def finished(self, futures: list[Any]) -> tuple[list[Any], list[Any]]:
        """Results of those that have ended, at least one, and the others."""
        from distributed import wait

        done, others = wait(futures, return_when="FIRST_COMPLETED")
        return self.client.gather(list(done)), list(others)

    def end_task(self, future: Any) -> None:
        """End a task that runs."""
        future.cancel(force=True)

    def stop(self) -> None:
        """Stop all workers."""
        self.client.close()
        self.cluster.close()


class Ray:
    """Ray: a head node on this machine."""

    package = "ray"

    def start(self, workers: int, limit: float | None = None) -> None:
        """Start workers; each, or the machine, may have `limit` bytes."""
        if limit is not None:  # only a share of the machine's memory can be given
            total, free = memory_of_machine()
            share = (total - free + limit) / total
            os.environ[THRESHOLD] = f"{share:.3f}"
        import ray

        self.ray = ray
        ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False)
        self.remote: dict[Any, Any] = {}

    def submit(self, function: Callable[..., Any], *given: Any) -> Any:
        """Have a function run."""
        if function not in self.remote:
            self.remote[function] = self.ray.remote(function)
        return self.remote[function].remote(*given)

    def result(self, future: Any, seconds: float | None = None) -> Any:
        """What it returned."""
        return self.ray.get(future, timeout=seconds)

    def finished(self, futures: list[Any]) -> tuple[list[Any], list[Any]]:
        """Results of those that have ended, at least one, and the others."""
        done, others = self.ray.wait(futures)
        return self.ray.get(done), others

    def end_task(self, future: Any) -> None:
        """End a task that runs."""
        self.ray.cancel(future, force=True)

    def stop(self) -> None:
        """Stop all workers."""
        self.ray.shutdown()
        os.environ.pop(THRESHOLD, None)


def memory_of_machine() -> tuple[float, float]:
    lines = Path("/proc/meminfo").read_text().splitlines()
    kilobytes = {line.split(":")[0]: int(line.split()[1]) for line in lines}
    return kilobytes["MemTotal"] * 1e3, kilobytes["MemAvailable"] * 1e3


def outcome_of(start: float, result: Callable[[], Any]) -> str:
    try:
        text = str(result())
    except BaseException as error:
        text = f"{type(error).__name__}: {error}"
    return f"after {time.perf_counter() - start:.1f} s: {' '.join(text.split())[:160]}"


def measure(engine: Any, folder: Path) -> None:
    start = time.perf_counter()
    __import__(engine.package)
    print(f"{engine.package} {distribution(engine.package).version}")
    print(f"import: {time.perf_counter() - start:.2f} s")
    for workers in (1, 2):
        start = time.perf_counter()
        engine.start(workers)
        engine.result(engine.submit(nothing, 0))
        print(f"{workers} workers, to the first result: {time.perf_counter() - start:.2f} s")
        if workers == 1:
            engine.stop()
    for count, most in ((200, 8), (10_000, 8), (10_000, 32)):
        start, pids = time.perf_counter(), set()
        pending: list[Any] = []
        for at in range(count):
            pending.append(engine.submit(nothing, at))
            if len(pending) == most:
                done, pending = engine.finished(pending)
                pids.update(done)
        pids.update(engine.result(each) for each in pending)
        each = (time.perf_counter() - start) / count
        print(f"{count} empty tasks, {most} in flight: {1e3 * each:.2f} ms each", flush=True)
    below = processes_below(os.getpid())
    workers_are = [f"{resident(pid):.0f}" for pid in pids]
    everything = sum(resident(pid) for pid in below)
    print(f"memory: workers {' and '.join(workers_are)} MB, all {len(below)} processes")
    print(f"  {everything:.0f} MB, and this one {resident(os.getpid()):.0f} MB")
    fail(engine, folder)


def fail(engine: Any, folder: Path) -> None:
    mark = folder / "hangs"
    future = engine.submit(hang, str(mark))
    pid = started(mark)
    start = time.perf_counter()
    engine.end_task(future)
    while Path(f"/proc/{pid}").exists() and time.perf_counter() - start < 15:
        time.sleep(0.05)
    gone = "its process is gone" if not Path(f"/proc/{pid}").exists() else "it still runs"
    print(f"a task that hangs, ended by its future {outcome_of(start, lambda: gone)}")
    if Path(f"/proc/{pid}").exists():
        os.kill(pid, signal.SIGKILL)
        time.sleep(3)
    for name, function, given in (
        ("a worker killed in a task once", die_once, str(folder / "died")),
        ("a worker killed in a task each time", die, 0),
    ):
        start, future = time.perf_counter(), engine.submit(function, given)
        print(f"{name} {outcome_of(start, lambda future=future: engine.result(future, 60))}")
    engine.stop()
    engine.start(2, 500 * MEGABYTES)
    start, future = time.perf_counter(), engine.submit(eat, 3000)
    print(f"a task that eats memory {outcome_of(start, lambda: engine.result(future, 60))}")
    engine.stop()


def started(mark: Path) -> int:
    while not mark.exists() or not mark.read_text():
        time.sleep(0.02)
    return int(mark.read_text())


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        measure({"distributed": Dask, "ray": Ray}[sys.argv[1]](), Path(name))
