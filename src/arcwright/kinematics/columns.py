"""Columns: which channels move which points; worked out once for a layout."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from arcwright.arrays import Ints
from arcwright.kinematics.layout import Layout


@dataclass(frozen=True, eq=False)
class Group:
    """The columns of one sort of channel, and the points that each of them moves."""

    joint: Ints  # (G,) joint in the layout
    axis: Ints  # (G,) which of the joint's channels of this sort: 0 to 2, or 0 to 3
    point: Ints  # (K,) of each pair of a point and a column that moves it: the point
    member: Ints  # (K,) the column, counted in this group
    column: Ints  # (K,) the column, counted in `Columns.channels`


@dataclass(frozen=True, eq=False)
class Columns:
    """M channels that move any of the points, sorted."""

    channels: Ints  # (M,)
    translate: Group
    euler: Group
    quaternion: Group
    stretch: Group


_columns: WeakKeyDictionary[Layout, dict[tuple[int, ...] | None, Columns]] = WeakKeyDictionary()
_COLUMNS_PER_LAYOUT = 16


def columns(plan: Layout, channels: Iterable[int] | None = None) -> Columns:
    """The columns for the points at `plan.wanted`, of all channels or only those given."""
    key = None if channels is None else tuple(int(channel) for channel in channels)
    known = _columns.setdefault(plan, {})
    found = known.get(key)
    if found is None:
        if len(known) >= _COLUMNS_PER_LAYOUT:
            known.clear()
        found = known[key] = _build(plan, key)
    return found


def _build(plan: Layout, only: tuple[int, ...] | None) -> Columns:
    tables = (plan.translate, plan.rotate, plan.quaternion, plan.stretch)
    chosen = [
        table >= 0 if only is None else np.isin(table, only) & (table >= 0) for table in tables
    ]
    channels = np.sort(np.concatenate([t[keep] for t, keep in zip(tables, chosen, strict=True)]))
    groups = [
        _group(plan, table, keep, channels) for table, keep in zip(tables, chosen, strict=True)
    ]
    return Columns(channels, *groups)


def _group(plan: Layout, table: Ints, keep: np.ndarray, channels: Ints) -> Group:
    joint, axis = np.nonzero(keep)
    moves = plan.ancestry[plan.wanted][:, joint] > 0  # (P, G)
    point, member = np.nonzero(moves)
    column = np.searchsorted(channels, table[joint, axis])
    return Group(joint, axis, point, member, column[member])
