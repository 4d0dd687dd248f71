"""The activity tool in the browser: handles, props, events on the timeline, notes, and undo."""

import numpy as np
import pytest

from arcwright.arrays import same
from arcwright.open import read
from arcwright.scene.target import Target
from arcwright.tools.activity.prepared import PreparedActivity
from places import done, saved, settled, still, timeline, undo

POUR, FRAME = 4, 86  # index of the event, and its frame
BEFORE = 80  # frame, nearer to this event than to any other


@pytest.fixture
def pouring(studio_of, window_of):
    """A studio on the pouring of tea, and a window with the tool, some time before it."""
    studio = studio_of("biped:tea")
    window = window_of(studio)
    still(window, BEFORE)
    window.page.locator('[data-tool="activity"]').click()
    window.wait("state().tool === 'activity'")
    settled(window)
    return studio, window


def ring(window, element, frame=FRAME):
    return window.ask("handles()")[f"{element} at frame {frame}"]


def on_cup(window):
    """A place of the page where the cup itself is in front, beside the rings."""
    x, y = ring(window, "cup")
    for at in ([x + side, y - up] for up in range(2, 40, 2) for side in (-9, -7, 7, 9)):
        hit = window.ask("pick(...given)", *at)
        if hit["kind"] == "body" and hit["point"]["character"] == "Cup":
            return at
    raise AssertionError("the cup is not in sight")


def events(window):
    return window.state["activities"][0]["events"]


def flag(window, index=POUR):
    return timeline(window, "event(given[0])", index)


def places(scene):
    """(T, 3) where each element is."""
    tracks = PreparedActivity(scene, Target(), 0.0).tracks
    return {name: track.position for name, track in tracks.items()}


def assert_as_before(scene):
    before = read("biped:tea")
    for old, now in zip(before.actors, scene.actors, strict=True):
        assert same(old.takes, now.takes)
    assert same(before.activities, scene.activities)


def test_a_cup_is_dragged_by_its_ring_and_one_undo_brings_it_back(pouring):
    studio, window = pouring
    start = ring(window, "cup")
    window.press(start, [start[0] + 30, start[1] + 12], settle=200)
    window.wait(f"state().frame === {FRAME}")  # the event is shown while it is dragged
    window.wait("state().previews.some((each) => each.posed)")
    window.mouse.up()
    done(window, 1)
    assert window.state["done"] == ["Move cup at 'pour'"]
    assert window.state["frame"] == FRAME
    before, after = (
        places(each) for each in (read("biped:tea"), saved(window, studio, "a.arc.glb"))
    )
    moved = {name: (after[name] - before[name])[FRAME] for name in before}
    assert np.linalg.norm(moved["cup"]) > 0.1
    assert abs(moved["cup"][1]) < 1e-6  # it stays on the table
    for name in ("left hand", "pot", "right hand"):
        assert np.linalg.norm(moved[name] - moved["cup"]) < 0.03  # they keep together
    start = ring(window, "cup")
    window.press(start, [start[0] - 20, start[1]], settle=200)
    window.wait("state().previews.some((each) => each.posed)")
    window.keyboard.press("Control+z")  # undoes the drag, not the step before it
    window.mouse.up()
    settled(window)
    assert window.state["done"] == ["Move cup at 'pour'"]
    undo(window, 0)
    assert_as_before(saved(window, studio, "b.arc.glb"))


def test_a_cup_is_seen_where_it_is_dragged_to_before_the_release(pouring):
    _, window = pouring
    start = ring(window, "cup")
    window.press(start, [start[0] + 60, start[1]], settle=200)
    window.wait("state().previews.some((each) => each.posed)")

    cup = {"joint": "Cup", "character": "Cup"}

    def is_under_the_pointer():
        world = window.ask("worldOf(...given)", cup, FRAME)
        shown = world and window.ask("placeOf(given[0])", world)
        return shown and np.linalg.norm(np.subtract(shown, [start[0] + 60, start[1]])) < 3

    window.until(is_under_the_pointer, "the cup under the pointer")
    window.keyboard.press("Escape")
    window.mouse.up()
    settled(window)
    assert window.state["done"] == []
    assert window.ask("worldOf(...given)", cup, FRAME) is None  # where its file has it
    assert window.state["frame"] == BEFORE


def test_a_prop_is_dragged_itself_at_its_nearest_event(pouring):
    studio, window = pouring
    still(window, 20)  # no hand covers the cup
    start = on_cup(window)
    window.drag(start, [start[0] + 30, start[1] + 12], settle=200)
    done(window, 1)
    assert window.state["done"] == ["Move cup at 'steady'"]
    before, after = (
        places(each) for each in (read("biped:tea"), saved(window, studio, "a.arc.glb"))
    )
    assert np.linalg.norm((after["cup"] - before["cup"])[FRAME]) > 0.1


def test_a_hand_out_of_reach_says_so(pouring):
    _, window = pouring
    start = ring(window, "left hand", 64)
    window.press(start, [start[0] + 260, start[1] - 150], settle=200)
    note = window.page.locator(".card.note")
    note.wait_for()
    assert "left hand stops" in note.inner_text().lower()
    assert "out of reach" in note.inner_text()
    window.keyboard.press("Escape")
    window.mouse.up()
    settled(window)


def test_an_event_is_retimed_by_its_flag_and_undone(pouring):
    studio, window = pouring
    time = events(window)[POUR]["time"]
    start = flag(window)
    later = timeline(window, "frame(given[0])", FRAME + 8)
    pot = {"joint": "Pot", "character": "Pot"}
    window.press(start, [later[0], start[1]], settle=200)
    window.wait(f"state().frame === {FRAME}")
    window.until(
        lambda: window.ask("worldOf(...given)", pot, FRAME), "the pot where it will be at the frame"
    )
    window.mouse.up()
    done(window, 1)
    assert window.state["done"] == ["Retime 'pour'"]
    assert events(window)[POUR]["time"] == pytest.approx(time + 8 / 30, abs=0.5 / 30)
    before, after = (
        places(each) for each in (read("biped:tea"), saved(window, studio, "a.arc.glb"))
    )
    assert np.linalg.norm(after["pot"][FRAME + 8] - before["pot"][FRAME]) < 0.005
    undo(window, 0)
    assert events(window)[POUR]["time"] == pytest.approx(time)


def test_an_event_is_shown_renamed_and_removed_on_the_timeline(pouring):
    _, window = pouring
    x, y = flag(window)
    window.mouse.move(x, y)
    assert "pour: frame 86" in timeline(window, "state()")["hover"]
    window.mouse.click(x, y)
    window.wait(f"state().frame === {FRAME}")
    window.mouse.click(x, y, button="right")
    window.page.get_by_text("Rename event…").click()
    window.page.locator("dialog.naming input").fill("serve")
    window.keyboard.press("Enter")
    done(window, 1)
    assert events(window)[POUR]["name"] == "serve"
    assert window.page.locator(".activity-event").nth(POUR).inner_text().startswith("serve")
    window.mouse.click(x, y, button="right")
    window.page.get_by_text("Remove event").click()
    done(window, 2)
    assert [each["name"] for each in events(window)][POUR] == "pour end"
    undo(window, 1)
    assert events(window)[POUR]["name"] == "serve"


def test_a_take_without_an_activity_says_so(studio_of, window_of):
    window = window_of(studio_of("biped:walk"))
    window.page.locator('[data-tool="activity"]').click()
    window.wait("state().tool === 'activity'")
    settled(window)
    assert window.ask("handles()") == {}
    window.page.get_by_text("This take has no activity: nothing says").wait_for()


def test_a_pot_is_rotated_where_it_pours(pouring):
    _, window = pouring
    still(window, FRAME)
    window.ask("select(given[0])", {"joint": "Pot", "character": "Pot"})
    settled(window)
    start = ring(window, "pot")
    window.mouse.move(*start)
    window.keyboard.press("r")
    window.drag([start[0] + 60, start[1]], [start[0] + 50, start[1] - 30], settle=200)
    done(window, 1)
    assert window.state["done"] == ["Rotate pot at 'pour'"]
    undo(window, 0)
