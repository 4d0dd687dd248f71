"""`key_spline.interpolated` for many sequences at once whose keys are tokens of a grid."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Bools, Floats, Ints


def batched_spline(times: Floats, values: Floats, known: Bools, slopes: Floats) -> Floats:
    """(B, T, C) interpolation at times (B, T) through the tokens that are `known` (B, T, C).

    `slopes` (B, T, C) are those given at keys, NaN elsewhere. Channels without a key are 0.
    """
    at = np.broadcast_to(times[..., None], values.shape)
    token = np.arange(values.shape[1])[:, None]
    last = values.shape[1] - 1
    until = np.maximum.accumulate(np.where(known, token, -1), axis=1)
    since = np.minimum.accumulate(np.where(known, token, last + 1)[:, ::-1], axis=1)[:, ::-1]
    before = np.concatenate([np.full_like(until[:, :1], -1), until[:, :-1]], axis=1)
    after = np.concatenate([since[:, 1:], np.full_like(since[:, :1], last + 1)], axis=1)
    tangent = np.where(np.isnan(slopes), _slopes(at, values, before, after), slopes)
    start, end = np.maximum(until, 0), np.minimum(after, last)
    run = np.where(end > start, _at(at, end) - _at(at, start), 1.0)
    u = (at - _at(at, start)) / run
    v0, v1 = _at(values, start), _at(values, end)
    cubic = v0 + (v1 - v0) * (u * u * (3 - 2 * u))
    cubic += run * u * (1 - u) * ((1 - u) * _at(tangent, start) - u * _at(tangent, end))
    cubic = np.where(after > last, v0, cubic)  # after the last key
    cubic = np.where(until < 0, _at(values, np.minimum(since, last)), cubic)  # before the first
    return np.where(known.any(axis=1, keepdims=True), cubic, 0.0)


def _at(array: Floats, index: Ints) -> Floats:
    return np.take_along_axis(array, index, axis=1)


def _slopes(at: Floats, values: Floats, before: Ints, after: Ints) -> Floats:
    """(B, T, C) shape-preserving slopes at keys, from the keys before and after; else numbers."""
    last = values.shape[1] - 1
    left, right = np.maximum(before, 0), np.minimum(after, last)
    has_left, has_right = before >= 0, after <= last
    run_in, chord_in = _chord(at, values, left, None)
    run_out, chord_out = _chord(at, values, None, right)
    near, far = 2 * run_out + run_in, run_out + 2 * run_in
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = (near + far) / (near / chord_in + far / chord_out)
    inner = np.where(chord_in * chord_out > 0, mean, 0.0)
    first = _end(run_out, chord_out, *_beyond(run_out, chord_out, right, has_right))
    final = _end(run_in, chord_in, *_beyond(run_in, chord_in, left, has_left))
    ends = np.where(has_right, first, np.where(has_left, final, 0.0))
    return np.where(has_left & has_right, inner, ends)


def _chord(
    at: Floats, values: Floats, left: Ints | None, right: Ints | None
) -> tuple[Floats, Floats]:
    """Length (1 for none) and slope of the gap from a key to the token at `left` or `right`."""
    t0, v0 = (at, values) if left is None else (_at(at, left), _at(values, left))
    t1, v1 = (at, values) if right is None else (_at(at, right), _at(values, right))
    run = np.where(t1 > t0, t1 - t0, 1.0)
    return run, (v1 - v0) / run


def _beyond(run: Floats, chord: Floats, other: Ints, more: Bools) -> tuple[Floats, Floats, Bools]:
    """Length and slope of the next gap but one, as seen from an end, and whether there is one."""
    return _at(run, other), _at(chord, other), np.take_along_axis(more, other, axis=1)


def _end(run: Floats, chord: Floats, next_run: Floats, next_chord: Floats, there: Bools) -> Floats:
    slope = ((2 * run + next_run) * chord - run * next_chord) / (run + next_run)
    slope = np.where(slope * chord <= 0, 0.0, slope)
    turning = (chord * next_chord <= 0) & (abs(slope) > 3 * abs(chord))
    slope = np.where(turning, 3 * chord, slope)
    return np.where(there, slope, chord)
