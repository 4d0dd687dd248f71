"""Fit keyframes in the browser: a tolerance, a live count, and the fit that was announced."""

import re

import pytest

from places import done, undo

COUNT = re.compile(r"(\d+) key poses, at most ([\d.]+) mm off")


def counted(window, dialog):
    """The count and the error that the dialog shows, once it does."""
    text = window.until(
        lambda: COUNT.fullmatch(dialog.locator(".fit-count").inner_text()), "a count of key poses"
    )
    return int(text[1]), float(text[2])


def set_tolerance(window, dialog, millimetres):
    field = dialog.get_by_label("Tolerance", exact=True)
    field.fill(str(millimetres))
    field.press("Enter")


def test_the_count_follows_the_tolerance_and_matches_the_fit(studio_of, window_of, captured):
    window = window_of(studio_of(captured))
    window.page.locator('[data-tool="tangent"]').click()  # edits keyframes, so it offers the fit
    window.page.get_by_role("button", name="Fit keyframes…").click()
    dialog = window.page.locator("dialog.fitkeys")
    set_tolerance(window, dialog, 20)
    loose = counted(window, dialog)
    set_tolerance(window, dialog, 4)
    close = window.until(lambda: (now := counted(window, dialog)) != loose and now, "another count")
    assert close[0] > loose[0]
    assert close[1] <= 4 < loose[1] <= 20
    dialog.get_by_role("button", name="Fit keyframes").click()
    done(window, 1)
    assert window.state["done"] == [
        f"Fit walk: {close[0]} key poses, at most {close[1]:.1f} mm off"
    ]
    window.until(lambda: dialog.count() == 0)
    undo(window, 0)


@pytest.mark.slow
def test_a_keyed_take_is_offered_it_too_and_closing_leaves_it_alone(studio_of, window_of):
    window = window_of(studio_of())
    window.keyboard.press("Control+k")
    window.keyboard.type("Fit keyframes")
    window.keyboard.press("Enter")
    dialog = window.page.locator("dialog.fitkeys")
    before = counted(window, dialog)
    dialog.get_by_text("Per channel").click()
    window.until(lambda: dialog.locator(".fit-count").inner_text().startswith("At most "))
    dialog.get_by_text("All channels are keyed").click()
    assert window.until(lambda: counted(window, dialog)) == before
    window.keyboard.press("Escape")
    window.until(lambda: dialog.count() == 0)
    assert window.state["done"] == []
