"""Hands and feet by name or by the shape of the tree, each with its own limb."""

import numpy as np
import pytest

from arcwright import characters
from arcwright.kinematics.end_effectors import end_effectors


def named(scene):
    """Names of the limbs by their ends."""
    rig = characters.built_in(scene).characters[0].rig
    return {
        rig.names[end.joint]: [rig.names[joint] for joint in end.limb] for end in end_effectors(rig)
    }


def test_a_biped_has_two_hands_and_two_feet_on_limbs_of_their_own():
    found = named("biped:walk")
    assert set(found) == {"LeftHand", "RightHand", "LeftFoot", "RightFoot"}
    assert found["LeftHand"] == ["LeftHand", "LeftLowerArm", "LeftUpperArm", "LeftShoulder"]
    assert found["RightFoot"] == ["RightFoot", "RightLowerLeg", "RightUpperLeg"]


def test_without_such_names_the_ends_of_long_branches_count():
    found = named("spider:blocking")
    assert len(found) == 8
    assert all(end.endswith("Tarsus") for end in found)
    assert list(named("lamp")) == ["Shade"]


def test_only_the_part_of_a_limb_below_a_rotated_joint_may_make_up_for_it():
    rig = characters.built_in("biped:walk").characters[0].rig
    hand = next(end for end in end_effectors(rig) if rig.names[end.joint] == "LeftHand")
    part = hand.below(rig.joint("LeftUpperArm"))
    assert [rig.names[joint] for joint in part.limb] == ["LeftHand", "LeftLowerArm"]
    assert hand.below(rig.joint("Hips")) == hand
    assert hand.below(rig.joint("LeftHand")) is None


@pytest.mark.parametrize("scene", ["biped:walk", "spider:blocking"])
def test_joints_that_do_not_count_are_left_out(scene):
    rig = characters.built_in(scene).characters[0].rig
    assert end_effectors(rig, np.zeros(len(rig.names), bool)) == []
