"""Motion curves in the browser: dragged, pinned, planted, timed, out of reach."""

import numpy as np

from arcwright.arrays import same
from arcwright.open import read
from places import (
    curve,
    curve_place,
    done,
    paths,
    picture,
    pixels,
    point_ref,
    saved,
    select,
    settled,
    steps,
    still,
    undo,
)


def test_a_first_visit_shows_a_character_that_moves(studio_of, window_of):
    window = window_of(studio_of(), size=(900, 640), picture="all")
    assert window.state["playing"]
    x, y, width, height = 290, 110, 260, 280
    before = picture(window, x, y, width, height)

    def changed():
        now = picture(window, x, y, width, height)
        return (np.abs(before - now) > 40).sum() > 1000

    window.until(changed, "the body is elsewhere")
    assert window.state["points"], "no curve is shown"
    assert window.ask("view.lightEffects.value")
    window.page.get_by_text("Drag the curve").wait_for()
    still(window, 0)
    place = curve_place(window, window.state["points"][0]["joint"], 20)
    seen = pixels(window, *place)
    assert (seen.max(axis=(0, 1)) - seen.min(axis=(0, 1))).max() > 60  # a line is drawn there


def test_a_dragged_curve_follows_the_pointer_and_undo_restores_it_exactly(studio_of, window_of):
    studio = studio_of()
    window = window_of(studio)
    still(window, 20)  # the camera follows the walk: it stays where the drag is
    before = curve(window, "RightHand")
    start = curve_place(window, "RightHand", 20)
    end = [start[0] - 30, start[1] - 60]
    window.drag(start, end, settle=150)
    done(window, 1)
    assert np.hypot(*np.subtract(curve_place(window, "RightHand", 20), end)) < 2.5  # px
    after = saved(window, studio, "dragged.arc.glb")
    seen = curve(window, "RightHand")
    assert np.abs(paths(after, "RightHand") - seen).max() < 1e-5
    assert np.abs(seen - before).max() > 0.05
    window.keyboard.press("Control+z")
    done(window, 0)
    assert np.array_equal(curve(window, "RightHand"), before)
    scene = saved(window, studio, "undone.arc.glb")
    start_scene = read("biped:walk")
    assert same(scene.characters[0].takes[0].base, start_scene.characters[0].takes[0].base)


def test_escape_cancels_a_drag_at_once(studio_of, window_of):
    window = window_of(studio_of())
    still(window, 0)
    before = curve(window, "RightHand")
    start = curve_place(window, "RightHand", 20)
    window.press(start, [start[0] - 40, start[1] - 40])
    window.keyboard.press("Escape")
    window.mouse.up()
    settled(window)
    assert steps(window) == 0
    assert np.array_equal(curve(window, "RightHand"), before)


def test_a_pinned_point_keeps_its_path_while_another_is_dragged(studio_of, window_of):
    studio = studio_of()
    window = window_of(studio)
    still(window, 20)
    select(window, "RightLowerArm")
    window.page.locator("canvas").first.hover(position={"x": 60, "y": 60})
    window.keyboard.press("p")
    done(window, 1)
    pins = [contact for contact in window.state["pointConstraints"] if contact["kind"] == "pin"]
    assert [pin["point"]["joint"] for pin in pins] == ["RightLowerArm"]
    elbow = paths(read("biped:walk"), "RightLowerArm")
    select(window, "RightHand")
    start = curve_place(window, "RightHand", 21)
    window.drag(start, [start[0] + 12, start[1] - 12], settle=150)
    done(window, 2)
    scene = saved(window, studio, "pinned.arc.glb")
    inside = slice(round(pins[0]["start"] * 96), round(pins[0]["end"] * 96) + 1)
    now, was = paths(scene, "RightLowerArm")[inside], elbow[inside]
    assert np.linalg.norm(now - was, axis=1).max() < 5e-4
    moved = np.linalg.norm(
        paths(scene, "RightHand") - paths(read("biped:walk"), "RightHand"), axis=1
    )
    assert moved.max() > 0.01


def test_planted_feet_stay_while_the_hips_are_dragged(studio_of, window_of):
    studio = studio_of("biped:stand")
    window = window_of(studio)
    still(window, 12)
    for foot in ("LeftFoot", "RightFoot"):
        if any(contact["point"]["joint"] == foot for contact in window.state["pointConstraints"]):
            continue
        select(window, foot)
        window.page.locator("canvas").first.hover(position={"x": 60, "y": 60})
        count = steps(window)
        window.keyboard.press("c")
        done(window, count + 1)
    contacts = [
        contact for contact in window.state["pointConstraints"] if contact["kind"] == "contact"
    ]
    assert {"LeftFoot", "RightFoot"} <= {contact["point"]["joint"] for contact in contacts}
    select(window, "Hips")
    count = steps(window)
    start = window.ask("screenOf(...given)", point_ref("Hips"), 12)
    window.drag(start, [start[0] + 30, start[1] + 25], settle=200)
    done(window, count + 1)
    scene = saved(window, studio, "planted.arc.glb")
    hips = np.linalg.norm(paths(scene, "Hips") - paths(read("biped:stand"), "Hips"), axis=1)
    assert hips.max() > 0.05
    for contact in contacts:
        inside = slice(round(contact["start"] * 96), round(contact["end"] * 96) + 1)
        foot = paths(scene, contact["point"]["joint"])[inside]
        assert np.linalg.norm(foot - foot[0], axis=1).max() < 1e-3


def test_s_and_a_drag_scale_time(studio_of, window_of):
    studio = studio_of()
    window = window_of(studio)
    still(window, 20)
    before = curve(window, "RightHand")
    at = curve_place(window, "RightHand", 20)
    window.mouse.move(*at)
    window.keyboard.press("s")
    window.drag(at, [at[0] + 70, at[1]])
    done(window, 1)
    after = curve(window, "RightHand")
    assert np.abs(after - before).max() > 1e-3
    ends = [0, 24 * 4]
    assert np.abs(after[ends] - before[ends]).max() < 1e-6  # where all channels have keys
    scene = saved(window, studio, "timed.arc.glb")
    was, now = (each.characters[0].takes[0].base.curves for each in (read("biped:walk"), scene))
    for one, other in zip(was, now, strict=True):
        assert (one is None) == (other is None)
        assert one is None or (
            np.array_equal(one.time, other.time) and same(one.value, other.value)
        )


def test_a_drag_out_of_reach_shows_the_distance_what_blocks_it_and_suggests_a_key(
    studio_of, window_of
):
    window = window_of(studio_of())
    still(window, 20)
    start = curve_place(window, "RightHand", 20)
    window.press(start, [start[0] + 330, start[1] - 250], steps=20)
    window.wait("state().previews.some((preview) => preview.notes.length > 0)")
    seen = window.state["previews"][0]
    assert seen["remaining"] > 0.05
    assert seen["notes"][0]["blocker"]
    text = seen["notes"][0]["text"]
    window.page.get_by_text(text.split(" short")[0], exact=False).first.wait_for()
    window.mouse.up()
    done(window, 1)


def test_the_note_of_a_drag_goes_when_the_drag_is_undone(studio_of, window_of):
    window = window_of(studio_of())
    still(window, 20)
    start = curve_place(window, "RightHand", 20)
    window.press(start, [start[0] + 330, start[1] - 250], steps=20)
    window.wait("state().previews.some((preview) => preview.notes.length > 0)")
    window.mouse.up()
    done(window, 1)
    note = window.page.locator(".card.note")
    assert note.count() == 1
    undo(window, 0)
    assert note.count() == 0


def test_a_drag_works_during_playback(studio_of, window_of):
    window = window_of(studio_of())
    settled(window)
    assert window.state["playing"]
    start = curve_place(window, "RightHand", 20)
    window.press(start, [start[0] - 30, start[1] - 40])
    first = window.state["frame"]
    window.wait(f"state().frame !== {first} && window.arcwright.state().previews.length === 1")
    window.mouse.up()
    done(window, 1)
    assert window.state["playing"]
