"""What a led puppet looks like in the studio: in view, as long as it was led, with short names."""

from dataclasses import replace

import numpy as np
import pytest

from arcwright.open import read, write
from places import done, point_ref, still

CHEST = point_ref("Chest")
# A page that draws slowly: each picture takes this long.
SLOW = """() => {
  const ask = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (draw) => ask((time) => {
    const end = performance.now() + 300;
    while (performance.now() < end);
    draw(time);
  });
}"""


def choose_puppet(window):
    window.page.locator('[data-tool="puppet"]').click()
    window.wait('state().tool === "puppet"')
    still(window, 0)


def performed(window, name="biped"):
    return window.state["takes"][name][-1]


def exported(folder):
    """The biped with takes named as exporters of armatures name them."""
    scene = read("biped")
    actor = scene.characters[0]
    takes = tuple(
        replace(take, base=replace(take.base, name=f"Armature|Biped_{take.name}"))
        for take in actor.takes
    )
    path = folder / "exported.arc.glb"
    write(replace(scene, characters=(replace(actor, takes=takes),), constraints=(), props=()), path)
    return path


def lead(window, by, seconds):
    at = np.array(window.ask("screenOf(given[0])", CHEST), float)
    window.mouse.move(*at)
    window.mouse.down()
    steps = round(seconds / 0.05)
    for step in range(steps):
        window.mouse.move(*(at + np.multiply(by, (step + 1) / steps)))
        window.page.wait_for_timeout(50)
    window.mouse.up()


@pytest.mark.slow
def test_names_stay_short_after_a_performance_and_are_whole_in_the_roles(
    studio_of, window_of, folder
):
    window = window_of(studio_of(exported(folder)))
    choose_puppet(window)
    rows = window.page.locator(".takes")
    assert "Armature" not in rows.inner_text()
    lead(window, (120, 0), 0.5)
    done(window, 1)
    assert "performance" in rows.inner_text()
    assert "Armature" not in rows.inner_text()
    chooser = window.page.get_by_label("Crouch walk", exact=True)
    assert "Armature" not in chooser.locator("option").all_inner_texts()[1]
    shown = chooser.evaluate(
        """(select) => {
          const canvas = document.createElement("canvas").getContext("2d");
          const style = getComputedStyle(select);
          canvas.font = style.font;
          const text = select.selectedOptions[0].text.trim().replace(" (auto)", "");
          const room = select.clientWidth - parseFloat(style.paddingLeft)
            - parseFloat(style.paddingRight);
          return { text, fits: canvas.measureText(text).width <= room };
        }"""
    )
    assert shown["fits"], f"{shown['text']} is cut"


@pytest.mark.slow
def test_a_page_that_draws_slowly_makes_a_take_as_long_as_it_was_led(studio_of, window_of):
    window = window_of(studio_of("biped"), alone=True)
    choose_puppet(window)
    at = np.array(window.ask("screenOf(given[0])", CHEST), float)
    tools = window.page.context.new_cdp_session(window.page)
    window.mouse.move(*at)
    window.page.evaluate(SLOW)
    began = window.page.evaluate("performance.now()")

    def mouse(kind, x, ms):
        tools.send(
            "Input.dispatchMouseEvent",
            {
                "type": kind,
                "x": at[0] + x,
                "y": at[1],
                "button": "left",
                "buttons": 1,
                "clickCount": 1,
                "timestamp": window.page.evaluate("performance.timeOrigin") / 1000
                + (began + ms) / 1000,
            },
        )

    mouse("mousePressed", 0, 0)
    for step in range(10):
        mouse("mouseMoved", 12 * (step + 1), 100 * (step + 1))
    mouse("mouseReleased", 120, 1500)
    done(window, 1)
    assert abs(performed(window)["duration"] - 1.5) < 0.3


PAD = """() => {
  window.pad = { axes: [0, 0, 0, 0], pressed: {} };
  navigator.getGamepads = () => {
    const buttons = Array.from({ length: 17 }, (_, i) => {
      const value = window.pad.pressed[i] ?? 0;
      return { pressed: value > 0.5, value };
    });
    const id = { index: 0, id: "test", connected: true, mapping: "standard" };
    return [{ ...id, axes: window.pad.axes, buttons, timestamp: performance.now() }];
  };
  window.dispatchEvent(new Event("gamepadconnected"));
}"""


def test_the_camera_goes_along_with_a_body_that_is_led_away(studio_of, window_of):
    window = window_of(studio_of("biped"), alone=True)
    choose_puppet(window)
    box = window.page.locator(".stage canvas").bounding_box()
    first = np.array(window.ask("camera().target"))
    window.page.evaluate(PAD)
    window.page.wait_for_timeout(100)
    window.page.evaluate("() => { window.pad.pressed[7] = 1; window.pad.axes = [0.9, 0, 0, 0]; }")
    window.until(
        lambda: np.linalg.norm(window.ask("worldOf(given[0])", CHEST) - first) > 5, "it goes away"
    )
    window.until(
        lambda: box["x"] < window.ask("screenOf(given[0])", CHEST)[0] < box["x"] + box["width"],
        "it is in view while it is led, as soon as a picture is drawn",
    )
    window.page.evaluate("() => { window.pad.pressed = {}; }")
    done(window, 1)
    still(window, 0)
    window.wait("camera().still")
    x, _ = window.ask("screenOf(given[0])", CHEST)
    assert box["x"] < x < box["x"] + box["width"], "and where its take begins"
