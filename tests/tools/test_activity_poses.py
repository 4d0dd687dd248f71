"""Poses of edited activities: targets are hit, and limbs move without jerks."""

import numpy as np
import pytest

import arcwright
from arcwright.kinematics.forward import forward
from arcwright.kinematics.skinning import deform
from arcwright.scene.target import Target
from arcwright.tools.activity.obstacles import box_of
from arcwright.tools.activity.options import ActivityOptions
from arcwright.tools.activity.tool import ActivityTool
from arcwright.tools.gesture import Drag, ToolHandle


@pytest.fixture(scope="module")
def tea():
    return arcwright.read("biped:tea")


def dragged(scene, element, event, by):
    """The session and the scene after one drag."""
    session = ActivityTool().begin(scene, Target(), ActivityOptions())
    names = [each.name for each in scene.activities[0].events]
    at = names.index(event)
    place, _ = session.original_place(at, element)
    session.update(
        Drag(ToolHandle(session.handle(at, element)), session.event_time(at), place + by)
    )
    return session, session.finish().apply(scene), session.event_time(at)


def moved(before, after, point, times):
    """(T, 3) m, by which a joint or point is elsewhere than before."""
    takes = [each.characters[0].takes[0] for each in (before, after)]
    places = [arcwright.trail(take, point, times).position for take in takes]
    return places[1] - places[0]


def test_a_hand_turns_in_its_grip_where_it_would_miss_otherwise(tea):
    by = np.array([0.23, 0.19, -0.9])  # behind the body, with a wrist that cannot turn so far
    _, after, time = dragged(tea, "pot", "pour", by)
    hand = next(each for each in tea.activities[0].effectors if each.name == "right hand")
    np.testing.assert_allclose(moved(tea, after, hand.point, [time])[0], by, atol=1e-3)


def test_elbows_do_not_change_sides_from_one_frame_to_the_next(tea):
    _, after, _ = dragged(tea, "pot", "pour end", np.array([-0.24, -0.13, -0.55]))
    times = tea.characters[0].takes[0].frame_times()
    steps = np.diff(moved(tea, after, "RightLowerArm", times), axis=0)
    assert np.linalg.norm(steps, axis=1).max() < 0.09  # m; 0.2 where it does


def test_frames_far_from_an_edit_stay_as_they_are(tea):
    _, after, _ = dragged(tea, "left hand", "leave", np.array([0.05, 0.05, 0.0]))
    assert np.abs(moved(tea, after, "RightHand", np.arange(0, 1.2, 0.1))).max() < 1e-6


@pytest.mark.parametrize("name", ["Pot", "Cup", "Table"])
def test_the_box_of_a_prop_is_around_its_mesh_where_it_stands(tea, name):
    prop = next(each for each in tea.props if each.name == name)
    centre, half = box_of(prop, np.ones(3))
    rest = prop.rig.channels.default
    world = forward(prop.rig, rest[None])[0]
    vertices = np.concatenate([each.positions for each in deform(prop, rest, world)])
    place = world[0, :3, :3] @ centre + world[0, :3, 3]
    np.testing.assert_allclose(place, (vertices.min(axis=0) + vertices.max(axis=0)) / 2, atol=1e-3)
    assert np.all(half < 0.8)
