"""Jacobian columns: which channels move which points; computed once per layout."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np

from arcwright.arrays import Bools, Ints
from arcwright.compiled.library import ints
from arcwright.kinematics.layout import Layout, layout
from arcwright.kinematics.places import Where, places
from arcwright.scene.rig import Rig


@dataclass(frozen=True, eq=False)
class Group:
    """The joints with one kind of channel, n per joint, and the points that each moves."""

    joint: Ints  # (G,) joint in the layout
    point: Ints  # (K,) of each pair of a point and a joint that moves it: the point
    member: Ints  # (K,) the joint, counted in this group
    column: Ints  # (n, K) where its channels stand in `Columns.channels`; M where there is none


@dataclass(frozen=True, eq=False)
class Columns:
    """M channels that move any of the points, sorted."""

    channels: Ints  # (M,)
    places: Ints  # (A, 13) where the channels of `Layout.driven` stand in it, -1 for nowhere
    moves: Bools  # (P, A) whether a joint moves a point
    tables: tuple[Ints, Ints, Ints, Ints]  # (A, n) channels of each sort, below 0 for none

    @cached_property
    def translate(self) -> Group:
        """Joints with translation channels."""
        return self._group(0)

    @cached_property
    def euler(self) -> Group:
        """Joints with Euler channels."""
        return self._group(1)

    @cached_property
    def quaternion(self) -> Group:
        """Joints with quaternion channels."""
        return self._group(2)

    @cached_property
    def stretch(self) -> Group:
        """Joints with scale channels."""
        return self._group(3)

    def _group(self, sort: int) -> Group:
        table = self.tables[sort]
        joint = np.flatnonzero((table >= 0).any(axis=1))
        point, member = np.nonzero(self.moves[:, joint])
        column = np.searchsorted(self.channels, table[joint])
        column[table[joint] < 0] = len(self.channels)
        return Group(joint, point, member, column[member].T)

    @cached_property
    def slots(self) -> Slots:
        """These columns as the compiled library reads them."""
        return Slots(self.places)


class Slots:
    """Where each channel of each joint goes among the columns, as the compiled library reads it."""

    def __init__(self, slots: Ints) -> None:
        self._whole = ints(slots)
        self.address: int = self._whole.ctypes.data


_columns: WeakKeyDictionary[Layout, dict[tuple[int, ...] | None, Columns]] = WeakKeyDictionary()
_COLUMNS_PER_LAYOUT = 16


def columns(plan: Layout, channels: Iterable[int] | None = None) -> Columns:
    """The columns for the points at `plan.wanted`, of all channels or only those given."""
    key = None if channels is None else tuple(channels)
    known = _columns.setdefault(plan, {})
    found = known.get(key)
    if found is None:
        if len(known) >= _COLUMNS_PER_LAYOUT:
            known.clear()
        found = known[key] = _build(plan, key)
    return found


def _build(plan: Layout, only: tuple[int, ...] | None) -> Columns:
    tables = (plan.translate, plan.rotate, plan.quaternion, plan.stretch)
    if only is not None:
        translate, rotate, quaternion, stretch = (
            np.where(np.isin(table, only), table, -1) for table in tables
        )
        tables = (translate, rotate, quaternion, stretch)
    channels = np.sort(np.concatenate([table[table >= 0] for table in tables]))
    column_of = np.full(plan.channels + 1, -1)  # the last is that of channels that are not there
    column_of[channels] = np.arange(len(channels))
    driven = column_of[np.maximum(plan.driven, -1)]
    return Columns(channels, driven, plan.ancestry[plan.wanted] > 0, tables)


def channels_moving(rig: Rig, points: Sequence[Where]) -> Ints:
    """The channels that move or rotate any of the points, sorted."""
    joints = places(rig, points).joints
    return columns(layout(rig, joints.tolist())).channels
