"""A puppet is led by a real mouse: it walks, and the performance is a take."""

import time

import pytest

from places import done, point_ref, still, undo


@pytest.fixture
def puppeteer(studio_of, window_of):
    """A window on the biped with the puppet tool."""
    window = window_of(studio_of("biped"))
    window.page.locator('[data-tool="puppet"]').click()
    window.wait('state().tool === "puppet"')
    still(window, 0)
    return window


def test_a_puppet_follows_the_mouse_into_a_take(puppeteer):
    window = puppeteer
    before = [take["name"] for take in window.state["takes"]["biped"]]
    at = window.ask("screenOf(given[0], 0)", point_ref("Chest"))
    mouse = window.page.mouse
    window.drag([at[0] + 200, at[1]], [at[0] + 240, at[1]])  # beside it: nothing is held
    assert window.state["done"] == []
    mouse.move(*at)
    mouse.down()
    for step in range(40):
        mouse.move(at[0] + 4 * step, at[1])
        time.sleep(0.03)
    mouse.up()
    done(window, 1)
    takes = [take["name"] for take in window.state["takes"]["biped"]]
    assert takes == [*before, "performance"]
    window.wait('state().take === "performance"')  # what was made is shown
    undo(window, 0)
    assert [take["name"] for take in window.state["takes"]["biped"]] == before
