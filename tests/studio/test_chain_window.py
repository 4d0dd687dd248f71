"""How much of the body follows a drag: a slider, and the wheel while dragging."""

import pytest

from places import still


@pytest.fixture
def posing(studio_of, window_of):
    """A window on the standing biped with the pose tool."""
    window = window_of(studio_of("biped:stand"))
    still(window, 3)
    window.ask("view.tool.value = 'pose'")
    window.ask("select()")
    window.ask("draw()")
    return window


def hand(window):
    return window.ask("screenOf(given[0])", {"joint": "LeftHand"})


def chain_option(window):
    return window.ask("view.options.peek().pose.chain_length")


def test_a_slider_sets_how_much_the_body_follows(posing):
    slider = posing.page.get_by_role("slider", name="Body follows")
    slider.fill("40")
    assert posing.ask("view.options.peek().pose.body_follows") == pytest.approx(0.4)
    posing.ask("view.tool.value = 'tangent'")
    assert posing.page.get_by_role("slider", name="Body follows").input_value() == "0"


@pytest.mark.parametrize("less", ["wheel", pytest.param("key", marks=pytest.mark.slow)])
def test_the_wheel_and_keys_shorten_the_chain_of_one_drag(posing, less):
    start = hand(posing)
    before = posing.ask("worldOf(given[0])", {"joint": "Hips"})
    posing.press(start, (start[0] + 40, start[1] - 40))
    for _ in range(3):
        posing.mouse.wheel(0, 100) if less == "wheel" else posing.keyboard.press("PageDown")
    says = posing.page.locator(".word", has_text="Chain: 4 joints")  # of seven, forearm to hips
    says.wait_for()
    assert posing.page.locator(".strings .chain").is_visible()
    posing.mouse.wheel(0, -100) if less == "wheel" else posing.keyboard.press("PageUp")
    posing.page.locator(".word", has_text="Chain: 5 joints").wait_for()
    for _ in range(9):
        posing.keyboard.press("PageUp")
    posing.page.locator(".word", has_text="Chain: whole body").wait_for()
    for _ in range(4):
        posing.keyboard.press("PageDown")
    posing.page.locator(".word", has_text="Chain: 3 joints").wait_for()
    posing.mouse.up()
    posing.wait("state().done.length > 0")
    after = posing.ask("worldOf(given[0])", {"joint": "Hips"})
    assert after == pytest.approx(before, abs=1e-9)  # the chain ended below the hips
    assert chain_option(posing) in (None, 0)  # of this drag only
