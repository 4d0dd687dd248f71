"""Reflections in the browser: there at first, off and on again without a complaint."""

import numpy as np

from places import settled, still


def seen(window):
    settled(window)
    return np.array(window.ask("pixels(...given)", 560, 140, 200, 320)).astype(int)


def test_reflections_are_switched_off_and_on_again(studio_of, window_of):
    window = window_of(studio_of("robot"), full=True)
    assert window.ask("view.reflections.value")
    still(window, 0)
    first = seen(window)
    switch = window.page.get_by_label("Reflections")
    switch.click()
    window.wait("view.reflections.value === false")
    without = seen(window)
    assert (np.abs(without - first) > 8).sum() > 500
    switch.click()
    window.wait("view.reflections.value")
    assert (np.abs(seen(window) - first) > 8).sum() < 50
