"""Foot volume: a foot that stays out of a region does so from heel to tip, along one arc.

A region constraint on any joint of a foot becomes one for heel, ball, tip and the points between
them. All of them leave the region in the same direction while the foot passes through it, and with
some clearance that fades where the foot stands: it may stand on the region.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from arcwright.kinematics.regions import joined_passes, region_passes
from arcwright.kinematics.soles import Sole, soles
from arcwright.scene.constraint import RegionConstraint
from arcwright.scene.point import Point
from arcwright.scene.scene import Actor
from arcwright.scene.take import Take
from arcwright.tools.spacetime.motion_constraint import CONTACT, REGION, MotionConstraint, Stance

AROUND = 2.0  # how much longer ways around a region count than ways over it
SHARED_PASS = 0.15  # s between passes of two points of a foot that are one pass


def with_foot_volumes(
    actor: Actor, take: Take, constraints: Sequence[MotionConstraint]
) -> tuple[MotionConstraint, ...]:
    """The constraints; those that keep a point of a foot out of a region do so for all of it."""
    if not any(_keeps_out(each) for each in constraints):
        return tuple(constraints)
    found: list[MotionConstraint] = []
    known = soles(actor, take)
    for each in constraints:
        foot = next((foot for foot in known if each.point.joint in foot.joints), None)
        if foot is None or not _keeps_out(each):
            found.append(each)
        else:
            found += _whole_foot(take, each, foot, _stances(constraints, foot))
    return tuple(found)


def _keeps_out(constraint: MotionConstraint) -> bool:
    source = constraint.source
    return constraint.kind == REGION and isinstance(source, RegionConstraint) and not source.inside


def _stances(constraints: Sequence[MotionConstraint], foot: Sole) -> tuple[Stance, ...]:
    """When the foot stands, on the floor or on something else."""
    return tuple(
        Stance(each.point.joint, each.start, each.end)
        for each in constraints
        if each.kind == CONTACT and each.position and each.point.joint in foot.joints
    )


def _whole_foot(
    take: Take, constraint: MotionConstraint, foot: Sole, stances: tuple[Stance, ...]
) -> list[MotionConstraint]:
    source = constraint.source
    assert isinstance(source, RegionConstraint)
    named = [replace(point, character=source.point.character) for point in foot.volume(take.rig)]
    others = [point for point in named if not _same(point, source.point)]
    sources = [source, *(replace(source, point=each) for each in others)]
    passes = [region_passes(take, each) for each in sources]
    shared = joined_passes(take, sources, passes, SHARED_PASS, AROUND)
    whole = replace(constraint, foot=foot.joints, ground=stances)
    return [
        replace(whole, point=each.point, source=each, passes=found)
        for each, found in zip(sources, shared, strict=True)
    ]


def _same(one: Point, other: Point) -> bool:
    return one.joint == other.joint and bool(np.allclose(one.offset, other.offset, atol=1e-6))
