"""Edits of captured activities: sitting, and walking with something to pick up."""

import numpy as np

from arcwright.scene.target import Target
from arcwright.tools.activity.options import ActivityOptions
from arcwright.tools.activity.prepared import PreparedActivity
from arcwright.tools.activity.tool import ActivityTool
from arcwright.tools.gesture import Drag, ToolHandle
from captured_activities import captured_pick_up, captured_sit
from data import needs_data

pytestmark = needs_data


def edited(scene, element, event, by):
    """Tracks before and after one drag, the frame of the event, and what is held when."""
    session = ActivityTool().begin(scene, Target(), ActivityOptions())
    at = [each.name for each in scene.activities[0].events].index(event)
    place, _ = session.original_place(at, element)
    handle = ToolHandle(session.handle(at, element))
    session.update(Drag(handle, session.event_time(at), place + np.array(by)))
    before = PreparedActivity(scene, Target(), 0.0)
    after = PreparedActivity(session.finish().apply(scene), Target(), 0.0)
    return before, after, before.frames[at]


def test_hands_follow_a_pelvis_that_sits_lower():
    by = np.array([0.0, -0.12, 0.03])
    before, after, frame = edited(captured_sit(), "pelvis", "hands on knees", by)
    for name in ("pelvis", "left hand", "right hand"):
        moved = after.tracks[name].position - before.tracks[name].position
        np.testing.assert_allclose(moved[frame], by, atol=1e-3)
    for hold in before.holds:
        own, leader = hold.pair.constrained, hold.pair.constraining
        apart = [
            (each.tracks[own].position - each.tracks[leader].position)[hold.frames]
            for each in (before, after)
        ]
        assert np.linalg.norm(apart[1] - apart[0], axis=1).max() < 2e-3


def test_a_box_that_is_picked_up_on_a_walk_is_set_down_higher():
    by = np.array([0.2, 0.3, 0.1])
    before, after, frame = edited(captured_pick_up(), "box", "set down", by)
    for name in ("box", "right hand"):
        moved = after.tracks[name].position - before.tracks[name].position
        np.testing.assert_allclose(moved[frame], by, atol=1e-3)
        assert np.abs(moved[: before.frames[1]]).max() < 1e-3  # until it is picked up
    rise = (after.tracks["pelvis"].position - before.tracks["pelvis"].position)[:, 1]
    assert rise[frame] > 0.2  # a squat becomes a bow
    own = [before.frames[at] for at in before.knots["pelvis"].events if at >= 0]
    assert np.abs(rise[own]).max() < 1e-3
