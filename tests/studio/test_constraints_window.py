"""Constraints in the browser: added, dragged, edited as numbers, hidden, undone."""

import numpy as np
import pytest

from arcwright.arrays import same
from places import RATE, done, path_of, point_ref, saved, select, still, timeline, undo


def add(window, label):
    """A constraint from the list of constraints."""
    window.page.get_by_label("Add constraint").click()
    window.page.get_by_role("menuitem", name=label).click()


def drawn(window):
    window.ask("draw()")
    return window.ask("constraints()")


def fill(window, label, value):
    field = window.page.get_by_label(label, exact=True)
    field.fill(str(value))
    field.press("Enter")


def test_a_distance_is_added_given_a_number_and_kept_by_the_next_drag(walking):
    studio, window, before = walking
    still(window, 30)
    select(window, "LeftHand", "RightHand")
    add(window, "Keep distance")
    done(window, 1)
    (shown,) = drawn(window)
    hands = [
        window.ask("worldOf(given[0])", point_ref(f"{side}Hand")) for side in ("Left", "Right")
    ]
    apart = np.linalg.norm(np.subtract(*hands))
    assert float(shown["label"].removesuffix(" cm")) == pytest.approx(100 * apart, abs=0.06)
    fill(window, "Constraint start", 26)
    done(window, 2)
    end = timeline(window, "bar(...given)", "constraint", len(before.constraints), "end")
    window.drag(end, [timeline(window, "frame(given[0])", 34.2)[0], end[1]])
    done(window, 3)
    fill(window, "Distance", round(100 * apart - 6, 1))
    done(window, 4)
    (shown,) = drawn(window)
    wanted = shown["constraint"]["distance"]
    assert wanted == pytest.approx(apart - 0.06, abs=1e-3)
    assert (shown["constraint"]["start"], shown["constraint"]["end"]) == (26 / RATE, 34 / RATE)
    start = window.ask("screenOf(given[0])", point_ref("RightHand"))
    select(window, "RightHand")
    window.drag(start, [start[0], start[1] - 14], settle=300)
    done(window, 5)
    after = saved(window, studio, "apart.arc.glb")
    left, right = (path_of(after, f"{side}Hand", 26, 34) for side in ("Left", "Right"))
    assert np.abs(np.linalg.norm(left - right, axis=1) - wanted).max() < 0.005
    for count in range(4, -1, -1):
        undo(window, count)
    undone = saved(window, studio, "undone.arc.glb")
    assert same(undone.constraints, before.constraints)
    assert same(undone.characters, before.characters)


def test_a_box_to_keep_outside_of_is_dragged_resized_hidden_and_removed(walking):
    _, window, _ = walking
    still(window, 36)
    select(window, "LeftFoot")
    add(window, "Keep outside box")
    done(window, 1)
    (shown,) = drawn(window)
    placed = shown["constraint"]["region"]
    foot = window.ask("worldOf(given[0])", point_ref("LeftFoot"))
    assert np.all(np.less(placed["low"], foot) & np.less(foot, placed["high"]))
    select(window)
    middle = drawn(window)[0]["handles"]["middle"]
    assert window.ask("pick(...given)", *middle)["kind"] == "constraint"
    window.drag(middle, [middle[0] + 40, middle[1] + 6], settle=100)
    done(window, 2)
    region = drawn(window)[0]["constraint"]["region"]
    assert region["low"][1] == pytest.approx(0, abs=1e-9)  # it stands where it stood
    assert np.hypot(*np.subtract(region["low"], placed["low"])[[0, 2]]) > 0.05
    top = drawn(window)[0]["handles"]["high 1"]
    window.drag(top, [top[0], top[1] - 30], settle=100)
    done(window, 3)
    taller = drawn(window)[0]["constraint"]["region"]
    assert taller["high"][1] > region["high"][1] + 0.05
    assert taller["low"] == region["low"]
    window.press(top, [top[0], top[1] - 60])
    window.keyboard.press("Escape")
    window.mouse.up()
    assert drawn(window)[0]["constraint"]["region"] == taller
    undo(window, 2)
    assert drawn(window)[0]["constraint"]["region"] == region
    window.page.locator(".constraint-item.shape").hover()
    window.page.get_by_label("Hide LeftFoot outside box").click()
    assert drawn(window) == []
    window.page.get_by_label("Show LeftFoot outside box").click()
    assert len(drawn(window)) == 1
    window.page.get_by_label("Remove LeftFoot outside box").click()
    done(window, 3)
    assert drawn(window) == []
    undo(window, 2)
    assert drawn(window)[0]["constraint"]["region"] == region


def test_every_kind_of_constraint_is_added_with_one_click(walking):
    _, window, _ = walking
    still(window, 20)
    select(window, "RightHand")
    window.ask("view.range.value = [10, 40]")
    kinds = {
        "Floor": "floor",
        "Keep inside box": "region",
        "Keep inside sphere": "region",
        "Follow path": "path",
        "Match position": "coincident",
        "Balance": "balance",
        "Ballistic flight": "flight",
        "Keep orientation": "orientation",
    }
    for count, label in enumerate(kinds, start=1):
        add(window, label)
        done(window, count)
    shown = drawn(window)
    assert [each["constraint"]["kind"] for each in shown] == list(kinds.values())
    assert all(each["holds"] for each in shown)
    place = shown[3]["handles"]["place 4"]
    window.drag(place, [place[0] - 20, place[1] - 20], settle=100)
    done(window, len(kinds) + 1)
    moved = drawn(window)[3]["handles"]["place 4"]
    assert np.hypot(*np.subtract(moved, [place[0] - 20, place[1] - 20])) < 2
