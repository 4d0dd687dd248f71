"""Merge moved keys into a curve and recompute its automatic handles."""

from __future__ import annotations

from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.curves.handles import with_auto_handles
from arcwright.edits.selection import SAME_KEY, nearest_distance
from arcwright.errors import BadValue
from arcwright.scene.curve import Curve, Handle

SAME_TIME = 1e-9  # s; moved keys closer than this are merged
MAX_TIME = 1e6  # s from 0; handles cannot be computed for keys much farther apart
AUTO_TOLERANCE = 1e-6  # relative; a handle this close to the computed one counts as automatic

# Every update of one drag starts from the same curves.
_non_auto_cache: WeakKeyDictionary[Curve, Bools] = WeakKeyDictionary()


@dataclass(frozen=True, eq=False)
class KeyArrays:
    """Keys as arrays, in any order."""

    time: Floats  # (K,) s
    value: Floats  # (K,)
    tangent: Floats  # (K, 2, 2)
    handles: Ints  # (K, 2)
    interpolation: Ints  # (K,)

    @classmethod
    def of(cls, curve: Curve, keys: Ints) -> KeyArrays:
        """The given keys of a curve."""
        return cls(
            curve.time[keys],
            curve.value[keys],
            curve.tangent[keys],
            curve.handles[keys],
            curve.interpolation[keys],
        )

    def at(self, keys: Ints | Bools) -> KeyArrays:
        """The subset at an index or mask."""
        return KeyArrays(
            self.time[keys],
            self.value[keys],
            self.tangent[keys],
            self.handles[keys],
            self.interpolation[keys],
        )

    def followed_by(self, more: KeyArrays) -> KeyArrays:
        """These keys followed by `more`."""
        return KeyArrays(
            np.concatenate([self.time, more.time]),
            np.concatenate([self.value, more.value]),
            np.concatenate([self.tangent, more.tangent]),
            np.concatenate([self.handles, more.handles]),
            np.concatenate([self.interpolation, more.interpolation]),
        )

    def on_curve(self, curve: Curve) -> Curve:
        """The curve with these keys instead of its own; times must increase."""
        return replace(curve, **self.__dict__)


def merge_keys(curve: Curve, stay: Ints, moved: KeyArrays) -> Curve:
    """Merge moved keys with the keys `stay` of a curve; a moved key replaces one at its time.

    Of moved keys at the same time, the last one wins.
    """
    order = np.argsort(moved.time, kind="stable")
    moved = moved.at(order[np.append(np.diff(moved.time[order]) > SAME_TIME, True)[: len(order)]])
    if np.abs(moved.time).max(initial=0.0) > MAX_TIME:
        raise BadValue("key time", f"at most {MAX_TIME:g} s from 0", moved.time[[0, -1]].tolist())
    # a key whose time does not change replaces nothing
    landing = np.setdiff1d(moved.time, np.delete(curve.time, stay))
    stay = stay[nearest_distance(curve.time[stay], landing) > SAME_KEY]
    merged = KeyArrays.of(curve, stay).followed_by(moved)
    origin = np.append(stay, np.full(len(moved.time), -1))
    order = np.argsort(merged.time, kind="stable")
    return update_auto_handles(curve, merged.at(order).on_curve(curve), origin[order])


def update_auto_handles(before: Curve, after: Curve, origin: Ints) -> Curve:
    """Recompute automatic handles; `origin` (K,) is each key's old index, -1 for changed keys.

    Away from the change, a handle that differs from its automatic value stays unchanged: clips
    from files, and loops smoothed over more than one cycle, have such handles.
    """
    if (after.handles == Handle.FREE).all() or len(after) < 2:
        return after
    updated = with_auto_handles(after)
    affected = _affected(before, after, origin)
    if affected.all():
        return updated
    unchanged = ~affected & _non_auto(before)[origin]
    return replace(
        updated, tangent=np.where(unchanged[:, None, None], after.tangent, updated.tangent)
    )


def _non_auto(curve: Curve) -> Bools:
    """(K,) keys with a handle that differs from its automatic value."""
    found = _non_auto_cache.get(curve)
    if found is None:
        auto = with_auto_handles(curve).tangent
        excess = np.abs(curve.tangent - auto) - AUTO_TOLERANCE * (np.abs(auto) + 1e-3)
        found = _non_auto_cache[curve] = excess.max(axis=(1, 2)) > 0
    return found


def _affected(before: Curve, after: Curve, origin: Ints) -> Bools:
    """(K,) changed keys and their neighbours, before and after the change."""
    changed = origin < 0
    removed = np.full(len(before), True)
    removed[origin[~changed]] = False
    affected = _with_neighbours(changed, after)
    affected[~changed] |= _with_neighbours(removed, before)[origin[~changed]]
    return affected


def _with_neighbours(flags: Bools, curve: Curve) -> Bools:
    marked = np.array(flags)
    marked[1:] |= flags[:-1]
    marked[:-1] |= flags[1:]
    if curve.cyclic:
        # the first and last key of a cycle coincide: neighbours of one are neighbours of both
        marked[[0, -1]] = marked[0] | marked[-1]
    return marked
