"""Held points: pins, contacts and planted feet over the frames of a take.

A constraint that ends from one frame to the next would release the body at once. So its weight
fades before and after: the point is held less and less, and poses change smoothly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.columns import channels_moving
from arcwright.kinematics.feet import planted_joints
from arcwright.kinematics.rig_analysis import analyse
from arcwright.objectives.active_constraints import ActiveConstraint, active_constraints
from arcwright.objectives.edited_clip import EditedClip
from arcwright.objectives.planted_feet import dragged_joints, footplant_spans, leg_of
from arcwright.objectives.point_tasks import CONSTRAINT_WEIGHT
from arcwright.scene.constraint import Contact
from arcwright.scene.point import Point
from arcwright.scene.scene import Scene

FADE = 0.2  # s before and after a constraint
DECADES = 6.0  # of the weight, over the fade
STIFF = 1e3  # per m^2, at the start of the fade: holds a foot against its leg's regularisation


@dataclass(frozen=True, eq=False)
class HeldPoint:
    """A point that keeps its path, at some frames."""

    name: str  # for notes: "LeftFoot contact"
    point: Point
    channels: Ints  # that move it
    weight: Floats  # (T,) per m^2; 0 where it is free
    position: bool
    orientation: bool


def held_points(
    scene: Scene,
    edited: EditedClip,
    points: Sequence[Point],
    times: Floats,
    fixed: Ints,
    *,
    plant_feet: bool,
) -> list[HeldPoint]:
    """What stays on its path at some of the times while other points are moved.

    Contacts of a moved point, and of a foot whose leg is moved, are left out. Planted feet
    are held whole, which holds contacts of their toes, too. Channels in `fixed` hold nothing.
    """
    rig = edited.take.rig
    found: list[HeldPoint] = []
    for each in active_constraints(scene, edited.actor, edited.take, (-np.inf, np.inf), fixed):
        own = each.constraint
        planted = plant_feet and isinstance(own, Contact) and _is_foot(edited, own.point)
        if not planted and not _is_moved(scene, edited, points, each):
            weight = fading_weights(edited, times, [(own.start, own.end)])
            kept = each.name, own.point, each.channels, weight, own.position, own.orientation
            found.append(HeldPoint(*kept))
    if plant_feet:
        for foot, spans in footplant_spans(scene, edited, points).items():
            name = rig.names[foot]
            point = Point(name, character=edited.actor.name)
            channels = np.setdiff1d(channels_moving(rig, [point]), fixed)
            weight = fading_weights(edited, times, spans)
            found.append(HeldPoint(f"{name} footplant", point, channels, weight, True, True))
    return _merged([each for each in found if each.weight.any()])


def fading_weights(
    edited: EditedClip, times: Floats, spans: Sequence[tuple[float, float]]
) -> Floats:
    """(T,) per m^2: stiff inside the spans, less and less outside, also over a loop's seam."""
    away = np.full(len(times), np.inf)
    duration = edited.clip.duration if edited.clip.loops else 0.0
    shifts = (-duration, 0.0, duration) if duration else (0.0,)
    moments = times % duration if duration else times
    for start, end in spans:
        for shift in shifts:
            outside = np.maximum(start + shift - moments, moments - end - shift)
            away = np.minimum(away, np.maximum(outside, 0.0))
    faded = STIFF * 10.0 ** (-DECADES * np.minimum(away / FADE, 1.0))
    return np.where(away > 0, np.where(away < FADE, faded, 0.0), CONSTRAINT_WEIGHT)


def _is_foot(edited: EditedClip, point: Point) -> bool:
    """Whether planted feet include the joint of a point."""
    joint = edited.take.rig.joint(point.joint)
    deforms = analyse(edited.actor, edited.take).deforms
    return bool(planted_joints(edited.take.rig)[joint] and deforms[joint])


def _is_moved(
    scene: Scene, edited: EditedClip, points: Sequence[Point], each: ActiveConstraint
) -> bool:
    """Whether it is a contact of what the points move."""
    if not isinstance(each.constraint, Contact):
        return False
    rig, moved = edited.take.rig, dragged_joints(scene, edited, points)
    joint, feet = rig.joint(each.constraint.point.joint), planted_joints(edited.take.rig)
    if joint in moved or not feet[joint]:
        return joint in moved
    while (parent := int(rig.parents[joint])) >= 0 and feet[parent]:
        joint = parent
    return bool(leg_of(edited, joint)[moved].any())


def _merged(held: list[HeldPoint]) -> list[HeldPoint]:
    """One for all constraints of the same point, each as stiff as the stiffest."""
    found: dict[tuple[str, bytes, bool, bool], HeldPoint] = {}
    for each in held:
        key = each.point.joint, each.point.offset.tobytes(), each.position, each.orientation
        known = found.get(key)
        stiffest = each.weight if known is None else np.maximum(each.weight, known.weight)
        found[key] = replace(each, weight=stiffest)
    return list(found.values())
