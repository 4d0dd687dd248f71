"""An avatar takes its pose and its colours from a photo."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import arcwright
from arcwright.errors import BadValue, UnknownName
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.tools.shared.avatar.avatar import avatar_from_photo
from arcwright.tools.shared.avatar.clothing import dominant_colour
from arcwright.tools.shared.avatar.photo_pose import NAME, photo_pose

SCENE = arcwright.read("biped")
ACTOR = SCENE.characters[0]
LIMBS = ("UpperArm", "LowerArm", "Hand", "UpperLeg", "LowerLeg", "Foot")
JOINTS = ("Hips", "UpperChest", "Head", *(side + x for side in ("Left", "Right") for x in LIMBS))
INDEX = [ACTOR.rig.joint(name) for name in JOINTS]


def places(values):
    return forward(ACTOR.rig, values[None])[0, INDEX, :3, 3]


def photographed(take, share, scale=400.0):
    """Marks on a photo of a pose, and where its joints are."""
    own = ACTOR.take(take)
    at = places(values_at(own, np.array([share * own.duration]))[0])
    flat = np.array([300.0, 800.0]) + scale * at[:, :2] * [1, -1]
    return {name: tuple(place) for name, place in zip(JOINTS, flat.tolist(), strict=True)}, at


@pytest.mark.parametrize("take", ["stand", "walk", "jump", "sit", "carry", "crouch", "kick"])
def test_a_posed_avatar_covers_the_marks_of_the_photo(take):
    marks, at = photographed(take, 0.3)
    found = places(photo_pose(ACTOR, marks))
    away = (found - found[0])[:, :2] - (at - at[0])[:, :2]
    assert np.linalg.norm(away, axis=1).max() < 0.01


@pytest.mark.slow
@given(scale=st.floats(20.0, 5000.0), x=st.floats(-1e4, 1e4))
def test_size_and_place_of_the_photo_do_not_matter(scale, x):
    marks, _ = photographed("carry", 0.3)
    larger = {name: (x + scale * a, scale * b) for name, (a, b) in marks.items()}
    one, two = (places(photo_pose(ACTOR, each)) for each in (marks, larger))
    assert np.abs((one - one[0]) - (two - two[0])).max() < 5e-3


@pytest.mark.parametrize("take", ["stand", "sit", "crouch"])
def test_the_lowest_joint_of_a_photo_is_as_high_as_that_at_rest(take):
    marks, _ = photographed(take, 0.3)
    resting = places(ACTOR.rig.channels.default)
    assert places(photo_pose(ACTOR, marks))[:, 1].min() == pytest.approx(
        resting[:, 1].min(), abs=0.01
    )


def test_a_flipped_joint_goes_to_the_other_side():
    marks, _ = photographed("stand", 0.0)
    shoulder, elbow = np.array(marks["LeftUpperArm"]), np.array(marks["LeftLowerArm"])
    marks["LeftLowerArm"] = tuple(shoulder + 0.4 * (elbow - shoulder))
    marks["LeftHand"] = tuple(shoulder + 0.9 * (elbow - shoulder))
    arm = JOINTS.index("LeftUpperArm"), JOINTS.index("LeftLowerArm")
    depths = []
    for flipped in ((), ("LeftLowerArm",)):
        found = places(photo_pose(ACTOR, marks, flipped))
        depths.append(found[arm[1], 2] - found[arm[0], 2])
    assert depths[0] > 0.05 > -0.05 > depths[1]


def test_bad_marks_are_refused():
    marks, _ = photographed("stand", 0.0)
    with pytest.raises(UnknownName):
        photo_pose(ACTOR, {**marks, "Tail": (0, 0)})
    with pytest.raises(BadValue, match="at least 3"):
        photo_pose(ACTOR, {"Hips": (0, 0)})
    with pytest.raises(BadValue, match="pixels"):
        photo_pose(ACTOR, {**marks, "Head": (0, float("nan"))})
    with pytest.raises(BadValue, match="apart"):
        photo_pose(ACTOR, dict.fromkeys(JOINTS, (5.0, 5.0)))


@given(st.integers(0, 2**32 - 1))
def test_the_dominant_colour_is_not_mixed_with_others(seed):
    random = np.random.default_rng(seed)
    shirt, wall = random.uniform(0.1, 0.4, 3), random.uniform(0.7, 0.95, 3)
    pixels = np.concatenate([np.tile(shirt, (60, 1)), np.tile(wall, (40, 1))])
    pixels = np.clip(pixels + random.normal(0, 0.02, pixels.shape), 0, 1)
    assert np.abs(dominant_colour(random.permutation(pixels)) - shirt).max() < 0.05


def test_an_avatar_is_one_undo_step():
    marks, _ = photographed("carry", 0.3)
    edit = avatar_from_photo(SCENE, "biped", marks, {"top": np.tile([1.0, 0.0, 0.0], (9, 1))})
    after = edit.apply(SCENE).characters[0]
    assert after.takes[-1].name == NAME
    suit = next(m for m in after.look.gltf["materials"] if m["name"] == "suit")
    assert suit["pbrMetallicRoughness"]["baseColorFactor"] == [1.0, 0.0, 0.0, 1.0]
    assert edit.inverse().apply(edit.apply(SCENE)).characters[0].look.text == ACTOR.look.text


@pytest.mark.parametrize(
    "pixels", [np.zeros((0, 3)), np.zeros((4, 2)), np.full((4, 3), 2.0), np.full((4, 3), np.nan)]
)
def test_bad_pixels_are_refused(pixels):
    with pytest.raises(BadValue, match="pixels"):
        dominant_colour(pixels)


def test_an_unknown_garment_is_refused():
    with pytest.raises(BadValue, match="garment"):
        avatar_from_photo(SCENE, "biped", {}, {"shoes": np.zeros((3, 3))})
