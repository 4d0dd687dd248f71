"""Work on many files: throughput, overhead per task, start-up, memory of workers and coordinator.

Run `python benchmarks/batch_files.py [--cuts 200] [--empty 100000] [--workers 1 2]`. Reduces
one-second cuts of the recordings in ../shared/data/bvh to keys with each number of workers, which
must give the same bytes; then runs empty tasks and watches the coordinator's memory. A second run
that finds all done is timed too.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from arcwright.batch import Progress, Report, find_files, map_files, read_manifest, verbs

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "bvh"
PER_FOLDER = 1000


def nothing(path: Path) -> None:
    """An empty task."""


def cuts() -> Iterator[tuple[str, str]]:
    """One-second cuts of all recordings, by name: the first second of each, then the next."""
    sources = sorted(DATA.rglob("*.bvh"))
    second = 0
    while sources:
        remaining = []
        for path in sources:
            header, interval, frames = parts(path)
            rate = round(1 / float(interval.split(":")[1]))
            cut = frames.splitlines()[second * rate : second * rate + rate + 1]
            if len(cut) > rate // 2:
                remaining.append(path)
                lines = [header, f"Frames: {len(cut)}", interval, *cut]
                yield f"{path.stem}_{second:03}", "\n".join(lines) + "\n"
        sources, second = remaining, second + 1


def parts(path: Path) -> tuple[str, str, str]:
    """Hierarchy, seconds per frame, and frames of a BVH file, as text."""
    hierarchy, _, rest = path.read_text().partition("Frames:")
    _, interval, frames = rest.split("\n", 2)
    return hierarchy.rstrip(), interval.strip(), frames


def reduce_cuts(folder: Path, count: int, numbers: list[int]) -> None:
    source = folder / "cuts"
    source.mkdir()
    for name, text in islice(cuts(), count):
        (source / f"{name}.bvh").write_text(text)
    files = find_files([source], [".bvh"])
    size = sum(file.path.stat().st_size for file in files)
    print(f"{len(files)} cuts, {size / 1e6:.1f} MB")
    before = processor_seconds()
    start = map_files(nothing, [next(iter(files)).path], workers=1).seconds
    processor = processor_seconds() - before
    print(f"one worker and one empty task: {start:.2f} s, {processor:.2f} s of processor time")
    written: dict[int, dict[str, str]] = {}
    for workers in numbers:
        out = folder / f"out{workers}"

        def run(out: Path = out, workers: int = workers) -> Report:
            return map_files(verbs.fit, files, out=out, template="{stem}.arc.glb", workers=workers)

        before = processor_seconds()
        report = run()
        used = processor_seconds() - before - processor * workers
        records = list(read_manifest(out))
        written[workers] = {name: each for record in records for name, each in record.files.items()}
        busy = sum(record.seconds or 0.0 for record in records)
        idle = (report.seconds - start) * workers - busy
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e3
        disk = sum(path.stat().st_size for path in out.glob("*.glb")) / 1e6
        print(
            f"{workers} workers: {report.done} done, {report.failed} failed in "
            f"{report.seconds:.1f} s, {report.done / report.seconds:.2f}/s; "
            f"{1000 * busy / len(records):.1f} ms in a task "
            f"({1000 * used / len(records):.1f} ms of processor), "
            f"{1000 * idle / len(records):.2f} ms of a worker beside it; "
            f"worker at most {peak:.0f} MB; outputs {disk:.1f} MB"
        )
        for failure in report.failures[:3]:
            print(f"  {failure.error}")
        again = run()
        print(f"  again: {again.skipped} skipped in {again.seconds:.2f} s")
    first, *others = written.values()
    print("same bytes:", all(each == first for each in others))


def processor_seconds() -> float:
    """Processor time of workers that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run_empty(folder: Path, count: int, workers: int) -> None:
    for at in range(count):
        path = folder / "empty" / f"{at // PER_FOLDER:04}" / f"{at:07}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    files = find_files([folder / "empty"], [".txt"])
    memory: list[float] = []

    def watch(progress: Progress) -> None:
        if progress.done >= (len(memory) + 1) * count // 10:
            memory.append(resident())

    before, start = resident(), time.perf_counter()
    report = map_files(nothing, files, out=folder / "none", workers=workers, progress=watch)
    seconds = time.perf_counter() - start
    print(
        f"{report.done} empty tasks, {workers} workers: {seconds:.1f} s, "
        f"{report.done / seconds:.0f}/s, {1e6 * seconds / count:.0f} µs each"
    )
    tenths = ", ".join(f"{each:.1f}" for each in memory)
    print(f"coordinator: {before:.1f} MB before, then at each tenth {tenths} MB")
    manifest = folder / "none" / "manifest.sqlite"
    print(f"manifest: {manifest.stat().st_size / count:.0f} bytes per task")
    start = time.perf_counter()
    again = map_files(nothing, files, out=folder / "none", workers=workers)
    seconds = time.perf_counter() - start
    print(f"again: {again.skipped} skipped, {again.skipped / seconds:.0f}/s")


def resident() -> float:
    """Memory of this process, MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cuts", type=int, default=200)
    parser.add_argument("--empty", type=int, default=100_000)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        if given.cuts and DATA.exists():
            reduce_cuts(Path(name), given.cuts, given.workers)
        if given.empty:
            run_empty(Path(name), given.empty, max(given.workers))


if __name__ == "__main__":
    main()
