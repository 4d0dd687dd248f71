"""Layers in the browser: muted, weighted, ordered, flattened, baked, compared with the source."""

import re

import numpy as np
import pytest

from arcwright.arrays import same
from arcwright.kinematics.sample import sample
from places import (
    done,
    drag_footplant,
    layers,
    path_of,
    picture,
    point_ref,
    saved,
    select,
    steps,
    still,
    timeline,
    undo,
    world,
)


def test_a_muted_layer_is_not_seen_and_undo_unmutes_it(walking):
    _, window, _ = walking
    still(window, 16)
    select(window, "LeftToes")
    plain = np.array(window.ask("positions(given[0])", point_ref("LeftToes")))
    select(window)
    drag_footplant(window)
    select(window, "LeftToes")
    moved = np.array(window.ask("positions(given[0])", point_ref("LeftToes")))
    assert np.abs(moved - plain).max() > 0.05
    window.page.get_by_label("Mute LeftToes").click()
    done(window, 2)
    assert [layer["muted"] for layer in layers(window)] == [True]
    seen = np.array(window.ask("positions(given[0])", point_ref("LeftToes")))
    assert np.array_equal(seen, plain)
    window.page.get_by_label("Unmute LeftToes").wait_for()
    undo(window, 1)
    assert [layer["muted"] for layer in layers(window)] == [False]
    seen = np.array(window.ask("positions(given[0])", point_ref("LeftToes")))
    assert np.array_equal(seen, moved)
    window.mouse.click(*timeline(window, "layer(...given)", 0, "eye"))
    done(window, 2)
    assert [layer["muted"] for layer in layers(window)] == [True]


def test_a_weight_slider_previews_and_is_one_step(walking):
    _, window, _ = walking
    drag_footplant(window)
    still(window, 16)
    whole = world(window, "LeftToes")
    slider = window.page.get_by_label("Weight of LeftToes")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    y = box["y"] + box["height"] / 2
    window.press([box["x"] + box["width"] - 6, y], [box["x"] + 0.3 * box["width"], y])
    window.until(lambda: np.linalg.norm(world(window, "LeftToes") - whole) > 0.02, "the foot moved")
    assert window.state["interaction"] is not None
    assert steps(window) == 1
    window.mouse.up()
    done(window, 2)
    (layer,) = layers(window)
    assert 0.2 < layer["weight"] < 0.4
    assert re.fullmatch(r"Weight of LeftToes at frame 24: \d+ %", window.state["done"][-1])
    undo(window, 1)
    assert layers(window)[0]["weight"] == 1
    assert np.array_equal(world(window, "LeftToes"), whole)


def test_layers_are_ordered_renamed_copied_and_removed_by_keys_and_by_the_mouse(walking):
    _, window, _ = walking
    drag_footplant(window)
    drag_footplant(window, "RightToes", (-30, 6), count=2)
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
    window.keyboard.type("Duplicate layer")
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


def test_posing_a_layered_take_offers_to_flatten_it_and_reports_the_error(walking):
    studio, window, _ = walking
    drag_footplant(window)
    layered = saved(window, studio, "layered.arc.glb")
    window.keyboard.press("1")
    still(window, 16)
    select(window, "Hips")
    hips = window.ask("screenOf(given[0])", point_ref("Hips"))
    window.drag(hips, [hips[0] + 20, hips[1] + 20])
    window.page.get_by_text("This take has a layer on it.").wait_for()
    window.page.get_by_role("button", name="Flatten layers").click()
    label = re.compile(r"Flatten walk into (\d+) keys, within ([\d.]+) mm")
    window.page.locator(".toast", has_text=label).wait_for()
    done(window, 2)
    said = label.fullmatch(window.state["done"][-1])
    assert said
    (take,) = window.state["takes"]["biped"]
    assert (take["keyed"], take["layers"], take["keys"]) == (True, [], int(said[1]))
    flat = saved(window, studio, "flat.arc.glb")
    joints = layered.characters[0].rig.names
    off = [
        np.linalg.norm(path_of(flat, joint, 0, 48) - path_of(layered, joint, 0, 48), axis=1).max()
        for joint in joints
    ]
    # The stated error also counts points beside the joints, and moments between frames.
    stated = float(said[2]) / 1000
    assert 0.8 * stated <= max(off) <= stated + 1e-4
    window.drag(hips, [hips[0] + 20, hips[1] + 20], settle=200)
    done(window, 3)  # now it can be posed
    undo(window, 2)
    undo(window, 1)
    again = saved(window, studio, "again.arc.glb")
    assert same(again.characters[0].takes, layered.characters[0].takes)


def test_a_captured_take_is_baked_without_loss(walking):
    studio, window, _ = walking
    drag_footplant(window)
    layered = saved(window, studio, "layered.arc.glb").characters[0].takes[0]
    window.page.get_by_role("button", name="Bake", exact=True).click()
    done(window, 2)
    assert layers(window) == []
    baked = saved(window, studio, "baked.arc.glb").characters[0].takes[0]
    assert np.array_equal(baked.base.values, sample(layered, layered.base.time).values)
    undo(window, 1)
    assert len(layers(window)) == 1


@pytest.mark.slow
@pytest.mark.parametrize("walking", [{"picture": "bodies"}], indirect=True, ids=["bodies"])
def test_the_source_under_the_layers_is_drawn_striped(walking):
    _, window, _ = walking
    drag_footplant(window, by=(70, 16))
    still(window, 16)
    select(window, "LeftToes")
    view = 420, 100, 480, 400
    without = picture(window, *view)

    def others():
        return (np.abs(picture(window, *view) - without).max(axis=2) > 25).sum()

    window.keyboard.press("Control+k")
    window.keyboard.type("Compare: source")
    window.keyboard.press("Enter")
    window.wait("view.original.value")
    window.page.locator("dialog").wait_for(state="detached")
    window.until(lambda: others() > 300, "stripes are drawn")
    window.page.get_by_label("Mute LeftToes").click()
    done(window, 2)
    assert layers(window)[0]["muted"]
