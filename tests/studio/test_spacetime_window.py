"""Whole motions in the browser: plants and things are dragged, layers muted, weighed, flattened."""

import re

import numpy as np
import pytest
from places import (
    done,
    layers,
    path_of,
    pixels,
    saved,
    select,
    spot,
    steps,
    still,
    timeline,
    undo,
)

from arcwright.arrays import same
from arcwright.kinematics.sample import sample
from arcwright.kinematics.trail import trail
from arcwright.open import read
from arcwright.scene.point import Point


def mark(window, joint):
    """The sign of a joint's plant, and where it can be taken hold of."""
    window.ask("draw()")
    wishes = window.state["wishes"]
    for each in window.ask("marks()"):
        if wishes[each["index"]]["point"]["joint"] == joint:
            x, y = each["at"]
            return each, [x, y + 8]  # the sign lies under its point
    raise AssertionError(f"no sign of {joint}")


def drag_plant(window, joint="LeftToes", by=(40, 10), count=1):
    _, start = mark(window, joint)
    window.drag(start, [start[0] + by[0], start[1] + by[1]], settle=300)
    done(window, count)


def test_a_footplant_is_dragged_over_the_ground_and_the_other_one_stays(walking):
    studio, window, before = walking
    sign, start = mark(window, "LeftToes")
    assert window.state["frame"] == 44
    assert sign["frame"] == 24  # the last one at which the left toes stand
    seen = window.ask("pick(...given)", *start)
    assert (seen["kind"], seen["wish"]["point"]["joint"]) == ("wish", "LeftToes")
    end = [start[0] + 40, start[1] + 10]
    window.drag(start, end, settle=300)
    done(window, 1)
    assert window.state["frame"] == 44  # the held frame was shown only while it was held
    sign, there = mark(window, "LeftToes")
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


def test_a_foot_that_stands_is_dragged_with_its_plant_and_stays_on_the_ground(walking):
    studio, window, before = walking
    still(window, 16)
    window.ask("select()")
    window.ask("draw()")
    foot = window.ask("screenOf(given[0])", spot("LeftFoot"))
    assert window.ask("pick(...given)", *foot)["kind"] == "body"
    window.drag(foot, [foot[0] + 36, foot[1] + 8], settle=300)
    done(window, 1)
    after = saved(window, studio, "foot.arc.glb")
    was, now = (path_of(scene, "LeftToes", 6, 24) for scene in (before, after))
    shift = now.mean(axis=0) - was.mean(axis=0)
    assert np.hypot(shift[0], shift[2]) > 0.05
    assert abs(shift[1]) < 0.01
    undo(window, 0)


def test_a_muted_layer_is_not_seen_and_undo_unmutes_it(walking):
    _, window, _ = walking
    still(window, 16)
    select(window, "LeftToes")
    plain = np.array(window.ask("positions(given[0])", spot("LeftToes")))
    window.ask("select()")
    drag_plant(window)
    select(window, "LeftToes")
    moved = np.array(window.ask("positions(given[0])", spot("LeftToes")))
    assert np.abs(moved - plain).max() > 0.05
    window.page.get_by_label("Mute LeftToes").click()
    done(window, 2)
    assert [layer["muted"] for layer in layers(window)] == [True]
    told = np.array(window.ask("positions(given[0])", spot("LeftToes")))
    assert np.array_equal(told, plain)
    assert window.page.get_by_label("Unmute LeftToes").is_visible()
    undo(window, 1)
    assert [layer["muted"] for layer in layers(window)] == [False]
    told = np.array(window.ask("positions(given[0])", spot("LeftToes")))
    assert np.array_equal(told, moved)
    window.mouse.click(*timeline(window, "layer(...given)", 0, "eye"))
    done(window, 2)
    assert [layer["muted"] for layer in layers(window)] == [True]


def test_a_weight_is_slid_live_as_one_step(walking):
    _, window, _ = walking
    drag_plant(window)
    still(window, 16)
    whole = np.array(window.ask("worldOf(given[0])", spot("LeftToes")))
    box = window.page.get_by_label("Weight of LeftToes").bounding_box()
    y = box["y"] + box["height"] / 2
    window.press([box["x"] + box["width"] - 6, y], [box["x"] + 0.3 * box["width"], y], settle=200)
    assert steps(window) == 1
    window.wait("state().held !== null")
    live = np.array(window.ask("worldOf(given[0])", spot("LeftToes")))
    assert np.linalg.norm(live - whole) > 0.02
    window.mouse.up()
    done(window, 2)
    (layer,) = layers(window)
    assert 0.2 < layer["weight"] < 0.4
    assert re.fullmatch(r"Weight of LeftToes at frame 24: \d+ %", window.state["done"][-1])
    undo(window, 1)
    assert layers(window)[0]["weight"] == 1
    window.page.wait_for_timeout(200)
    again = np.array(window.ask("worldOf(given[0])", spot("LeftToes")))
    assert np.array_equal(again, whole)


def test_layers_are_ordered_renamed_copied_and_removed_by_keys_and_by_the_mouse(walking):
    _, window, _ = walking
    drag_plant(window)
    drag_plant(window, "RightToes", (-30, 6), count=2)
    names = [layer["name"] for layer in layers(window)]
    rows = window.page.locator(".layer")
    for layer in (0, 1):
        window.mouse.click(*timeline(window, "layer(...given)", layer))
        chosen = window.page.locator(".layer[aria-selected=true]")
        assert chosen.get_attribute("data-layer") == str(layer)
    listed = [row["label"] for row in timeline(window, "rows()") if row["kind"] == "layer"]
    assert listed == names[::-1]
    assert [rows.nth(k).get_attribute("data-layer") for k in range(2)] == ["1", "0"]
    rows.nth(1).focus()
    window.keyboard.press("Alt+ArrowUp")
    done(window, 3)
    assert [layer["name"] for layer in layers(window)] == names[::-1]
    window.page.locator('.layer[data-layer="1"]').focus()
    window.keyboard.press("F2")
    window.keyboard.type("wider")
    window.keyboard.press("Enter")
    done(window, 4)
    assert layers(window)[1]["name"] == "wider"
    top, low = (rows.nth(k).locator(".layer-name").bounding_box() for k in range(2))
    at = [low["x"] + 20, low["y"] + 6]
    window.drag(at, [at[0], top["y"] - 4])
    done(window, 5)
    assert [layer["name"] for layer in layers(window)] == ["wider", names[1]]
    window.keyboard.press("Control+k")
    window.keyboard.type("Duplicate the chosen layer")
    window.keyboard.press("Enter")
    done(window, 6)
    assert len(layers(window)) == 3
    rows.first.focus()
    window.keyboard.press("Delete")
    done(window, 7)
    assert [layer["name"] for layer in layers(window)] == ["wider", names[1]]
    for count in range(6, 1, -1):
        undo(window, count)
    assert [layer["name"] for layer in layers(window)] == names


def test_posing_a_layered_take_offers_to_flatten_it_and_says_how_near_the_keys_are(walking):
    studio, window, _ = walking
    drag_plant(window)
    layered = saved(window, studio, "layered.arc.glb")
    window.keyboard.press("1")
    still(window, 16)
    window.ask("select(given[0])", spot("Hips"))
    hips = window.ask("screenOf(given[0])", spot("Hips"))
    window.drag(hips, [hips[0] + 20, hips[1] + 20])
    assert window.page.get_by_text("This take has a layer on it.").is_visible()
    window.page.get_by_role("button", name="Flatten layers").click()
    done(window, 2)
    label = window.state["done"][-1]
    said = re.fullmatch(r"Flatten walk into (\d+) keys, within ([\d.]+) mm", label)
    assert said, label
    window.page.locator(".toast", has_text=label).wait_for()
    (take,) = window.state["takes"]["biped"]
    assert (take["keyed"], take["layers"], take["keys"]) == (True, [], int(said[1]))
    flat = saved(window, studio, "flat.arc.glb")
    joints = layered.characters[0].rig.names
    off = [
        np.linalg.norm(path_of(flat, joint, 0, 48) - path_of(layered, joint, 0, 48), axis=1).max()
        for joint in joints
    ]
    assert max(off) == pytest.approx(float(said[2]) / 1000, abs=2e-4)
    window.drag(hips, [hips[0] + 20, hips[1] + 20], settle=200)
    done(window, 3)  # now it can be posed
    undo(window, 2)
    undo(window, 1)
    again = saved(window, studio, "again.arc.glb")
    assert same(again.characters[0].takes, layered.characters[0].takes)


def test_a_captured_take_is_baked_without_loss(walking):
    studio, window, _ = walking
    drag_plant(window)
    layered = saved(window, studio, "layered.arc.glb").characters[0].takes[0]
    window.page.get_by_role("button", name="Bake", exact=True).click()
    done(window, 2)
    assert layers(window) == []
    baked = saved(window, studio, "baked.arc.glb").characters[0].takes[0]
    assert np.array_equal(baked.base.values, sample(layered, layered.base.time).values)
    undo(window, 1)
    assert len(layers(window)) == 1


def test_a_box_is_dragged_and_the_hands_that_hold_it_follow(studio_of, window_of):
    studio = studio_of("biped:carry")
    window = window_of(studio)
    still(window, 40)
    window.keyboard.press("3")
    window.ask("select()")
    before = read("biped:carry")
    start = somewhere_on(window, "Box")
    held = window.ask("pick(...given)", *start)["world"]
    end = [start[0] - 24, start[1] - 30]
    window.drag(start, end, settle=300)
    done(window, 1)
    after = saved(window, studio, "carry.arc.glb")
    assert [len(actor.takes[0].layers) for actor in (after.props[0], after.characters[0])] == [1, 1]
    touched = window.ask("pick(...given)", *end)
    assert touched["spot"]["character"] == "Box"
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


def test_a_chair_that_never_moved_stays_on_the_ground_and_undo_puts_it_back(studio_of, window_of):
    studio = studio_of("biped:sit")
    window = window_of(studio)
    still(window, 28)
    window.keyboard.press("3")
    window.ask("select()")
    before = read("biped:sit")
    start = somewhere_on(window, "Chair")
    held = window.ask("pick(...given)", *start)["spot"]
    end = [start[0] - 40, start[1] + 8]
    place = np.array(window.ask("pick(...given)", *start)["world"])
    window.drag(start, end, settle=300)
    done(window, 1)
    window.page.wait_for_timeout(300)  # its poses are asked for
    moved = np.array(window.ask("worldOf(given[0])", held))
    assert abs(moved[1] - place[1]) < 1e-3
    assert np.linalg.norm(moved - place) > 0.1
    after = saved(window, studio, "chair.arc.glb")
    hips, seat = (path_at(scene, "Hips") for scene in (before, after))
    assert np.linalg.norm(seat - hips - (moved - place)) < 0.02  # it sits where the chair is
    undo(window, 0)
    window.ask("draw()")
    assert window.ask("pick(...given)", *start)["spot"]["character"] == "Chair"
    assert same(saved(window, studio, "undone.arc.glb").props[0].takes, before.props[0].takes)


def path_at(scene, joint, time=28 / 24):
    return trail(scene.characters[0].takes[0], Point(joint), [time]).position[0]


def somewhere_on(window, prop):
    """A place of the page where a prop is in front, all around it."""
    window.ask("draw()")

    def hit(x, y):
        found = window.ask("pick(...given)", x, y)
        return found["kind"] == "body" and found["spot"]["character"] == prop

    for y in range(120, 480, 10):
        for x in range(420, 860, 10):
            if hit(x, y) and hit(x + 5, y + 5):
                return [x + 2, y + 2]
    raise AssertionError(f"{prop} is not in sight")


def on_box(scene, palm, times):
    """(T, 3) where a point of a hand is in the frame of the box."""
    box, carrier = scene.props[0].takes[0], scene.characters[0].takes[0]
    middle = trail(box, Point("Box"), times).position
    ends = [trail(box, Point("Box", axis), times).position - middle for axis in np.eye(3)]
    away = trail(carrier, palm, times).position - middle
    return (np.stack(ends, axis=1) @ away[..., None])[..., 0]


def test_a_second_window_that_plays_sees_the_motion_change_while_it_is_dragged(walking, window_of):
    studio, first, _ = walking
    second = window_of(studio)
    second.wait("state().playing")
    toes = spot("LeftToes")
    before = np.array([second.ask("worldOf(...given)", toes, frame) for frame in (10, 16, 22)])
    _, start = mark(first, "LeftToes")
    first.press(start, [start[0] + 40, start[1] + 10], settle=300)
    second.wait("state().hands.length === 1")
    second.page.wait_for_timeout(500)
    assert second.state["playing"]
    live = np.array([second.ask("worldOf(...given)", toes, frame) for frame in (10, 16, 22)])
    assert np.linalg.norm(live - before, axis=1).min() > 0.03  # no frame is left behind
    assert second.state["done"] == []
    first.keyboard.press("Escape")
    first.mouse.up()
    second.wait("state().hands.length === 0")
    again = np.array([second.ask("worldOf(...given)", toes, frame) for frame in (10, 16, 22)])
    assert np.array_equal(again, before)
    drag_plant(first)
    second.wait("state().done.length === 1")
    first.page.get_by_label("Mute LeftToes").click()
    second.wait("state().done.length === 2")
    second.page.wait_for_timeout(200)
    muted = np.array([second.ask("worldOf(...given)", toes, frame) for frame in (10, 16, 22)])
    assert np.array_equal(muted, before)


def test_an_edit_keeps_to_its_range_and_is_refused_outside_it(walking):
    studio, window, before = walking
    assert timeline(window, "edit()") == {"first": 0, "last": 48, "chosen": False, "meant": True}
    still(window, 20)
    window.keyboard.press("Control+k")
    window.keyboard.type("Edit from this frame")
    window.keyboard.press("Enter")
    window.page.locator("dialog").wait_for(state="detached")
    end, there = timeline(window, "editEnd('end')"), timeline(window, "frame(given[0])", 40.3)
    window.drag(end, [there[0], end[1]])
    window.mouse.dblclick(*timeline(window, "editEnd('middle')"))
    assert not timeline(window, "edit()")["chosen"]
    for part, frame in (("start", 20), ("end", 39.7)):
        grip = timeline(window, "editEnd(given[0])", part)
        window.drag(grip, [timeline(window, "frame(given[0])", frame)[0], grip[1]])
    assert window.page.get_by_label("First frame of the edit").input_value() == "20"
    assert window.page.get_by_label("Last frame of the edit").input_value() == "40"
    still(window, 8)
    window.ask("select(given[0])", spot("Hips"))
    hips = window.ask("screenOf(given[0])", spot("Hips"))
    window.drag(hips, [hips[0] + 20, hips[1] + 20])
    assert window.page.get_by_text("This frame lies outside the range that is edited").is_visible()
    still(window, 30)
    hips = window.ask("screenOf(given[0])", spot("Hips"))
    window.drag(hips, [hips[0], hips[1] + 12], settle=300)
    done(window, 1)
    after = saved(window, studio, "ranged.arc.glb")
    changed = np.abs(path_of(after, "Hips", 0, 48) - path_of(before, "Hips", 0, 48)).max(axis=1)
    assert changed[:21].max() < 1e-9
    assert changed[40:].max() < 1e-9
    assert changed[30] > 0.02


def test_only_the_signs_that_are_asked_for_are_shown(walking):
    _, window, _ = walking
    assert len(window.ask("marks()")) == 2
    window.page.get_by_label("Only of the selection").click()
    window.ask("select()")
    assert window.ask("marks()") == []
    window.ask("select(given[0])", spot("LeftToes"))
    (sign,) = window.ask("marks()")
    assert window.state["wishes"][sign["index"]]["point"]["joint"] == "LeftToes"


def test_the_original_under_the_layers_is_drawn_striped(walking):
    _, window, _ = walking
    drag_plant(window, by=(70, 16))
    still(window, 16)
    window.ask("select(given[0])", spot("LeftToes"))
    window.page.wait_for_timeout(300)
    view = 420, 100, 480, 400
    without = np.array(window.ask("pixels(...given)", *view))
    window.keyboard.press("Control+k")
    window.keyboard.type("Compare with the original")
    window.keyboard.press("Enter")
    window.wait("view.original.value")
    window.page.wait_for_timeout(600)
    striped = np.array(window.ask("pixels(...given)", *view))
    assert (np.abs(striped - without).reshape(-1, 4).max(axis=1) > 25).sum() > 300
    window.page.get_by_label("Mute LeftToes").click()
    done(window, 2)
    assert layers(window)[0]["muted"]
