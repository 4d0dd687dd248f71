"""Tokens: the moments at which a network looks at a motion; every key is one of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.errors import BadValue

MOST = 20_000


@dataclass(frozen=True, eq=False)
class Tokens:
    """Moments from the first to the last key, evenly spaced between two keys."""

    times: Floats  # (N,) s
    keys: Ints  # (K,) the token at each key

    @classmethod
    def between(cls, keys: Floats, frame_time: float) -> Tokens:
        """Between keys at times (K,) s, about `frame_time` apart."""
        gaps = np.diff(keys)
        if gaps.sum() > MOST * frame_time:
            raise BadValue("keys", f"at most {MOST * frame_time:.0f} s", f"{gaps.sum():.0f} s")
        counts = np.maximum(np.rint(gaps / frame_time), 1).astype(np.int64)
        at = np.concatenate([[0], np.cumsum(counts)])
        segment = np.repeat(np.arange(len(gaps)), counts)
        share = (np.arange(at[-1]) - at[segment]) / counts[segment]
        times = np.append(keys[segment] + share * gaps[segment], keys[-1])
        times[at] = keys
        return cls(times, at)

    def known(self, known: Bools) -> Bools:
        """(N, C) of keys (K, C)."""
        marked = np.zeros((len(self.times), known.shape[1]), bool)
        marked[self.keys] = known
        return marked


def smoothly(tokens: Floats, values: Floats, times: Floats) -> Floats:
    """(A, T, C) values (A, N, C) at tokens (N,), at any times: Catmull-Rom, constant outside."""
    if len(tokens) < 2:
        return np.repeat(values[:, :1], len(times), axis=1)
    segment = np.clip(np.searchsorted(tokens, times, side="right") - 1, 0, len(tokens) - 2)
    run = np.diff(tokens)
    chord = np.diff(values, axis=1) / run[:, None]
    into = np.concatenate([chord[:, :1], chord], axis=1)
    out = np.concatenate([chord, chord[:, -1:]], axis=1)
    slope = (into + out) / 2
    u = np.clip((times - tokens[segment]) / run[segment], 0, 1)[:, None]
    start, end, length = values[:, segment], values[:, segment + 1], run[segment, None]
    cubic = start + (end - start) * (u * u * (3 - 2 * u))
    bent: Floats = cubic + length * u * (1 - u) * (
        (1 - u) * slope[:, segment] - u * slope[:, segment + 1]
    )
    return bent
