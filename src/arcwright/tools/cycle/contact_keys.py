"""Keys of a loop with contacts: one on every frame that must be met, few elsewhere.

What stands on the ground must not slide between two frames, so channels that move it have a key on
each of its frames in contact. Elsewhere keys are added where the loop is farthest off, until it is
within a tolerance.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.scene.curve import Curve, Extrapolation, Handle, Interpolation

STRAIGHT = 1e-9  # rise of a loop below which it is closed


@dataclass(frozen=True, eq=False)
class LoopSamples:
    """Values of channels at the frames of a loop, evenly spaced."""

    duration: float  # s
    values: Floats  # (M, C)
    rise: Floats  # (C,) from one loop to the next

    @cached_property
    def whole(self) -> Floats:
        """(M + 1, C) values, and those of the next loop's first frame."""
        rise = np.where(np.abs(self.rise) < STRAIGHT, 0.0, self.rise)
        return np.concatenate([self.values, self.values[:1] + rise])

    @cached_property
    def slopes(self) -> Floats:
        """(M + 1, C) change in a frame, by central differences over the seam."""
        whole = self.whole
        before = np.concatenate([whole[-2:-1] - whole[-1:] + whole[:1], whole[:-1]])
        after = np.concatenate([whole[1:], whole[1:2] - whole[:1] + whole[-1:]])
        return np.asarray(0.5 * (after - before))


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
        keys * frame,
        loop.whole[keys, channel],
        np.stack([lengths * frame, rise], axis=-1),
        np.full((len(keys), 2), Handle.ALIGNED, np.int64),
        np.full(len(keys), Interpolation.BEZIER, np.int64),
        beyond,
        beyond,
    )
