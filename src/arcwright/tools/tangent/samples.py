"""Samples: where sample times fall on free segments, and what values there are made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
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
    """Of each free value: p, q, dc/dt and the value itself; all (F,)."""

    p: Floats
    q: Floats
    slope: Floats
    value: Floats
