"""Limits: joint limits that a displacement breaks, as rows of their own at single moments."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.layout import ZERO, layout
from arcwright.kinematics.rotation_rate import right_jacobian
from arcwright.scene.rig import EULER_MODES, Rig
from arcwright.tools.spacetime.body import Freedom, local_axes


class Broken(NamedTuple):
    """L limits that are exceeded: a channel at a moment."""

    time: Ints  # (L,)
    columns: Ints  # (L, 3) unknowns that change the channel; D for none
    slope: Floats  # (L, 3) change of the channel per unit of them
    miss: Floats  # (L,) rad or m, back to the limit


class Limits:
    """The limited channels of a rig that a freedom can change.

    Where the motion is beyond a limit from the beginning, it may stay there.
    """

    def __init__(self, rig: Rig, free: Freedom, start: Floats) -> None:
        table, plan = rig.channels, layout(rig)
        self._count = free.count
        turned = np.full((3 * len(free.joints) + 1), free.count)
        turned[free.turns] = np.arange(len(free.turns))
        slide = {channel: len(free.turns) + at for at, channel in enumerate(free.channels.tolist())}
        self._slides: list[tuple[int, int]] = []
        alike: dict[str, list[tuple[int, Ints, Ints]]] = {}
        for channel in np.flatnonzero(np.isfinite(table.low) | np.isfinite(table.high)).tolist():
            if channel in slide:
                self._slides.append((channel, slide[channel]))
        for row, joint in enumerate(free.joints.tolist()):
            channels = plan.rotate[plan.wanted[joint]]
            held = channels[channels != ZERO]
            limited = (np.isfinite(table.low[held]) | np.isfinite(table.high[held])).any()
            if rig.modes[joint] in EULER_MODES and limited:
                columns = turned[3 * row : 3 * row + 3]
                alike.setdefault(rig.modes[joint], []).append((row, channels, columns))
        watched = [channel for channel, _ in self._slides]
        self._angles: list[tuple[str, Ints, Ints, Ints]] = []
        for mode, group in alike.items():
            rows, channels, columns = (np.array(part) for part in zip(*group, strict=True))
            self._angles.append((mode, rows, channels, columns))
        watched += [c for each in self._angles for c in each[2].ravel().tolist() if c != ZERO]
        self._watched = np.array(watched, np.int64)
        self.low = np.minimum(table.low, start.min(axis=0, initial=np.inf))
        self.high = np.maximum(table.high, start.max(axis=0, initial=-np.inf))

    def broken(self, values: Floats, turns: Floats) -> Broken:
        """Those that values (T, C), displaced by turns (T, R, 3), break."""
        over = self._over(values)
        if not over[:, self._watched].any():
            none = np.zeros((0, 3))
            return Broken(none[:, 0].astype(np.int64), none.astype(np.int64), none, none[:, 0])
        found = [self._slid(over, *each) for each in self._slides]
        found += [self._turned(over, values, turns, *each) for each in self._angles]
        return Broken(*(np.concatenate(part) for part in zip(*found, strict=True)))

    def _over(self, values: Floats) -> Floats:
        """(T, C) how far back to the limit; 0 within."""
        back: Floats = np.minimum(self.high - values, 0) + np.maximum(self.low - values, 0)
        return back

    def _slid(self, over: Floats, channel: int, column: int) -> Broken:
        time = np.flatnonzero(over[:, channel])
        columns = np.tile([column, self._count, self._count], (len(time), 1))
        return Broken(time, columns, np.tile([1.0, 0, 0], (len(time), 1)), over[time, channel])

    def _turned(
        self,
        over: Floats,
        values: Floats,
        turns: Floats,
        mode: str,
        rows: Ints,
        channels: Ints,
        columns: Ints,
    ) -> Broken:
        """Of G joints with one mode: rows (G,) of the turns, channels and columns (G, 3)."""
        away = np.where(channels == ZERO, 0.0, over[:, channels])  # (T, G, 3)
        time, joint, letter = np.nonzero(away)
        own = channels[joint]
        angles = np.where(own == ZERO, 0.0, values[time[:, None], own])
        by_turning = np.linalg.pinv(local_axes(angles, mode), rcond=1e-2)  # (L, 3, 3)
        spin = by_turning[np.arange(len(time)), letter][:, None]
        slope = (spin @ right_jacobian(turns[time, rows[joint]]))[:, 0]
        used = np.where(columns[joint] < self._count, slope, 0.0)
        return Broken(time, columns[joint], used, away[time, joint, letter])
