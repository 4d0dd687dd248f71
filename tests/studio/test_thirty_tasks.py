"""Everyday tasks with a real mouse and real keys, their steps as docs/tasks.md says."""

import re
from pathlib import Path

import pytest

from counted_steps import CountedSteps
from places import curve_place, done, select, settled, still, timeline, undo
from wav import wav

TABLE = Path(__file__).parents[2] / "docs" / "tasks.md"
OVER = [640, 140]  # a place over the viewport where nothing is


def documented():
    """Steps by task, from the table."""
    rows = re.findall(r"^\| (.+?) \| (\d+) \| (\d+)\*? \|$", TABLE.read_text(), re.MULTILINE)
    return {task: int(steps) for task, steps, _ in rows}


@pytest.fixture
def hand(studio_of, window_of):
    window = window_of(studio_of())
    hand = CountedSteps(window)
    yield hand
    assert len(documented()) == 35
    assert hand.counted == {each: documented()[each] for each in hand.counted}


def screen(window, joint):
    return window.ask("screenOf(...given)", {"joint": joint})


def row(window, label):
    return next(each["id"] for each in timeline(window, "rows()") if each["label"] == label)


def mark(window, label, frame):
    return timeline(window, "mark(...given)", row(window, label), frame)


def last(window):
    return window.state["done"][-1]


def test_opening_reducing_saving_and_exporting(hand, captured, tmp_path):
    window = hand.window
    sound = tmp_path / "steps.wav"
    sound.write_bytes(wav(0.5))
    hand.hover(OVER)
    with hand.task("open a file of the folder"):
        hand.press("Control+o")
        hand.click(window.page.locator("dialog button.row[title='captured.arc.glb']").last)
        window.wait("state().takes.biped?.[0]?.baked && window.arcwright.settled")
    still(window, 5)
    with hand.task("reduce a capture to few keys"):
        hand.press("Control+k")
        hand.type("reduce")
        hand.press("Enter")
        hand.click(window.page.locator("dialog button.main"))
        done(window, 1)
    assert window.state["takes"]["biped"][0]["keyed"]
    with hand.task("add a sound to animate to"):
        with window.page.expect_file_chooser() as chosen:
            hand.press("Control+k")
            hand.type("audio")
            hand.press("Enter")
        hand.choose(chosen.value, sound)
        done(window, 2)
    with hand.task("save"):
        hand.press("Control+s")
        window.wait("state().saved")
    with hand.task("export a video"), window.page.expect_download() as made:
        hand.press("Control+e")
        hand.click(window.page.get_by_text("Video, .mp4"))
        hand.click(window.page.locator("dialog button.main"))
    assert made.value.suggested_filename.endswith(".mp4")


def test_looking_selecting_and_going_through_time(hand):
    window = hand.window
    still(window, 0)
    hand.hover(OVER)
    with hand.task("play, and stop"):
        hand.press("Space")
        window.wait("state().playing")
        hand.press("Space")
        window.wait("state().playing === false")
    field = window.page.get_by_label("Current frame")
    with hand.task("go to a frame by its number"):
        hand.click(field)
        hand.type("5")
        hand.press("Enter")
        window.wait("state().frame === 5")
    hand.hover(OVER)
    with hand.task("step to the next key"):
        hand.press("ArrowUp")
        window.wait("state().frame > 5")
    still(window, 6)
    with hand.task("select a joint in the viewport"):
        hand.click(screen(window, "Head"))
        window.wait("state().points.length === 1")
    assert window.state["points"][0]["joint"] in ("Head", "Neck")
    settled(window)
    corner, other = screen(window, "LeftHand"), screen(window, "LeftHand")
    hand.hover(OVER)
    with hand.task("select joints by a box"):
        hand.press("b")
        hand.drag([corner[0] - 14, corner[1] - 14], [other[0] + 14, other[1] + 14])
        window.wait("state().points.some((each) => each.joint === 'LeftHand')")
    hand.hover(OVER)
    with hand.task("look from the front, without perspective"):
        hand.press("Numpad1")
        window.wait("camera().still && window.arcwright.camera().pitch === 0")
    with hand.task("find a command by another word for it"):
        hand.press("Control+k")
        hand.type("playblast")
        hand.press("Enter")
        window.page.locator("dialog.export").wait_for()
    window.keyboard.press("Escape")


def test_posing_and_keying(hand):
    window = hand.window
    still(window, 5)
    hand.hover(OVER)
    with hand.task("pose a hand at this frame, keyed"):
        hand.press("1")
        at = screen(window, "LeftHand")
        hand.drag(at, [at[0] + 30, at[1] - 30], settle=150)
        done(window, 1)
    assert last(window).endswith("at frame 5")
    hand.hover(OVER)
    still(window, 8)
    with hand.task("key the selection"):
        hand.press("i")
        done(window, 2)
    select(window, "Head")
    with hand.task("rotate a joint by a typed angle, keyed"):
        hand.click(window.page.get_by_label("Rotation, y"))
        hand.type("20")
        hand.press("Enter")
        done(window, 3)
    select(window, "LeftHand")
    settled(window)
    with hand.task("move a point by a typed number, keyed"):
        hand.click(window.page.get_by_label("Position, y"))
        hand.type("120")
        hand.press("Enter")
        done(window, 4)
    hand.hover(OVER)
    with hand.task("copy a pose, paste it at the next key"):
        hand.press("Control+c", "ArrowUp")
        window.wait("state().copiedPose && window.arcwright.state().frame > 8")
        hand.press("Control+v")
        done(window, 5)
    with hand.task("paste it mirrored"):
        hand.press("Control+Shift+v")
        done(window, 6)
    with hand.task("mirror a pose"):
        hand.press("Control+Shift+m")
        done(window, 7)
    still(window, 17)
    with hand.task("tween between the keys beside"):
        hand.press("Shift+E")
        window.mouse.move(OVER[0] + 30, OVER[1], steps=3)
        hand.click([OVER[0] + 60, OVER[1]])
        done(window, 8)
    with hand.task("reset a joint to rest, keyed"):
        hand.press("Alt+r")
        done(window, 9)
    with hand.task("store a pose in the library"):
        hand.click(window.page.get_by_text("+ Store pose"))
        hand.type("Reach")
        hand.press("Enter")
        done(window, 10)
    still(window, 20)
    with hand.task("apply a stored pose, keyed"):
        hand.click(window.page.get_by_label("Apply pose Reach"))
        done(window, 11)
    hand.hover(OVER)
    with hand.task("pose without auto key, then key it"):
        hand.click(window.page.get_by_title("Auto key:"))
        at = screen(window, "Head")
        hand.drag(at, [at[0] + 20, at[1]], settle=150)
        window.wait("state().interaction?.unkeyed")
        hand.press("i")
        done(window, 12)
    with hand.task("undo, and redo"):
        hand.press("Control+z")
        done(window, 11)
        hand.press("Control+Shift+z")
        done(window, 12)


def test_curves_and_contacts(hand):
    window = hand.window
    still(window, 6)
    select(window, "RightHand")
    with hand.task("edit the arc between two keys"):
        at = curve_place(window, "RightHand", 6)
        hand.drag(at, [at[0] - 30, at[1] - 20], settle=100)
        done(window, 1)
    hand.hover(OVER)
    with hand.task("scale time at a frame"):
        hand.press("s")
        hand.drag(OVER, [OVER[0] + 60, OVER[1]], settle=100)
        done(window, 2)
    still(window, 18)
    with hand.task("plant a foot over a stretch"):
        hand.click(screen(window, "LeftFoot"))
        window.wait("state().points.length === 1")
        settled(window)
        hand.press("c")
        done(window, 3)


def test_keys_in_the_timeline(hand):
    window = hand.window
    still(window, 0)
    select(window, "RightHand")
    with hand.task("move a key in time"):
        at = mark(window, "RightHand", 14)
        hand.drag(at, [timeline(window, "frame(given[0])", 17)[0], at[1]])
        done(window, 1)
    with hand.task("move a key by a typed frame"):
        hand.click(mark(window, "RightHand", 17))
        hand.click(window.page.get_by_label("Frame of the selected keys"))
        hand.type("15")
        hand.press("Enter")
        done(window, 2)
    assert mark(window, "RightHand", 15)
    window.mouse.click(*mark(window, "RightHand", 0))
    with hand.task("scale keys about the playhead"):
        first, far = mark(window, "RightHand", 0), mark(window, "RightHand", 15)
        hand.drag([first[0] + 8, first[1] - 8], [far[0] + 8, far[1] + 8])
        hand.press("s")
        window.mouse.move(far[0] + 60, far[1], steps=4)
        hand.click([far[0] + 60, far[1]])
        done(window, 3)
    undo(window, 2)
    with hand.task("duplicate keys"):
        at = mark(window, "RightHand", 15)
        hand.click(at)
        hand.press("Shift+D")
        there = timeline(window, "frame(given[0])", 20)
        window.mouse.move(there[0], at[1], steps=4)
        hand.click([there[0], at[1]])
        done(window, 3)
    with hand.task("set the handle type of keys"):
        hand.click(mark(window, "RightHand", 15))
        hand.press("v")
        hand.click(window.page.get_by_role("menuitemcheckbox", name="Vector"))
        done(window, 4)
    with hand.task("play only from the first to the last selected key"):
        first, far = mark(window, "RightHand", 15), mark(window, "RightHand", 20)
        hand.drag([first[0] - 8, first[1] - 8], [far[0] + 8, far[1] + 8])
        hand.press("Control+Alt+p")
        window.wait("view.playRange.value[0] === 15")
    assert window.ask("view.playRange.value") == [15, 20]
    with hand.task("add a named marker"):
        hand.press("m")
        window.page.locator("dialog input").wait_for()
        hand.type("beat")
        hand.press("Enter")
        done(window, 5)
    (marker,) = window.state["takes"]["biped"][0]["markers"]
    assert marker["name"] == "beat"
