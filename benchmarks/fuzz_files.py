"""Read thousands of damaged and hostile files, and write and draw what was read.

    python benchmarks/fuzz_files.py [--cases N] [--seed S] [--only bvh] [--case SEED-N]

Each must become a result or one clear line, in time and memory; no private file around the folder
may be found in anything that is written.

What fails is kept in out/fuzz/ with its error beside it.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import traceback
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))

# isort: split
from damages import damaged  # noqa: E402
from fuzz import FINE, outcome  # noqa: E402
from good_files import seeds  # noqa: E402
from hostile import planted, put  # noqa: E402
from outcomes import MEGABYTES, forget_peak, peak_megabytes  # noqa: E402

CAP_MEGABYTES = 6000  # where a case is stopped
KEPT = ROOT / "out" / "fuzz"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="only this suffix, such as bvh")
    parser.add_argument("--uses", type=float, default=0.15, help="share of formats written")
    parser.add_argument("--case", default="", help="run one case again and show its traceback")
    options = parser.parse_args()
    files = seeds()
    print({suffix: len(each) for suffix, each in files.items()}, "good files to damage")
    cap = CAP_MEGABYTES * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (cap, cap))
    with tempfile.TemporaryDirectory() as name:
        folder = planted(Path(name))
        if options.case:
            return show(options.case, files, options.only, folder)
        return run(options, files, folder)


def run(options: argparse.Namespace, files: dict[str, list[bytes]], folder: Path) -> int:
    counts, failures = Counter[str](), Counter[str]()
    largest = 0.0
    for case in range(options.cases):
        seed = f"{options.seed}-{case}"
        suffix, data = damaged(seed, files, options.only)
        path = put(folder, suffix, data)
        forget_peak()
        result = outcome(path, options.uses)
        largest = max(largest, peak_megabytes())
        if result in FINE and peak_megabytes() > MEGABYTES:
            result = f"memory: {peak_megabytes():.0f} MB"
        counts[f"{suffix} {result if result in FINE else 'FAILED'}"] += 1
        if result not in FINE:
            failures[f"{suffix} {result[:150]}"] += 1
            KEPT.mkdir(parents=True, exist_ok=True)
            (KEPT / f"{seed}{suffix}").write_bytes(data)
            (KEPT / f"{seed}.txt").write_text(result)
            print(f"FAILED {seed}{suffix}: {result[:150]}", flush=True)
    for what, count in sorted(counts.items()):
        print(f"{count:7} {what}")
    for what, count in failures.most_common(40):
        print(f"FAILED {count} times: {what}")
    bad = sum(failures.values())
    print(f"{options.cases} cases, seed {options.seed}: {bad} failed, largest {largest:.0f} MB")
    return 1 if failures else 0


def show(case: str, files: dict[str, list[bytes]], only: str, folder: Path) -> int:
    from arcwright.files import read

    suffix, data = damaged(case, files, only)
    path = put(folder, suffix, data)
    print(outcome(path))
    try:
        read(path)
    except Exception:
        traceback.print_exc()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
