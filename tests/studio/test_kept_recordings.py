"""Kept recordings in a real browser: listed under their take, made again with another shape."""

import arcwright
from acting import triggers
from places import done, settled, undo


def acted_file(folder):
    scene = arcwright.read("biped:stand")
    device = triggers(1.0, 6.0)
    scene = arcwright.perform(scene, ["Head.rotate.x"], device, gain=0.5).apply(scene)
    arcwright.write(scene, folder / "nod.arc.glb")
    return folder / "nod.arc.glb"


def test_a_recording_of_a_saved_file_is_made_again_with_another_shape(studio_of, window_of, folder):
    window = window_of(studio_of(acted_file(folder)))
    row = window.page.locator("[data-recording='0']")
    assert row.inner_text().split("\n")[0] == "Head rotate x"
    row.click()
    window.wait('state().recording?.phase === "review"')
    strip = window.page.locator(".record-strip")
    strip.get_by_text("Best cycle").click()
    window.until(
        lambda: (
            strip.get_by_role("radio", name="Best cycle").get_attribute("aria-checked") == "true"
        ),
        "the chosen shape",
    )
    window.keyboard.press("Enter")
    done(window, 1)
    window.wait("state().recording === null")
    row.click()
    window.until(
        lambda: (
            strip.get_by_role("radio", name="Best cycle").get_attribute("aria-checked") == "true"
        ),
        "the shape that it was made with",
    )
    window.keyboard.press("Escape")
    window.wait("state().recording === null")
    undo(window, 0)
    settled(window)
    assert row.count() == 1
