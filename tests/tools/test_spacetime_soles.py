"""Whole soles in spacetime edits: heels stay planted, and nothing sinks below the ground."""

import numpy as np
import pytest

import arcwright
from arcwright.kinematics.contact import footplants
from arcwright.kinematics.soles import soles
from arcwright.kinematics.trail import trail
from arcwright.scene.point import Point
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.diagnosis import NOTED_SOLE
from arcwright.tools.spacetime.tool import SpacetimeOptions, SpacetimeTool

WALK = arcwright.read("biped:walk")
TAKE = WALK.characters[0].takes[0]
SOLES = soles(WALK.characters[0], TAKE)
STANCE = max(footplants(TAKE), key=lambda each: each.end - each.start)
MIDDLE = (STANCE.start + STANCE.end) / 2


def after(joint, when, by, **options):
    """The take after a drag."""
    session = SpacetimeTool().begin(WALK, Target(), SpacetimeOptions(**options))
    start = trail(TAKE, Point(joint), [when]).position[0]
    for share in (0.25, 0.5, 0.75, 1.0):
        session.update(Drag(Point(joint), when, position=start + share * np.array(by)))
    return session.finish().apply(WALK).characters[0].takes[0]


def deepest(take):
    """How far any sole point is below the lower of the ground and the original, m."""
    times, worst = TAKE.frame_times(), 0.0
    for sole in SOLES:
        level = np.mean(
            [
                trail(TAKE, sole.ball, np.linspace(each.start, each.end, 9)).position[:, 1].mean()
                for each in footplants(TAKE)
                if each.point.joint in sole.joints
            ]
        )
        for point, rise in sole.points:
            was, now = (trail(each, point, times).position[:, 1] for each in (TAKE, take))
            worst = max(worst, float((np.minimum(was, level + rise) - now).max()))
    return worst


def standing_sole():
    return next(each for each in SOLES if STANCE.point.joint in each.joints)


def test_hips_that_go_down_push_no_heel_through_the_floor():
    assert deepest(after("Hips", MIDDLE, (0, -0.12, 0), plant_soles=False)) > 0.02
    assert deepest(after("Hips", MIDDLE, (0, -0.12, 0))) < NOTED_SOLE


def test_a_heel_stays_where_it_stands_while_the_body_turns_aside():
    heel = standing_sole().heel
    new = after("Hips", MIDDLE, (0.12, -0.02, 0))
    was, now = (trail(each, heel, [MIDDLE]).position[0] for each in (TAKE, new))
    assert np.linalg.norm(now - was) < 0.004


@pytest.mark.parametrize("by", [(0, 0.1, 0), (0.1, 0, 0)], ids=["raised", "aside"])
def test_a_dragged_footplant_takes_its_heel_along(by):
    heel = standing_sole().heel
    new = after(STANCE.point.joint, MIDDLE, by)
    was, now = (trail(each, heel, [MIDDLE]).position[0] for each in (TAKE, new))
    assert now - was == pytest.approx(np.array(by), abs=0.006)


def test_a_foot_rolls_as_it_did():
    """Far from the drag and while the heel is up, the heel keeps its height."""
    heel = standing_sole().heel
    new = after("Hips", MIDDLE, (0, -0.03, 0))
    times = np.linspace(STANCE.start, STANCE.end, 20)
    was, now = (trail(each, heel, times).position[:, 1] for each in (TAKE, new))
    up = was > was.min() + 0.03
    assert (now[up] > was.min() - 0.004).all()
