"""Several windows, a server that goes away, keymaps of other programs."""

import signal

import numpy as np
import pytest

from places import curve, curve_place, done, select, still


def test_two_windows_stay_in_step(studio_of, window_of):
    studio = studio_of()
    first = window_of(studio)
    still(first, 0)
    second = window_of(studio)
    still(second, 0)
    select(second, "RightHand")
    start = curve_place(first, "RightHand", 20)
    first.press(start, [start[0] - 30, start[1] - 60])
    second.wait("state().previews.length === 1")  # sees the drag while it moves
    first.mouse.up()
    done(first, 1)
    done(second, 1)
    assert np.array_equal(curve(first, "RightHand"), curve(second, "RightHand"))
    second.keyboard.press("Control+z")
    done(first, 0)
    done(second, 0)
    assert np.array_equal(curve(first, "RightHand"), curve(second, "RightHand"))


@pytest.mark.slow
def test_a_window_comes_back_after_the_server_was_killed(own_studio_of, window_of):
    studio = own_studio_of()
    window = window_of(studio, expect_lost=True, alone=True)
    still(window, 0)
    start = curve_place(window, "RightHand", 20)
    window.drag(start, [start[0] - 30, start[1] - 60], settle=100)
    done(window, 1)
    edited = curve(window, "RightHand")
    studio.stop(signal.SIGKILL)
    window.wait('state().line === "lost"')
    studio.start()
    window.wait('state().line === "refused"')
    window.page.get_by_text("The server was restarted").wait_for()
    with window.page.context.new_page() as other:
        other.goto(studio.address, wait_until="commit")
        window.wait('state().line === "open"')
    window.page.get_by_text("Restore", exact=False).first.click()
    done(window, 1)
    select(window, "RightHand")
    assert np.array_equal(curve(window, "RightHand"), edited)


def test_the_blender_and_maya_keymaps_can_be_switched(studio_of, window_of):
    window = window_of(studio_of())
    window.page.locator("canvas").first.hover(position={"x": 60, "y": 60})
    assert window.state["playing"]
    window.keyboard.press("Space")
    window.wait("state().playing === false")
    window.keyboard.press("Control+k")
    window.keyboard.type("maya")
    window.keyboard.press("Enter")
    window.wait('state().keymap === "maya"')
    window.page.locator("dialog").wait_for(state="detached")
    window.keyboard.press("Alt+v")
    window.wait("state().playing === true")
    window.keyboard.press("?")
    window.page.get_by_text("Alt V", exact=False).first.wait_for()
