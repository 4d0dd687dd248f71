"""Spacetime edits in the browser: footplants are dragged, within a range, seen in every window."""

from functools import partial

import numpy as np
import pytest

from arcwright.arrays import same
from places import (
    done,
    drag_footplant,
    marker,
    path_of,
    pixels,
    point_ref,
    saved,
    select,
    settled,
    still,
    timeline,
    undo,
    world,
)


@pytest.mark.parametrize("walking", [{"picture": "marks"}], indirect=True, ids=["marks"])
def test_a_footplant_is_dragged_over_the_ground_and_the_other_one_stays(walking):
    studio, window, before = walking
    sign, start = marker(window, "LeftToes")
    assert window.state["frame"] == 44
    assert sign["frame"] == 24  # the last one at which the left toes stand
    seen = window.ask("pick(...given)", *start)
    assert (seen["kind"], seen["pointConstraint"]["point"]["joint"]) == ("marker", "LeftToes")
    end = [start[0] + 40, start[1] + 10]
    window.drag(start, end, settle=300)
    done(window, 1)
    assert window.state["frame"] == 24  # where the edit is seen
    sign, there = marker(window, "LeftToes")
    assert np.hypot(*np.subtract(there, end)) < 3  # px
    green = pixels(window, *there, 15).astype(int)
    assert (green[..., 1] - green[..., 0] > 25).sum() > 12
    after = saved(window, studio, "moved.arc.glb")
    assert [layer.name for layer in after.characters[0].takes[0].layers] == ["LeftToes at frame 24"]
    was, now = (path_of(scene, "LeftToes", 6, 24) for scene in (before, after))
    shift = now.mean(axis=0) - was.mean(axis=0)
    assert np.hypot(shift[0], shift[2]) > 0.05
    assert abs(shift[1]) < 0.005
    assert np.ptp(now, axis=0).max() < np.ptp(was, axis=0).max() + 0.005
    other = path_of(after, "RightToes", 30, 48) - path_of(before, "RightToes", 30, 48)
    assert np.abs(other).max() < 0.01
    undo(window, 0)
    assert same(saved(window, studio, "undone.arc.glb").characters, before.characters)


def test_a_planted_foot_is_dragged_with_its_footplant_and_stays_on_the_ground(walking):
    studio, window, before = walking
    still(window, 40)
    select(window)
    foot = window.ask("screenOf(given[0])", point_ref("RightFoot"))
    assert window.ask("pick(...given)", *foot)["kind"] == "body"
    window.drag(foot, [foot[0] + 36, foot[1] + 8], settle=300)
    done(window, 1)
    after = saved(window, studio, "foot.arc.glb")
    was, now = (path_of(scene, "RightToes", 32, 46) for scene in (before, after))
    shift = now.mean(axis=0) - was.mean(axis=0)
    assert np.hypot(shift[0], shift[2]) > 0.05
    assert abs(shift[1]) < 0.01
    undo(window, 0)


@pytest.mark.slow
def test_a_second_window_that_plays_sees_the_motion_change_while_it_is_dragged(walking, window_of):
    studio, first, _ = walking
    second = window_of(studio)
    settled(second)
    assert second.state["playing"]
    places = partial(world, second, "LeftToes", 10, 16, 22)
    before = places()
    _, start = marker(first, "LeftToes")
    first.press(start, [start[0] + 40, start[1] + 10], settle=300)
    second.wait("state().previews.length === 1")
    second.until(
        lambda: np.linalg.norm(places() - before, axis=1).min() > 0.03, "no frame is left behind"
    )
    assert second.state["playing"]
    assert second.state["done"] == []
    first.keyboard.press("Escape")
    first.mouse.up()
    settled(second)
    assert np.array_equal(places(), before)
    settled(first)
    drag_footplant(first)
    done(second, 1)
    first.page.get_by_label("Mute LeftToes").click()
    done(second, 2)
    assert np.array_equal(places(), before)


def test_an_edit_keeps_to_its_range_and_is_refused_outside_it(walking):
    studio, window, before = walking
    assert timeline(window, "edit()") == {"first": 0, "last": 48, "chosen": False, "meant": True}
    still(window, 20)
    window.keyboard.press("Control+k")
    window.keyboard.type("Edit range: from this frame")
    window.keyboard.press("Enter")
    window.page.locator("dialog").wait_for(state="detached")
    end, there = timeline(window, "editEnd('end')"), timeline(window, "frame(given[0])", 40.3)
    window.drag(end, [there[0], end[1]])
    window.mouse.dblclick(*timeline(window, "editEnd('middle')"))
    assert not timeline(window, "edit()")["chosen"]
    for part, frame in (("start", 20), ("end", 39.7)):
        handle = timeline(window, "editEnd(given[0])", part)
        window.drag(handle, [timeline(window, "frame(given[0])", frame)[0], handle[1]])
    assert window.page.get_by_label("Edit range start").input_value() == "20"
    assert window.page.get_by_label("Edit range end").input_value() == "40"
    still(window, 8)
    select(window, "Hips")
    hips = window.ask("screenOf(given[0])", point_ref("Hips"))
    window.drag(hips, [hips[0] + 20, hips[1] + 20])
    window.page.get_by_text("This frame is outside the edit range").wait_for()
    still(window, 30)
    hips = window.ask("screenOf(given[0])", point_ref("Hips"))
    window.drag(hips, [hips[0], hips[1] + 12], settle=300)
    done(window, 1)
    after = saved(window, studio, "ranged.arc.glb")
    changed = np.abs(path_of(after, "Hips", 0, 48) - path_of(before, "Hips", 0, 48)).max(axis=1)
    assert changed[:21].max() < 1e-9
    assert changed[40:].max() < 1e-9
    assert changed[30] > 0.02


def test_markers_can_be_limited_to_the_selection(walking):
    _, window, _ = walking
    assert len(window.ask("markers()")) == 2
    window.page.get_by_label("Selected only").click()
    select(window)
    assert window.ask("markers()") == []
    select(window, "LeftToes")
    (sign,) = window.ask("markers()")
    assert window.state["pointConstraints"][sign["index"]]["point"]["joint"] == "LeftToes"
