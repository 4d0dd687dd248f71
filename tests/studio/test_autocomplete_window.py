"""The Complete tool in the browser: completing, alternatives, keys in space and time, undo."""

import numpy as np
import pytest

from arcwright.arrays import same
from arcwright.open import read
from places import done, point_ref, saved, settled, still, timeline, undo

KEY = 17  # frame of the lamp's highest key


@pytest.fixture
def completing(studio_of, window_of):
    """A studio on a hopping lamp, and a window with the tool."""
    studio = studio_of("lamp:hop")
    window = window_of(studio)
    still(window, KEY)
    window.page.locator('[data-tool="autocomplete"]').click()
    window.wait('state().tool === "autocomplete"')
    settled(window)
    return studio, window


def complete(window):
    window.page.locator("button.whole").click()
    window.page.locator(".choices").wait_for()
    window.wait("state().previews.length === 1")


def keys_of(scene):
    """(time, value) of the keys of each channel."""
    curves = scene.characters[0].takes[0].base.curves
    return [
        set() if c is None else set(zip(c.time.tolist(), c.value.tolist(), strict=True))
        for c in curves
    ]


def test_a_completion_is_reviewed_with_another_alternative_and_undone(completing):
    studio, window = completing
    complete(window)
    radio = window.page.get_by_role("radio", name="Answer 3")
    radio.click()
    window.until(lambda: radio.get_attribute("aria-checked") == "true", "the alternative")
    assert window.state["done"] == []
    window.keyboard.press("Enter")
    done(window, 1)
    assert window.state["done"] == ["Complete frames 0–36"]  # noqa: RUF001
    before, after = read("lamp:hop"), saved(window, studio, "third.arc.glb")
    assert not same(before.characters[0].takes, after.characters[0].takes)
    for own, now in zip(keys_of(before), keys_of(after), strict=True):
        assert own <= now
    undo(window, 0)
    back = saved(window, studio, "back.arc.glb")
    assert same(read("lamp:hop").characters[0].takes, back.characters[0].takes)


def test_the_playhead_goes_to_what_is_completed(completing):
    _, window = completing
    still(window, 30)
    field = window.page.get_by_label("Keys", exact=True)
    field.fill("0-17")
    field.press("Enter")
    complete(window)
    window.wait("state().frame === 0")


def test_cancelling_a_completion_changes_nothing(completing):
    _, window = completing
    complete(window)
    window.keyboard.press("Escape")
    window.wait("state().previews.length === 0")
    assert window.state["done"] == []


def test_a_key_is_dragged_in_space(completing):
    studio, window = completing
    start = window.ask("screenOf(...given)", point_ref("Shade"), KEY)
    window.drag(start, [start[0] + 30, start[1] - 40], settle=200)
    done(window, 1)
    before, after = (
        keys_of(each) for each in (read("lamp:hop"), saved(window, studio, "moved.arc.glb"))
    )
    time = KEY / 24
    other = [{key for key in keys if abs(key[0] - time) > 1e-6} for keys in before]
    assert all(own <= now for own, now in zip(other, after, strict=True))
    assert any(not own <= now for own, now in zip(before, after, strict=True))


def test_a_key_is_dragged_in_time_by_the_border_of_its_bars(completing):
    studio, window = completing
    complete(window)
    start = timeline(window, "border(given[0])", KEY)
    end = timeline(window, "frame(given[0])", KEY + 3)
    window.drag(start, [end[0], start[1]], settle=200)
    window.until(lambda: timeline(window, "border(given[0])", KEY + 3) is not None, "the border")
    assert window.state["done"] == []  # it goes on until it is applied
    window.keyboard.press("Enter")
    done(window, 1)
    after = saved(window, studio, "later.arc.glb").characters[0].takes[0]
    rise = after.base.curves[1]
    assert np.abs(rise.time * 24 - (KEY + 3)).min() < 1e-6
    assert np.abs(rise.time * 24 - KEY).min() > 0.5
