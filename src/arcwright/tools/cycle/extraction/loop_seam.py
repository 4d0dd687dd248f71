"""Where a loop closes: its curves meet in value and slope, and may start later than there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from arcwright.arrays import Floats
from arcwright.curves.fit import euler_triples
from arcwright.curves.keys import insert_key
from arcwright.kinematics.rotation import nearest_euler
from arcwright.kinematics.sample import quaternion_channels
from arcwright.scene.curve import Curve
from arcwright.scene.rig import Kind, Rig

STEP = 1e-4  # s, of the derivative of what closes a loop
SAME = 1e-6  # s: keys that near are one

Carry: TypeAlias = Callable[[Floats, Floats], Floats]  # channel values (T, C), phases (T,)


@dataclass(frozen=True, eq=False)
class LoopSeam:
    """Where a loop closes: the pose of its end is that of its start, a cycle later.

    The same pose may have other Euler angles or another sign of its quaternions.
    """

    rig: Rig
    carry: Carry
    start: Floats  # (C,) channel values of the loop
    end: Floats  # (C,)

    def closed(self, curves: Sequence[Curve | None]) -> list[Curve | None]:
        """Curves of all channels, whose ends meet in their mean value and slope."""
        first, last = (
            np.array([np.nan if c is None else c.value[at] for c in curves]) for at in (0, -1)
        )
        known = [channel for channel, curve in enumerate(curves) if curve is not None]
        ends = [np.where(np.isnan(each), self.start, each) for each in (first, last)]
        slopes = [np.zeros(len(curves)), np.zeros(len(curves))]
        for channel in known:
            curve = curves[channel]
            assert curve is not None
            if len(curve) > 1:
                slopes[0][channel] = curve.tangent[0, 1, 1] / curve.tangent[0, 1, 0]
                slopes[1][channel] = curve.tangent[-1, 0, 1] / curve.tangent[-1, 0, 0]
        value = 0.5 * (ends[0] + self._back(ends[1][None])[0])
        slope = 0.5 * (slopes[0] + _derivative(self._back, ends[1], slopes[1]))
        final = self._on(value[None])[0]
        final_slope = _derivative(self._on, value, slope)
        return [
            curve
            if curve is None or len(curve) < 2
            else _with_ends(
                curve, value[channel], final[channel], slope[channel], final_slope[channel]
            )
            for channel, curve in enumerate(curves)
        ]

    def mismatch(self, first: Floats, last: Floats) -> Floats:
        """(C,) how much channel values at the end differ from those at the start."""
        return np.asarray(self._back(last[None])[0] - first)

    def started_later(
        self, curves: Sequence[Curve | None], later: float, duration: float
    ) -> list[Curve | None]:
        """The same loop, closed curves of `duration`, from `later` seconds after its start."""
        first = np.array([0.0 if each is None else each.value[0] for each in curves])
        sign = _derivative(self._on, first, np.ones(len(first)))  # -1 where Euler angles flip
        final = self._on(first[None])[0]
        return [
            curve
            if curve is None or len(curve) < 2
            else _rotated(curve, later, duration, sign[channel], final[channel])
            for channel, curve in enumerate(curves)
        ]

    def _on(self, values: Floats) -> Floats:
        """Channel values (T, C) at the start as they are at the end."""
        return self._near(self.carry(values, np.ones(len(values))), self.end)

    def _back(self, values: Floats) -> Floats:
        """Channel values (T, C) at the end as they are at the start."""
        return self._near(self.carry(values, -np.ones(len(values))), self.start)

    def _near(self, values: Floats, near: Floats) -> Floats:
        """The same poses, their angles and quaternions nearest to `near` (C,)."""
        values = values.copy()
        kind = self.rig.channels.kind
        angles = np.flatnonzero((kind >= Kind.ROTATE_X) & (kind <= Kind.ROTATE_Z))
        turns = np.round((near[angles] - values[:, angles]) / (2 * np.pi))
        values[:, angles] += 2 * np.pi * turns
        for triple in euler_triples(self.rig):
            values[:, triple] = nearest_euler(values[:, triple], near[triple])
        for four in quaternion_channels(self.rig):
            away = (values[:, four] * near[four]).sum(axis=1, keepdims=True) < 0
            values[:, four] *= np.where(away, -1.0, 1.0)
        return values


def _derivative(of: Callable[[Floats], Floats], value: Floats, slope: Floats) -> Floats:
    """(C,) how fast a function of channel values changes where these change with `slope`."""
    ahead, behind = of(np.stack([value + STEP * slope, value - STEP * slope]))
    return np.asarray((ahead - behind) / (2 * STEP))


def part_of(curve: Curve | None, start: float, end: float) -> Curve | None:
    """The part of a curve from start to end, with keys there."""
    if curve is None:
        return None
    if len(curve) < 2:
        return replace(curve, time=np.zeros(1))
    whole = _with_key(_with_key(curve, start), end)
    kept = (whole.time > start - SAME) & (whole.time < end + SAME)
    return replace(
        whole,
        time=whole.time[kept] - whole.time[kept][0],
        value=whole.value[kept],
        tangent=whole.tangent[kept],
        handles=whole.handles[kept],
        interpolation=whole.interpolation[kept],
    )


def _with_key(curve: Curve, time: float) -> Curve:
    """The same curve with a key at a time; one that is there already is not doubled."""
    return curve if np.abs(curve.time - time).min() < SAME else insert_key(curve, time)


def _rotated(curve: Curve, later: float, duration: float, sign: float, final: float) -> Curve:
    """A closed curve from `later` seconds on; what was before comes at its end."""
    curve = _with_key(curve, later)
    split = int(np.argmin(np.abs(curve.time - later)))
    later = float(curve.time[split])
    on = final + sign * (curve.value[: split + 1] - curve.value[0])
    tangent = curve.tangent.copy()
    rise, run = tangent[split, :, 1], np.maximum(tangent[split, :, 0], 1e-12)
    tangent[split, :, 1] = (rise / run).mean() * run  # an impact at the seam would be a jerk
    first = tangent[split, :, 1].copy()
    tangent[: split + 1, :, 1] *= sign
    tangent[0, 0] = tangent[-1, 0]  # the last key and the first one are one
    order = np.r_[split : len(curve) - 1, 0 : split + 1]
    moved = np.concatenate([curve.time[split:-1], curve.time[: split + 1] + duration]) - later
    tangent = tangent[order]
    tangent[0, :, 1] = first  # as before, where angles flip on their way
    return replace(
        curve,
        time=moved,
        value=np.concatenate([curve.value[split:-1], on]),
        tangent=tangent,
        handles=curve.handles[order],
        interpolation=curve.interpolation[order],
    )


def _with_ends(
    curve: Curve, first: float, last: float, first_slope: float, last_slope: float
) -> Curve:
    """A curve whose first and last key have these values and slopes."""
    value, tangent = curve.value.copy(), curve.tangent.copy()
    value[0], value[-1] = first, last
    for key, slope in ((0, first_slope), (-1, last_slope)):
        tangent[key, :, 1] = slope * tangent[key, :, 0]
    return replace(curve, value=value, tangent=tangent)
