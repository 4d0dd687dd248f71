"""Soles: heel, ball and tip from the mesh or from bone lengths."""

from dataclasses import replace

import pytest

import arcwright
from arcwright.kinematics.forward import forward
from arcwright.kinematics.soles import soles
from arcwright.kinematics.trail import trail

SCENE = arcwright.read("biped:walk")
BODY = SCENE.characters[0]


def placed(sole, take, when):
    return [trail(take, point, [when]).position[0] for point, _ in sole.points]


@pytest.mark.parametrize("shapes", [BODY.shapes, ()], ids=["mesh", "bones"])
def test_a_sole_is_under_its_foot_from_heel_to_toes(shapes):
    actor = replace(BODY, shapes=shapes)
    found = soles(actor, BODY.takes[0])
    assert len(found) == 2
    for sole in found:
        ball, heel, tip = placed(sole, BODY.takes[0], 0.3)
        ankle = trail(BODY.takes[0], sole.joints[0], [0.3]).position[0]
        ahead = (ball - ankle) * [1, 0, 1]
        assert (heel - ankle) @ ahead < 0 < (tip - ball) @ ahead
        assert ball[1] < ankle[1]


def test_the_sole_of_a_mesh_is_its_lowest_part():
    values = BODY.rig.channels.default[None]
    assert forward(BODY.rig, values).shape[0] == 1
    found = soles(BODY, BODY.takes[0])
    for sole in found:
        assert sole.ball.offset[1] < -0.01
        assert all(abs(rise) < 0.04 for rise in sole.rise)


def test_a_rig_without_feet_has_no_soles():
    lamp = arcwright.read("lamp")
    assert soles(lamp.characters[0], lamp.characters[0].takes[0]) == ()
