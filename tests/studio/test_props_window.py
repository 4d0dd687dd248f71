"""Props in the browser: dragged with the hands that hold them, or with who sits on them."""

import numpy as np
import pytest

from arcwright.arrays import same
from arcwright.kinematics.trail import trail
from arcwright.open import read
from arcwright.scene.point import Point
from places import done, saved, select, somewhere_on, still, undo


def on_box(scene, palm, times):
    """(T, 3) where a point of a hand is in the frame of the box."""
    box, carrier = scene.props[0].takes[0], scene.characters[0].takes[0]
    middle = trail(box, Point("Box"), times).position
    ends = [trail(box, Point("Box", axis), times).position - middle for axis in np.eye(3)]
    away = trail(carrier, palm, times).position - middle
    return (np.stack(ends, axis=1) @ away[..., None])[..., 0]


def path_at(scene, joint, time=28 / 24):
    return trail(scene.characters[0].takes[0], Point(joint), [time]).position[0]


def test_a_box_is_dragged_and_the_hands_that_hold_it_follow(studio_of, window_of):
    studio = studio_of("biped:carry")
    window = window_of(studio)
    still(window, 40)
    window.keyboard.press("3")
    select(window)
    before = read("biped:carry")
    start = somewhere_on(window, "Box")
    held = window.ask("pick(...given)", *start)["world"]
    end = [start[0] - 24, start[1] - 30]
    window.drag(start, end, settle=300)
    done(window, 1)
    after = saved(window, studio, "carry.arc.glb")
    assert [len(actor.takes[0].layers) for actor in (after.props[0], after.characters[0])] == [1, 1]
    touched = window.ask("pick(...given)", *end)
    assert touched["point"]["character"] == "Box"
    assert np.linalg.norm(np.subtract(touched["world"], held)) > 0.05
    times = np.arange(10, 55) / 24  # while it is carried
    hands = []
    for palm in (each.point for each in before.contacts if each.relative_to is not None):
        was, now = (on_box(scene, palm, times) for scene in (before, after))
        assert np.abs(now - was).max() < 0.005
        hands.append(trail(after.characters[0].takes[0], palm, times).position)
    assert np.ptp(np.linalg.norm(hands[0] - hands[1], axis=1)) < 0.005
    undo(window, 0)
    undone = saved(window, studio, "undone.arc.glb")
    assert same(undone.props[0].takes, before.props[0].takes)
    assert same(undone.characters[0].takes, before.characters[0].takes)


@pytest.mark.slow
def test_a_chair_without_a_take_stays_on_the_ground_and_undo_restores_it(studio_of, window_of):
    studio = studio_of("biped:sit")
    window = window_of(studio)
    still(window, 28)
    window.keyboard.press("3")
    select(window)
    before = read("biped:sit")
    start = somewhere_on(window, "Chair")
    held = window.ask("pick(...given)", *start)["point"]
    end = [start[0] - 40, start[1] + 8]
    place = np.array(window.ask("pick(...given)", *start)["world"])
    window.drag(start, end, settle=300)
    done(window, 1)
    moved = np.array(window.ask("worldOf(given[0])", held))
    assert abs(moved[1] - place[1]) < 1e-3
    assert np.linalg.norm(moved - place) > 0.1
    after = saved(window, studio, "chair.arc.glb")
    hips, seat = (path_at(scene, "Hips") for scene in (before, after))
    assert np.linalg.norm(seat - hips - (moved - place)) < 0.02  # it sits where the chair is
    undo(window, 0)
    assert window.ask("pick(...given)", *start)["point"]["character"] == "Chair"
    assert same(saved(window, studio, "undone.arc.glb").props[0].takes, before.props[0].takes)
