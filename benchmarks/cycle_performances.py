"""Synthetic performances with a known loop: periods, shape, detail, closure, and time.

Run `make bench-cycle`; `--seed N` draws other performances. 120 of each of four kinds of loop in a
column; ours, the published method and a plain mean of the true cycles in one run. *known* is the
share of trials in which the mean aligned by the true phases has 90 to 110 % of the detail, *timed*
the same of that mean in the acted cycles' mean timing: nobody who does not know the loop can tell
that timing from its own. Times are of the thread's own CPU.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from arcwright.arrays import Floats
from arcwright.tools.cycle.extraction.closure import Closure
from arcwright.tools.cycle.extraction.model import PerformedSamples, extract, periods, signal_of
from arcwright.tools.cycle.extraction.paper import find_as_published
from arcwright.tools.cycle.extraction.phase import align
from performances import KINDS, ActedLoop, act, shape_error

JITTERS = (0.0, 0.05, 0.1, 0.15, 0.2)
TRIALS = 120
FIRST_SEED = 20_000
FRAMES = 120
NEAR = 0.1
DETAIL = 0.9, 1.1  # of the known loop's energy above the third harmonic


@dataclass(frozen=True)
class Row:
    """What was found in one performance; errors of shape are NaN where no period was right."""

    right: bool
    either: bool  # or the second alternative
    published: bool
    shape: float
    plain: float
    paper: float
    detail: float
    known: float  # detail of the mean whose cycles are aligned by their true phases
    timed: float  # the same, in their mean timing
    closure: Closure | None


def main() -> None:
    """Print both tables."""
    if "--long" in sys.argv:
        _long()
        return
    trials, first_seed = _number("--trials", TRIALS), _number("--seed", FIRST_SEED)
    columns = (
        "right",
        "",
        "or 2nd",
        "paper",
        "shape",
        "plain",
        "paper",
        "detail",
        "90-110%",
        "known",
        "timed",
    )
    seam = ("position", "velocity", "accel.")
    print(f"{'tempo':>6}{'trials':>8}" + "".join(f"{each:>9}" for each in columns + seam))
    for jitter in JITTERS:
        acted = [act(kind, jitter, first_seed + seed) for kind in KINDS for seed in range(trials)]
        _column(jitter, [_row(each) for each in acted])
    _times()


def _number(flag: str, default: int) -> int:
    return int(sys.argv[sys.argv.index(flag) + 1]) if flag in sys.argv else default


def _column(jitter: float, rows: list[Row]) -> None:
    right = sum(each.right for each in rows)
    shape, plain, paper, detail = (
        float(np.nanmedian([getattr(each, name) for each in rows]))
        for name in ("shape", "plain", "paper", "detail")
    )
    kept = [DETAIL[0] <= each.detail <= DETAIL[1] for each in rows if each.closure]
    known, timed = (
        np.mean([DETAIL[0] <= getattr(each, name) <= DETAIL[1] for each in rows if each.closure])
        for name in ("known", "timed")
    )
    gaps = [each.closure for each in rows if each.closure]
    print(
        f"{jitter:6.0%}{len(rows):8}{right:9}{right / len(rows):9.1%}"
        f"{np.mean([each.either for each in rows]):9.1%}"
        f"{np.mean([each.published for each in rows]):9.1%}"
        f"{shape:9.4f}{plain:9.4f}{paper:9.3f}{detail:9.2f}{np.mean(kept):9.0%}{known:9.0%}{timed:9.0%}"
        f"{max(e.position for e in gaps):9.0e}{max(e.velocity for e in gaps):9.0e}"
        f"{max(e.acceleration for e in gaps):9.2f}",
        flush=True,
    )


def _row(acted: ActedLoop) -> Row:
    samples = PerformedSamples(acted.time, acted.values, acted.values)
    signal = signal_of(samples)
    found = periods(samples, signal)
    near = [abs(each.period / acted.period - 1) < NEAR for each in found]
    even_times = np.arange(0, acted.time[-1], 1 / 30)
    even = np.stack([np.interp(even_times, acted.time, each) for each in acted.values.T], axis=1)
    paper = find_as_published(even)
    published = paper is not None and abs(paper.period / 30 / acted.period - 1) < NEAR
    true = [each for each, close in zip(found, near, strict=True) if close]
    shape = detail = np.nan
    first, gaps = False, None
    if true:
        cycle = extract(samples, signal, align(signal, true[0]), FRAMES, by_hand=True)
        shape, detail = shape_error(cycle.loop, acted.loop)
        gaps = cycle.closure
        first = bool(near[0]) and abs(cycle.period / acted.period - 1) < NEAR
    paper_shape = shape_error(paper.mean(even), acted.loop)[0] if published and paper else np.nan
    plain = shape_error(_plain_mean(acted), acted.loop)[0]
    even = np.arange(FRAMES) / FRAMES
    known = shape_error(_known_mean(acted, even), acted.loop)[1]
    timed = shape_error(_known_mean(acted, _acted_phases(acted, even)), acted.loop)[1]
    either = any(near[:2])
    return Row(first, either, published, shape, plain, paper_shape, detail, known, timed, gaps)


def _plain_mean(acted: ActedLoop) -> Floats:
    """The mean of the true cycles, without any alignment within them."""
    at = acted.cuts[:-1, None] + np.diff(acted.cuts)[:, None] * np.arange(FRAMES) / FRAMES
    each = [np.interp(at, acted.time, column) for column in acted.values.T]
    mean: Floats = np.stack(each, axis=-1).mean(axis=0)
    return mean


def _known_mean(acted: ActedLoop, phases: Floats) -> Floats:
    """The mean of all cycles aligned by their true phases: the best that a mean can do."""
    each = [np.interp(_whole_cycles(acted) + phases, acted.phases, c) for c in acted.values.T]
    mean: Floats = np.stack(each, axis=-1).mean(axis=0)
    return mean


def _acted_phases(acted: ActedLoop, even: Floats) -> Floats:
    """The true phases at even times of the mean of all cycles' timing."""
    fine = np.arange(FRAMES + 1) / FRAMES
    at = np.interp(_whole_cycles(acted) + fine, acted.phases, acted.time)
    passed = ((at - at[:, :1]) / (at[:, -1:] - at[:, :1])).mean(axis=0)
    phases: Floats = np.interp(even, passed, fine)
    return phases


def _whole_cycles(acted: ActedLoop) -> Floats:
    """(K, 1) true phases at which whole cycles start."""
    first, last = int(np.ceil(acted.phases[0])), int(np.floor(acted.phases[-1]))
    return np.arange(first, last, dtype=float)[:, None]


def _times() -> None:
    random = np.random.default_rng(0)
    print(f"\n{'dimensions':>11}{'frames':>8}{'CPU s':>8}{'paper':>8}{'ratio':>7}")
    for size, frames, rate in ((127, 900, 30), (254, 900, 30), (2611, 300, 30), (7804, 300, 30)):
        values = _tempo_varies(random, frames, size, rate)
        at = np.arange(frames) / rate
        ours = min(_cpu(_extracted, at, values) for _ in range(5))
        paper = min(_cpu(_published, values) for _ in range(2))
        print(f"{size:11}{frames:8}{ours:8.3f}{paper:8.3f}{paper / ours:7.1f}")
    subprocess.run([sys.executable, __file__, "--long"], check=True)


def _long() -> None:
    """Ten minutes at 120 Hz, in a process of its own: time and peak memory."""
    values = np.empty((72_000, 100))
    for start in range(0, len(values), 7_200):  # a minute at a time, to need no memory for it
        values[start : start + 7_200] = _tempo_varies(np.random.default_rng(0), 7_200, 100, 120)
    at = np.arange(72_000) / 120
    before = _peak_memory()
    long = _cpu(_extracted, at, values)
    peak = _peak_memory()
    print(
        f"{100:11}{72_000:8}{long:8.3f}   ten minutes at 120 Hz: peak {peak:.0f} MB, "
        f"of which {before:.0f} MB before (Python and the samples)"
    )


def _peak_memory() -> float:
    """MB, of this process so far; as Linux counts."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


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
