"""The interface itself: its size, its list of takes, and what is folded while it is empty."""

from dataclasses import replace

from arcwright.open import read, write
from places import done, settled, still, timeline, undo


def row(window, label):
    return next(each["id"] for each in timeline(window, "rows()") if each["label"] == label)


def test_a_larger_interface_is_clicked_where_it_is_seen_and_stays_large(studio_of, window_of):
    window = window_of(studio_of())
    still(window, 0)
    before = window.page.locator("aside.left").bounding_box()["width"]
    for _ in range(3):
        window.keyboard.press("Control+Alt+ArrowUp")
    assert window.ask("view.uiScale.value") == 1.5
    window.until(lambda: window.page.locator("aside.left").bounding_box()["width"] > 1.3 * before)
    settled(window)
    at = timeline(window, "mark(...given)", row(window, "RightHand"), 14)
    window.mouse.click(*at)
    assert len(timeline(window, "state()")["chosen"]) == 1
    window.drag(at, [timeline(window, "frame(given[0])", 16)[0], at[1]])
    done(window, 1)
    assert timeline(window, "mark(...given)", row(window, "RightHand"), 16)
    undo(window, 0)
    window.mouse.click(*at, button="right")
    menu = window.page.locator(".menu").bounding_box()
    assert abs(menu["x"] - at[0]) < 8
    assert menu["y"] + menu["height"] <= 800
    window.keyboard.press("Escape")
    window.page.reload()
    window.wait("ready")
    assert window.ask("view.uiScale.value") == 1.5


def test_takes_are_listed_with_pictures_and_filtered(studio_of, window_of):
    window = window_of(studio_of("biped"))
    settled(window)
    rows = window.page.locator(".takes .row.pictured")
    count = len(window.state["takes"]["biped"])
    assert rows.count() == count
    drawn = "document.querySelectorAll('.take-picture path').length"
    window.until(lambda: window.page.evaluate(drawn) == count, "a picture of each take")
    window.page.get_by_label("Filter takes").fill("crouch")
    window.until(lambda: 0 < rows.count() < count)
    assert "false" not in window.page.locator(".takes").inner_text()


def test_a_scene_without_takes_has_no_timeline(studio_of, window_of, folder):
    scene = read("biped:walk")
    actor = replace(scene.characters[0], takes=())
    write(replace(scene, characters=(actor,), constraints=()), folder / "still.arc.glb")
    studio = studio_of(folder / "still.arc.glb")
    window = window_of(studio)
    assert not window.page.locator(".time").is_visible()
    assert window.page.locator(".stage").bounding_box()["height"] > 740
    studio.open("biped:walk")
    window.page.locator(".time").wait_for()
    assert window.page.locator(".stage").bounding_box()["height"] < 600
