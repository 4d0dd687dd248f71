"""Shadows and reflections in the browser: there at first, off and on again."""

import numpy as np

from places import settled, still


def seen(window):
    """The viewport, as numbers."""
    settled(window)
    return np.array(window.ask("pixels(...given)", 460, 120, 360, 400)).astype(int)


def test_shadows_and_reflections_are_switched_off_and_on_again(studio_of, window_of):
    window = window_of(studio_of("robot"), full=True)
    assert window.ask("view.lightEffects.value")
    still(window, 0)
    first = seen(window)
    switch = window.page.get_by_label("Shadows and reflections")
    switch.click()
    window.wait("view.lightEffects.value === false")
    assert (np.abs(seen(window) - first) > 8).sum() > 2000
    switch.click()
    window.wait("view.lightEffects.value")
    assert (np.abs(seen(window) - first) > 8).sum() < 50
