"""Keys of a loop with contacts: one on every frame that must be met, few elsewhere.

What stands on the ground must not slide between two frames, so channels that move it have a key on
each of its frames in contact. Elsewhere keys are added where the loop is farthest off, until it is
within a tolerance.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
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


def loop_curves(loop: LoopSamples, channels: Ints, exact: Bools, tolerance: float) -> list[Curve]:
    """Curves of channels that share key times: one, or the parts of a quaternion.

    Frames in `exact` (M,) are met, all others within `tolerance` units of the channels.
    """
    keys = np.append(exact, True)
    keys[0] = True
    while True:
        off = np.abs(_between(loop, channels, np.flatnonzero(keys)) - loop.whole[:, channels])
        worst = int(np.argmax(np.where(keys, -1.0, off.max(axis=1))))
        if keys[worst] or off[worst].max() <= tolerance:
            return [_curve(loop, channel, np.flatnonzero(keys)) for channel in channels.tolist()]
        keys[worst] = True


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
