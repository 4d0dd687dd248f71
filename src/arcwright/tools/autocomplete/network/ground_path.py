"""Ground path: how far a character comes along its heading, whichever way it faces."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.scene.rig import Rig
from arcwright.tools.autocomplete.key_spline import KeyedValues, interpolated, window

ALONG, ACROSS, HEADING = ".translate.z", ".translate.x", ".rotate.y"  # +Z is forward


@dataclass(frozen=True)
class GroundPath:
    """The channels of one joint in the ground plane, as columns of keys."""

    along: int
    across: int
    heading: int

    @classmethod
    def of(cls, rig: Rig, name: str) -> GroundPath | None:
        """Of the joint that a forward channel belongs to, where it can turn and go sideways."""
        joint = name.removesuffix(ALONG)
        names = [joint + each for each in (ALONG, ACROSS, HEADING)]
        if not name.endswith(ALONG) or any(each not in rig.channel_names for each in names):
            return None
        return cls(*(rig.channel(each) for each in names))

    def travelled(self, keys: KeyedValues) -> tuple[Floats, Bools, Floats]:
        """(K,) way along the headings, whether it is known, and its slope; facing +Z, that is z.

        Each gap counts along the mean of the headings at its ends.
        """
        across = keys.known[:, self.across]
        known = keys.known[:, self.along] & (across | ~across.any())
        rows = np.flatnonzero(known)
        turn = interpolated(keys, keys.times)[:, self.heading]
        way = np.zeros(len(keys.times))
        if len(rows):
            mean = (turn[rows[1:]] + turn[rows[:-1]]) / 2
            z, x = keys.values[rows, self.along], keys.values[rows, self.across]
            steps = np.diff(z) * np.cos(mean) + np.diff(x) * np.sin(mean)
            way[rows] = z[0] + np.concatenate([[0.0], np.cumsum(steps)])
        sideways = np.nan_to_num(keys.slopes[:, self.across]) * np.sin(turn)
        return way, known, keys.slopes[:, self.along] * np.cos(turn) + sideways

    def added(self, keys: KeyedValues, times: Floats, base: Floats, forward: Floats) -> Floats:
        """(A, T, 2) what forward residuals (A, T) add along and across, 0 at known keys of each."""
        turn = base[:, self.heading]
        parts = ((self.along, np.cos(turn)), (self.across, np.sin(turn)))
        way, known, _ = self.travelled(keys)
        columns = np.array([self.along, self.across])
        own = KeyedValues(
            keys.times,
            np.column_stack([way, keys.values[:, columns]]),
            np.column_stack([known, keys.known[:, columns]]),
        )
        factor = window(own, times, open_ends=True)
        shares = np.minimum(factor[:, :1], factor[:, 1:])
        shares = shares * np.column_stack([each for _, each in parts])
        added: Floats = forward[..., None] * shares
        return added
