"""Performed channels: they follow the axes of a device, or else its movement."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.errors import BadValue
from arcwright.kinematics.sample import values_at
from arcwright.scene.rig import Kind
from arcwright.scene.take import Take
from arcwright.tools.cycle.extraction.model import PerformedSamples
from arcwright.tools.cycle.options import CycleOptions
from arcwright.tools.cycle.recording.device_motion import DeviceMotion
from arcwright.tools.cycle.recording.item_start import item_start
from arcwright.tools.cycle.recording.performed_item import REACH, InTurn, ItemPoses, ItemSamples
from arcwright.tools.cycle.recording.take_loop import TakeLoop


class PerformedChannels:
    """Channels by name: they follow the axes of a device, or else its movement."""

    solves = False
    start: Floats | None = None

    def __init__(self, loop: TakeLoop, names: tuple[str, ...], size: float) -> None:
        self.take, self._loop, self._reach = loop.take, loop, REACH * size
        rig = self.take.rig
        self._own = np.array([rig.channel(name) for name in names], np.int64)
        kinds = rig.channels.kind[self._own]
        if len(set(names)) < len(names):
            raise BadValue("channels", "each channel once", ", ".join(names))
        if ((kinds >= Kind.QUATERNION_W) & (kinds <= Kind.QUATERNION_Z)).any():
            expected = "channels that are numbers of their own; perform a joint's orientation"
            raise BadValue("channels", expected, ", ".join(names))
        self.label = names[0] if len(names) == 1 else f"{len(names)} channels"

    def mapped(self, device: DeviceMotion, options: CycleOptions) -> ItemSamples:
        """Axes that move, one to one; then the directions in which the device moves most."""
        axes = device.moving_axes[:, : len(self._own)]
        if not axes.shape[1] and device.moved is None:
            axes = device.axes[:, : len(self._own)]
        start = item_start(self, self._loop, device)
        moves = device.main_moves(len(self._own) - axes.shape[1])
        columns = [self._by_axis(k, options.gain * axes[:, k]) for k in range(axes.shape[1])]
        columns += [
            self._by_move(k, options.gain * moves[:, k - axes.shape[1]], float(start[k]))
            for k in range(axes.shape[1], len(self._own))
        ]
        values = np.stack(columns, axis=1)
        table = self.take.rig.channels
        values = np.clip(values, table.low[self._own], table.high[self._own])
        features = values * self._units(values)
        return ItemSamples(PerformedSamples(device.time, values, features), ("channels",))

    def _by_axis(self, index: int, axis: Floats) -> Floats:
        """An axis from -1 to 1: to the limits of an angle, from its default."""
        table, channel = self.take.rig.channels, self._own[index]
        kind, default = table.kind[channel], float(table.default[channel])
        low, high = float(table.low[channel]), float(table.high[channel])
        if kind == Kind.WEIGHT:
            return np.clip(axis, 0.0, 1.0)
        if Kind.SCALE_X <= kind <= Kind.SCALE_Z:
            return np.asarray(default * np.exp2(axis))
        if not Kind.ROTATE_X <= kind <= Kind.ROTATE_Z:
            return np.asarray(default + axis)
        up = high - default if np.isfinite(high) else 1.0
        down = default - low if np.isfinite(low) else 1.0
        return np.asarray(default + np.where(axis > 0, up, down) * axis)

    def _by_move(self, index: int, moved: Floats, start: float) -> Floats:
        """A movement, m: the same for a translation, else `REACH` is an axis from 0 to 1."""
        if self.take.rig.channels.kind[self._own[index]] <= Kind.TRANSLATE_Z:
            return start + moved
        rest = self._by_axis(index, np.zeros(1))[0]
        return np.asarray(start - rest + self._by_axis(index, moved / self._reach))

    def _units(self, values: Floats) -> Floats:
        """(K,) metres that a unit of each channel counts."""
        kind = self.take.rig.channels.kind[self._own]
        units = np.where(kind <= Kind.TRANSLATE_Z, 1.0, self._reach)
        custom = kind == Kind.CUSTOM
        units[custom] /= np.maximum(np.ptp(values[:, custom], axis=0), 1e-9)
        return np.asarray(units)

    def poses(
        self,
        columns: Floats,
        _parts: tuple[str, ...],
        take: Take,
        times: Floats,
        _in_turn: InTurn | None = None,
    ) -> ItemPoses:
        """The take with these channels."""
        values = values_at(take, times)
        values[:, self._own] = columns
        return ItemPoses(values, np.zeros(len(times)))

    def pose(self, columns: Floats, parts: tuple[str, ...], time: float) -> Floats:
        """(C,) the pose of the take at a time, with values (V,)."""
        values: Floats = self.poses(columns[None], parts, self.take, np.array([time])).values[0]
        return values

    def now(self, times: Floats) -> Floats:
        """(T, V) values of the channels in the take."""
        return values_at(self.take, times)[:, self._own]

    def channels(self, _parts: tuple[str, ...]) -> Ints:
        """The named ones."""
        return self._own

    def repeats_alone(self, _parts: tuple[str, ...]) -> bool:
        """Always."""
        return True

    def path(self, _columns: Floats) -> Floats | None:
        """None."""
        return None

    def refusal(self, _parts: tuple[str, ...]) -> str:
        """Nothing to refuse."""
        return ""
