"""Inputs of the network for every frame: the base interpolation seen from its nearest keys.

Values are z-scored, times are in frames. Ground positions enter as differences only, so that an
answer does not depend on where a motion happens. The same functions serve training and use.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arcwright.arrays import Bools, Floats, Ints

FEATURES = 11  # per channel
COMMON_FEATURES = 3
LONGEST = 4.0  # log of frames that counts as 1


@dataclass(frozen=True, eq=False)
class Gaps:
    """The nearest known keys of every channel at every token; a key is its own neighbour."""

    previous: Ints  # (B, T, C) token of the key before, -1 for none
    following: Ints  # (B, T, C) token of the key after, T for none
    since: Floats  # (B, T, C) frames since the key before; up to the first token where none is
    until: Floats  # (B, T, C) frames until the key after; down to the last token where none is

    @classmethod
    def of(cls, times: Floats, known: Bools, valid: Bools) -> Gaps:
        """From times (B, T) in frames, known keys (B, T, C), and the tokens in use (B, T)."""
        count = times.shape[1]
        token = np.arange(count)[:, None]
        known = known & valid[..., None]
        previous = np.maximum.accumulate(np.where(known, token, -1), axis=1)
        following = np.where(known, token, count)[:, ::-1]
        following = np.minimum.accumulate(following, axis=1)[:, ::-1]
        first, last = valid.argmax(1)[:, None, None], count - 1 - valid[:, ::-1].argmax(1)
        before = np.where(previous < 0, first, previous)
        after = np.where(following == count, last[:, None, None], following)
        since = times[..., None] - np.take_along_axis(times[..., None], before, axis=1)
        until = np.take_along_axis(times[..., None], after, axis=1) - times[..., None]
        return cls(previous, following, np.maximum(since, 0), np.maximum(until, 0))

    @property
    def has_previous(self) -> Bools:
        """(B, T, C)"""
        return self.previous >= 0

    @property
    def has_following(self) -> Bools:
        """(B, T, C)"""
        found: Bools = self.following < self.previous.shape[1]
        return found

    def share(self) -> Floats:
        """(B, T, C) of the gap that has passed; beyond outermost keys, of a gap twice as long."""
        since = np.where(self.has_previous, self.since, self.since + (self.since + self.until))
        until = np.where(self.has_following, self.until, self.until + (self.since + self.until))
        total = since + until
        share = np.where(total > 0, since / np.where(total > 0, total, 1), 0.0)
        return np.where(self.has_previous | self.has_following, share, 0.5)

    def window(self) -> Floats:
        """(B, T, C) the open window of `key_spline.window`: 0 at keys."""
        share = self.share()
        at_key = self.previous == self.following
        return np.where(at_key, 0.0, np.clip(4 * share * (1 - share), 0, 1))


def features(
    times: Floats, base: Floats, known: Bools, relative: Bools, valid: Bools
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Inputs (B, T, F) and windows (B, T, C) of tokens at times (B, T) in frames.

    `base` (B, T, C) is the z-scored interpolation, `known` (B, T, C) where a channel has a key,
    `relative` (C,) the channels of which only differences count, `valid` (B, T) tokens in use.
    """
    gaps = Gaps.of(times, known, valid)
    window = gaps.window()
    count = times.shape[1]
    before = np.take_along_axis(base, np.maximum(gaps.previous, 0), axis=1) - base
    after = np.take_along_axis(base, np.minimum(gaps.following, count - 1), axis=1) - base
    any_key = np.asarray((known & valid[..., None]).any(axis=2, keepdims=True))
    union = Gaps.of(times, any_key, valid)
    channels = [
        np.where(relative, 0.0, base),
        _rate(times, base),
        np.where(gaps.has_previous, before, 0.0),
        np.where(gaps.has_following, after, 0.0),
        window,
        gaps.share(),
        np.log1p(gaps.since) / LONGEST,
        np.log1p(gaps.until) / LONGEST,
        gaps.has_previous,
        gaps.has_following,
        gaps.previous == gaps.following,
    ]
    common = [np.log1p(union.since) / LONGEST, np.log1p(union.until) / LONGEST, union.share()]
    inputs = np.concatenate([*channels, *common], axis=2).astype(np.float32)
    used = valid[..., None]
    return np.where(used, inputs, np.float32(0)), np.where(used, window, 0.0).astype(np.float32)


def _rate(times: Floats, base: Floats) -> Floats:
    """(B, T, C) change per frame, one-sided at the ends."""
    if times.shape[1] < 2:
        return np.zeros_like(base)
    step = np.diff(base, axis=1) / np.diff(times, axis=1)[..., None]
    into = np.concatenate([step[:, :1], step], axis=1)
    out = np.concatenate([step, step[:, -1:]], axis=1)
    rate: Floats = (into + out) / 2
    return rate
