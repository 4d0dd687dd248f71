"""Limits: joint limits that a displacement breaks, as rows of their own at single moments."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.layout import ZERO, layout
from arcwright.kinematics.rotation import matrix_from_euler
from arcwright.kinematics.rotation_rate import euler_axes, left_jacobian, right_jacobian
from arcwright.scene.rig import EULER_MODES, Rig
from arcwright.tools.spacetime.body import Freedom

MARGIN = 2e-3  # rad or m: rows begin this far inside, so that what they give way stays inside too


class Broken(NamedTuple):
    """L limits that are exceeded, in the order of time: a channel at a moment."""

    time: Ints  # (L,)
    columns: Ints  # (L, 3) unknowns that change the channel; D for none
    slope: Floats  # (L, 3) change of the channel per unit of them
    miss: Floats  # (L,) rad or m, back to the limit


class Limits:
    """The limited channels of a rig that a freedom can change, at T moments.

    Where the motion is beyond a limit from the beginning, it may stay there.
    """

    def __init__(self, rig: Rig, free: Freedom, start: Floats) -> None:
        table, plan = rig.channels, layout(rig)
        limited = np.isfinite(table.low) | np.isfinite(table.high)
        self._free = free
        self._added = np.flatnonzero(limited[free.channels])
        self._add_bounds = _bounds(rig, free.channels[self._added], start)
        self._add_start = start[:, free.channels[self._added]]
        self._turns: list[int] = []  # which of the freedom's joints are watched
        for row, joint in enumerate(free.joints.tolist()):
            channels = plan.rotate[plan.wanted[joint]]
            if rig.modes[joint] in EULER_MODES and limited[channels].any():
                self._turns.append(row)
        self.joints: Ints = free.joints[self._turns]  # (G,) whose angles are needed
        self.channels: Ints = plan.rotate[plan.wanted[self.joints]].reshape(-1, 3)  # (G, 3)
        low, high = _bounds(rig, self.channels.ravel(), start)
        shape = (len(start), -1, 3)
        self._turn_bounds = low.reshape(shape), high.reshape(shape)
        self._rooted = np.array([rig.parents[joint] < 0 for joint in self.joints.tolist()], bool)
        self._modes = [rig.modes[joint] for joint in self.joints.tolist()]
        assert ZERO not in self.channels

    def broken(self, angles: Floats, x: Floats) -> Broken:
        """Those that unknowns (T, D) break, with the angles (T, G, 3) of `joints`."""
        added = _over(self._add_start + x[:, self._free.turns + self._added], *self._add_bounds)
        turned = _over(angles, *self._turn_bounds)
        time, at = np.nonzero(added)
        found = [self._added_rows(time, at, added[time, at])] if len(time) else []
        time, at, letter = np.nonzero(turned)
        if len(time):
            found.append(self._turned_rows(time, at, letter, angles, x, turned))
        if not found:
            none = np.zeros((0, 3))
            return Broken(none[:, 0].astype(np.int64), none.astype(np.int64), none, none[:, 0])
        joined = [np.concatenate(part) for part in zip(*found, strict=True)]
        order = np.argsort(joined[0], kind="stable")
        return Broken(*(part[order] for part in joined))

    def _added_rows(self, time: Ints, at: Ints, miss: Floats) -> Broken:
        columns = np.full((len(time), 3), self._free.count)
        columns[:, 0] = self._free.turns + self._added[at]
        return Broken(time, columns, np.tile([1.0, 0, 0], (len(time), 1)), miss)

    def _turned_rows(
        self, time: Ints, at: Ints, letter: Ints, angles: Floats, x: Floats, over: Floats
    ) -> Broken:
        rows = np.array(self._turns)[at]
        columns = 3 * rows[:, None] + np.arange(3)
        own = angles[time, at]
        rate = right_jacobian(x[time[:, None], columns])
        roots = np.flatnonzero(self._rooted[at])
        slope = np.empty((len(time), 3))
        modes = np.array(self._modes)[at]
        for mode in set(modes.tolist()):
            these = np.flatnonzero(modes == mode)
            by_turning = np.linalg.pinv(local_axes(own[these], mode), rcond=1e-2)  # (L, 3, 3)
            turned = np.intersect1d(these, roots)
            by_world = left_jacobian(x[time[turned, None], columns[turned]])
            rate[turned] = matrix_from_euler(own[turned], mode).swapaxes(-1, -2) @ by_world
            spin = by_turning[np.arange(len(these)), letter[these]][:, None]
            slope[these] = (spin @ rate[these])[:, 0]
        return Broken(time, columns, slope, over[time, at, letter])


def _bounds(rig: Rig, channels: Ints, start: Floats) -> tuple[Floats, Floats]:
    """(T, ...) between which channels stay; where they begin beyond, they may stay."""
    low, high = rig.channels.low[channels], rig.channels.high[channels]
    margin = np.minimum(MARGIN, 0.25 * (high - low))
    was = start[:, channels]
    return np.minimum(low + margin, was), np.maximum(high - margin, was)


def _over(values: Floats, low: Floats, high: Floats) -> Floats:
    """How far back to the limits; 0 within."""
    back: Floats = np.minimum(high - values, 0) + np.maximum(low - values, 0)
    return back


def local_axes(angles: Floats, mode: str) -> Floats:
    """(..., 3, 3) about which each Euler angle turns, in the axes of the turned joint."""
    turned: Floats = matrix_from_euler(angles, mode).swapaxes(-1, -2) @ euler_axes(angles, mode)
    return turned
