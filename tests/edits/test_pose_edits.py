"""Whole poses keyed at one time: pasted, mirrored, reset, blended between keys."""

import numpy as np
import pytest

import arcwright
from arcwright.edits.poses import break_down, mirror_pose, paste_pose, pose_values, reset_pose
from arcwright.errors import BadValue
from arcwright.kinematics.forward import forward
from arcwright.kinematics.mirror import mirror_of
from arcwright.kinematics.sample import values_at
from key_scenes import BOUNCE, curve_of, scene_with, turning
from random_scenes import assert_exact

WALK = arcwright.read("biped:walk")
RIG = WALK.characters[0].rig
RATE = WALK.characters[0].takes[0].rate


def values(scene, time):
    return values_at(scene.characters[0].takes[0], np.array([time]))[0]


def joints(*names):
    return [RIG.names.index(name) for name in names]


def test_a_pose_is_copied_to_another_frame_and_nothing_changes_beyond_the_keys_beside_it():
    copied = pose_values(WALK, "biped", "walk", 6 / RATE)
    edit = paste_pose(WALK, "biped", "walk", 15 / RATE, copied)
    after = assert_exact(WALK, edit)
    assert edit.label == "Paste pose at frame 15"
    moved = [c for c, curve in enumerate(WALK.characters[0].takes[0].base.curves) if curve]
    assert np.abs(values(after, 15 / RATE) - values(WALK, 6 / RATE))[moved].max() < 1e-9
    for time in (0, 3 / RATE, 12 / RATE):
        assert np.allclose(values(after, time), values(WALK, time), atol=1e-12)


def test_only_the_named_joints_are_keyed_and_a_weight_blends():
    (head,) = joints("Head")
    copied = {name: value + 0.4 for name, value in pose_values(WALK, "", "", 0.1).items()}
    edit = paste_pose(WALK, "", "", 0.1, copied, joints=[head], weight=0.25)
    after = assert_exact(WALK, edit)
    away = values(after, 0.1) - values(WALK, 0.1)
    own = (RIG.channels.joint == head) & (np.abs(away) > 1e-9)
    assert own.sum() == 3
    assert np.allclose(away[own], 0.1)
    assert np.abs(away[~own]).max() < 1e-12


def test_angles_blend_along_the_shorter_arc():
    own = np.flatnonzero(RIG.channels.joint == joints("Head")[0])
    copied = pose_values(WALK, "", "", 0.1)
    turned = {RIG.channel_names[c]: copied[RIG.channel_names[c]] + 2 * np.pi - 0.2 for c in own}
    after = paste_pose(WALK, "", "", 0.1, turned, weight=0.5).apply(WALK)
    away = (values(after, 0.1) - values(WALK, 0.1))[own]
    assert np.allclose(away[np.abs(away) > 1e-9], -0.1)


def test_a_left_arm_pasted_mirrored_poses_the_right_one():
    arm = joints("LeftUpperArm", "LeftLowerArm", "LeftHand")
    time = 5 / RATE
    copied = pose_values(WALK, "", "", time)
    after = assert_exact(WALK, paste_pose(WALK, "", "", time, copied, joints=arm, mirrored=True))
    other = mirror_of(RIG).counterpart[arm]
    before, now = (forward(RIG, values(each, time)[None])[0, :, :3, 3] for each in (WALK, after))
    chest = RIG.names.index("Chest")
    lengths = [
        np.linalg.norm(now[other[-1]] - now[chest]),
        np.linalg.norm(before[arm[-1]] - before[chest]),
    ]
    assert lengths[0] == pytest.approx(lengths[1], abs=1e-6)
    assert np.abs(now[arm] - before[arm]).max() < 1e-9  # the left one stays


@pytest.mark.parametrize("name", ["biped:walk", "spider:walk"])
def test_a_pose_mirrored_twice_is_the_pose(name):
    scene = arcwright.read(name)
    take, rig = scene.characters[0].takes[0], scene.characters[0].rig
    time = 5 / take.rate
    once = assert_exact(scene, mirror_pose(scene, "", "", time))
    twice = mirror_pose(once, "", "", time).apply(once)
    place = [forward(rig, values(each, time)[None])[0, :, :3, 3] for each in (scene, once, twice)]
    assert np.abs(place[1] - place[0]).max() > 0.02
    assert np.abs(place[2] - place[0]).max() < 0.01  # the heading is averaged from what was edited


def test_a_reset_joint_is_at_rest_and_the_body_stays_where_it_is():
    after = assert_exact(WALK, reset_pose(WALK, "", "", 0.25, joints=joints("LeftUpperArm")))
    own = RIG.channels.joint == joints("LeftUpperArm")[0]
    assert np.allclose(values(after, 0.25)[own], RIG.channels.default[own])
    whole = reset_pose(WALK, "", "", 0.25).apply(WALK)
    hips = RIG.channels.joint == joints("Hips")[0]
    assert np.allclose(values(whole, 0.25)[hips], values(WALK, 0.25)[hips])


@pytest.mark.parametrize("share", [-0.25, 0.0, 0.3, 1.0, 1.2])
def test_a_tween_lies_between_the_keys_beside_it(share):
    scene = scene_with(BOUNCE)
    edit = break_down(scene, "", "", 0.75, share)
    after = curve_of(assert_exact(scene, edit))
    assert edit.label == f"Tween {100 * share:.0f} % at frame 18"
    assert after.value[np.abs(after.time - 0.75).argmin()] == pytest.approx(1 - share)
    again = break_down(edit.apply(scene), "", "", 0.75, share).apply(edit.apply(scene))
    assert np.allclose(curve_of(again).value, after.value)  # its own key is no neighbour


def test_quaternions_stay_of_unit_length_in_a_tween():
    scene = turning()
    after = break_down(scene, "", "", 0.6, 0.5).apply(scene)
    assert np.linalg.norm(values(after, 0.6)) == pytest.approx(1)


def test_what_cannot_be_posed_is_refused_in_words():
    with pytest.raises(BadValue, match="between two keys"):
        break_down(scene_with(BOUNCE), "", "", 0.0, 0.5)
    with pytest.raises(BadValue, match="joint"):
        reset_pose(WALK, "", "", 0.0, joints=[999])
    with pytest.raises(BadValue, match="share"):
        break_down(WALK, "", "", 0.1, 4.0)
