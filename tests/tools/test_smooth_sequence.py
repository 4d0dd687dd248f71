"""Poses of paths that leave the reach of a body: smooth, and exact where the path is in reach."""

import numpy as np
import pytest

import arcwright
from arcwright.kinematics.forward import forward
from arcwright.kinematics.trail import trail
from arcwright.objectives.edited_clip import find_clip
from arcwright.objectives.pose_sequence import PointPath, PoseSequence
from arcwright.objectives.smooth_sequence import largest_jump, smoothed, solve_smoothly
from arcwright.scene.point import Point
from arcwright.scene.target import Target

FRAMES = 40


def circle(name, joint, radius, axes=(0, 1), middle=(0.0, 0.0, 0.0)):
    """A sequence of a standing character, and a circle of a joint around where it is."""
    scene = arcwright.read(name)
    own = scene.characters[0].name
    point = Point(joint, character=own)
    edited = find_clip(scene, Target(own, "", point))
    times = np.arange(FRAMES) * edited.take.duration / FRAMES
    angle = 2 * np.pi * np.arange(FRAMES) / FRAMES
    place = trail(edited.take, point, times).position + np.array(middle)
    place[:, axes[0]] += radius * np.cos(angle)
    place[:, axes[1]] += radius * np.sin(angle)
    return PoseSequence(scene, edited, times, [point]), PointPath(point, place)


def bends(sequence, values):
    """(T,) m, the largest change of a joint's step from one frame to the next."""
    places = forward(sequence.rig, values)[..., :3, 3]
    change = np.roll(places, -1, axis=0) - 2 * places + np.roll(places, 1, axis=0)
    return np.linalg.norm(change, axis=-1).max(axis=1)


@pytest.mark.parametrize(
    ("name", "joint", "radius", "axes"),
    [("dragon:stand", "Head", 0.4, (1, 2)), ("biped:stand", "Hips", 0.2, (0, 1))],
)
def test_poses_are_smooth_where_the_path_leaves_the_reach(name, joint, radius, axes):
    sequence, path = circle(name, joint, radius, axes)
    alone = sequence.solve([path])
    solved = solve_smoothly(sequence, path, FRAMES, closed=True)
    missed = alone.remaining[:, 0] > 1e-4
    assert 10 < missed.sum() < 30
    assert bends(sequence, solved.values).max() < 0.4 * bends(sequence, alone.values).max()
    near = np.any([np.roll(missed, by) for by in range(-3, 4)], axis=0)
    assert (solved.remaining[~near] <= 1e-4).all()  # what is in reach is exact
    more = solved.remaining.max() - alone.remaining.max()
    assert 0 < more < 0.03 * sequence.size


def test_a_path_in_reach_without_a_jump_is_solved_as_ever():
    sequence, path = circle("biped:stand", "RightHand", 0.1, (0, 1), (0.1, 0.2, 0.1))
    solved = solve_smoothly(sequence, path, FRAMES, closed=True)
    assert np.array_equal(solved.values, sequence.solve([path]).values)
    assert solved.remaining.max() <= 1e-4


def test_limbs_that_bend_suddenly_are_smoothed_and_stay_on_the_path():
    sequence, path = circle("dinosaur:stand", "LeftHand", 0.3, (0, 1), (0.0, 0.1, 0.1))
    alone = sequence.solve([path])
    assert largest_jump(sequence, alone.values, closed=True) > 3
    solved = solve_smoothly(sequence, path, FRAMES, closed=True)
    assert solved.remaining.max() <= 1e-4
    assert largest_jump(sequence, solved.values, closed=True) < 2
    assert bends(sequence, solved.values).max() < 0.2 * bends(sequence, alone.values).max()


def bend(values):
    return np.abs(np.diff(values, 2, axis=0)).max()


@pytest.mark.parametrize("closed", [True, False])
def test_smoothing_keeps_open_ends_and_does_not_depend_on_where_a_loop_starts(closed):
    random = np.random.default_rng(3)
    values = random.normal(size=(20, 2)) + [5.0, 0.0]
    found = smoothed(values, 2.0, closed)
    assert bend(found) < 0.2 * bend(values)
    assert smoothed(np.full((20, 1), 3.0), 2.0, closed) == pytest.approx(3.0)
    if not closed:
        assert found[[0, -1]] == pytest.approx(values[[0, -1]])
    else:
        assert np.roll(found, 7, axis=0) == pytest.approx(
            smoothed(np.roll(values, 7, axis=0), 2.0, closed)
        )
