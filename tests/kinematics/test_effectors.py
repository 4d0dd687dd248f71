"""Effectors: usual names in any spelling, and the joints of a rig that they stand for."""

from dataclasses import replace

import numpy as np
import pytest

from arcwright.errors import BadValue
from arcwright.kinematics.anchors import marked_anchor
from arcwright.kinematics.effectors import EFFECTORS, effector_joint, effector_name
from arcwright.open import read
from arcwright.scene.scene import Character, Prop
from builders import arm_scene, rig_of
from data import DATA, needs_data


@pytest.mark.parametrize(
    ("text", "name"),
    [
        *((each, each) for each in EFFECTORS),
        *(("left hand", "LeftHand"), ("Left_Hand", "LeftHand"), ("lHand", "LeftHand")),
        *(("Hand.L", "LeftHand"), ("hand_l", "LeftHand"), ("LEFTHAND", "LeftHand")),
        *(("handleft", "LeftHand"), ("left-wrist", "LeftHand"), ("RIGHT FOOT", "RightFoot")),
        *(("r ankle", "RightFoot"), ("right thigh", "RightThigh"), ("r_shoulder", "RightShoulder")),
        *(("pelvis", "Pelvis"), ("Hips", "Pelvis")),
        *(("Head", ""), ("left", ""), ("hand", ""), ("LeftHandIndex", ""), ("left foot 2", "")),
        *(("left right hand", ""), ("left pelvis", ""), ("", ""), ("?", ""), ("lefthandle", "")),
    ],
)
def test_effectors_are_known_in_any_spelling(text, name):
    assert effector_name(text) == name


def found(actor):
    return [actor.rig.names[effector_joint(actor, each)] for each in EFFECTORS]


def test_the_biped_has_all_effectors():
    assert found(read("biped:walk").characters[0]) == [
        *("Hips", "LeftUpperArm", "RightUpperArm", "LeftHand", "RightHand"),
        *("LeftUpperLeg", "RightUpperLeg", "LeftFoot", "RightFoot"),
    ]


@needs_data
@pytest.mark.parametrize(
    ("file", "names"),
    [
        (
            "bvh/cmu/02_01_walk.bvh",
            "Hips LeftArm RightArm LeftHand RightHand LeftUpLeg RightUpLeg LeftFoot RightFoot",
        ),
        (
            "bvh/other-skeletons/pirouette.bvh",
            "hip lShldr rShldr lHand rHand lThigh rThigh lFoot rFoot",
        ),
        (
            "bvh/other-skeletons/cmu_jumping_jacks_30fps.bvh",
            "Hips LeftShoulder RightShoulder lhand rhand LeftHip RightHip LeftAnkle RightAnkle",
        ),
    ],
)
def test_captured_rigs_have_all_effectors(file, names):
    assert found(read(DATA / file).characters[0]) == names.split()


def limbs(names, parents, offsets):
    """A body whose joints are called so, standing on two legs where it has them."""
    rig = replace(rig_of(parents, []), names=tuple(names), offset=np.array(offsets, float))
    return Character("body", rig)


def test_limbs_without_names_of_segments_begin_at_their_long_bones():
    names = ["root", "a1", "a2", "a3", "left hand", "b1", "b2", "b3", "right hand"]
    arm = [[0.1, 0, 0], [0.1, 0, 0], [0.3, 0, 0], [0.3, 0, 0]]
    other = [[-x, y, z] for x, y, z in arm]
    body = limbs(names, [-1, 0, 1, 2, 3, 0, 5, 6, 7], [[0, 1, 0], *arm, *other])
    assert body.rig.names[effector_joint(body, "LeftHand")] == "left hand"
    assert body.rig.names[effector_joint(body, "LeftShoulder")] == "a2"
    assert body.rig.names[effector_joint(body, "RightShoulder")] == "b2"


def test_sides_without_names_are_those_where_limbs_rest():
    names = ["root", "p1", "p2", "hand1", "q1", "q2", "hand2"]
    arm = [[-0.1, 0, 0], [-0.3, 0, 0], [-0.3, 0, 0]]
    other = [[-x, y, z] for x, y, z in arm]
    body = limbs(names, [-1, 0, 1, 2, 0, 4, 5], [[0, 1, 0], *arm, *other])
    assert body.rig.names[effector_joint(body, "LeftHand")] == "hand2"
    assert body.rig.names[effector_joint(body, "RightHand")] == "hand1"


def test_a_rig_that_does_not_show_a_limb_is_refused_with_what_to_do():
    arm = arm_scene().characters[0]
    with pytest.raises(BadValue, match="a character whose rig shows its left leg; name the joint"):
        effector_joint(arm, "LeftThigh")
    with pytest.raises(BadValue, match="whose rig shows its right arm"):
        effector_joint(arm, "RightHand")
    with pytest.raises(BadValue, match="effector: expected one of Pelvis, .*, got 'Tail'"):
        effector_joint(arm, "Tail")
    short = limbs(["root", "LeftHand", "RightHand"], [-1, 0, 0], np.eye(3))
    assert effector_joint(short, "LeftHand") == 1
    with pytest.raises(BadValue, match="whose rig shows its left arm"):
        effector_joint(short, "LeftShoulder")


def test_anchors_are_where_joints_of_a_prop_rest_in_its_first_joint():
    turned = [[np.sqrt(0.5), 0, 0, np.sqrt(0.5)], [1, 0, 0, 0], [1, 0, 0, 0]]
    rig = replace(
        rig_of([-1, 0, 1], []),
        names=("pot", "arm", "spout"),
        file_names=("pot", "", "Spout"),
        offset=np.array([[5, 6, 7], [1, 0, 0], [0, 2, 0]], float),
        rest=np.array(turned),
    )
    pot = Prop("pot", rig)
    for name in ("spout", "Spout"):
        assert marked_anchor(pot, name) == pytest.approx([1, 2, 0])
    assert marked_anchor(pot, "pot") == pytest.approx([0, 0, 0])
    assert marked_anchor(pot, "lid") is None
