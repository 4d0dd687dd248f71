"""Transition: what a pose was off from the next one fades, with its velocity (inertialisation)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.kinematics.rotation import (
    quaternion_conjugate,
    quaternion_from_vector,
    quaternion_multiply,
    vector_from_quaternion,
    wrap,
)
from arcwright.tools.puppet.fade import carried_by_fade, left_of_fade

CARRIES = 0.22  # s at most, in which the velocity of an offset dies away
FASTEST = 10.0  # rad/s, or units of another channel, that are carried
OVER_GROUND = np.array([1.0, 0.0, 1.0])  # heights would go below the ground

Pose = tuple[Floats, Floats]  # channel values (C,), and the root (7,) in the world


class Transition:
    """An offset of channel values and root that fades over some seconds.

    Channels, and the root over the ground, go on with the velocity that they had: from the second
    pose on, when that of the next motion is known, too, with the difference of both.
    """

    def __init__(
        self,
        last: Pose,
        after: Pose,
        angles: Bools,
        quaternions: Ints,
        seconds: float,
        *,
        before: Pose | None = None,
        tick: float = 0.0,
        lead: float = 0.0,
    ) -> None:
        """From the last pose, and that of a tick `before` it, to one that is `lead` s later.

        Channels (C,) of angles, and those of quaternions (Q, 4), go the short way round.
        """
        self._angles, self._four, self._tick, self._lead = angles, quaternions, tick, lead
        self.seconds, self._count = seconds, 0
        self.passed = lead - tick  # s since the last pose, a tick before the first
        self._after = after
        self.values = self._apart(last[0], after[0])
        self._rates, self._drift = np.zeros(len(angles)), np.zeros(3)  # of channels and root
        self.position = last[1][:3] - after[1][:3]
        turn = quaternion_multiply(last[1][3:], quaternion_conjugate(after[1][3:]))
        self.rotation = vector_from_quaternion(turn if turn[0] >= 0 else -turn)
        if before is not None:
            self._rates = self._apart(last[0], before[0]) / tick
            self._drift = (last[1] - before[1])[:3] * OVER_GROUND / tick

    @property
    def over(self) -> bool:
        """Whether nothing is left of it."""
        return self.passed >= self.seconds

    def applied(self, values: Floats, root: Floats) -> Pose:
        """The next pose, with what is left of the offset."""
        if self._count == 1 and self._rates.any():
            moves = self._apart(values, self._after[0]) / self._tick
            moved = (root - self._after[1])[:3] * OVER_GROUND / self._tick
            self.values, self._rates = self.values + self._lead * moves, self._rates - moves
            self.position, self._drift = self.position + self._lead * moved, self._drift - moved
        self._count += 1
        left, lasts = left_of_fade(self.passed / self.seconds), min(self.seconds, CARRIES)
        carried = lasts * carried_by_fade(self.passed / lasts)
        turn = quaternion_from_vector(left * self.rotation)
        rotation = quaternion_multiply(turn, root[3:])
        place = root[:3] + left * self.position + carried * self._drift
        off = left * self.values + carried * np.clip(self._rates, -FASTEST, FASTEST)
        return values + off, np.concatenate([place, rotation])

    def _apart(self, values: Floats, others: Floats) -> Floats:
        """(C,) channels less others, angles and quaternions the short way round."""
        apart = values - others
        opposite = self._four[(values[self._four] * others[self._four]).sum(axis=-1) < 0]
        apart[opposite] = -values[opposite] - others[opposite]
        apart[self._angles] = wrap(apart[self._angles])
        return apart


def with_root(values: Floats | None, read: Callable[[Floats], Floats]) -> Pose | None:
    """Channel values (C,) with their root as it is read, if there are any."""
    return None if values is None else (values, read(values))
