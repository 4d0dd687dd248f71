"""Samples: where sample times fall on free segments, and what values there are made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.scene.rig import Kind, Rig
from arcwright.tools.tangent.handles import Handles

AT_KEY = 1e-9  # s


@dataclass(frozen=True, eq=False)
class Samples:
    """Where T sample times fall in the free segments of D driven channels."""

    channel: Ints  # (D,) rig channels in play
    segment: Ints  # (T, D) free segment, -1 where the value is fixed
    values: Floats  # (T, C) all channels of the rig at the beginning

    @classmethod
    def of(cls, handles: Handles, times: Floats, values: Floats) -> Samples:
        """Find the segment of every channel in play at every time."""
        channel = np.unique(handles.channel)
        segment = np.full((len(times), len(channel)), -1, np.int64)
        column = np.searchsorted(channel, handles.channel)
        for s in range(len(handles.channel)):
            begin, end = handles.begin[s], handles.begin[s] + handles.length[s]
            segment[(times >= begin) & (times < end), column[s]] = s
        return cls(channel, segment, values)


def still_times(handles: Handles, channels: Ints, times: Floats) -> Floats:
    """The ends of free segments, and those of `times`, at which none of these channels can change.

    With aligned keys, these are the keys.
    """
    own = np.isin(handles.channel, channels)
    begin, end = handles.begin[own], handles.begin[own] + handles.length[own]
    among = np.unique(np.concatenate([begin, end, times]))[:, None]
    changing: Bools = (begin + AT_KEY < among) & (among < end - AT_KEY)
    return among[~changing.any(axis=1), 0]


class Parts(NamedTuple):
    """Of each free value: λ, p, q, dp/dλ, dq/dλ, dx/dλ, dc/dt and the value itself; all (F,)."""

    at: Floats
    p: Floats
    q: Floats
    up: Floats
    down: Floats
    along: Floats
    slope: Floats
    value: Floats

    def second_derivatives(self, handles: Handles, segment: Ints, x: Floats) -> Floats:
        """(F, 4, 4) of the value by (X0, Y0, X1, Y1)."""
        x0, y0, x1, y1 = handles.at(x).reshape(-1, 4)[segment].T
        first, last = handles.value[segment].T
        p, q, up, down, m = self.p, self.q, self.up, self.down, self.slope
        twist = (6 - 12 * self.at, 18 * self.at - 12, 6 - 18 * self.at)  # λ'' of the weights
        bend_y = twist[0] * (last - first) + twist[1] * y0 - twist[2] * y1
        bend_x = twist[0] * handles.length[segment] + twist[1] * x0 - twist[2] * x1
        turn = (bend_y - m * bend_x) / self.along  # dm/dλ
        second = np.zeros((len(p), 4, 4))
        second[:, 0, 0] = p * (turn * p + 2 * m * up)
        second[:, 2, 2] = q * (turn * q + 2 * m * down)
        second[:, 0, 2] = second[:, 2, 0] = -(turn * p * q + m * (p * down + up * q))
        second[:, 0, 1] = second[:, 1, 0] = -up * p
        second[:, 1, 2] = second[:, 2, 1] = up * q
        second[:, 0, 3] = second[:, 3, 0] = down * p
        second[:, 2, 3] = second[:, 3, 2] = -down * q
        second /= self.along[:, None, None]
        return second


def acts_outside(rig: Rig, channels: Ints) -> Bools:
    """(D, D) whether the row's channel acts outside of the column's, or is the same."""
    table = rig.channels
    letter = np.zeros(len(channels), np.int64)
    for index, channel in enumerate(channels):
        kind = Kind(table.kind[channel])
        mode = rig.modes[table.joint[channel]]
        letter[index] = -1 if kind.group == "translate" else 3
        if kind.group == "rotate":
            letter[index] = mode.index(kind.name[-1])
    rank = np.lexsort((letter, table.joint[channels]))
    order = np.empty(len(rank), np.int64)
    order[rank] = np.arange(len(rank))
    outer: Bools = order[:, None] <= order
    return outer
