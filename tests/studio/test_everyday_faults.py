"""Everyday faults, each once found in the studio: it must not come back."""

import numpy as np

from places import curve, curve_place, done, select, settled, steps, still, timeline, undo


def row_of(window, label):
    return next(row["id"] for row in timeline(window, "rows()") if row["label"] == label)


def keyed(window):
    """How many channels have diamonds in the dope sheet."""
    return len(timeline(window, "rows()")[0]["channels"])


def test_undoing_fitted_keyframes_leaves_no_diamonds(studio_of, window_of, captured):
    window = window_of(studio_of(captured))
    still(window, 10)
    window.page.keyboard.press("Control+k")
    window.page.keyboard.type("Fit keyframes")
    window.page.keyboard.press("Enter")
    window.page.locator("dialog button.main").click()
    done(window, 1)
    assert keyed(window) > 0
    undo(window, 0)
    assert keyed(window) == 0
    window.keyboard.press("Control+Shift+z")
    done(window, 1)
    assert keyed(window) > 0


def test_pasted_keys_are_called_so_and_undo_brings_the_selection_back(studio_of, window_of):
    window = window_of(studio_of())
    still(window, 0)
    mark = timeline(window, "mark(...given)", row_of(window, "RightHand"), 14)
    window.mouse.click(*mark)
    window.keyboard.press("Control+c")
    chosen = timeline(window, "state()")["chosen"]
    still(window, 18)
    window.keyboard.press("Control+v")
    done(window, 1)
    assert window.state["done"][0].startswith("Paste ")
    assert window.state["done"][0].endswith("at frame 18")
    assert timeline(window, "state()")["chosen"] != chosen
    undo(window, 0)
    assert timeline(window, "state()")["chosen"] == chosen


def test_another_document_begins_with_nothing_selected_but_its_own_point(studio_of, window_of):
    studio = studio_of("biped:walk")
    window = window_of(studio)
    still(window, 0)
    select(window, "Head", "LeftToes")
    mark = timeline(window, "mark(...given)", row_of(window, "Head"), 0)
    window.mouse.click(*mark)
    studio.open("biped:run")
    window.wait("state().name === 'biped:run' && window.arcwright.settled")
    assert [each["joint"] for each in window.state["points"]] == ["RightHand"]
    assert timeline(window, "state()")["chosen"] == []


def test_of_two_hands_each_sees_its_own_curve_follow(studio_of, window_of):
    studio = studio_of()
    one, other = window_of(studio), window_of(studio)
    for window, joint in ((one, "RightHand"), (other, "LeftHand")):
        still(window, 6)
        select(window, joint)
    start = curve_place(one, "RightHand", 6)
    there = curve_place(other, "LeftHand", 6)
    one.press(start, [start[0] + 40, start[1] - 40])
    other.press(there, [there[0] - 40, there[1] - 40])
    for window in (one, other):
        own = window.state["interaction"]["id"]
        window.wait(f"state().previews.some((each) => each.id === {own})")
    for step in range(4):
        other.mouse.move(there[0] - 40 - step, there[1] - 44)
        one.mouse.move(start[0] + 60 + step, start[1] - 60)
        one.page.wait_for_timeout(60)
    pulled = one.ask("curveAt(...given)", {"joint": "RightHand"}, 6)
    assert np.hypot(pulled[0] - start[0], pulled[1] - start[1]) > 50
    other.mouse.up()
    one.wait("state().done.length === 1")
    pulled = one.ask("curveAt(...given)", {"joint": "RightHand"}, 6)
    assert np.hypot(pulled[0] - start[0], pulled[1] - start[1]) > 50
    one.mouse.up()
    done(one, 2)


def test_a_lesson_asks_for_no_save_of_what_it_opened(studio_of, window_of):
    window = window_of(studio_of("lamp:hop"))
    still(window, 0)
    window.page.keyboard.press("Control+k")
    window.page.keyboard.type("Drag an arc")
    window.page.keyboard.press("Enter")
    window.wait("state().name === 'biped:walk' && window.arcwright.settled")
    assert window.state["frame"] % 6 != 0  # on a key pose the arrows would refuse
    start = curve_place(window, "RightHand", 6)
    window.drag(start, [start[0] + 10, start[1] - 10])
    done(window, 1)
    studio_name = "lamp:hop"
    window.page.keyboard.press("Control+k")
    window.page.keyboard.type("lamp, hop")
    window.page.keyboard.press("Enter")
    window.wait(f"state().name === {studio_name!r} && window.arcwright.settled")


def test_every_quick_drag_is_a_step(studio_of, window_of):
    window = window_of(studio_of())
    still(window, 6)
    select(window, "RightHand")
    rng = np.random.default_rng(3)
    for count in range(20):
        start = curve_place(window, "RightHand", 6)
        away = rng.uniform(8, 40) * np.array([np.cos(count), np.sin(count)])
        window.mouse.move(*start)
        window.mouse.down()
        window.mouse.move(start[0] + away[0], start[1] + away[1], steps=1 + count % 3)
        window.mouse.up()
        settled(window)
        assert steps(window) == count + 1, f"drag {count} by {away}"
    assert np.isfinite(curve(window, "RightHand")).all()
