"""Solve constraints in the browser: one step, reported, undone, and what cannot be met."""

import numpy as np

from arcwright.arrays import same
from places import RATE, done, layers, path_of, saved, select, still, undo


def add(window, label):
    window.page.get_by_label("Add constraint").click()
    window.page.get_by_role("menuitem", name=label).click()


def fill(window, label, value):
    field = window.page.get_by_label(label, exact=True)
    field.fill(str(value))
    field.press("Enter")


def apply(window):
    window.page.locator(".left").get_by_role("button", name="Solve constraints").click()


def test_a_distance_is_solved_in_one_step_and_undone(walking):
    studio, window, before = walking
    still(window, 30)
    select(window, "LeftHand", "RightHand")
    add(window, "Keep distance")
    done(window, 1)
    fill(window, "Distance", 40)
    done(window, 2)
    apply(window)
    done(window, 3)
    window.page.get_by_text("Constraints solved.").wait_for()
    assert window.state["done"][-1] == "Solve constraints"
    assert [layer["name"] for layer in layers(window)] == ["Constraints"]
    after = saved(window, studio, "applied.arc.glb")
    left, right = (path_of(after, f"{side}Hand", 0, RATE) for side in ("Left", "Right"))
    assert np.abs(np.linalg.norm(left - right, axis=1) - 0.4).max() < 3e-3
    apply(window)
    window.page.get_by_text("are met already").wait_for()
    done(window, 3)  # nothing to do is no step
    undo(window, 2)
    assert layers(window) == []
    undo(window, 1)
    undo(window, 0)
    assert same(saved(window, studio, "undone.arc.glb").characters, before.characters)


def test_a_note_names_what_cannot_be_met_and_by_how_much_until_it_is_closed(walking):
    _, window, _ = walking
    still(window, 24)
    select(window, "LeftHand")
    add(window, "Keep inside sphere")
    done(window, 1)
    for joint in ("Hips", "Head"):  # they stay, so the hand cannot get there
        select(window, joint)
        window.ask("view.range.value = [0, 48]")
        window.page.keyboard.press("c")
        window.wait(f"state().pointConstraints.some((each) => each.point.joint === '{joint}')")
    count = len(window.state["done"])
    window.page.locator(".constraint-item.shape").click()
    fill(window, "Center, y", 600)
    done(window, count + 1)
    apply(window)
    done(window, count + 2)
    card = window.page.locator(".card.note")
    card.wait_for()
    assert "LeftHand region is off by up to" in card.inner_text()
    window.page.get_by_text("as closely as possible").wait_for()
    window.page.get_by_label("Close the note").click()
    card.wait_for(state="detached")


def test_knot_spacing_is_shown_as_used_and_hints_belong_to_the_tool(studio_of, window_of):
    window = window_of(studio_of("biped:walk"))
    still(window, 0)
    hint = window.page.locator(".word.opening")
    for key, words in (
        ("2", "Drag the curve"),
        ("1", "Drag any point of the body"),
        ("3", "Drag any point at any frame or a footplant"),
    ):
        window.keyboard.press(key)
        hint.filter(has_text=words).wait_for()
    detail = window.page.get_by_label("Knot spacing", exact=True)
    assert detail.input_value() == "2.0"
    for given, used in ((1, "2.0"), (3, "3.0"), (48, "4.8")):  # of 24 frames, a fifth at most
        fill(window, "Knot spacing", given)
        assert detail.input_value() == used
