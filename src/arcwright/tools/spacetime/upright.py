"""Upright: the joints that keep their orientation while the body is dragged as a whole."""

from __future__ import annotations

from collections.abc import Sequence

from arcwright.arrays import Bools
from arcwright.kinematics.rig_analysis import ancestors
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.constraints import EditedCharacter
from arcwright.tools.spacetime.motion_constraint import BALANCE, FLIGHT, MotionConstraint


def upright_joints(
    character: EditedCharacter, drags: Sequence[Drag], constraints: Sequence[MotionConstraint]
) -> Bools | None:
    """(J,) the joint that carries the body and those above, where the body is dragged by it.

    Not where its mass has a path or a support of its own: the body rotates to keep it there.
    """
    rig, root = character.take.rig, character.root
    led = any(rig.joint(drag.point.joint) == root for drag in drags)
    rotated = any(drag.orientation is not None for drag in drags)
    kept = any(each.kind in (FLIGHT, BALANCE) and each.start < each.end for each in constraints)
    if not led or rotated or kept:
        return None
    upright = ancestors(rig, root)
    upright[root] = True
    return upright
