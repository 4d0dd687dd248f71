"""Time two or more ways of doing the same work in turns, and print a small table."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

Work = Callable[[], object]


def measure(works: dict[str, Work], repeats: int) -> dict[str, np.ndarray]:
    """Seconds (repeats,) of each work; they take turns, so that a busy machine hurts all alike."""
    for work in works.values():
        work()
        work()
    taken: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(repeats):
        for name, work in works.items():
            start = time.perf_counter()
            work()
            taken[name].append(time.perf_counter() - start)
    return {name: np.array(seconds) for name, seconds in taken.items()}


def table(title: str, seconds: dict[str, np.ndarray], ours: str) -> str:
    """Median and p95 in ms, and how many times the median of `ours`."""
    base = np.median(seconds[ours])
    lines = [title, f"  {'':34} {'median ms':>10} {'p95 ms':>10} {'ratio':>8}"]
    for name, each in seconds.items():
        middle, high = np.median(each) * 1e3, np.quantile(each, 0.95) * 1e3
        lines.append(f"  {name:34} {middle:10.3f} {high:10.3f} {np.median(each) / base:7.2f}x")
    return "\n".join(lines)
