"""Performances are recorded with real and synthetic devices, by a tool that is only performed."""

import re
from pathlib import Path

import numpy as np
import pytest

from arcwright import Point, read, write
from arcwright.kinematics.trail import trail
from places import done, point_ref, select, settled, still, undo
from sent_messages import LISTEN, sent

SCENE = "biped:walk"
# A gamepad whose left stick is turned in circles: right at first, then up.
GAMEPAD = """() => {
  const began = performance.now();
  navigator.getGamepads = () => {
    const turn = (2 * Math.PI * (performance.now() - began)) / 800;
    const buttons = Array.from({ length: 17 }, () => ({ pressed: false, value: 0 }));
    const axes = [Math.cos(turn), -Math.sin(turn), 0, 0];
    const id = { index: 0, id: "test", connected: true, mapping: "standard" };
    return [{ ...id, axes, buttons, timestamp: performance.now() }];
  };
}"""
HEADSET = Path(__file__).parents[2] / "studio" / "node_modules" / "iwer" / "build" / "iwer.js"
WEAR = """() => {
  const device = new IWER.XRDevice(IWER.metaQuest3);
  device.installRuntime({ forceInstall: true });
  window.headset = device;
  const began = performance.now();
  setInterval(() => {
    const turn = (2 * Math.PI * (performance.now() - began)) / 800;
    const hand = device.controllers.right;
    hand.position.set(0.2 * Math.cos(turn), 1.2 + 0.2 * Math.sin(turn), -0.4);
  }, 8);
}"""


@pytest.fixture
def window_with(dummy_studio, window_of):
    """A window on the walk, paused, with the tool `act`, the hips selected and no count-in."""

    def open_with(**given):
        dummy_studio.open(SCENE)
        window = window_of(dummy_studio, **given)
        window.page.locator('[data-tool="act"]').click()
        window.wait('state().tool === "act"')
        still(window, 0)
        select(window, "Hips")
        choose(window, "Count-in", "None")
        window.page.evaluate(LISTEN)
        return window

    return open_with


def choose(window, name, value):
    """Choose in the menu beside the record button."""
    window.page.locator(".record-more").click()
    window.page.locator(".menu").get_by_text(name, exact=True).hover()
    window.page.locator(".menu").get_by_text(value, exact=True).last.click()


def hips(window):
    return np.array(window.ask("worldOf(given[0], 0)", point_ref("Hips")))


def performed(window):
    """All samples that were sent: times, positions and the messages."""
    chunks = sent(window, "AppendPerformance")
    times = np.array([time for each in chunks for time in each["times"]])
    places = np.array([pose[0, :3] for each in chunks for pose in each["poses"]])
    return times, places, chunks


def sent_again(window):
    """Times since they last went back; a socket that is closing takes samples, too."""
    times, _, _ = performed(window)
    return times[np.flatnonzero(np.diff(times, prepend=np.inf) < 0)[-1] :] if len(times) else times


def phase(window, name):
    if name is None:
        window.wait("state().recording === null")
    else:
        window.wait(f'state().recording?.phase === "{name}"')


def record(window):
    window.keyboard.press("Shift+Space")
    phase(window, "recording")


def stop(window):
    window.keyboard.press("Shift+Space")
    phase(window, "review")


def circle(window, middle, turns=1, radius=40, steps=24):
    for i in range(turns * steps + 1):
        turn = 2 * np.pi * i / steps
        x, y = np.asarray(middle) + radius * np.array([np.cos(turn), -np.sin(turn)])
        window.mouse.move(x, y)
        window.page.wait_for_timeout(20)
    window.mouse.move(middle[0], middle[1] - 90)  # elsewhere than it began


def nothing_sticks(window):
    phase(window, None)
    settled(window)
    assert window.state["interaction"] is None
    assert window.state["previews"] == []
    assert window.page.locator(".record-strip").count() == 0


def test_a_mouse_is_recorded_at_the_playheads_times_and_kept_as_one_step(window_with):
    window = window_with()
    before = hips(window)
    window.mouse.move(540, 300)
    record(window)
    assert window.state["playing"]
    circle(window, (500, 300), turns=2)
    assert re.fullmatch(r"\d\d:\d\d\.\d", window.page.locator(".record-text").inner_text())
    stop(window)
    times, places, chunks = performed(window)
    assert (np.diff(times) >= 0).all()
    duration = window.state["takes"]["biped"][0]["duration"]
    assert times[-1] > duration  # over the end of the take and on
    sides = np.ptp(places, axis=0)
    assert sides[1] > 0.05
    assert np.hypot(sides[0], sides[2]) > 0.05  # a circle before the camera
    assert {each["device"] for each in chunks} == {"mouse"}
    assert window.state["done"] == []
    window.page.locator(".record-strip .main").click()
    done(window, 1)
    nothing_sticks(window)
    assert not np.allclose(hips(window), before)
    undo(window, 0)
    window.until(lambda: np.allclose(hips(window), before), "undo restores it")


def test_choices_set_an_option_and_the_recording_can_be_acted_again(window_with):
    window = window_with()
    before = hips(window)
    window.mouse.move(500, 300)
    record(window)
    circle(window, (500, 300))
    stop(window)
    strip = window.page.locator(".record-strip")
    strip.get_by_role("radio", name="1 times", exact=True).wait_for()
    window.until(lambda: (hips(window) - before)[1] > 0.3, "it was raised")
    once = hips(window) - before
    strip.get_by_role("radio", name="2 times").click()
    window.until(lambda: np.allclose(hips(window) - before, 2 * once, atol=1e-4), "twice as far")
    strip.get_by_role("button", name="Record again").click()
    phase(window, "recording")
    window.mouse.move(500, 300)
    circle(window, (500, 300))
    stop(window)
    window.keyboard.press("Enter")
    done(window, 1)
    nothing_sticks(window)


@pytest.mark.slow
def test_escape_discards_while_it_counts_acts_and_is_reviewed(window_with):
    window = window_with()
    before = hips(window)
    for moment in ("counting", "recording", "review"):
        choose(window, "Count-in", "4 beats" if moment == "counting" else "None")
        window.mouse.move(500, 300)
        window.keyboard.press("Shift+Space")
        phase(window, "counting" if moment == "counting" else "recording")
        if moment == "counting":
            assert window.page.locator(".countdown").inner_text() in "1234"
        else:
            circle(window, (500, 300))
        if moment == "review":
            stop(window)
        window.keyboard.press("Escape")
        nothing_sticks(window)
        assert window.state["playing"] == (moment == "review")
        assert np.array_equal(hips(window), before)
        assert window.state["done"] == []
        still(window, 0)


@pytest.mark.slow
def test_a_count_in_ends_at_the_first_frame(window_with):
    window = window_with()
    choose(window, "Count-in", "2 beats")
    window.mouse.move(500, 300)
    window.keyboard.press("Shift+Space")
    phase(window, "counting")
    phase(window, "recording")
    circle(window, (500, 300))
    stop(window)
    times, _, _ = performed(window)
    assert 0 <= times[0] < 0.3
    window.keyboard.press("Escape")
    nothing_sticks(window)


def test_a_pressed_pointer_ends_the_recording_where_it_is_released(window_with):
    window = window_with()
    window.mouse.move(500, 300)
    record(window)
    window.mouse.down()
    circle(window, (500, 300))
    window.mouse.up()
    phase(window, "review")
    window.keyboard.press("Enter")
    done(window, 1)
    nothing_sticks(window)


@pytest.mark.slow
def test_a_gamepad_is_recorded(window_with):
    window = window_with()
    window.page.evaluate(GAMEPAD)
    choose(window, "Device", "Gamepad")
    record(window)
    window.page.wait_for_timeout(1800)
    window.until(lambda: len(performed(window)[0]) > 20, "samples, one per frame of the page")
    stop(window)
    _, places, chunks = performed(window)
    assert chunks[0]["device"] == "gamepad"
    axes = np.array([row for each in chunks for row in each["axes"]])
    left = axes[:, [chunks[0]["axis_names"].index(name) for name in ("left_x", "left_y")]]
    assert np.allclose(np.linalg.norm(left, axis=1), 1, atol=1e-6)
    assert np.ptp(places[:, 1]) > 0.2  # m, up and down
    window.keyboard.press("Enter")
    done(window, 1)
    nothing_sticks(window)


@pytest.mark.slow
def test_a_finger_is_recorded_and_a_second_one_does_not_end_it(window_with):
    window = window_with()
    tools = window.page.context.new_cdp_session(window.page)

    def touch(kind, *places):
        points = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(places)]
        tools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    record(window)
    touch("touchStart", (540, 300))
    for i in range(40):
        turn = 2 * np.pi * i / 20
        place = (500 + 40 * np.cos(turn), 300 - 40 * np.sin(turn))
        touch("touchMove", place, *([(700, 200)] if 20 < i < 25 else []))
        window.page.wait_for_timeout(20)
    touch("touchMove", (500, 200))
    touch("touchEnd")
    phase(window, "review")
    _, places, chunks = performed(window)
    assert {each["device"] for each in chunks} == {"touch"}
    assert np.ptp(places[:, 1]) > 0.05
    window.keyboard.press("Enter")
    done(window, 1)
    nothing_sticks(window)
    tools.detach()


@pytest.mark.slow
def test_a_path_of_a_file_is_played_once_and_stops_by_itself(window_with, tmp_path):
    window = window_with()
    path = tmp_path / "lift.csv"
    rows = [f"{i / 120},0,{0.3 * np.sin(i / 20):.5f},0" for i in range(120)]
    path.write_text("time,x,y,z\n" + "\n".join(rows))
    with window.page.expect_file_chooser() as chooser:
        choose(window, "Device", "Recorded path…")
    chooser.value.set_files(path)
    window.page.get_by_text("Record now plays").wait_for()
    window.keyboard.press("Shift+Space")
    phase(window, "review")
    times, places, _ = performed(window)
    assert len(times) == 120  # every row, whatever the page draws
    assert np.allclose(places[:, 1], 0.3 * np.sin(np.arange(120) / 20), atol=1e-4)
    assert np.isclose(times[-1] - times[0], 119 / 120, atol=0.02)
    window.keyboard.press("Escape")
    nothing_sticks(window)


@pytest.mark.slow
def test_a_capture_is_a_device_and_another_joint_of_it_can_be_chosen(window_with, tmp_path):
    window = window_with()
    write(read("biped:walk"), tmp_path / "walk.bvh")
    with window.page.expect_file_chooser() as chooser:
        choose(window, "Device", "Recorded path…")
    chooser.value.set_files(tmp_path / "walk.bvh")
    window.page.get_by_text("Record now plays the path of LeftHand").wait_for()
    choose(window, "Joint of walk.bvh", "Head")
    window.page.get_by_text("Record now plays the path of Head").wait_for()
    window.keyboard.press("Shift+Space")
    phase(window, "review")
    _, places, _ = performed(window)
    take = read(tmp_path / "walk.bvh").characters[0].takes[0]
    np.testing.assert_allclose(
        places, trail(take, Point("Head"), take.frame_times()).position, atol=1e-4
    )
    window.keyboard.press("Escape")
    nothing_sticks(window)


@pytest.mark.slow
def test_a_lost_connection_loses_no_sample(window_with):
    window = window_with(expect_lost=True)
    window.mouse.move(500, 300)
    record(window)
    circle(window, (500, 300))
    window.page.evaluate("() => { window.sent = []; window.socket.close(); }")
    circle(window, (500, 300))
    window.wait('state().line === "open"')
    window.until(lambda: len(sent_again(window)) > 60, "all of it is sent again")
    stop(window)
    assert sent_again(window)[0] < 0.3  # from the first one on, in order
    window.keyboard.press("Enter")
    done(window, 1)
    nothing_sticks(window)


@pytest.mark.skipif(not HEADSET.exists(), reason="the emulator of a headset is not installed")
@pytest.mark.slow
def test_a_controller_of_a_headset_is_recorded(dummy_studio, window_of):
    dummy_studio.open(SCENE)
    window = window_of(dummy_studio, alone=True)
    window.page.add_init_script(path=HEADSET)
    window.page.add_init_script(f"({WEAR})()")
    window.page.reload()
    window.wait("ready")
    window.page.locator('[data-tool="act"]').click()
    still(window, 0)
    select(window, "Hips")
    choose(window, "Count-in", "None")
    choose(window, "Device", "VR controllers or hands")
    window.page.evaluate(LISTEN)
    record(window)
    window.page.wait_for_timeout(2000)
    window.until(lambda: len(performed(window)[0]) > 20, "samples, one per frame of the page")
    stop(window)
    _, places, chunks = performed(window)
    assert chunks[0]["device"] == "xr"
    assert "right_trigger" in chunks[0]["axis_names"]
    assert 0.3 < np.ptp(places[:, 1]) < 0.45  # m
    window.keyboard.press("Enter")
    done(window, 1)
    nothing_sticks(window)
