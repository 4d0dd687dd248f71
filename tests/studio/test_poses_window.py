"""Posing in the browser."""

import numpy as np

from arcwright.open import read
from places import done, paths, point_ref, saved, select, still, timeline


def test_a_pose_drag_moves_the_body_and_keys_the_frame(studio_of, window_of):
    studio = studio_of("biped:stand")
    window = window_of(studio)
    window.page.locator('[data-tool="pose"]').click()
    window.wait('state().tool === "pose"')
    still(window, 0)
    select(window, "RightHand")
    start = window.ask("screenOf(...given)", point_ref("RightHand"), 0)
    window.drag(start, [start[0] - 40, start[1] - 50], settle=150)
    done(window, 1)
    end = window.ask("screenOf(...given)", point_ref("RightHand"), 0)
    assert np.hypot(end[0] - start[0] + 40, end[1] - start[1] + 50) < 3  # px
    scene = saved(window, studio, "posed.arc.glb")
    moved = paths(scene, "RightHand")[0] - paths(read("biped:stand"), "RightHand")[0]
    assert np.linalg.norm(moved) > 0.05


def test_a_pin_in_pose_mode_needs_a_selection_and_a_message_says_so(studio_of, window_of):
    window = window_of(studio_of("biped:stand"))
    window.page.locator('[data-tool="pose"]').click()
    still(window, 0)
    select(window)
    window.keyboard.press("p")
    window.page.locator(".toast", has_text="Nothing selected").wait_for()
    assert window.state["done"] == []
    select(window, "RightHand")
    window.mouse.move(*timeline(window, "frame(given[0])", 0))
    window.keyboard.press("p")  # over the timeline too
    done(window, 1)
