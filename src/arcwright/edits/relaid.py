"""Relaid: curves whose keys came to other places, with handles worked out anew."""

from __future__ import annotations

from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.curves.handles import with_auto_handles
from arcwright.edits.selection import NEAR, distance
from arcwright.errors import BadValue
from arcwright.scene.curve import Curve, Handle

TOUCHING = 1e-9  # s; keys that move together and come this near are one
FARTHEST = 1e6  # s from 0; with keys much farther apart no handles can be worked out
AS_WORKED_OUT = 1e-6  # how near to what is worked out, in parts, a handle counts as such

# While a hand slides keys, each of its moves begins with the same curves.
_known_odd: WeakKeyDictionary[Curve, Bools] = WeakKeyDictionary()


@dataclass(frozen=True, eq=False)
class Rows:
    """Keys on their way to other places, in any order."""

    time: Floats  # (K,) s
    value: Floats  # (K,)
    tangent: Floats  # (K, 2, 2)
    handles: Ints  # (K, 2)
    interpolation: Ints  # (K,)

    @classmethod
    def of(cls, curve: Curve, keys: Ints) -> Rows:
        """Keys of a curve."""
        return cls(
            curve.time[keys],
            curve.value[keys],
            curve.tangent[keys],
            curve.handles[keys],
            curve.interpolation[keys],
        )

    def at(self, keys: Ints | Bools) -> Rows:
        """Some of these."""
        return Rows(
            self.time[keys],
            self.value[keys],
            self.tangent[keys],
            self.handles[keys],
            self.interpolation[keys],
        )

    def followed_by(self, more: Rows) -> Rows:
        """These, then more of them."""
        return Rows(
            np.concatenate([self.time, more.time]),
            np.concatenate([self.value, more.value]),
            np.concatenate([self.tangent, more.tangent]),
            np.concatenate([self.handles, more.handles]),
            np.concatenate([self.interpolation, more.interpolation]),
        )

    def over(self, curve: Curve) -> Curve:
        """These as the keys of a curve that is otherwise the same; times must rise."""
        return replace(curve, **self.__dict__)


def relaid(curve: Curve, stay: Ints, rows: Rows) -> Curve:
    """The keys of a curve that stay, and rows laid over them: where both are, the row wins.

    Of rows that meet, the last one wins.
    """
    order = np.argsort(rows.time, kind="stable")
    rows = rows.at(order[np.append(np.diff(rows.time[order]) > TOUCHING, True)[: len(order)]])
    if np.abs(rows.time).max(initial=0.0) > FARTHEST:
        raise BadValue("key time", f"at most {FARTHEST:g} s from 0", rows.time[[0, -1]].tolist())
    # a key that stays in its time lands on nothing
    landing = np.setdiff1d(rows.time, np.delete(curve.time, stay))
    stay = stay[distance(curve.time[stay], landing) > NEAR]
    both = Rows.of(curve, stay).followed_by(rows)
    origin = np.append(stay, np.full(len(rows.time), -1))
    order = np.argsort(both.time, kind="stable")
    return handles_anew(curve, both.at(order).over(curve), origin[order])


def handles_anew(before: Curve, after: Curve, origin: Ints) -> Curve:
    """Handles worked out where keys changed; `origin` (K,) is each key's old place, -1 for none.

    A handle far from the change that was not as it would be worked out stays as it is: clips
    from files, and loops that were smoothed over more than one round, have such handles.
    """
    if (after.handles == Handle.FREE).all() or len(after) < 2:
        return after
    worked = with_auto_handles(after)
    near = _near(before, after, origin)
    if near.all():
        return worked
    stays = ~near & _odd(before)[origin]
    return replace(worked, tangent=np.where(stays[:, None, None], after.tangent, worked.tangent))


def _odd(curve: Curve) -> Bools:
    """(K,) keys with a handle that is not as it would be worked out."""
    found = _known_odd.get(curve)
    if found is None:
        usual = with_auto_handles(curve).tangent
        apart = np.abs(curve.tangent - usual) - AS_WORKED_OUT * (np.abs(usual) + 1e-3)
        found = _known_odd[curve] = apart.max(axis=(1, 2)) > 0
    return found


def _near(before: Curve, after: Curve, origin: Ints) -> Bools:
    """(K,) keys that changed, and their neighbours now and before."""
    changed = origin < 0
    gone = np.full(len(before), True)
    gone[origin[~changed]] = False
    near = _grown(changed, after)
    near[~changed] |= _grown(gone, before)[origin[~changed]]
    return near


def _grown(flags: Bools, curve: Curve) -> Bools:
    grown = np.array(flags)
    grown[1:] |= flags[:-1]
    grown[:-1] |= flags[1:]
    if curve.cyclic:
        # the first and the last key of a round are one place; what is next to one is to both
        grown[[0, -1]] = grown[0] | grown[-1]
    return grown
