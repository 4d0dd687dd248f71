"""Posing and keying in the browser: keys, copies, mirrors, tweens, the pose library, auto key."""

import re

import numpy as np
import pytest

from places import done, select, settled, still, undo, world


def over_viewport(window):
    window.mouse.move(640, 140)


def pose_at(window, frame, *joints):
    still(window, frame)
    return np.array([world(window, joint)[0] for joint in joints])


def labels(window):
    return window.state["done"]


@pytest.fixture
def posing(studio_of, window_of):
    window = window_of(studio_of())
    still(window, 5)
    window.page.click("[data-tool=pose]")
    select(window, "LeftHand")
    over_viewport(window)
    return window


def test_poses_are_keyed_copied_mirrored_and_tweened(posing):
    window = posing
    window.keyboard.press("i")
    done(window, 1)
    assert labels(window)[0].startswith("Add ")
    assert labels(window)[0].endswith("at frame 5")
    undo(window, 0)
    window.page.get_by_label("Keying set").select_option("whole")
    over_viewport(window)
    hands = pose_at(window, 5, "LeftHand", "RightHand", "Hips")
    over_viewport(window)
    window.keyboard.press("Control+c")
    window.wait("state().copiedPose")
    still(window, 17)
    window.keyboard.press("Control+v")
    done(window, 1)
    assert labels(window) == ["Paste pose at frame 17"]
    assert window.state["frame"] == 17  # the playhead stays on what was edited
    pasted = pose_at(window, 17, "LeftHand", "RightHand", "Hips")
    assert np.abs(pasted - hands).max() < 1e-4
    window.keyboard.press("Control+Shift+v")
    done(window, 2)
    mirrored = pose_at(window, 17, "LeftHand", "RightHand", "Hips")
    _, right, hips = hands
    assert np.abs((mirrored[0] - mirrored[2])[1] - (right - hips)[1]) < 1e-3
    assert np.abs((mirrored[0] - mirrored[2])[0] + (right - hips)[0]) < 1e-3
    window.keyboard.press("Control+Shift+m")
    done(window, 3)
    assert labels(window)[-1] == "Mirror pose at frame 17"
    window.keyboard.press("Alt+r")
    done(window, 4)
    assert labels(window)[-1] == "Reset to rest pose at frame 17"
    for count in (3, 2, 1, 0):
        undo(window, count)
    still(window, 4)
    over_viewport(window)
    window.keyboard.press("Shift+E")
    window.mouse.move(640 + 160, 140, steps=6)
    window.until(lambda: "Tween" in window.page.locator(".stage").inner_text(), "a tween is shown")
    window.mouse.click(640 + 160, 140)
    done(window, 1)
    assert re.fullmatch(r"Tween (9|10)\d % at frame 4", *labels(window))
    undo(window, 0)
    slider = window.page.get_by_label("Tween between neighbouring keys")
    slider.focus()
    slider.press("ArrowRight")
    slider.press("Enter")
    done(window, 1)
    assert labels(window) == ["Tween 51 % at frame 4"]


def test_a_pose_is_stored_with_a_picture_and_blended_in(posing):
    window = posing
    window.page.get_by_label("Keying set").select_option("whole")
    window.page.get_by_text("+ Store pose").click()
    window.keyboard.type("Stride")
    window.keyboard.press("Enter")
    done(window, 1)
    (pose,) = window.state["poses"]
    assert pose["name"] == "Stride"
    assert pose["picture"].startswith("data:image/")
    still(window, 15)
    before = world(window, "RightHand")[0]
    window.page.get_by_label("Apply pose Stride").click()
    done(window, 2)
    there = world(window, "RightHand")[0]
    assert labels(window)[-1] == "Apply pose Stride at frame 15"
    undo(window, 1)
    blend = window.page.get_by_label("Blend in pose Stride")
    blend.evaluate(
        "(each) => { each.value = 50; each.dispatchEvent(new Event('input', {bubbles: true}));"
        " each.dispatchEvent(new Event('change', {bubbles: true})); }"
    )
    done(window, 2)
    half = world(window, "RightHand")[0]
    assert np.linalg.norm(there - before) > 0.01
    assert 0.2 < np.linalg.norm(half - before) / np.linalg.norm(there - before) < 0.8


def test_without_auto_key_a_pose_is_keyed_by_i_or_lost_with_a_warning(posing):
    window = posing
    window.page.get_by_title("Auto key:").click()

    def pull():
        settled(window)
        at = window.ask("screenOf(...given)", {"joint": "LeftHand"})
        window.drag(at, [at[0] + 30, at[1] - 30], settle=200)
        window.wait("state().interaction?.unkeyed")

    before = world(window, "LeftHand")[0]
    pull()
    assert labels(window) == []
    pull_again = world(window, "LeftHand")[0]
    assert np.linalg.norm(pull_again - before) > 0.01
    window.keyboard.press("i")
    done(window, 1)
    assert labels(window)[0].startswith("Pose LeftHand")
    undo(window, 0)
    window.page.mouse.move(640, 140)
    at = window.ask("screenOf(...given)", {"joint": "LeftHand"})
    window.drag(at, [at[0] + 30, at[1] - 30], settle=200)
    window.wait("state().interaction?.unkeyed")
    window.keyboard.press("ArrowRight")
    window.wait("state().interaction === null")
    window.page.get_by_text("was not keyed and is lost").wait_for()
    assert labels(window) == []
