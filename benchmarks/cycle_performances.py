"""Synthetic performances with a known loop: periods, shape, detail, closure, and time.

Run `make bench-cycle`. 120 performances of each of four kinds of loop in a column; ours, the
published method and a plain mean of the true cycles in one run. Times are of the thread's own CPU.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np

from arcwright.arrays import Floats
from arcwright.tools.cycle.model import PerformedSamples, extract, periods, signal_of
from arcwright.tools.cycle.paper import find_as_published
from arcwright.tools.cycle.phase import align
from performances import KINDS, ActedLoop, act, shape_error

JITTERS = (0.0, 0.05, 0.1, 0.15, 0.2)
TRIALS = 120
FIRST_SEED = 20_000
FRAMES = 120
NEAR = 0.1


def main() -> None:
    """Print both tables."""
    trials = int(sys.argv[sys.argv.index("--trials") + 1]) if "--trials" in sys.argv else TRIALS
    columns = ("right", "", "or 2nd", "paper", "shape", "plain", "paper", "detail", "closure")
    print(f"{'tempo':>6}{'trials':>8}" + "".join(f"{each:>9}" for each in columns))
    for jitter in JITTERS:
        acted = [act(kind, jitter, FIRST_SEED + seed) for kind in KINDS for seed in range(trials)]
        rows = [_row(each) for each in acted]
        right, either, paper = (sum(bool(row[k]) for row in rows) for k in range(3))
        shape, plain, published, detail = (_median([row[k] for row in rows]) for k in range(3, 7))
        gap = max(row[7] for row in rows)
        print(
            f"{jitter:6.0%}{len(rows):8}{right:9}{right / len(rows):9.1%}{either / len(rows):9.1%}"
            f"{paper / len(rows):9.1%}{shape:9.3f}{plain:9.3f}{published:9.3f}{detail:9.2f}"
            f"{gap:9.1e}"
        )
    _times()


def _row(acted: ActedLoop) -> tuple[float, ...]:
    """Right, right or second, published right, errors of shape, detail, largest gap."""
    samples = PerformedSamples(acted.time, acted.values, acted.values)
    signal = signal_of(samples)
    found = periods(samples, signal)
    near = [abs(each.period / acted.period - 1) < NEAR for each in found]
    even = np.stack(
        [
            np.interp(np.arange(0, acted.time[-1], 1 / 30), acted.time, column)
            for column in acted.values.T
        ],
        axis=1,
    )
    paper = find_as_published(even)
    published = paper is not None and abs(paper.period / 30 / acted.period - 1) < NEAR
    true = [each for each, close in zip(found, near, strict=True) if close]
    shape = detail = gap = np.nan
    first = False
    if true:
        cycle = extract(samples, signal, align(signal, true[0]), FRAMES)
        shape, detail = shape_error(cycle.loop, acted.loop)
        gap = max(cycle.closure.position, cycle.closure.velocity)
        first = bool(near[0]) and abs(cycle.period / acted.period - 1) < NEAR
    paper_shape = shape_error(paper.mean(even), acted.loop)[0] if published and paper else np.nan
    plain = shape_error(_plain_mean(acted), acted.loop)[0]
    second = any(near[:2])
    return first, second, published, shape, plain, paper_shape, detail, np.nan_to_num(gap)


def _plain_mean(acted: ActedLoop) -> Floats:
    """The mean of the true cycles, without any alignment within them."""
    at = acted.cuts[:-1, None] + np.diff(acted.cuts)[:, None] * np.arange(FRAMES) / FRAMES
    each = [np.interp(at, acted.time, column) for column in acted.values.T]
    mean: Floats = np.stack(each, axis=-1).mean(axis=0)
    return mean


def _median(values: list[float]) -> float:
    return float(np.nanmedian(values))


def _times() -> None:
    random = np.random.default_rng(0)
    print(f"\n{'dimensions':>11}{'frames':>8}{'CPU s':>8}{'paper':>8}{'ratio':>7}")
    for size, frames, rate in ((127, 900, 30), (254, 900, 30), (2611, 300, 30), (7804, 300, 30)):
        values = _tempo_varies(random, frames, size, rate)
        at = np.arange(frames) / rate
        ours = min(_cpu(_extracted, at, values) for _ in range(5))
        paper = min(_cpu(_published, values) for _ in range(2))
        print(f"{size:11}{frames:8}{ours:8.3f}{paper:8.3f}{paper / ours:7.1f}")
    values = _tempo_varies(random, 72_000, 100, 120)
    long = _cpu(_extracted, np.arange(72_000) / 120, values)
    print(f"{100:11}{72_000:8}{long:8.3f}   ten minutes at 120 Hz")


def _tempo_varies(random: np.random.Generator, frames: int, size: int, rate: float) -> Floats:
    at = np.arange(frames) / rate
    phase = 2 * np.pi * (at / 1.1 + 0.1 * np.sin(at))
    waves = [wave(harmonic * phase) for harmonic in range(1, 6) for wave in (np.sin, np.cos)]
    values: Floats = np.stack(waves, axis=1) @ random.normal(size=(10, size))
    return values + 0.02 * random.normal(size=(frames, size))


def _extracted(at: Floats, values: Floats) -> None:
    samples = PerformedSamples(at, values, values)
    signal = signal_of(samples)
    extract(samples, signal, align(signal, periods(samples, signal)[0]), 40)


def _published(values: Floats) -> None:
    found = find_as_published(values)
    if found is not None:
        found.mean(values)


def _cpu(run: Callable[..., None], *given: Floats) -> float:
    start = time.thread_time()
    run(*given)
    return time.thread_time() - start


if __name__ == "__main__":
    main()
