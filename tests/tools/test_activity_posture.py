"""Bodies that bend or squat for their hands straighten where hands are led higher."""

from dataclasses import replace

import numpy as np
import pytest

import arcwright
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.motion import Motion
from arcwright.scene.point import Point
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.activity.options import ActivityOptions
from arcwright.tools.activity.posture import free_frames, trunk_ends
from arcwright.tools.activity.tool import ActivityTool
from arcwright.tools.activity.tracks import Knots
from arcwright.tools.gesture import Drag

HAND, AT = Point("RightHand", character="biped"), 0.5


@pytest.fixture(scope="module")
def idle():
    return replace(arcwright.read("biped:idle"), activities=())


def bowing(scene, angle):
    """The body bent at its hips by an angle, rad."""
    person = scene.characters[0]
    time = np.arange(31) / 30.0
    values = values_at(person.takes[0], time)
    values[:, person.rig.channel("Spine.rotate.x")] += angle
    take = Take(person.rig, Motion("bow", time, values, 30.0))
    return replace(scene, characters=(replace(person, takes=(take,)),))


def raised_by(scene, by):
    """How much both ends of the trunk rise with a hand, m, and how far it is from its target."""
    person = scene.characters[0]
    goal = trail(person.takes[0], HAND, [AT]).position[0] + [0.0, by, 0.0]
    session = ActivityTool().begin(scene, Target(), ActivityOptions())
    session.update(Drag(HAND, AT, goal))
    after = session.finish().apply(scene).characters[0]
    ends = trunk_ends(person)
    assert ends is not None
    rise = [
        (trail(after.takes[0], end, [AT]).position - trail(person.takes[0], end, [AT]).position)[0]
        for end in ends
    ]
    missed = trail(after.takes[0], HAND, [AT]).position[0] - goal
    return rise[0][1], rise[1][1], float(np.linalg.norm(missed))


def test_a_bowed_trunk_rises_with_a_hand_that_is_led_higher(idle):
    pelvis, chest, missed = raised_by(bowing(idle, np.radians(80.0)), 0.2)
    assert chest > 0.1
    assert abs(pelvis) < 0.03
    assert missed < 1e-3


def test_an_upright_trunk_stays_where_a_hand_is_led_higher(idle):
    pelvis, chest, missed = raised_by(bowing(idle, 0.0), 0.2)
    assert max(abs(pelvis), abs(chest)) < 0.03
    assert missed < 1e-3


def test_a_bowed_trunk_stays_where_a_hand_is_led_lower(idle):
    bowed = bowing(idle, np.radians(50.0))
    assert abs(raised_by(bowed, -0.1)[1]) < 0.05


def test_elements_are_free_away_from_their_events_and_rests():
    knots = Knots((0, 10, 30, 60), (-1, 0, 1, -1), (0, 1, 1, 2))
    free = free_frames(knots, 61, 5.0)
    assert free[0] == free[60] == 1.0
    assert not free[10:31].any()
    assert 0 < free[33] < 1
