"""Periods of captured clips against independently measured ones: ours and the published method.

Run `make bench-cycle-clips`; `--list` names what is wrong, of the clips that were looked at. Needs
the packed captures of ../shared/data (`cycle_truth.py` says how their periods were measured).
Closure is that of the loop's samples here, and of fitted clips in `cycle_captures.py`.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np

from arcwright.tools.cycle.extraction.closure import Closure
from arcwright.tools.cycle.extraction.model import (
    PerformedSamples,
    extract,
)
from arcwright.tools.cycle.extraction.paper import find_as_published
from arcwright.tools.cycle.extraction.search import search_cycles
from cycle_truth import RATE, TrueClip, true_clips

NEAR = 0.1  # of the period: so near is right
BAND = 10.0  # Hz
GAP = 0.01  # of the rms frame step or speed: largest gap of a closed loop
KEPT = 0.85  # of the median cycle's detail


@dataclass(frozen=True)
class Outcome:
    """What was found in a clip, in units of the true period."""

    clip: TrueClip
    found: float | None  # s
    second: float | None  # s, the first alternative
    published: float | None  # s
    closure: Closure | None = None
    detail: float = 1.0  # energy above the third harmonic, in units of the median cycle's

    def right(self, period: float | None) -> bool:
        """Whether a period is the true one."""
        true = self.clip.period
        return true is not None and period is not None and abs(period / true - 1) < NEAR


def look(clip: TrueClip) -> Outcome:
    """Find the cycle of one clip."""
    time = np.arange(len(clip.features)) / RATE
    level = PerformedSamples(time, clip.features, clip.features, mirrored=clip.mirrored)
    found = search_cycles((level, PerformedSamples(time, clip.uneven, clip.uneven)))
    samples, alignment, signal = found.samples, found.alignment, found.signal
    candidates = found.candidates
    paper = find_as_published(clip.features)
    published = None if paper is None else paper.period / RATE
    second = candidates[1].period if len(candidates) > 1 else None
    if alignment is None or signal is None:
        return Outcome(clip, None, second, published)
    frames = max(8, round(candidates[0].period * RATE))
    cycle = extract(samples, signal, alignment, frames)
    at = signal.times(alignment.at(np.arange(len(alignment))[:, None] + np.arange(frames) / frames))
    each = np.stack([np.interp(at, time, column) for column in samples.features.T], axis=-1)
    singles = [_detail(one, frames) for one in each[list(cycle.used)]]
    detail = _detail(cycle.loop, frames) / max(float(np.median(singles)), 1e-30)
    return Outcome(clip, cycle.period, second, published, cycle.closure, detail)


def _detail(cycle: np.ndarray, frames: int) -> float:
    """Energy above the third harmonic and below 10 Hz, without the ramp between the ends."""
    gap = 2 * cycle[-1] - cycle[-2] - cycle[0]
    level = cycle - np.outer(np.arange(frames) / frames, gap)
    highest = max(5, int(np.ceil(BAND * frames / RATE)))
    return float(np.square(np.abs(np.fft.rfft(level, axis=0)[4:highest])).sum())


def report(title: str, outcomes: list[Outcome]) -> None:
    """One line of the table."""
    count = len(outcomes)
    if not count:
        return
    right = [each for each in outcomes if each.right(each.found)]
    either = sum(each.right(each.found) or each.right(each.second) for each in outcomes)
    paper = sum(each.right(each.published) for each in outcomes)
    errors = [abs(each.found / each.clip.period - 1) for each in right]
    print(
        f"{title:34}{count:6}{len(right):6}{len(right) / count:8.1%}{either:8}"
        f"{np.median(errors):9.2%}{paper:8}{paper / count:8.1%}"
    )


def _half(half: str, own: list[Outcome]) -> None:
    """The lines of the subjects that were looked at, or of the others."""
    kinds = (("walks and runs", "gait"), ("other movements", "marked"))
    for title, kind in kinds:
        report(f"{half}: {title}", [each for each in own if each.clip.kind == kind])
    report(f"{half}: all", [each for each in own if each.clip.kind in ("gait", "marked")])
    report(f"{half}: brief, not counted", [each for each in own if each.clip.kind == "brief"])
    without = [each for each in own if each.clip.period is None]
    false = [each for each in without if each.found is not None]
    paper = sum(each.published is not None for each in without)
    print(f"{half}: {len(false)} false periods in {len(without)} clips without ({paper} published)")
    if "--list" in sys.argv and not own[0].clip.held_out:
        cyclic = [each for each in own if each.clip.period is not None]
        for each in [e for e in cyclic if not e.right(e.found)] + false:
            print("   ", each.clip.name, each.clip.label, each.clip.period, each.found)


def _quality(outcomes: list[Outcome]) -> None:
    """Closure and detail of every loop that was found."""
    gaps = [each.closure for each in outcomes if each.closure is not None]
    closed = [each.position <= GAP and each.velocity <= GAP for each in gaps]
    calm = [each.acceleration <= 1 for each in gaps]
    print(
        f"closure of {len(gaps)} loops: position {max(e.position for e in gaps):.1e} of the rms "
        f"frame step, velocity {max(e.velocity for e in gaps):.1e} of the rms speed at most "
        f"({np.mean(closed):.0%} within 1 %)\nacceleration at the seam: "
        f"{max(e.acceleration for e in gaps):.2f} of the loop's p95 at most, "
        f"{np.mean(calm):.0%} within"
    )
    detail = np.array([each.detail for each in outcomes if each.closure is not None])
    low, middle = np.percentile(detail, [10, 50])
    print(
        f"detail below {BAND:g} Hz against the median cycle: median {middle:.2f}, p10 {low:.2f}, "
        f"{np.sum(detail >= KEPT)} of {len(detail)} at least {KEPT}, the least {detail.min():.2f}"
    )


def main() -> None:
    """Print the table."""
    outcomes = [look(clip) for clip in true_clips()]
    print(f"{'clips':34}{'':6}{'right':>6}{'':8}{'or 2nd':>8}{'error':>9}{'paper':>8}")
    for half, held_out in (("looked at", False), ("not looked at", True)):
        _half(half, [each for each in outcomes if each.clip.held_out == held_out])
    report("all", [each for each in outcomes if each.clip.kind in ("gait", "marked")])
    report("all, brief ones too", [each for each in outcomes if each.clip.period is not None])
    subjects = {each.clip.subject for each in outcomes if each.clip.held_out}
    print(f"subjects not looked at: {len(subjects)}")
    _quality([each for each in outcomes if each.clip.period is not None])


if __name__ == "__main__":
    main()
