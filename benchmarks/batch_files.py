"""Work on many files: throughput, overhead per task, start-up, memory of workers and coordinator.

Run `python benchmarks/batch_files.py [--cuts 200] [--empty 100000] [--workers 1 2] [--cluster]
[--once 2000]`. Reduces one-second cuts of the recordings in ../shared/data/bvh to keys with each
number of local workers and, with `--cluster`, of workers of a Dask cluster on this machine, which
must all give the same bytes; then runs empty tasks and watches the coordinator's memory. A second
run that finds all done is timed too. `--once` reduces so many cuts with the most local workers.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from arcwright.batch import Progress, Report, find_files, map_files, read_manifest, verbs
from process_memory import processes_below, resident

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data" / "bvh"
PER_FOLDER = 1000
LOOK_SECONDS = 2.0

sys.path.insert(0, str(ROOT / "tests" / "support"))
from batch_tasks import nothing  # noqa: E402  (workers of a cluster import it, too)


class Watch:
    """Memory of workers, by kind, as progress is made."""

    def __init__(self) -> None:
        self.most: dict[str, float] = {}
        self._next = 0.0

    def __call__(self, _: Progress) -> None:
        """Look at all processes, at times."""
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + LOOK_SECONDS
        for pid in processes_below(os.getpid()):
            kind = kind_of(pid)
            if kind:
                self.most[kind] = max(self.most.get(kind, 0.0), resident(pid))


def kind_of(pid: int) -> str:
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return ""
    if b"cluster_worker" in command:
        return "process of a task"
    return "worker" if b"spawn_main" in command else ""


def cuts() -> Iterator[tuple[str, str]]:
    """One-second cuts of all recordings, by name: the first second of each, then the next.

    When there are no more, those that begin between them follow: they overlap, and none is twice.
    """
    for shift in (0, 1 / 2, 1 / 4, 3 / 4, 1 / 8, 3 / 8, 5 / 8, 7 / 8):
        sources, start = sorted(DATA.rglob("*.bvh")), shift
        while sources:
            remaining = []
            for path in sources:
                header, interval, frames = parts(path)
                rate = round(1 / float(interval.split(":")[1]))
                first = round(start * rate)
                cut = frames.splitlines()[first : first + rate + 1]
                if len(cut) > rate // 2:
                    remaining.append(path)
                    lines = [header, f"Frames: {len(cut)}", interval, *cut]
                    yield f"{path.stem}_{first:05}", "\n".join(lines) + "\n"
            sources, start = remaining, start + 1


def parts(path: Path) -> tuple[str, str, str]:
    """Hierarchy, seconds per frame, and frames of a BVH file, as text."""
    hierarchy, _, rest = path.read_text().partition("Frames:")
    _, interval, frames = rest.split("\n", 2)
    return hierarchy.rstrip(), interval.strip(), frames


def write_cuts(folder: Path, count: int) -> list[Path]:
    folder.mkdir()
    for at, (name, text) in enumerate(islice(cuts(), count)):
        (folder / f"{at:05}_{name}.bvh").write_text(text)
    files = sorted(folder.iterdir())
    size = sum(file.stat().st_size for file in files)
    print(f"{len(files)} cuts, {size / 1e6:.1f} MB")
    return files


def reduce_cuts(folder: Path, files: list[Path], workers: int, cluster: bool) -> dict[str, str]:
    """Reduce cuts to keys, say what it cost, and give the hashes of all outputs."""
    where = {"workers": workers, "cluster": "local" if cluster else None}
    out = folder / f"out{workers}{'_cluster' if cluster else ''}_{len(files)}"
    before, began = processor_seconds(), time.perf_counter()
    map_files(nothing, files[:1], **where)
    start, processor = time.perf_counter() - began, processor_seconds() - before
    watch = Watch()

    def run() -> Report:
        given = {"template": "{stem}.arc.glb", "progress": watch}
        return map_files(verbs.fit, files, out=out, **given, **where)

    before, began = processor_seconds(), time.perf_counter()
    report = run()
    seconds, used = time.perf_counter() - began, processor_seconds() - before - processor
    records = list(read_manifest(out))
    busy = sum(record.seconds or 0.0 for record in records)
    idle = (seconds - start) * workers - busy
    disk = sum(path.stat().st_size for path in out.glob("*.glb")) / 1e6
    kind = "workers of a cluster" if cluster else "local workers"
    most = ", ".join(f"{name} {size:.0f} MB" for name, size in watch.most.items())
    print(
        f"{workers} {kind}: one empty task {start:.2f} s; then {report.done} done, "
        f"{report.failed} failed in {seconds:.1f} s, {report.done / (seconds - start):.2f}/s "
        f"after the start; {1e3 * busy / len(records):.0f} ms in a task"
        + ("" if cluster else f" ({1e3 * used / len(records):.0f} ms of processor)")
        + f", {1e3 * idle / len(records):.1f} ms of a worker beside it; at most {most}; "
        f"outputs {disk:.1f} MB",
        flush=True,
    )
    for failure in report.failures[:3]:
        print(f"  {failure.error}")
    again = run()
    print(f"  again: {again.skipped} skipped in {again.seconds:.2f} s")
    return {name: each for record in records for name, each in record.files.items()}


def processor_seconds() -> float:
    """Processor time of workers that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run_empty(folder: Path, count: int, workers: int, cluster: str | None) -> None:
    source = folder / "empty"
    if not source.exists():
        for at in range(count):
            path = source / f"{at // PER_FOLDER:04}" / f"{at:07}.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
    files = find_files([source], [".txt"])
    memory: list[float] = []

    def watch(progress: Progress) -> None:
        if progress.done >= (len(memory) + 1) * count // 10:
            memory.append(resident(os.getpid()))

    out = folder / ("none_cluster" if cluster else "none")
    where = {"out": out, "workers": workers, "cluster": cluster}
    before, start = resident(os.getpid()), time.perf_counter()
    report = map_files(nothing, files, progress=watch, **where)
    seconds = time.perf_counter() - start
    kind = "workers of a cluster" if cluster else "local workers"
    print(
        f"{report.done} empty tasks, {workers} {kind}: {seconds:.1f} s, "
        f"{report.done / seconds:.0f}/s, {1e3 * seconds / count:.2f} ms each"
    )
    tenths = ", ".join(f"{each:.1f}" for each in memory)
    print(f"coordinator: {before:.1f} MB before, then at each tenth {tenths} MB")
    manifest = out / "manifest.sqlite"
    print(f"manifest: {manifest.stat().st_size / count:.0f} bytes per task")
    start = time.perf_counter()
    again = map_files(nothing, files, **where)
    seconds = time.perf_counter() - start
    print(f"again: {again.skipped} skipped, {again.skipped / seconds:.0f}/s", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cuts", type=int, default=200)
    parser.add_argument("--empty", type=int, default=100_000)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--cluster", action="store_true")
    parser.add_argument("--once", type=int, default=0, metavar="CUTS")
    given = parser.parse_args()
    kinds = [False, True] if given.cluster else [False]
    most = max(given.workers)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if max(given.cuts, given.once) and DATA.exists():
            files = write_cuts(folder / "cuts", max(given.cuts, given.once))
            if given.once:
                reduce_cuts(folder, files[: given.once], most, False)
            written = [
                reduce_cuts(folder, files[: given.cuts], workers, cluster)
                for cluster in (kinds if given.cuts else [])
                for workers in given.workers
            ]
            if written:
                print("same bytes:", all(each == written[0] for each in written))
        for cluster in kinds if given.empty else []:
            run_empty(folder, given.empty, most, "local" if cluster else None)


if __name__ == "__main__":
    main()
