"""How many search runs give a sequence: the paper's simulated annealing and the shaped search.

    python benchmarks/hops_yield.py [paper|shaped] [RUNS]     # both, 500 runs each by default

Loosely good is what the paper asks for: three hops, a certain distance and height, without a fall.
Good is what the database asks for. CPU time of one thread.
"""

from __future__ import annotations

import sys
import time
from collections import Counter

import one_thread  # noqa: F401

# isort: split
from arcwright.tools.autocomplete.hops.lamp import Lamp
from arcwright.tools.autocomplete.hops.search_run import SEARCHES, search_run

SEED = 1


def measured(search: str, runs: int) -> str:
    counts: Counter[str] = Counter()
    good = loosely = 0
    start = time.thread_time()
    for run in range(runs):
        found = search_run(Lamp(), SEED, run, search)
        counts.update(found.faults)
        good += not found.faults
        loosely += found.loosely
        if (run + 1) % 100 == 0:
            print(f"{search}: {run + 1} runs, {loosely} loosely good, {good} good", flush=True)
    seconds = time.thread_time() - start
    each = f"{seconds / good:.2f} CPU s a good one" if good else "none good"
    faults = ", ".join(f"{name} {count}" for name, count in counts.most_common())
    return (
        f"{search}: {runs} runs, {loosely} loosely good ({loosely / runs:.1%}), {good} good "
        f"({good / runs:.1%}), {seconds:.0f} CPU s, {each}; faults: {faults}"
    )


def main() -> None:
    searches = [each for each in sys.argv[1:] if each in SEARCHES] or list(SEARCHES)
    runs = next((int(each) for each in sys.argv[1:] if each.isdigit()), 500)
    for search in searches:
        print(measured(search, runs), flush=True)


if __name__ == "__main__":
    main()
