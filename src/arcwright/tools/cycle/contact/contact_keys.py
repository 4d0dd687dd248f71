"""Few keys of a loop with contacts: added where it is farthest off, until it is near enough.

What stands on the ground must not slide between two frames, so channels that move it have their
keys much closer there than elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.scene.curve import Curve, Extrapolation, Handle, Interpolation

STRAIGHT = 1e-9  # rise of a loop below which it is closed


@dataclass(frozen=True, eq=False)
class LoopSamples:
    """Values and slopes of channels at the frames of a loop, evenly spaced; the last is the first
    of the next loop."""

    duration: float  # s
    whole: Floats  # (M + 1, C)
    slopes: Floats  # (M + 1, C) change in a frame

    @classmethod
    def of(cls, duration: float, values: Floats, rise: Floats, fine: int) -> LoopSamples:
        """From values (M fine, C) at parts of frames, which tell the slopes.

        `rise` (C,) is added from one loop to the next.
        """
        rise = np.where(np.abs(rise) < STRAIGHT, 0.0, rise)
        whole = np.concatenate([values, values[:1] + rise])
        before = np.concatenate([values[-1:] - rise, values])
        after = np.concatenate([whole[1:], values[1:2] + rise])
        return cls(duration, whole[::fine], 0.5 * fine * (after - before)[::fine])


def loop_curves(loop: LoopSamples, channels: Ints, tolerance: Floats) -> list[Curve]:
    """Curves of channels that share key times: one, or the parts of a quaternion.

    Each frame is met within its `tolerance` (M,), in units of the channels.
    """
    allowed = np.append(tolerance, tolerance[0])
    keys = np.array([0, len(allowed) - 1])
    while True:
        off = np.abs(_between(loop, channels, keys) - loop.whole[:, channels]).max(axis=1) / allowed
        gaps = [np.arange(start + 1, end) for start, end in pairwise(keys.tolist())]
        worst = [int(gap[np.argmax(off[gap])]) for gap in gaps if len(gap)]
        more = [frame for frame in worst if off[frame] > 1]
        if not more:
            return [_curve(loop, channel, keys) for channel in channels.tolist()]
        keys = np.union1d(keys, more)


def _between(loop: LoopSamples, channels: Ints, keys: Ints) -> Floats:
    """(M + 1, L) values at all frames of cubic segments between keys."""
    frame = np.arange(len(loop.whole))
    segment = np.clip(np.searchsorted(keys, frame, "right") - 1, 0, len(keys) - 2)
    start, end = keys[segment], keys[segment + 1]
    length = (end - start)[:, None]
    t = (frame - start)[:, None] / length
    value, slope = loop.whole[:, channels], loop.slopes[:, channels]
    rise = t * t * (3.0 - 2.0 * t)
    into, out = t * (1.0 - t) ** 2 * length, -(t**2) * (1.0 - t) * length
    found = value[start] + rise * (value[end] - value[start])
    return np.asarray(found + into * slope[start] + out * slope[end])


def _curve(loop: LoopSamples, channel: int, keys: Ints) -> Curve:
    frame = loop.duration / (len(loop.whole) - 1)  # s
    rises = loop.whole[-1, channel] != loop.whole[0, channel]
    beyond = Extrapolation.CYCLE_OFFSET if rises else Extrapolation.CYCLE
    third = np.diff(keys) / 3.0  # frames
    lengths = np.stack([np.append(third[-1], third), np.append(third, third[0])], axis=1)
    rise = lengths * loop.slopes[keys, channel, None]
    return Curve(
        np.asarray(keys * frame, float),
        loop.whole[keys, channel],
        np.stack([lengths * frame, rise], axis=-1),
        np.full((len(keys), 2), Handle.ALIGNED, np.int64),
        np.full(len(keys), Interpolation.BEZIER, np.int64),
        beyond,
        beyond,
    )
