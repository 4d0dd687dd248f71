"""Hold reach: arms first, while they reach the carried prop that is dragged.

Who holds a prop within reach moves the arms and leaves the trunk where it is. Beyond reach the
trunk has to come along, and a stiff one would only do so in many steps.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.end_effectors import end_effectors
from arcwright.kinematics.rig_analysis import ancestors
from arcwright.kinematics.trail import trail
from arcwright.scene.point import Point
from arcwright.scene.rig import Rig
from arcwright.tools.spacetime.displacement import smoothstep
from arcwright.tools.spacetime.model import SpacetimeModel
from arcwright.tools.spacetime.prepared_edit import PreparedEdit
from arcwright.tools.spacetime.stiffness import blended

EASY, STRETCHED = 0.8, 0.95  # of an arm's length, from the shoulder to what the hand holds
ARM = 3  # joints: hand, elbow and shoulder


def model_of_reach(prepared: PreparedEdit, carried: Mapping[int, Floats]) -> SpacetimeModel:
    """The model of a prepared edit; stiffer in the trunk where hands reach what they hold."""
    if prepared.within_reach is None:
        return prepared.model
    model = copy.copy(prepared.model)
    stretch = max((_stretch(prepared, *each) for each in carried.items()), default=np.inf)
    share = float(smoothstep(np.array((stretch - EASY) / (STRETCHED - EASY))))
    model.stiffness = blended(prepared.within_reach, prepared.model.stiffness, share)
    return model


def _stretch(prepared: PreparedEdit, index: int, shift: Floats) -> float:
    """Farthest distance of a contact, moved (T, 3), from the shoulder, over the arm's length.

    Infinite without an arm.
    """
    contact, rig, times = prepared.constraints[index], prepared.take.rig, prepared.range.times
    joints = _arm(rig, rig.joint(contact.point.joint))
    held = np.flatnonzero((times >= contact.start - 1e-9) & (times <= contact.end + 1e-9))
    if not joints or not len(held):
        return np.inf
    point = prepared.schedule.paths[held, contact.point_index]
    places = [trail(prepared.take, Point(rig.names[each]), times[held]).position for each in joints]
    bones = [np.linalg.norm(b - a, axis=1) for a, b in zip([point, *places], places, strict=False)]
    away = np.linalg.norm(point + shift[held] - places[-1], axis=1)
    return float((away / np.sum(bones, axis=0)).max())


def _arm(rig: Rig, joint: int) -> tuple[int, ...]:
    """Hand, elbow and shoulder of the arm that a joint is at the end of; empty without one."""
    for each in end_effectors(rig):
        at_end = each.joint == joint or bool(ancestors(rig, joint)[each.joint])
        if at_end and len(each.limb) >= ARM:
            return each.limb[:ARM]
    return ()
