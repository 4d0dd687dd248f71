"""A loop as a clip with few keys, whose end goes on as its start.

Keys are fitted to a loop with half a cycle more on each side, so that the seam is like any other
moment; then the curves are cut there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from arcwright.arrays import Floats
from arcwright.curves.keys import insert_key
from arcwright.kinematics.forward import forward
from arcwright.kinematics.reduction import Reduction
from arcwright.kinematics.sample import values_at
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve
from arcwright.scene.motion import Motion
from arcwright.scene.rig import Rig
from arcwright.scene.take import Take

TRIES = 4  # to fit within the tolerance with closed ends, each time 0.8 of it


@dataclass(frozen=True, eq=False)
class LoopFit:
    """A looping clip and how far its joints are from the loop, m."""

    clip: Clip
    error: float
    key_poses: int


def extended_phases(frames: int) -> Floats:
    """(2 frames + 1,) phases of a loop and of about half a cycle before and after it."""
    half = frames // 2
    return (np.arange(frames + 2 * half + 1) - half) / frames


def fit_loop(rig: Rig, extended: Motion, frames: int, tolerance: float) -> LoopFit:
    """A looping clip of the `frames` in the middle of a motion at `extended_phases`."""
    loop = LoopReduction(rig, extended, frames)
    asked = tolerance
    for _ in range(TRIES):
        clip = loop.at(asked)
        error = _largest_error(rig, loop.inside, clip, loop.times)
        if error <= tolerance:
            break
        asked *= 0.8
    times = [curve.time for curve in clip.curves if curve is not None]
    return LoopFit(clip, error, len(np.unique(np.concatenate(times))))


class LoopReduction:
    """Keyframe reduction of a loop: prepared once, then a looping clip for any tolerance."""

    def __init__(self, rig: Rig, extended: Motion, frames: int) -> None:
        half = frames // 2
        self._start, self._end = float(extended.time[half]), float(extended.time[half + frames])
        self._gap = extended.values[half + frames] - extended.values[half]
        self._reduction = Reduction(Take(rig, extended))
        self.inside = extended.values[half : half + frames + 1]  # (frames + 1, C)
        self.times = extended.time[half : half + frames + 1] - self._start  # (frames + 1,) s

    def at(self, tolerance: float) -> Clip:
        """The looping clip; closing it may take it a little further off than the tolerance."""
        fitted = self._reduction.at(tolerance).fit.clip
        curves = tuple(
            None
            if curve is None
            else _cut(curve, self._start, self._end, float(self._gap[channel]))
            for channel, curve in enumerate(fitted.curves)
        )
        return replace(fitted, curves=curves, duration=self._end - self._start, loops=True)


def _cut(curve: Curve, start: float, end: float, gap: float) -> Curve:
    """The curve from start to end, its end `gap` above its start and with the same slope."""
    if len(curve) < 2:
        return replace(curve, time=np.zeros(1))
    whole = insert_key(insert_key(curve, start), end)
    kept = (whole.time >= start) & (whole.time <= end)
    value, tangent = whole.value[kept].copy(), whole.tangent[kept].copy()
    off = 0.5 * (value[-1] - value[0] - gap)
    value[0] += off
    value[-1] -= off
    out, into = tangent[0, 1], tangent[-1, 0]
    slope = 0.5 * (out[1] / out[0] + into[1] / into[0])
    tangent[[0, -1], :, 1] = slope * tangent[[0, -1], :, 0]
    return replace(
        whole,
        time=whole.time[kept] - start,
        value=value,
        tangent=tangent,
        handles=whole.handles[kept],
        interpolation=whole.interpolation[kept],
    )


def _largest_error(rig: Rig, values: Floats, clip: Clip, time: Floats) -> float:
    places = [forward(rig, each) for each in (values, values_at(Take(rig, clip), time))]
    return float(np.linalg.norm((places[0] - places[1])[..., :3, 3], axis=-1).max())
