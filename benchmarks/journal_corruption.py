"""Damage journals in every way; each opens as it was, names what it lost, or is listed as damaged.

python benchmarks/journal_corruption.py [--cases 500] [--seed 1]
"""

from __future__ import annotations

import argparse
import logging
import resource
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))

# isort: split
from corruption import Corruption

SLOWEST = 20.0  # s, of one case
MOST_MEMORY = 1024  # MB, of all of them


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    slowest = 0.0
    with tempfile.TemporaryDirectory() as folder:
        corruption = Corruption(Path(folder), options.seed)
        for _ in range(options.cases):
            start = time.perf_counter()
            corruption.case()
            slowest = max(slowest, time.perf_counter() - start)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{options.cases} damaged journals, seed {options.seed}:")
    for outcome, count in sorted(corruption.outcomes.items(), key=lambda each: -each[1]):
        print(f"  {count:5d} {outcome}")
    print(f"slowest case {1000 * slowest:.0f} ms, at most {peak:.0f} MB of memory")
    return int(slowest > SLOWEST or peak > MOST_MEMORY)


if __name__ == "__main__":
    raise SystemExit(main())
