from dataclasses import replace

import numpy as np
import pytest

from arcwright.picture.poses import facing, fan, poses_of, view_direction
from arcwright.picture.trails import Trail, around, chosen_points, tangled
from arcwright.scene.motion import Motion
from arcwright.scene.rig import Kind
from arcwright.scene.scene import Character
from arcwright.scene.take import Take
from builders import TRANSLATE, rig_of


def body(names=("Hips", "LeftLeg", "RightLeg", "LeftFoot", "RightFoot")):
    return replace(rig_of([-1, 0, 0, 1, 2], [(0, TRANSLATE)]), names=names)


def places(left, stride=0.0):
    """Legs to both sides of the hips, feet below them, one ahead of the other."""
    left = np.asarray(left, float)
    ahead = np.cross(left, (0, 1, 0))
    feet = [left * 0.2 + stride * ahead, -left * 0.2 - stride * ahead]
    return np.array([np.zeros(3), left * 0.2, -left * 0.2, *(f - (0, 1, 0) for f in feet)])[None]


@pytest.mark.parametrize("names", [None, ("root", "leg.L", "leg.R", "foot.L", "foot.R")])
def test_a_body_faces_where_its_hips_face_however_it_strides(names):
    rig = body() if names is None else body(names)
    assert np.allclose(facing(rig, places((1, 0, 0), stride=2.0)), (0, 0, 1))
    assert np.allclose(facing(rig, places((0, 0, -1))), (1, 0, 0))


def test_a_body_without_sides_faces_forward():
    assert np.allclose(facing(body(("a", "b", "c", "d", "e")), places((0, 0, 1))), (0, 0, 1))


def test_a_walk_is_seen_from_its_side_and_runs_to_the_right():
    world = np.zeros((5, 5, 4, 4))
    world[..., :3, 3] = places((1, 0, 0)) + np.arange(5)[:, None, None] * (0, 0, 2.0)
    looks = view_direction(body(), world)
    right = np.cross(looks, (0, 1, 0))
    assert right[2] > 0.8
    assert looks[2] < 0
    assert looks[1] < 0


def test_poses_run_from_the_first_frame_to_the_last():
    take = sliding(np.linspace(0, 1, 49))
    assert poses_of(character(take), take, None, None).frames.tolist() == [*range(0, 49, 8)]
    assert poses_of(character(take), take, 20, None).frames.tolist() == [0, 20, 40]


def test_the_requested_frame_is_among_the_poses():
    take = sliding(np.linspace(0, 1, 49))
    poses = poses_of(character(take), take, 20, 7)
    assert poses.frames.tolist() == [0, 7, 20, 40]
    assert poses.now == 1


def test_a_pose_apart_before_the_motion_is_left_out():
    take = sliding(np.append([5.0, 5.0], np.linspace(0, 1, 47)))
    assert poses_of(character(take), take, None, None).frames[0] == 2


def test_poses_are_moved_apart_only_where_they_would_hide_each_other():
    right = np.array([1.0, 0, 0])
    assert fan(np.arange(5)[:, None] * right, np.ones(5), right) == 0
    assert fan(np.zeros((5, 3)), np.ones(5), right) == pytest.approx(0.85)
    assert fan(np.zeros((1, 3)), np.ones(1), right) == 0


def test_the_ends_that_move_most_are_chosen_one_for_each_limb():
    rig = body()
    world = np.zeros((2, 5, 4, 4))
    world[..., :3, 3] = places((1, 0, 0))
    world[1, 3, :3, 3] += 1
    world[1, 1, :3, 3] += 0.5
    assert chosen_points(rig, world, ()) == [3]
    assert chosen_points(rig, world, ("RightFoot", "Hips")) == [4, 0]


def test_a_tangled_curve_is_shown_around_now_only():
    time = np.linspace(0, 10, 241)
    place = np.stack([np.cos(6 * time), np.sin(6 * time), 0 * time], axis=-1)
    trail = Trail("hand", time, place, np.arange(0, 241, 2), np.array([1.0, 5.0]))
    assert tangled(trail)
    short = around(trail, 5.0, 1.0)
    assert short.time[[0, -1]] == pytest.approx([4, 6])
    assert short.keys.tolist() == [5.0]
    assert np.array_equal(short.time[short.frames], time[::2][np.abs(time[::2] - 5) <= 1])
    assert not tangled(around(trail, 5.0, 0.2))


def sliding(along):
    rig = rig_of([-1, 0], [(0, [Kind.TRANSLATE_X])])
    return Take(rig, Motion("slide", np.arange(len(along)) / 24, np.asarray(along)[:, None]))


def character(take):
    return Character("box", take.rig, (take,))
