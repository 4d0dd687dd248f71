"""Drags of a foot between two of its footplants: nothing moves much further than the drag."""

import numpy as np
import pytest

from arcwright import files, read
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.point import Point
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.contact_ease import contact_ramps, limb_swings
from arcwright.tools.spacetime.motion_constraint import CONTACT, MotionConstraint
from arcwright.tools.spacetime.tool import SpacetimeOptions, SpacetimeTool
from data import DATA, needs_data

FOOT, BEFORE_PLANT = Point("LeftFoot"), 133  # frame, 17 before the plant


@needs_data
@pytest.mark.parametrize("by", [(0.24, 0, 0), (0, 0.24, 0), (0, 0, -0.24)])
def test_a_swinging_foot_is_not_thrown(by):
    scene = files.read(DATA / "bvh/cmu/02_01_walk.bvh")
    take = scene.characters[0].takes[0]
    time = BEFORE_PLANT / take.rate
    target = trail(take, FOOT, [time]).position[0] + by
    session = SpacetimeTool().begin(scene, Target(), SpacetimeOptions(adapt_timing="off"))
    session.update(Drag(FOOT, time, position=target))
    after = session.finish().apply(scene).characters[0].takes[0]
    times = take.frame_times()
    was, now = (forward(each.rig, values_at(each, times))[..., :3, 3] for each in (take, after))
    assert np.linalg.norm(now - was, axis=-1).max() < 1.5 * 0.24
    assert np.linalg.norm(trail(after, FOOT, [time]).position[0] - target) < 2e-3


def plant(joint, start, end):
    return MotionConstraint(joint, CONTACT, Point(joint), start, end)


def test_a_contact_eases_less_towards_a_drag_of_its_limb():
    toes = plant("LeftToes", 1.0, 2.0)
    assert contact_ramps([toes], toes, 0.15) == pytest.approx((0.15, 0.15))
    assert contact_ramps([toes], toes, 0.15, [0.8]) == pytest.approx((0.07, 0.15))
    assert contact_ramps([toes], toes, 0.15, [2.1]) == pytest.approx((0.15, 0.035))
    assert contact_ramps([toes], toes, 0.15, [0.98]) == pytest.approx((0.15, 0.15))


def test_hips_and_the_other_foot_are_no_part_of_a_limb():
    scene = read("biped:walk")
    rig = scene.characters[0].takes[0].rig
    plants = [plant("LeftToes", 0.0, 0.4), plant("RightToes", 0.5, 0.9)]

    def swings(joint):
        return limb_swings(rig, plants, [Drag(Point(joint), 0.45, position=np.zeros(3))])

    assert swings("LeftFoot") == swings("LeftLowerLeg") == {0: [0.45]}
    assert swings("RightFoot") == {1: [0.45]}
    assert swings("Hips") == swings("LeftHand") == {}
