"""Tools of every gesture kind in the browser, without a line of the page that names them."""

import numpy as np
import pytest

from arcwright.kinematics.camera_rays import camera_rays
from arcwright.scene.camera import Camera
from dummy_tools import DUMMIES
from places import done, point_ref, settled, still, undo
from sent_messages import LISTEN, sent

SCENE = "biped:walk"
TEXT_OF_GAIN = 'input[aria-label="Gain"]'


@pytest.fixture
def window_with(dummy_studio, window_of):
    """A window on the walk, paused, with a dummy tool chosen in the bar."""

    def open_with(tool, **given):
        dummy_studio.open(SCENE)
        window = window_of(dummy_studio, **given)
        window.page.locator(f'[data-tool="{tool}"]').click()
        window.wait(f'state().tool === "{tool}"')
        still(window, 0)
        window.ask("view.followCharacter.value = false")  # places in the picture stay
        return window

    return open_with


def hips(window):
    return np.array(window.ask("worldOf(given[0], 0)", point_ref("Hips")))


def hips_seen(window):
    return np.array(window.ask("screenOf(given[0], 0)", point_ref("Hips")))


def preview_of(window, shape):
    """The overlays of a shape in the preview, once there are some."""

    def look():
        overlays = [each for shown in window.state["previews"] for each in shown["overlays"]]
        return [each for each in overlays if each["shape"] == shape]

    return window.until(look, f"a preview with a {shape}")


def from_edge(window, place):
    """A place of the page in pixels of the viewport."""
    edge = window.page.locator(".stage canvas").bounding_box()
    return np.asarray(place) - [edge["x"], edge["y"]]


def cancelled(window):
    window.keyboard.press("Escape")
    settled(window)


def assert_one_step_and_back(window, before, moved):
    """The gesture was one step, which undo takes back exactly."""
    done(window, 1)
    assert window.state["done"] == ["Shift"]
    assert np.allclose(hips(window) - before, moved, atol=0.02)
    undo(window, 0)
    assert np.array_equal(hips(window), before)


def test_a_drag_shows_a_handle_that_goes_on_with_it(window_with):
    window = window_with("shift")
    names = window.page.locator("[data-tool]").evaluate_all("all => all.map((b) => b.innerText)")
    assert names[-len(DUMMIES) :] == [each.label for each in DUMMIES]
    before, (x, y) = hips(window), hips_seen(window)
    window.press([x, y], [x + 60, y])
    preview_of(window, "handle")
    window.mouse.up()
    window.wait("state().interaction.open")
    across = np.linalg.norm(hips(window) - before)
    assert across > 0.1
    assert window.page.locator(".word.overlay").inner_text() == f"{across:.2f} m"
    handle = window.until(lambda: window.ask("handles()").get("root"), "the handle of the root")
    assert window.ask("pick(...given)", *handle)["kind"] == "handle"
    above = [handle[0], handle[1] - 80]
    window.drag(handle, above)
    window.wait("state().interaction.open")
    window.until(
        lambda: np.hypot(*np.subtract(window.ask("handles()")["root"], above)) < 2,  # px
        "the handle is where it was dragged to",
    )
    assert hips(window)[1] - before[1] > 0.1  # it lifts the root
    assert window.state["done"] == []
    moved = hips(window) - before
    window.keyboard.press("Enter")
    assert_one_step_and_back(window, before, moved)
    x, y = hips_seen(window)
    window.press([x, y], [x + 60, y])
    preview_of(window, "handle")
    window.mouse.up()
    cancelled(window)
    assert np.array_equal(hips(window), before)
    assert window.state["done"] == []


def test_an_open_interaction_is_applied_by_undoing_and_by_a_click_elsewhere(window_with):
    window = window_with("shift")
    before = hips(window)
    x, y = hips_seen(window)
    for end in (lambda: window.keyboard.press("Control+z"), lambda: window.mouse.click(x, 150)):
        window.press([x, y], [x + 60, y])
        preview_of(window, "handle")
        window.mouse.up()
        window.wait("state().interaction.open")
        end()
        window.wait("state().interaction === null")
        settled(window)
    done(window, 1)
    assert window.state["undone"] == []  # the first was undone, the second took its place
    assert hips(window)[0] > before[0]


def test_a_stroke_draws_from_empty_space_with_every_sample(window_with):
    window = window_with("sketch")
    before = hips(window)
    window.page.evaluate(LISTEN)
    start, end = np.array([420.0, 200.0]), np.array([470.0, 260.0])
    window.press(start, end, steps=10)
    line = window.page.locator(".strings .stroke").first
    assert line.is_visible()
    preview_of(window, "stroke")
    window.mouse.up()
    assert_one_step_and_back(window, before, [0.5, 0, 0])
    assert not line.is_visible()
    chunks = sent(window, "AppendStroke")
    points = np.array([each for chunk in chunks for each in chunk["points"]])
    expected = from_edge(window, start + (end - start) * np.linspace(0, 1, 11)[:, None])
    assert np.allclose(points, expected, atol=0.01)
    assert (np.diff([each for chunk in chunks for each in chunk["times"]]) > 0).all()
    assert_sees_hips(window, chunks[-1]["camera"])
    window.press(start, end)
    preview_of(window, "stroke")
    cancelled(window)
    window.mouse.up()
    window.drag(start, end, button="middle")  # the view is still turned by the other buttons
    assert len(sent(window, "BeginInteraction")) == 2
    assert window.state["done"] == []


def assert_sees_hips(window, sent_camera):
    """The camera that was sent has the hips where the page shows them."""
    width, height = sent_camera["width"], sent_camera["height"]
    turned, opening = np.array(sent_camera["orientation"]), sent_camera["field_of_view"]
    camera = Camera(np.array(sent_camera["position"]), turned, opening, width, height)
    ray = camera_rays(camera, from_edge(window, hips_seen(window))[None])[0]
    away = hips(window) - camera.position
    assert np.linalg.norm(away - (away @ ray) * ray) < 1e-3


def test_a_pen_has_pressure_and_tilt(window_with):
    window = window_with("sketch")
    window.page.evaluate(LISTEN)
    by_pen(window, [420, 200], [470, 260])
    done(window, 1)
    (chunk, *_) = sent(window, "AppendStroke")
    assert np.allclose(chunk["pressure"], 0.75)
    window.page.locator('[data-tool="act"]').click()
    by_pen(window, [420, 200], [470, 260])
    done(window, 2)
    (chunk, *_) = sent(window, "AppendPerformance")
    assert (chunk["device"], chunk["axis_names"]) == ("pen", ("pressure", "tilt_x", "tilt_y"))
    assert np.allclose(chunk["axes"], [0.75, np.radians(30), 0], atol=1e-6)


def by_pen(window, start, end):
    pen = {"pointerType": "pen", "force": 0.75, "tiltX": 30, "button": "left", "buttons": 1}
    tools = window.page.context.new_cdp_session(window.page)
    for kind, (x, y) in (("mousePressed", start), ("mouseMoved", end), ("mouseReleased", end)):
        tools.send("Input.dispatchMouseEvent", pen | {"type": kind, "x": x, "y": y})
    tools.detach()


def test_one_finger_draws_and_two_navigate(window_with):
    window = window_with("sketch")
    tools = window.page.context.new_cdp_session(window.page)

    def touch(kind, *places):
        points = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(places)]
        tools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", (420, 200))
    touch("touchMove", (470, 260))
    touch("touchEnd")
    done(window, 1)
    before = window.ask("camera()")["target"]
    touch("touchStart", (420, 200))
    touch("touchMove", (430, 210))
    touch("touchStart", (430, 210), (500, 210))
    touch("touchMove", (460, 240), (530, 240))
    touch("touchMove", (480, 260), (550, 260))
    touch("touchEnd")
    window.until(lambda: window.ask("camera()")["target"] != before, "the view moves")
    settled(window)
    assert window.state["done"] == ["Shift"]
    tools.detach()


def test_a_performance_carries_the_root_with_the_pointer(window_with):
    window = window_with("act")
    before, seen = hips(window), hips_seen(window)
    window.press(seen, seen + [70, -40])
    preview_of(window, "markers")
    # The hand in front of the hips is what is held: they are farther away, and move a little less.
    window.until(lambda: np.allclose(hips_seen(window), seen + [70, -40], atol=8), "it follows")
    moved = hips(window) - before
    window.mouse.up()
    assert_one_step_and_back(window, before, moved)
    window.press(seen, seen + [70, -40])
    preview_of(window, "markers")
    cancelled(window)
    window.mouse.up()
    assert np.array_equal(hips(window), before)
    assert window.state["done"] == []


def test_a_slider_of_the_panel_is_one_step_when_it_is_released(window_with):
    window = window_with("lift")
    before = hips(window)
    box = window.page.locator(TEXT_OF_GAIN).bounding_box()
    x, y = box["x"] + 8, box["y"] + box["height"] / 2
    window.press([x, y], [x + 40, y])  # ten steps of 0.1
    window.until(lambda: hips(window)[1] > before[1] + 0.4, "the preview follows the slider")
    assert window.state["done"] == []
    window.mouse.up()
    assert_one_step_and_back(window, before, [0, 1, 0])
    window.press([x, y], [x + 40, y])
    window.wait("state().interaction !== null")
    cancelled(window)
    window.mouse.move(x + 60, y)
    window.mouse.up()
    assert window.page.locator(TEXT_OF_GAIN).input_value() == "2.00"
    assert window.state["done"] == []
    assert np.array_equal(hips(window), before)


def test_a_tool_with_a_clock_goes_on_while_the_pointer_rests(window_with):
    window = window_with("fall")
    before, (x, y) = hips(window), hips_seen(window)
    window.press([x, y], [x + 6, y], steps=3)
    window.until(lambda: hips(window)[1] < before[1] - 0.2, "it falls")
    cancelled(window)
    window.mouse.up()
    assert np.array_equal(hips(window), before)
    assert window.state["done"] == []
