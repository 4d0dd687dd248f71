"""Shadows and reflections in the browser: on, and off again."""

import numpy as np
import pytest

from places import picture, settled, still


def seen(window):
    settled(window)
    return picture(window, 460, 110, 360, 220)


@pytest.mark.slow
def test_shadows_and_reflections_are_switched_on_and_off_again(studio_of, window_of):
    window = window_of(studio_of("robot"), size=(1280, 560), picture="bodies")
    assert not window.ask("view.lightEffects.value")
    still(window, 0)
    without = seen(window)
    switch = window.page.get_by_label("Shadows and reflections")
    switch.click()
    window.wait("view.lightEffects.value")
    assert (np.abs(seen(window) - without) > 8).sum() > 1000
    switch.click()
    window.wait("view.lightEffects.value === false")
    assert (np.abs(seen(window) - without) > 8).sum() < 50
