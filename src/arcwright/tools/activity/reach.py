"""Reach: where an effector can get to from where its limb begins, with some help of the body."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.forward import forward
from arcwright.kinematics.places import places
from arcwright.scene.point import Point
from arcwright.scene.rig import Rig

STRAIGHT = 0.95  # of the limb's length: beyond it, elbows and knees lock
HELP = 0.18  # m that shoulder or hip gives, for a person
PERSON = 1.7  # m
ENDS = ("hand", "wrist", "foot", "ankle")
COLLAR = ("clavicle", "collar", "shoulder", "scapula", "hip")


@dataclass(frozen=True, eq=False)
class ReachZone:
    """A ball around the root of a limb."""

    centre: Floats  # (3,) m
    radius: float  # m

    def holds(self, targets: Floats) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
        """Whether targets (..., 3) are within reach."""
        return np.asarray(np.linalg.norm(targets - self.centre, axis=-1) <= self.radius)

    def nearest(self, target: Floats) -> Floats:
        """(3,) the place within reach that is nearest to a target."""
        away = target - self.centre
        far = float(np.linalg.norm(away))
        return target if far <= self.radius else self.centre + away * (self.radius / far)


def limb_of(rig: Rig, point: Point) -> list[int]:
    """The joints of the limb that ends in a point, from its root; empty where there is none.

    A limb hangs on a joint that carries others, too; a collar bone is not part of it. A point of
    fingers or toes has the limb of their hand or foot.
    """
    joint = rig.joint(point.joint)
    children = np.bincount(rig.parents[rig.parents >= 0], minlength=len(rig.names))
    chain = [joint]
    while (parent := int(rig.parents[chain[-1]])) >= 0 and (
        children[parent] == 1 or (len(chain) < 3 and _is_end(rig.names[parent]))
    ):
        chain.append(parent)
    if parent < 0:
        return []
    named = any(word in rig.names[chain[-1]].lower() for word in COLLAR)
    arm = any(word in rig.names[chain[-1]].lower() for word in ("arm", "leg"))
    if len(chain) > 3 and named and not arm:
        chain.pop()
    return chain[::-1] if len(chain) >= 3 else []


def _is_end(name: str) -> bool:
    """Whether a joint is a hand or a foot, which may carry a thumb beside fingers."""
    return any(word in name.lower() for word in ENDS)


def reach_zone(rig: Rig, point: Point, values: Floats, size: float) -> ReachZone | None:
    """Where a point at the end of a limb can get to in a pose (C,); None for one of the trunk."""
    limb = limb_of(rig, point)
    if not limb:
        return None
    found = forward(rig, values[None], limb)[0]
    where = places(rig, [point])
    tip = forward(rig, values[None], where.joints.tolist())[0, 0] @ np.append(where.offsets[0], 1.0)
    line = np.concatenate([found[:, :3, 3], tip[None, :3]])
    length = float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum())
    return ReachZone(line[0], STRAIGHT * length + HELP * size / PERSON)
