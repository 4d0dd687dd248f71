"""Objects that two hands hold, and that one hand gives to the other."""

from dataclasses import replace

import numpy as np
import pytest

import arcwright
from arcwright.scene.activity import Activity, ActivityEvent, ActivityObject, Effector, Pair
from arcwright.scene.point import Point
from arcwright.scene.target import Target
from arcwright.tools.activity.options import ActivityOptions
from arcwright.tools.activity.prepared import PreparedActivity
from arcwright.tools.activity.session import ActivitySession
from arcwright.tools.gesture import Drag, ToolHandle

LIFT, GIVE, CARRY, SET = 12, 24, 36, 50  # frames
LEFT, RIGHT = Pair("left", "box"), Pair("right", "box")
BY = np.array([0.06, 0.05, 0.04])  # m


def scene_of(*pairs):
    """A box that is carried, with these pairs at its four events."""
    scene = arcwright.read("biped:carry")
    events = tuple(
        ActivityEvent(frame / 24, name, movable=("box",), pairs=own)
        for frame, name, own in zip(
            (LIFT, GIVE, CARRY, SET), ("lift", "give", "carry", "set"), pairs, strict=True
        )
    )
    hands = tuple(
        Effector(name.lower(), Point(f"{name}Hand", character="biped"))
        for name in ("Left", "Right")
    )
    made = Activity("carry", "biped", "carry", (ActivityObject("box", "Box"),), hands, events)
    return replace(scene, activities=(made,))


def tracks(scene):
    return PreparedActivity(scene, Target(), 0.0).tracks


def moved(scene, frame, by=BY, **options):
    """The scene after the box is moved at an event, and the session's notes."""
    session = ActivitySession(scene, Target(), ActivityOptions(**options))
    goal = tracks(scene)["box"].position[frame] + by
    session.update(Drag(ToolHandle(f"box at frame {frame}"), frame / 24, goal))
    return session.finish().apply(scene), session.notes()


def apart(scene, hand, frames):
    """(T, 3) of a hand in the frame of the box, which keeps its orientation here."""
    found = tracks(scene)
    return (found[hand].position - found["box"].position)[frames]


def off(before, after, hand, first, last):
    here = slice(first, last + 1)
    away = apart(after, hand, here) - apart(before, hand, here)
    return np.linalg.norm(away, axis=1).max()


@pytest.mark.parametrize("result", ["layer", "keys", "samples"])
def test_both_hands_stay_on_a_box_that_is_moved(result):
    before = scene_of(*[(LEFT, RIGHT)] * 4)
    after, notes = moved(before, CARRY, result=result)
    place = tracks(after)["box"].position[CARRY] - tracks(before)["box"].position[CARRY]
    np.testing.assert_allclose(place, BY, atol=1e-3)
    most = 0.008 if result == "keys" else 0.002  # keys are fitted within 5 mm
    for hand in ("left", "right"):
        assert off(before, after, hand, LIFT, SET) < most
    assert not notes


def test_both_hands_follow_a_box_that_is_rotated():
    before = scene_of(*[(LEFT, RIGHT)] * 4)
    session = ActivitySession(before, Target(), ActivityOptions())
    turned = np.array([np.cos(0.15), 0.0, np.sin(0.15), 0.0])  # 17 degrees about the vertical
    session.update(Drag(ToolHandle(f"box at frame {CARRY}"), CARRY / 24, orientation=turned))
    after = session.finish().apply(before)
    spans = [
        np.linalg.norm(tracks(each)["left"].position - tracks(each)["right"].position, axis=1)
        for each in (before, after)
    ]
    assert np.abs(spans[1] - spans[0])[LIFT : SET + 1].max() < 0.002
    away = tracks(after)["left"].position[CARRY] - tracks(before)["left"].position[CARRY]
    assert np.linalg.norm(away) > 0.03
    assert max(each.away for each in session.residuals(after)) < 0.002


def given():
    """The right hand lifts the box, the left one takes it over at `give`."""
    return scene_of((RIGHT,), (RIGHT, LEFT), (LEFT,), (LEFT,))


def test_a_box_moved_where_it_is_handed_over_takes_both_hands_along():
    before = given()
    after, notes = moved(before, GIVE)
    assert off(before, after, "right", LIFT, GIVE) < 0.002
    assert off(before, after, "left", GIVE, SET) < 0.002
    assert not notes


def test_a_box_moved_after_it_was_handed_over_leaves_the_first_hand_alone():
    before = given()
    after, _ = moved(before, CARRY)
    assert off(before, after, "left", GIVE, SET) < 0.002
    right = tracks(after)["right"].position - tracks(before)["right"].position
    assert np.linalg.norm(right[CARRY]) < 0.002  # it holds nothing there any more
    assert off(before, after, "left", CARRY, CARRY) < 0.002


def test_a_hand_that_cannot_follow_is_noted():
    before = scene_of(*[(LEFT, RIGHT)] * 4)
    _, notes = moved(before, CARRY, by=np.array([1.5, 0.0, 0.0]), out_of_reach="try")
    assert any("out of reach" in note.text for note in notes)
