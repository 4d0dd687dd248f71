"""Budget: replays every reference gesture and holds its moves against the budget of its tool.

    python benchmarks/budget.py [NAME ...]     # all, or `tangent/floor.json` and the like

Prints CPU time at p50 and p95 over all moves of a file, and of the first; exits 1 if a p95 is over
twice its budget, since machines differ.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from time import thread_time

import one_thread  # noqa: F401

# isort: split
import numpy as np

from arcwright.tools.replay.replay import replay

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))

from gesture_files import FILES, case_in, starting_scene  # noqa: E402

FAILS = 2.0  # times the budget
RUNS = 3  # of each file; the quickest counts, since others may be at work on the machine


def moves_ms(name: str) -> list[float]:
    """CPU time of each move of a gesture file, ms, in its quickest run."""
    runs = []
    for _ in range(RUNS):
        outcomes = replay(case_in(name), starting_scene(name), thread_time)[1]
        runs.append([ms for outcome in outcomes for ms in outcome.ms])
    return min(runs, key=sum)


def main(names: list[str]) -> int:
    budgets = tomllib.loads((ROOT / "benchmarks" / "budgets.toml").read_text(encoding="utf-8"))
    over = 0
    print(f"{'gesture':32} moves    first      p50      p95   budget")
    for name in names or FILES:
        most = budgets[case_in(name).tool]["update_ms"]
        spent = moves_ms(name)
        p50, p95 = np.percentile(spent, [50, 95])
        fails = p95 > FAILS * most
        word = "  FAILS" if fails else "  over" if p95 > most else ""
        over += fails
        first = f"{spent[0]:8.2f}"
        print(f"{name:32} {len(spent):5} {first} {p50:8.2f} {p95:8.2f} {most:8.2f} ms{word}")
    print(f"{over} over twice the budget" if over else "all within twice the budget")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
