"""Kill the studio at random moments; every acknowledged edit must be there, bit for bit.

    python benchmarks/studio_crash.py [--kills 50] [--seed 1]

Also measures what writing a step down costs. Nothing may be compiled or edited meanwhile: what a
drag comes to is worked out here too, and must be the same to the last bit.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))

# isort: split
from arcwright.scene.scene import Scene
from arcwright.server.storage.journal import Journal, recover, unfinished
from crashing import Crashes


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        crashes = Crashes(Path(folder), options.seed)
        for kill in range(options.kills):
            crashes.round()
            steps = len(crashes.sure.done) + len(crashes.sure.undone)
            print(f"kill {kill + 1}: {crashes.acknowledged} acknowledged, {steps} steps", end="\r")
        print(
            f"{options.kills} kills, seed {options.seed}: {crashes.acknowledged} edits "
            f"acknowledged, all there; {crashes.one_more} times one more than acknowledged"
        )
        cost(crashes, Path(folder))
    return 0


def cost(crashes: Crashes, folder: Path) -> None:
    """The same steps into a journal of their own."""
    history = crashes.sure
    first: Scene = history.scene
    for edit in history.done[::-1]:
        first = edit.inverse().apply(first)
    start = time.perf_counter()
    journal = Journal.begin(folder / "cost", first, None)
    print(f"beginning a journal: {1000 * (time.perf_counter() - start):.1f} ms")
    spent = []
    for edit in history.done:
        start = time.perf_counter()
        journal.record_edit(edit)
        spent.append(1000 * (time.perf_counter() - start))
    journal.close()
    if spent:
        p50, p95 = np.percentile(spent, [50, 95])
        print(f"writing a step down: p50 {p50:.2f} ms, p95 {p95:.2f} ms of {len(spent)} steps")
        start = time.perf_counter()
        recover(folder / "cost", unfinished(folder / "cost")[0].name)[2].close()
        print(f"recovering them: {1000 * (time.perf_counter() - start):.0f} ms")


if __name__ == "__main__":
    raise SystemExit(main())
