"""Base interpolation through partial keys, and the window that keeps keys exact.

Each channel has known keys of its own. A completion is `interpolated + window * residual`: the
window is 0 at a channel's known keys, so every residual leaves them where they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from arcwright.arrays import AnyArray, Bools, Floats, Ints, frozen
from arcwright.errors import BadValue


@dataclass(frozen=True, eq=False)
class KeyedValues:
    """Keys of several channels over one list of times; each channel knows its own of them."""

    times: Floats  # (K,) s, rising
    values: Floats  # (K, C); whatever stands where a value is not known is ignored
    known: Bools = None  # type: ignore[assignment]  # (K, C); None: all
    slopes: Floats = None  # type: ignore[assignment]  # (K, C) 1/s; NaN: shape-preserving; None: all
    rest: Floats = None  # type: ignore[assignment]  # (C,) of channels without a key; None: zeros

    def __post_init__(self) -> None:
        times = frozen(self.times, "times", ("K",))
        given = frozen(self.values, "values", ("K", "C"), finite=False)
        shape = given.shape
        if len(times) != shape[0]:
            raise BadValue("values", f"a row for each of {len(times)} keys", f"{shape[0]} rows")
        if (np.diff(times) <= 0).any():
            raise BadValue("times", "rising times, one key at a time", "equal or falling times")
        known = np.full(shape, True) if self.known is None else self.known
        known = frozen(known, "known", shape, bool)
        slopes = np.full(shape, np.nan) if self.slopes is None else self.slopes
        slopes = frozen(slopes, "slopes", shape, finite=False)
        if not np.isfinite(given[known]).all() or np.isinf(slopes[known]).any():
            raise BadValue("keys", "finite values and slopes where known", "nan or inf")
        rest = frozen(np.zeros(shape[1]) if self.rest is None else self.rest, "rest", (shape[1],))
        values = frozen(np.where(known, given, 0.0), "values", shape)
        for name, value in zip(
            ("times", "values", "known", "slopes", "rest"),
            (times, values, known, slopes, rest),
            strict=True,
        ):
            object.__setattr__(self, name, value)

    @property
    def channels(self) -> int:
        """How many channels there are."""
        return len(self.rest)


def interpolated(keys: KeyedValues, times: ArrayLike) -> Floats:
    """Values (T, C): shape-preserving cubic segments between the keys of each channel.

    A channel of two keys runs straight, given slopes aside. Outside its keys a channel is
    constant; without a key it holds `rest`.
    """
    moments = frozen(times, "times", ("T",))
    values = np.tile(keys.rest, (len(moments), 1))
    for rows, channels in _alike(keys.known):
        if len(rows):
            corner = keys.values[np.ix_(rows, channels)]
            given = keys.slopes[np.ix_(rows, channels)]
            values[:, channels] = _cubic(keys.times[rows], corner, given, moments)
    return values


def window(keys: KeyedValues, times: ArrayLike, *, open_ends: bool = False) -> Floats:
    """Factors (T, C) in [0, 1]: 4u(1-u) between two keys of a channel, exactly 0 at its keys.

    It is 0 outside a channel's keys. With `open_ends` it is that only outside all keys: up to
    there it opens from a channel's outermost key as the half of a gap twice as long does, and a
    channel without a key is free, 1. The slope is bounded and jumps at keys, so that velocities
    may jump there.
    """
    moments = frozen(times, "times", ("T",))
    factors = np.zeros((len(moments), keys.channels))
    for rows, channels in _alike(keys.known):
        if open_ends and len(keys.times):
            factor = _open_window(keys.times[rows], keys.times[[0, -1]], moments)
        else:
            factor = _gap_window(keys.times[rows], moments)
        factors[:, channels] = factor[:, None]
    return factors


def _alike(known: Bools) -> Iterator[tuple[Ints, Ints]]:
    """Rows of known keys, and the channels that know just these."""
    patterns, pattern = np.unique(known, axis=1, return_inverse=True)
    for index in range(patterns.shape[1]):
        yield np.flatnonzero(patterns[:, index]), np.flatnonzero(pattern.reshape(-1) == index)


def _gap_window(at: Floats, times: Floats) -> Floats:
    """(T,) 4u(1-u) in each gap between keys at times (K,), 0 outside."""
    if len(at) < 2:
        return np.zeros(len(times))
    segment, share = _place(at, times)
    inside = (times > at[0]) & (times < at[-1]) & (times != at[segment])
    factors: Floats = np.where(inside, np.clip(4 * share * (1 - share), 0, 1), 0.0)
    return factors


def _open_window(at: Floats, ends: Floats, times: Floats) -> Floats:
    """(T,) as in gaps, and open up to `ends` before the first and after the last key."""
    within: Bools = (times >= ends[0]) & (times <= ends[1])
    if len(at) == 0:
        return within.astype(np.float64)
    before, after = 2 * ends[:1] - at[:1], 2 * ends[1:] - at[-1:]  # mirror keys: half a gap each
    reached = np.concatenate([before[before < at[:1]], at, after[after > at[-1:]]])
    factors: Floats = np.where(within, _gap_window(reached, times), 0.0)
    return factors


def _place(at: Floats, times: Floats) -> tuple[Ints, Floats]:
    """(T,) the segment of each time between keys (K,), and its share of it in [0, 1]."""
    segment = np.clip(np.searchsorted(at, times, side="right") - 1, 0, len(at) - 2)
    share = (times - at[segment]) / (at[segment + 1] - at[segment])
    return segment, np.clip(share, 0.0, 1.0)


def _cubic(at: Floats, values: Floats, given: Floats, times: Floats) -> Floats:
    """(T, C) cubic segments through keys (K, C), constant outside; exact at keys."""
    if len(at) == 1:
        return np.broadcast_to(values[0], (len(times), values.shape[1]))
    slopes = np.where(np.isnan(given), shape_preserving_slopes(at, values), given)
    segment, share = _place(at, times)
    u, run = share[:, None], np.diff(at)[segment, None]
    start, end = values[segment], values[segment + 1]
    cubic = start + (end - start) * (u * u * (3 - 2 * u))
    cubic = cubic + run * u * (1 - u) * ((1 - u) * slopes[segment] - u * slopes[segment + 1])
    exact: Floats = np.where(u == 1, end, cubic)
    return exact


def shape_preserving_slopes(at: Floats, values: Floats) -> Floats:
    """(K, C) slopes of Fritsch and Butland (1984): no overshoot, flat at extremes (PCHIP)."""
    run = np.diff(at)[:, None]
    chord = np.diff(values, axis=0) / run
    if len(at) == 2:
        return np.repeat(chord, 2, axis=0)
    near, far = 2 * run[1:] + run[:-1], run[1:] + 2 * run[:-1]
    rising = chord[:-1] * chord[1:] > 0
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        mean = (near + far) / (near / chord[:-1] + far / chord[1:])
    inner = np.where(rising, mean, 0.0)
    first = _end_slope(run[0], run[1], chord[0], chord[1])
    last = _end_slope(run[-1], run[-2], chord[-1], chord[-2])
    return np.concatenate([first[None], inner, last[None]])


def _end_slope(run: Floats, next_run: Floats, chord: Floats, next_chord: Floats) -> AnyArray:
    """(C,) three-point slope at an end, limited so that the end segment stays monotonic."""
    slope = ((2 * run + next_run) * chord - run * next_chord) / (run + next_run)
    slope = np.where(slope * chord <= 0, 0.0, slope)
    turning = (chord * next_chord <= 0) & (abs(slope) > 3 * abs(chord))
    return np.where(turning, 3 * chord, slope)
