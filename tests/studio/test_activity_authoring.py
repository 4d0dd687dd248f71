"""Activities made in the browser: events detected and accepted, added by hand, props swapped."""

import base64
from dataclasses import replace

import numpy as np
import pytest

from arcwright import read, write
from arcwright.arrays import same
from arcwright.characters.tableware import Teapot
from arcwright.kinematics.scaled_limbs import scaled_limbs
from arcwright.scene.scene import Scene
from places import done, picture, saved, settled, still, timeline, undo

DROP = """([at, name, bytes]) => {
  const carried = new DataTransfer();
  carried.items.add(new File([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))], name));
  const [x, y] = at;
  for (const kind of ["dragenter", "dragover", "drop"])
    document.elementFromPoint(x, y).dispatchEvent(new DragEvent(kind, {
      dataTransfer: carried, bubbles: true, cancelable: true, clientX: x, clientY: y,
    }));
}"""


@pytest.fixture
def authoring(studio_of, window_of, folder):
    """A studio and a window on the pouring of tea, which says nothing of an activity yet."""
    path = folder / "bare.arc.glb"
    write(replace(read("biped:tea"), activities=()), path)
    studio = studio_of(path)
    window = window_of(studio)
    still(window, 20)
    window.page.locator('[data-tool="activity"]').click()
    window.wait("state().tool === 'activity'")
    settled(window)
    return studio, window


def activities(window):
    return window.state["activities"]


def names(window):
    return [each["name"] for each in activities(window)[0]["events"]]


def button(window, name):
    return window.page.get_by_role("button", name=name, exact=True)


def detect(window):
    button(window, "Detect events").click()
    window.page.locator(".proposal").first.wait_for()
    settled(window)
    return window.page.locator(".proposal .row-label").all_inner_texts()


def test_detected_events_are_accepted_above_a_confidence_in_one_step(authoring):
    _, window = authoring
    found = detect(window)
    assert "grab pot" in found
    assert activities(window) == []
    limit = window.page.get_by_label("Lowest confidence to accept")
    limit.fill("0.9")
    sure = window.page.locator(".proposal:not(:has(.unsure)) .row-label").all_inner_texts()
    assert 0 < len(sure) < len(found)
    button(window, f"Accept {len(sure)}").click()
    done(window, 1)
    settled(window)
    assert names(window) == sure
    assert window.page.locator(".proposal").count() == len(found) - len(sure)
    assert window.ask("handles()")  # they can be dragged
    undo(window, 0)
    settled(window)
    assert activities(window) == []
    assert window.page.locator(".proposal").count() == len(found)


def test_a_proposal_is_dragged_accepted_and_others_are_rejected_on_the_timeline(authoring):
    _, window = authoring
    found = detect(window)
    start = timeline(window, "proposal(given[0])", "grab pot")
    later = timeline(window, "frame(given[0])", 40)
    window.drag(start, [later[0], start[1]], settle=100)
    assert window.state["done"] == []
    flag = timeline(window, "proposal(given[0])", "grab pot")
    window.mouse.move(*flag)
    assert "grab pot? frame 40" in timeline(window, "state()")["hover"]
    window.mouse.click(*flag, button="right")
    window.page.get_by_text("Accept event").click()
    done(window, 1)
    settled(window)
    assert window.state["done"] == ["Add activity tea"]
    assert names(window) == ["grab pot"]
    assert activities(window)[0]["events"][0]["time"] == pytest.approx(40 / 30)
    assert "grab pot" not in window.page.locator(".proposal .row-label").all_inner_texts()
    window.mouse.click(*timeline(window, "proposal(given[0])", "release pot"), button="right")
    window.page.get_by_text("Reject event").click()
    left = window.page.locator(".proposal .row-label").all_inner_texts()
    assert set(found) - set(left) == {"grab pot", "release pot"}


def test_an_activity_is_made_by_hand_and_edited(authoring):
    studio, window = authoring
    button(window, "New activity").click()
    done(window, 1)
    settled(window)
    assert {each["prop"] for each in activities(window)[0]["objects"]} >= {"Pot", "Cup"}
    still(window, 86)
    button(window, "Add event").click()
    done(window, 2)
    settled(window)
    (event,) = activities(window)[0]["events"]
    assert (event["name"], event["time"]) == ("event", pytest.approx(86 / 30))
    window.page.get_by_label("Name of the event").fill("pour")
    window.keyboard.press("Enter")
    done(window, 3)
    for step, label in enumerate(("Part Cup", "Move Cup", "Scale Cup", "Swap Cup"), 4):
        window.page.get_by_label(label).check()
        done(window, step)
    window.page.get_by_label("What keeps its place").select_option("left hand")
    window.page.get_by_label("What it keeps to").select_option("Cup")
    button(window, "Pair").click()
    done(window, 8)
    window.page.get_by_label("Looks at").select_option("Cup")
    done(window, 9)
    settled(window)
    (event,) = activities(window)[0]["events"]
    assert event["name"] == "pour"
    assert "Cup" in event["movable"]
    assert (event["scalable"], event["replaceable"]) == (["Cup"], ["Cup"])
    assert (event["pairs"], event["look_at"]) == ([["left hand", "Cup"]], "Cup")
    x, y = window.ask("handles()")["Cup at frame 86"]
    window.drag([x, y], [x + 40, y + 10], settle=200)
    done(window, 10)
    assert window.state["done"][-1] == "Move Cup at 'pour'"
    assert saved(window, studio, "made.arc.glb").activities[0].events[0].name == "pour"
    undo(window, 9)
    assert len(names(window)) == 1


def test_an_event_is_moved_without_its_motion_by_its_frame(authoring):
    studio, window = authoring
    detect(window)
    button(window, "Accept grab pot").click()
    done(window, 1)
    settled(window)
    before = saved(window, studio, "before.arc.glb")
    window.page.locator(".activity-event", has_text="grab pot").first.click()
    frame = window.page.get_by_label("Frame of the event")
    frame.fill("44")
    frame.press("Enter")
    done(window, 2)
    assert window.state["done"][-1] == "Move event grab pot to frame 44"
    assert window.state["frame"] == 44
    after = saved(window, studio, "after.arc.glb")
    assert same(before.characters, after.characters)
    assert after.activities[0].events[0].time == pytest.approx(44 / 30)


@pytest.fixture
def pot(tmp_path):
    """The file of a pot with a short spout."""
    path = tmp_path / "short.glb"
    write(Scene("short", (), (Teapot(spout_length=0.08).prop(),)), path)
    return path


@pytest.fixture
def pouring(studio_of, window_of):
    studio = studio_of("biped:tea")
    window = window_of(studio)
    still(window, 86)
    window.page.locator('[data-tool="activity"]').click()
    window.wait("state().tool === 'activity'")
    settled(window)
    return studio, window


def assert_swapped(studio, window):
    done(window, 1)
    settled(window)
    assert window.state["done"] == ["Swap pot"]
    before, after = read("biped:tea"), saved(window, studio, "swapped.arc.glb")
    assert not same(before.actor("Pot").shapes, after.actor("Pot").shapes)
    undo(window, 0)
    assert same(saved(window, studio, "back.arc.glb").props, before.props)


def test_a_prop_is_scaled_by_a_number_and_undone(pouring):
    studio, window = pouring
    scale = window.page.get_by_role("textbox", name="Scale cup")
    scale.fill("1.4")
    scale.press("Enter")
    done(window, 1)
    assert window.state["done"] == ["Scale cup at 'pour'"]
    before, after = read("biped:tea"), saved(window, studio, "large.arc.glb")
    sizes = [
        np.ptp(each.actor("Cup").shapes[0].parts[0].attributes["POSITION"], axis=0)
        for each in (before, after)
    ]
    np.testing.assert_allclose(sizes[1], 1.4 * sizes[0], rtol=1e-4)
    undo(window, 0)
    assert same(saved(window, studio, "back.arc.glb").props, before.props)


def test_a_prop_is_swapped_by_a_file_dropped_on_it(pouring, pot):
    studio, window = pouring
    at = window.ask("handles()")["pot at frame 86"]
    data = base64.b64encode(pot.read_bytes()).decode()
    window.page.evaluate(DROP, [at, pot.name, data])
    assert_swapped(studio, window)


def test_a_prop_is_swapped_by_a_file_that_is_chosen(pouring, pot):
    studio, window = pouring
    with window.page.expect_file_chooser() as chooser:
        button(window, "Swap pot…").click()
    chooser.value.set_files(pot)
    assert_swapped(studio, window)


def test_a_file_that_cannot_be_read_swaps_nothing(pouring, tmp_path):
    _, window = pouring
    bad = tmp_path / "bad.glb"
    bad.write_bytes(b"no model")
    with window.page.expect_file_chooser() as chooser:
        button(window, "Swap pot…").click()
    chooser.value.set_files(bad)
    window.page.get_by_text("unchanged").wait_for()
    assert window.state["done"] == []


def test_an_activity_is_retargeted_to_the_character_of_a_file(pouring, tmp_path):
    studio, window = pouring
    path = tmp_path / "short.arc.glb"
    short = scaled_limbs(read("biped:tea").characters[0], arms=0.85, legs=0.75)
    write(Scene("short", (replace(short, name="short"),)), path)
    window.page.get_by_label("Change the activity").click()
    with window.page.expect_file_chooser() as chooser:
        window.page.get_by_text("Retarget to a character…").click()
    chooser.value.set_files(path)
    window.wait('state().character === "short" && window.arcwright.ready')
    settled(window)
    assert window.state["done"] == ["Retarget tea to short"]
    assert window.ask("handles()")
    undo(window, 0)
    assert window.state["character"] == "biped"
    assert same(saved(window, studio, "back.arc.glb").characters, read("biped:tea").characters)


@pytest.mark.slow
def test_body_and_props_are_compared_with_what_was_before_the_edit(pouring, window_of):
    studio, _ = pouring
    window = window_of(studio, picture="bodies")
    still(window, 86)
    window.page.locator('[data-tool="activity"]').click()
    settled(window)
    x, y = window.ask("handles()")["cup at frame 86"]
    window.drag([x, y], [x + 40, y + 15], settle=200)
    done(window, 1)
    view = 420, 100, 480, 400
    without = picture(window, *view)

    def striped():
        return (np.abs(picture(window, *view) - without).max(axis=2) > 25).sum()

    window.keyboard.press("Control+k")
    window.keyboard.type("Compare: last edit")
    window.keyboard.press("Enter")
    window.wait("view.compare.value")
    window.page.locator("dialog").wait_for(state="detached")
    window.until(lambda: striped() > 300, "stripes are drawn")
