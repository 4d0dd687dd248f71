"""Periods of captured clips against independently measured ones: ours and the published method.

Run `make bench-cycle-clips`; `--list` names what is wrong, of the clips that were looked at. Needs
the packed captures of ../shared/data (`cycle_truth.py` says how their periods were measured).
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np

from arcwright.tools.cycle.model import (
    PerformedSamples,
    extract,
    no_cycle_reason,
    no_loop_reason,
    periods,
    signal_of,
)
from arcwright.tools.cycle.paper import find_as_published
from arcwright.tools.cycle.phase import align
from cycle_truth import RATE, TrueClip, true_clips

NEAR = 0.1  # of the period: so near is right
BAND = 10.0  # Hz


@dataclass(frozen=True)
class Outcome:
    """What was found in a clip, in units of the true period."""

    clip: TrueClip
    found: float | None  # s
    second: float | None  # s, the first alternative
    published: float | None  # s
    closure: tuple[float, float] = (0.0, 0.0)
    detail: float = 1.0  # energy above the third harmonic, in units of the median cycle's

    def right(self, period: float | None) -> bool:
        """Whether a period is the true one."""
        true = self.clip.period
        return true is not None and period is not None and abs(period / true - 1) < NEAR


def look(clip: TrueClip) -> Outcome:
    """Find the cycle of one clip."""
    time = np.arange(len(clip.features)) / RATE
    samples = PerformedSamples(time, clip.features, clip.features)
    signal = signal_of(samples)
    found = periods(samples, signal)
    paper = find_as_published(clip.features)
    published = None if paper is None else paper.period / RATE
    second = found[1].period if len(found) > 1 else None
    if no_cycle_reason(samples, found) is not None:
        return Outcome(clip, None, second, published)
    alignment = align(signal, found[0])
    if no_loop_reason(alignment) is not None:
        return Outcome(clip, None, second, published)
    frames = max(8, round(found[0].period * RATE))
    cycle = extract(samples, signal, alignment, frames)
    gaps = cycle.closure.position, cycle.closure.velocity
    at = signal.times(alignment.at(np.arange(len(alignment))[:, None] + np.arange(frames) / frames))
    each = np.stack([np.interp(at, time, column) for column in clip.features.T], axis=-1)
    singles = [_detail(one, frames) for one in each[list(cycle.used)]]
    detail = _detail(cycle.loop, frames) / max(float(np.median(singles)), 1e-30)
    return Outcome(clip, cycle.period, second, published, gaps, detail)


def _detail(cycle: np.ndarray, frames: int) -> float:
    """Energy above the third harmonic and below 10 Hz, without the ramp between the ends."""
    gap = 2 * cycle[-1] - cycle[-2] - cycle[0]
    level = cycle - np.outer(np.arange(frames) / frames, gap)
    highest = max(5, int(BAND * frames / RATE))
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


def main() -> None:
    """Print the table."""
    outcomes = [look(clip) for clip in true_clips()]
    print(f"{'clips':34}{'':6}{'right':>6}{'':8}{'or 2nd':>8}{'error':>9}{'paper':>8}")
    for half, held_out in (("looked at", False), ("not looked at", True)):
        own = [each for each in outcomes if each.clip.held_out == held_out]
        cyclic = [each for each in own if each.clip.period is not None]
        gaits = [each for each in cyclic if each.clip.kind == "gait"]
        report(f"{half}: walks and runs, 3+ gaps", [e for e in gaits if e.clip.gaps >= 3])
        report(f"{half}: with two gaps only", [e for e in gaits if e.clip.gaps < 3])
        report(f"{half}: other movements", [e for e in cyclic if e.clip.kind == "marked"])
        report(f"{half}: all", cyclic)
        false = [each for each in own if each.clip.period is None and each.found is not None]
        without = sum(each.clip.period is None for each in own)
        paper = sum(each.clip.period is None and each.published is not None for each in own)
        print(f"{half}: {len(false)} false periods in {without} clips without ({paper} published)")
        if "--list" in sys.argv and not held_out:
            for each in [e for e in cyclic if not e.right(e.found)] + false:
                print("   ", each.clip.name, each.clip.label, each.clip.period, each.found)
    found = [each for each in outcomes if each.clip.period is not None and each.found is not None]
    cyclic = [each for each in outcomes if each.clip.period is not None]
    report("all", cyclic)
    report(
        "all but those with two gaps",
        [e for e in cyclic if e.clip.gaps != 2 or e.clip.kind != "gait"],
    )
    subjects = {each.clip.subject for each in outcomes if each.clip.held_out}
    print(f"subjects not looked at: {len(subjects)}")
    gaps = np.array([each.closure for each in found])
    print(
        f"closure: position {gaps[:, 0].max():.1e} of a frame step, velocity {gaps[:, 1].max():.1e}"
    )
    detail = np.array([each.detail for each in found])
    low, middle = np.percentile(detail, [10, 50])
    print(
        f"detail below {BAND:g} Hz against the median cycle: median {middle:.2f}, p10 {low:.2f}, "
        f"{np.mean(detail >= 0.85):.0%} at least 0.85"
    )


if __name__ == "__main__":
    main()
