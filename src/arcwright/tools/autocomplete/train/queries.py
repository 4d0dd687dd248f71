"""Queries: sequences of which some keys are known, as a network is asked for them in training."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arcwright.arrays import Bools, Floats, Ints
from arcwright.tools.autocomplete.network.features import features
from arcwright.tools.autocomplete.train.batched_spline import batched_spline

Draw = np.random.Generator
DELETED = 2  # at most, as in the paper
SHORTEST, LONGEST = 3, 36  # frames between random keys
HEIGHT = (0.6, 1.9)  # factors of augmented heights
DISTANCE = (0.6, 1.5)
TEMPO = (0.75, 1.35)


@dataclass(frozen=True, eq=False)
class Queries:
    """A batch of inputs and of what is wanted."""

    inputs: NDArray[np.float32]  # (B, T, F)
    times: NDArray[np.float32]  # (B, T) frames
    window: NDArray[np.float32]  # (B, T, C)
    base: NDArray[np.float32]  # (B, T, C) z-scored
    target: NDArray[np.float32]  # (B, T, C) z-scored
    valid: Bools  # (B, T)

    @classmethod
    def of(
        cls, scored: Floats, known: Bools, times: Floats, relative: Bools, slopes: Floats
    ) -> Queries:
        """From z-scored sequences (B, T, C), their known keys and times (B, T) in frames."""
        token = np.arange(scored.shape[1])
        any_key = np.asarray(known.any(axis=2))
        first, last = any_key.argmax(1), len(token) - 1 - any_key[:, ::-1].argmax(1)
        valid = (token >= first[:, None]) & (token <= last[:, None])
        base = batched_spline(times, scored, known, slopes)
        inputs, window = features(times, base, known, relative, valid)
        single = np.float32
        return cls(
            inputs, times.astype(single), window, base.astype(single), scored.astype(single), valid
        )


def excerpts(states: Floats, keys: Ints, length: int, draw: Draw) -> tuple[Floats, Ints]:
    """`length` frames of each sequence at most, from anywhere, and the keys there; others are -1.

    The first and the last frame are keys, and ground positions begin at 0.
    """
    count = states.shape[1]
    if count <= length:
        return states, keys
    first = draw.integers(0, np.clip(keys.max(axis=1) - length, 0, count - length) + 1)
    rows = first[:, None] + np.arange(length)
    cut = np.take_along_axis(states, rows[..., None], axis=1)
    cut[..., 0] -= cut[:, :1, 0]
    moved = keys - first[:, None]
    moved = np.where((moved >= 0) & (moved < length), moved, -1)
    ends = np.broadcast_to([0, length - 1], (len(states), 2))
    return cut, np.concatenate([ends, moved], axis=1)


def virtual_keys(keys: Ints, count: int, channels: int) -> Bools:
    """(B, T, C) all channels known at the frames of keys (B, K), -1 for none."""
    known = np.zeros((len(keys), count + 1), bool)
    np.put_along_axis(known, np.where(keys < 0, count, keys), True, axis=1)
    known = known[:, :count]
    return np.repeat(known[..., None], channels, axis=2)


def deleted(known: Bools, most: int, draw: Draw) -> Bools:
    """0 to `most` inner keys of each sequence deleted; the first and the last key stay."""
    key = np.asarray(known.any(axis=2))
    token = np.arange(key.shape[1])
    first, last = key.argmax(1), len(token) - 1 - key[:, ::-1].argmax(1)
    inner = key & (token > first[:, None]) & (token < last[:, None])
    order = np.where(inner, draw.random(key.shape), 2.0)
    count = draw.integers(0, most + 1, len(key))
    limit = np.sort(order, axis=1)[np.arange(len(key)), count]
    kept: Bools = known & ~(inner & (order < limit[:, None]))[..., None]
    return kept


def random_known(keys: Ints, count: int, channels: int, draw: Draw) -> Bools:
    """(B, T, C) known keys of many kinds: virtual, sparse, at random times, partial, cropped."""
    known = virtual_keys(keys, count, channels)
    for row in known:
        kind = draw.random()
        if kind < 0.45:
            row[:] = deleted(row[None], DELETED, draw)[0]
        elif kind < 0.65:
            _thin(row, draw)
        elif kind < 0.9:
            row[:] = _random_frames(count, draw)[:, None]
        if draw.random() < 0.2:
            _crop(row, draw)
        if draw.random() < 0.25:
            _forget_channels(row, draw)
    return known


def _thin(row: Bools, draw: Draw) -> None:
    frames = np.flatnonzero(row.any(axis=1))[1:-1]
    row[frames[draw.random(len(frames)) < draw.uniform(0.2, 0.9)]] = False


def _random_frames(count: int, draw: Draw) -> Bools:
    longest = draw.uniform(SHORTEST + 1, LONGEST)
    gaps = draw.uniform(SHORTEST, longest, count).astype(int)
    frames = np.concatenate([[0], np.cumsum(gaps)])
    known = np.zeros(count, bool)
    known[frames[frames < count]] = True
    known[-1] = True
    return known


def _crop(row: Bools, draw: Draw) -> None:
    frames = np.flatnonzero(row.any(axis=1))
    if len(frames) > 2:
        first = draw.integers(0, len(frames) - 1)
        last = draw.integers(first + 1, len(frames))
        row[: frames[first]] = row[frames[last] + 1 :] = False


def _forget_channels(row: Bools, draw: Draw) -> None:
    """Some channels lose all keys, or single keys; the first and the last keep one channel."""
    frames = np.flatnonzero(row.any(axis=1))
    channels = row.shape[1]
    spared = draw.integers(0, channels)
    if draw.random() < 0.5:
        whole = draw.random((1, channels)) < draw.uniform(0.2, 0.9)
        lost = np.repeat(whole, len(frames), axis=0)
        lost[:, spared] = False
    else:
        lost = draw.random((len(frames), channels)) < draw.uniform(0.1, 0.7)
        lost[[0, -1], spared] = False
    row[frames] &= ~lost


def augmented(
    states: Floats, known: Bools, draw: Draw, share: float
) -> tuple[Floats, Floats, Floats]:
    """States of which some hop higher or further, times (B, T) and slopes given at keys.

    A flight whose height is scaled stays a parabola, and the ground stays at 0: the same motion
    under another gravity.
    """
    batch, count, _ = states.shape
    states = states.copy()
    for channel, limits in ((0, DISTANCE), (1, HEIGHT)):
        states[..., channel] *= _factors(batch, limits, draw, share)[:, None]
    tempo = _factors(batch, TEMPO, draw, share)
    times: Floats = np.arange(count, dtype=np.float64) * tempo[:, None]
    given = known & (draw.random(known.shape) < 0.5) & (draw.random((batch, 1, 1)) < share / 2)
    slopes = np.asarray(np.gradient(states, axis=1)) / tempo[:, None, None]
    return states, times, np.where(given, slopes, np.nan)


def _factors(count: int, limits: tuple[float, float], draw: Draw, share: float) -> Floats:
    """(count,) 1, and for a share of them a number within limits."""
    drawn = np.exp(draw.uniform(math.log(limits[0]), math.log(limits[1]), count))
    return np.where(draw.random(count) < share, drawn, 1.0)
