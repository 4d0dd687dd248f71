"""Kept recordings in a real browser: listed under their take, made again with another shape."""

import numpy as np
import pytest

import arcwright
from acting import triggers
from places import done, select, settled, still, undo


def acted_file(folder):
    scene = arcwright.read("biped:stand")
    device = triggers(1.0, 6.0)
    scene = arcwright.perform(scene, ["Head.rotate.x"], device, gain=0.5).apply(scene)
    arcwright.write(scene, folder / "nod.arc.glb")
    return folder / "nod.arc.glb"


@pytest.mark.slow
def test_a_recording_of_a_saved_file_is_made_again_with_another_shape(studio_of, window_of, folder):
    window = window_of(studio_of(acted_file(folder)))
    row = window.page.locator("[data-recording='0']")
    assert row.inner_text().split("\n")[0] == "Head rotate x"
    row.click()
    window.wait('state().recording?.phase === "review"')
    strip = window.page.locator(".record-strip")
    strip.get_by_role("radio", name="Best").click()
    window.until(
        lambda: strip.get_by_role("radio", name="Best").get_attribute("aria-checked") == "true",
        "the chosen shape",
    )
    window.keyboard.press("Enter")
    done(window, 1)
    window.wait("state().recording === null")
    row.click()
    window.until(
        lambda: strip.get_by_role("radio", name="Best").get_attribute("aria-checked") == "true",
        "the shape that it was made with",
    )
    window.keyboard.press("Escape")
    window.wait("state().recording === null")
    undo(window, 0)
    settled(window)
    assert row.count() == 1


@pytest.mark.slow
def test_a_device_that_rotates_switches_orientation_arrows_on(studio_of, window_of, folder):
    window = window_of(studio_of("biped:stand"))
    window.page.locator('[data-tool="cycle"]').click()
    still(window, 0)
    select(window, "RightHand")
    for turned in (0.0, 0.2):  # rad
        play_path(window, folder / f"turned_{turned}.csv", turned)
        assert window.ask("view.orientationArrows.value") == (turned > 0)
        window.keyboard.press("Escape")
        window.wait("state().recording === null")


def choose(window, name, value):
    window.page.locator(".record-more").click()
    window.page.locator(".menu").get_by_text(name, exact=True).hover()
    window.page.locator(".menu").get_by_text(value).last.click()


def play_path(window, path, turned):
    half = turned * np.sin(np.arange(40) / 6) / 2
    rows = np.stack([np.arange(40) / 120, 0 * half, half, 0 * half], axis=1)
    turns = np.stack([np.cos(half), 0 * half, np.sin(half), 0 * half], axis=1)
    np.savetxt(path, np.concatenate([rows, turns], axis=1), delimiter=",")
    choose(window, "Count-in", "None")
    with window.page.expect_file_chooser() as chooser:
        choose(window, "Device", "path")
    chooser.value.set_files(path)
    window.page.get_by_text(f"Record now plays the path of {path.name}").wait_for()
    window.keyboard.press("Shift+Space")
    window.wait('state().recording?.phase === "review"')
