"""Posing: wishes about points at one moment, as functions of channel values (eq. 13)."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.jacobian import PointJacobian, point_jacobian
from arcwright.kinematics.places import Places
from arcwright.scene.rig import Kind, Rig
from arcwright.solve.descent import Wishes
from arcwright.solve.problem import Box
from arcwright.tools.wishes import WishList

_STEPS = {"translate": 0.2, "rotate": 0.5, "quaternion": 0.25, "scale": 0.2}  # m, rad, plain


class PoseModel:
    """Unknowns are how far channels are from the pose at the beginning, in ordinary steps."""

    def __init__(
        self, rig: Rig, places: Places, values: Floats, channels: Ints, wishes: WishList
    ) -> None:
        self.rig = rig
        self.places = places
        self.start = values  # (C,)
        self.channels = channels
        self.wish_list = wishes
        kinds = [Kind(kind).group for kind in rig.channels.kind[channels]]
        self.step = np.array([_STEPS.get(kind, 0.5) for kind in kinds])

    @property
    def pull(self) -> Floats:
        """(N,) stiffness of the unknowns."""
        return self.rig.channels.stiffness[self.channels] ** 2

    @property
    def box(self) -> Box:
        """Joint limits; a pose that already breaks them may stay where it is."""
        start = self.start[self.channels]
        low = np.minimum((self.rig.channels.low[self.channels] - start) / self.step, 0.0)
        high = np.maximum((self.rig.channels.high[self.channels] - start) / self.step, 0.0)
        return Box(low, high)

    def values(self, x: Floats) -> Floats:
        """(C,) channel values."""
        values = np.array(self.start)
        values[self.channels] += self.step * x
        return values

    def jacobian(self, x: Floats) -> PointJacobian:
        """Where the points are, and how the channels in play move them."""
        chosen: list[int] = self.channels.tolist()
        return point_jacobian(self.rig, self.values(x)[None], self.places, chosen)

    def wishes(self, x: Floats) -> Wishes:
        """The wishes at x."""
        jacobian = self.jacobian(x)
        rows = self.wish_list.rows(jacobian)
        matrix = np.zeros((len(rows.miss), len(self.channels)))
        column = np.searchsorted(self.channels, jacobian.channels)
        matrix[:, column] = rows.by_channel * self.step[column]
        return Wishes(rows.miss, matrix, rows.weight, rows.cost)
