"""Ground clearance: legs lift feet whose soles a pose has below the ground."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.jacobian import point_jacobian
from arcwright.tools.puppet.locomotion.leg_ik import Legs, foot_points, solve_legs
from arcwright.tools.puppet.locomotion.sole_points import SolePoints
from arcwright.tools.puppet.locomotion.toe_bend import ToeBend
from arcwright.tools.puppet.terrain import Ground

TOLERANCE = 1e-3  # of the leg's length: soles that are less deep stay
LIFTS = 3  # at most: a foot that is lifted may tilt anew


@dataclass(frozen=True, eq=False)
class FootTargets:
    """Where feet should be."""

    position: Floats  # (F, 3) m, of the toes
    orientation: Floats  # (F, 3, 3) of the ankles
    toes: Floats  # (F, 3, 3) of the toes


class GroundClearance:
    """The soles of a character, and how its legs lift them."""

    def __init__(self, legs: Legs, soles: SolePoints) -> None:
        self._legs, self._soles = legs, soles
        self._points, self._bend = foot_points(legs), ToeBend(legs)

    def targets(self, values: Floats) -> FootTargets:
        """Feet as they are in a pose (C,)."""
        there, count = point_jacobian(self._legs.rig, values[None], self._points, []), self._count
        turned = there.orientation[0]
        return FootTargets(there.position[0, :count], turned[count : 2 * count], turned[:count])

    def depths(self, values: Floats, ground: Ground) -> Floats:
        """(F,) m, how far the lowest point under each foot of a pose (C,) is below its place."""
        feet, found = self.targets(values), np.zeros(self._count)
        away = self._soles.places(feet.orientation[None], feet.toes[None])[0]
        lowest = away[..., 1].argmin(axis=1)
        for foot, (x, y, z) in enumerate(feet.position.tolist()):
            aside, down, ahead = away[foot, lowest[foot]].tolist()
            level = min(ground(x, z), ground(x + aside, z + ahead))
            found[foot] = level + self._soles.level[foot] - (y + down)
        return found

    def lifted(
        self, values: Floats, ground: Ground, feet: FootTargets, reference: Floats
    ) -> tuple[Floats, Floats]:
        """(C,) a pose with its soles on the ground or above, and heights (F,) m of the lifts.

        Legs stay as near to `reference` (C,) as they can.
        """
        lift = np.zeros(self._count)
        for _ in range(LIFTS if self._count else 0):
            deep = self.depths(values, ground)
            if (deep <= TOLERANCE * self._legs.length).all():
                break
            lift += np.maximum(deep, 0.0)
            place = feet.position + np.multiply.outer(lift, [0.0, 1.0, 0.0])
            values, _ = solve_legs(self._legs, values, place, feet.orientation, reference)
            values = self._bend.bent(values, feet.toes)
        return values, lift

    @property
    def _count(self) -> int:
        return len(self._legs.toes)
