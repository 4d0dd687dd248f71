"""Joint roles: by structure and names, over many naming schemes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import arcwright
from arcwright.errors import MissingJoints
from arcwright.kinematics.joint_roles import body_of, corresponding_joints, joint_roles
from arcwright.scene.scene import Actor
from data import DATA, needs_data

LIMBS = ("upper_arm", "lower_arm", "hand", "upper_leg", "lower_leg", "foot")


def actor(name: str) -> Actor:
    found: Actor = arcwright.read(DATA / name if "/" in name else name).characters[0]
    return found


@pytest.mark.parametrize(
    ("name", "spine", "arm", "leg"),
    [
        ("biped", 3, ("LeftUpperArm", "LeftLowerArm", "LeftHand"), "LeftUpperLeg LeftLowerLeg"),
        ("dinosaur", 2, ("LeftUpperArm", "LeftLowerArm", "LeftHand"), "LeftUpperLeg LeftLowerLeg"),
        (
            "dragon",
            2,
            ("LeftWingArm", "LeftWingForearm", "LeftWingHand"),
            "LeftUpperLeg LeftLowerLeg",
        ),
        ("robot", 0, ("LeftUpperArm", "LeftLowerArm", "LeftHand"), ""),
    ],
)
def test_built_in_characters_have_their_roles(
    name: str, spine: int, arm: tuple[str, ...], leg: str
) -> None:
    roles = joint_roles(body_of(actor(name)))
    assert len(roles.get("spine", ())) == spine
    assert tuple(roles[f"left_{part}"][0] for part in LIMBS[:3]) == arm
    upper = [roles[f"left_{part}"][0] for part in ("upper_leg", "lower_leg") if leg]
    assert " ".join(upper) == leg


@needs_data
@pytest.mark.parametrize(
    ("name", "joints"),
    [
        ("bvh/cmu/02_01_walk.bvh", "LeftArm LeftForeArm LeftHand LeftUpLeg LeftLeg LeftFoot"),
        ("bvh/other-skeletons/pirouette.bvh", "lShldr lForeArm lHand lThigh lShin lFoot"),
        (
            "bvh/other-skeletons/cmu_jumping_jacks_30fps.bvh",
            "LeftShoulder LeftElbow LeftWrist LeftHip LeftKnee LeftAnkle",
        ),
        (
            "bvh/other-skeletons/rokoko_jesse_dance.bvh",
            "LeftArm LeftForeArm LeftHand LeftUpLeg LeftLeg LeftFoot",
        ),
        (
            "gltf/kaykit/Knight.glb",
            "upperarm.l lowerarm.l wrist.l upperleg.l lowerleg.l foot.l",
        ),
        (
            "gltf/RobotExpressive.glb",
            "UpperArm.L LowerArm.L Palm2.L UpperLeg.L LowerLeg.L Foot.L",
        ),
        (
            "gltf/RiggedFigure.glb",
            "arm_joint_L_1 arm_joint_L_2 arm_joint_L_3 leg_joint_L_1 leg_joint_L_2 leg_joint_L_3",
        ),
        (
            "gltf/CesiumMan.glb",
            "Skeleton_arm_joint_L__4_ Skeleton_arm_joint_L__3_ Skeleton_arm_joint_L__2_"
            " leg_joint_L_1 leg_joint_L_2 leg_joint_L_3",
        ),
    ],
)
def test_limbs_are_found_in_any_naming(name: str, joints: str) -> None:
    roles = joint_roles(body_of(actor(name)))
    assert [roles[f"left_{part}"][0] for part in LIMBS] == joints.split()
    left, right = (
        {role.partition("_")[2] for role in roles if role.startswith(side)}
        for side in ("left", "right")
    )
    assert left == right
    assert {"hips", "spine", "head"} <= set(roles)


def test_names_decide_little_where_the_structure_tells() -> None:
    biped = actor("biped")
    rig = biped.rig
    plain = [
        name if "Hand" in name or "Head" in name else f"bone_{j}"
        for j, name in enumerate(rig.names)
    ]
    bare = replace(biped, rig=replace(rig, names=tuple(plain), file_names=()))
    named, found = (joint_roles(body_of(each)) for each in (biped, bare))
    for role in ("hips", "spine", "neck", *(f"left_{part}" for part in LIMBS)):
        assert [plain[rig.joint(name)] for name in named[role]] == list(found[role])


def test_fingers_correspond_by_name_where_both_have_them() -> None:
    found = corresponding_joints(actor("biped"), actor("biped"))
    chain = ("LeftIndexProximal", "LeftIndexIntermediate", "LeftIndexDistal")
    assert found.chains["left_index"] == (chain, chain)
    assert "left_index" not in corresponding_joints(actor("biped"), actor("robot")).chains


def test_joints_without_a_role_correspond_by_their_name() -> None:
    found = corresponding_joints(actor("dinosaur"), actor("dragon"))
    assert found.others["Tail3"] == "Tail3"
    assert "Hips" not in found.others


@pytest.mark.parametrize("name", ["lamp", "spider", "car"])
def test_a_rig_without_arms_and_legs_is_refused_with_what_it_lacks(name: str) -> None:
    with pytest.raises(MissingJoints) as caught:
        corresponding_joints(actor("biped"), actor(name))
    lacking = next(roles for who, roles in caught.value.missing.items() if who != "biped")
    assert {"left_upper_arm", "right_foot"} <= set(lacking)
    assert name in str(caught.value)


def test_roles_that_are_asked_for_must_be_there() -> None:
    biped, robot = actor("biped"), actor("robot")
    assert "left_foot" in corresponding_joints(biped, robot).missing[robot.name]
    with pytest.raises(MissingJoints):
        corresponding_joints(biped, robot, require=("left_foot",))


def test_sides_follow_from_places_where_no_name_shows_them() -> None:
    biped = actor("biped")
    swapped = {"Left": "Sinister", "Right": "Dexter"}
    names = tuple(
        next((name.replace(a, b) for a, b in swapped.items() if name.startswith(a)), name)
        for name in biped.rig.names
    )
    found = joint_roles(body_of(replace(biped, rig=replace(biped.rig, names=names, file_names=()))))
    assert found["left_hand"] == ("SinisterHand",)
    assert np.all([found[f"right_{part}"][0].startswith("Dexter") for part in LIMBS])
