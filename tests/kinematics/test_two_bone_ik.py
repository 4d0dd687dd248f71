"""Two-bone IK: ends at their goals, bones of the same length, knees that bend one way."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import arcwright
from arcwright.kinematics.forward import forward
from arcwright.kinematics.oriented_pose import oriented_values
from arcwright.kinematics.quaternions import with_quaternions
from arcwright.kinematics.two_bone_ik import reaching
from random_cases import examples

ACROSS = np.array([[1.0, 0.0, 0.0]])
LEG = ("LeftUpperLeg", "LeftLowerLeg", "LeftFoot")


@pytest.mark.parametrize("hinge", [True, False])
@examples(20, 200)
@given(st.floats(-0.3, 0.3), st.floats(0.15, 0.6), st.floats(-0.3, 0.4))
def test_a_foot_reaches_what_is_within_reach(hinge: bool, x: float, y: float, z: float) -> None:
    actor = arcwright.read("biped").characters[0]
    rig = (actor if hinge else with_quaternions(actor)).rig
    limb = tuple(rig.joint(name) for name in LEG)
    values = rig.channels.default[None]
    goal = np.array([[0.088 + x, y, z]])
    made = oriented_values(rig, values, reaching(rig, values, limb, goal, ACROSS))
    foot, knee, top = (forward(rig, made)[0, joint, :3, 3] for joint in limb[::-1])
    if np.linalg.norm(goal[0] - top) < 0.8:
        assert np.allclose(foot, goal[0], atol=1e-6)
    toward = foot - top
    assert (knee - top - (knee - top) @ toward / (toward @ toward) * toward)[2] > -0.06


def test_a_foot_comes_near_to_what_is_out_of_reach() -> None:
    rig = arcwright.read("biped").characters[0].rig
    limb = tuple(rig.joint(name) for name in LEG)
    values, goal = rig.channels.default[None], np.array([[0.088, -1.0, 0.0]])
    made = oriented_values(rig, values, reaching(rig, values, limb, goal, ACROSS))
    place = forward(rig, made)[0, list(limb), :3, 3]
    along = (place[2] - place[0]) / np.linalg.norm(place[2] - place[0])
    assert np.allclose(along, [0.0, -1.0, 0.0], atol=1e-6)


def test_a_knee_that_is_bent_too_far_back_bends_forward_again() -> None:
    rig = arcwright.read("biped").characters[0].rig
    limb = tuple(rig.joint(name) for name in LEG)
    values = rig.channels.default[None].copy()
    knee = rig.channel("LeftLowerLeg.rotate.x")
    values[0, knee] = np.radians(-2.0)
    goal = np.array([[0.088, 0.3, 0.1]])
    made = oriented_values(rig, values, reaching(rig, values, limb, goal, ACROSS))
    assert np.allclose(forward(rig, made)[0, limb[2], :3, 3], goal[0], atol=1e-6)
    assert np.degrees(made[0, knee]) > 20
