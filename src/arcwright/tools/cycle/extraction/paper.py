"""The published extraction of a cycle, as a baseline (eqs. 5.1 to 5.5 of Ciccone's thesis).

The threshold of a match is not published; a quantile of the differences is used. The period may be
any number of frames: the condition holds for no frame at all once it exceeds the motion.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Bools, Floats, Ints

WINDOW = 5  # K of eq. 5.1
MATCHING = 0.3  # quantile of the differences from one frame, below which frames match
ANCHORS = 10  # random frames, of whose periods the median is taken
TOLERANCE = 8  # a match may be this fraction of the period early or late


@dataclass(frozen=True, eq=False)
class PaperCycle:
    """A period, and the frames of the cuts."""

    period: int  # frames
    cuts: Ints  # (K + 1,) frames
    descriptors: tuple[Floats, Floats]  # of velocity and acceleration

    def mean(self, values: Floats) -> Floats:
        """(period, V) the mean cycle of values (N, V), closed in position."""
        return _closed(_mean(values, *self.descriptors, self.cuts, self.period))


def find_as_published(values: Floats, seed: int = 0) -> PaperCycle | None:
    """The cycles of values (N, D) at even times; None if no two cuts are found."""
    velocity, acceleration = (
        np.gradient(values, axis=0),
        np.gradient(np.gradient(values, axis=0), axis=0),
    )
    h, g = _windows(velocity), _windows(acceleration)
    random = np.random.default_rng(seed)
    anchors = random.choice(len(values), min(ANCHORS, len(values)), replace=False)
    matches = [_matches(h, g, anchor) for anchor in anchors.tolist()]
    periods = [_period(match, anchor) for match, anchor in zip(matches, anchors, strict=True)]
    period = int(np.median(periods))
    nearest = int(np.argmin(np.abs(np.array(periods) - period)))
    cuts = _cuts(np.flatnonzero(matches[nearest]), int(anchors[nearest]), period, len(values))
    if len(cuts) < 2:
        return None
    return PaperCycle(period, cuts, (h, g))


def _windows(derivative: Floats) -> Floats:
    """Eq. 5.1: sums over windows of 0 to K frames to each side."""
    total = np.concatenate([np.zeros((1, derivative.shape[1])), np.cumsum(derivative, axis=0)])
    frames = np.arange(len(derivative))
    sums = [
        total[np.minimum(frames + width + 1, len(derivative))]
        - total[np.maximum(frames - width, 0)]
        for width in range(WINDOW + 1)
    ]
    return np.concatenate(sums, axis=1)


def _difference(h: Floats, g: Floats, frame: int, others: Ints | slice) -> Floats:
    """Eq. 5.2."""
    apart_h = np.linalg.norm(h[others] - h[frame], axis=1)
    apart: Floats = apart_h * np.linalg.norm(g[others] - g[frame], axis=1)
    return apart


def _matches(h: Floats, g: Floats, anchor: int) -> Bools:
    """(N,) local minima of the difference below the threshold."""
    apart = _difference(h, g, anchor, slice(None))
    inner = np.full(len(apart), True)
    inner[1:] &= apart[1:] <= apart[:-1]
    inner[:-1] &= apart[:-1] <= apart[1:]
    return inner & (apart <= np.quantile(apart, MATCHING))


def _period(matches: Bools, anchor: int) -> int:
    """Eq. 5.3: the shortest period with a match near every multiple of it from the anchor."""
    count, found = len(matches), np.flatnonzero(matches)
    for period in range(2, count):
        multiples = np.arange(-(anchor // period), (count - 1 - anchor) // period + 1)
        expected = anchor + multiples * period
        nearest = np.abs(found[None] - expected[:, None]).min(axis=1)
        if (nearest < np.ceil(period / TOLERANCE)).all():
            return period
    return count


def _cuts(found: Ints, anchor: int, period: int, count: int) -> Ints:
    """For each multiple of the period, the nearest match."""
    expected = np.arange(anchor % period, count, period)
    nearest = found[np.abs(found[None] - expected[:, None]).argmin(axis=1)]
    near = np.abs(nearest - expected) < np.ceil(period / TOLERANCE)
    return np.unique(nearest[near])


def _mean(values: Floats, h: Floats, g: Floats, cuts: Ints, period: int) -> Floats:
    """Eq. 5.4: the mean after scaling time piecewise linearly between corresponding frames."""
    first = np.linspace(cuts[0], cuts[1], 9)[:-1]  # evenly spaced frames of the first cycle
    even = np.arange(period) / period
    frames = np.arange(len(values))
    total = np.zeros((period, values.shape[1]))
    for start, end in zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True):
        share = [0.0]
        for place, anchor in zip(np.arange(1, 8) / 8, first[1:], strict=True):
            middle, reach = start + place * (end - start), (end - start) / 16
            near = np.arange(int(np.ceil(middle - reach)), int(middle + reach) + 1)
            near = near[(near > start) & (near < end)]
            best = near[_difference(h, g, round(anchor), near).argmin()] if len(near) else middle
            share.append((float(best) - start) / (end - start))
        at = start + (end - start) * np.interp(even, np.arange(9) / 8, [*share, 1.0])
        total += np.stack([np.interp(at, frames, column) for column in values.T], axis=1)
    return total / (len(cuts) - 1)


def _closed(cycle: Floats) -> Floats:
    """Eq. 5.5: tilt the cycle so that its end meets its start."""
    gap = cycle[0] - (2 * cycle[-1] - cycle[-2])
    share = (np.arange(len(cycle)) / len(cycle) - 0.5)[:, None]
    closed: Floats = cycle + share * gap
    return closed
