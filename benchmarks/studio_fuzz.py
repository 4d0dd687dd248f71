"""Thousands of hostile requests and messages against a running studio; it must refuse and go on.

python benchmarks/studio_fuzz.py [--messages 20000] [--seed 1]
"""

from __future__ import annotations

import argparse
import logging
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))

# isort: split
from hostile_clients import Hostile, planted
from studio_process import Running


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--messages", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    logging.getLogger("websockets").setLevel(logging.CRITICAL)  # of our own clients
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as name:
        home, opened = planted(Path(name))
        with Running(home, opened) as studio:
            hostile = Hostile(studio, Path(name), options.seed)
            hostile.requests(options.messages // 5)
            hostile.handshakes(options.messages // 20)
            hostile.posts(options.messages // 5)
            hostile.oversized(max(1, options.messages // 1000))
            for _ in range(0, options.messages // 200, 20):
                hostile.contents(20)
                print(f"{hostile.sent} sent", end="\r", flush=True)
            while hostile.sent < options.messages:
                hostile.messages(min(500, options.messages - hostile.sent))
                print(f"{hostile.sent} sent", end="\r", flush=True)
            hostile.still_edits()
            faults = hostile.faults()
    print(
        f"{hostile.sent} sent in {time.perf_counter() - start:.0f} s: {hostile.refused} refused, "
        f"{hostile.used} of {hostile.files} hostile files opened and used, {hostile.bad} bad "
        f"messages and others mutated, answered with {hostile.failures} failures"
    )
    for fault in faults:
        print("FAULT:", fault)
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
