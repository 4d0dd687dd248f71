"""Loops are acted in a real browser: with a mouse, a gamepad, a finger and a phone."""

import time

import numpy as np
import pytest

from browser_window import Window
from places import done, point_ref, select, settled, still, undo

PERIOD = 1.0  # s, that of the walk
TURNS = 5
NOISE = 1.5  # px, of the hand that acts
NEAR = 0.3  # of the period: a busy machine delivers events late
GAMEPAD = """(period) => {
  const began = performance.now();
  navigator.getGamepads = () => {
    const turn = (2 * Math.PI * (performance.now() - began)) / (1000 * period);
    const buttons = Array.from({ length: 17 }, () => ({ pressed: false, value: 0 }));
    const axes = [0.5 * Math.cos(turn), -0.5 * Math.sin(turn), 0, 0];
    const id = { index: 0, id: "test", connected: true, mapping: "standard" };
    return [{ ...id, axes, buttons, timestamp: performance.now() }];
  };
}"""


@pytest.fixture
def acting(studio_of, window_of):
    """A window on the walk with the cycle tool, a joint selected and no count-in."""

    def open_with(joint="RightHand"):
        window = window_of(studio_of("biped:walk"))
        window.page.locator('[data-tool="cycle"]').click()
        window.wait('state().tool === "cycle"')
        still(window, 0)
        select(window, joint)
        choose(window, "Count-in", "None")
        return window

    return open_with


def choose(window, name, value):
    window.page.locator(".record-more").click()
    window.page.locator(".menu").get_by_text(name, exact=True).hover()
    window.page.locator(".menu").get_by_text(value, exact=True).last.click()


def phase(window, name):
    window.wait(f'state().recording?.phase === "{name}"')


def act_circles(move, middle, radius=30, turns=TURNS):
    """Circles at a steady tempo, with noise, that begin and end to the right of their middle."""
    random = np.random.default_rng(1)
    began = time.monotonic()
    while (at := time.monotonic() - began) < turns * PERIOD:
        turn = 2 * np.pi * at / PERIOD
        place = np.asarray(middle) + radius * np.array([np.cos(turn), -np.sin(turn)])
        move(*(place + random.normal(0, NOISE, 2)))


def loop_found(window):
    """The period that the page shows for what was acted, s."""

    def look():
        overlays = [each for shown in window.state["previews"] for each in shown["overlays"]]
        texts = [each["text"] for each in overlays if each["shape"] == "text"]
        cycles = [text for text in texts if " s · " in text and "cycle" in text]
        return cycles[0] if cycles and int(cycles[0].split(" · ")[1].split()[0]) > 2 else None

    return float(window.until(look, "a loop of several cycles").split(" s")[0])


def place(window, joint, frame=6):
    return np.array(window.ask("worldOf(...given)", point_ref(joint), frame))


def choices(window):
    return window.page.locator(".record-strip .choices button").all_inner_texts()


def assert_kept_and_undone(window, before, joint="RightHand"):
    """The loop is one step, which undo takes back exactly."""
    window.keyboard.press("Enter")
    done(window, 1)
    assert window.state["recording"] is None
    still(window, 6)
    assert np.linalg.norm(place(window, joint) - before) > 0.02  # m
    undo(window, 0)
    settled(window)
    assert np.array_equal(place(window, joint), before)
    assert window.state["interaction"] is None
    assert window.state["previews"] == []


def test_noisy_circles_of_a_mouse_become_a_loop(acting):
    window = acting()
    before, foot = place(window, "RightHand"), place(window, "LeftFoot")
    x, y = window.ask("screenOf(given[0], 0)", point_ref("RightHand"))
    window.mouse.move(x, y)
    window.keyboard.press("Shift+Space")
    phase(window, "recording")
    act_circles(window.mouse.move, (x - 30, y))
    window.keyboard.press("Shift+Space")
    phase(window, "review")
    assert abs(loop_found(window) - PERIOD) < NEAR * PERIOD
    assert choices(window)  # periods to choose from
    assert window.state["done"] == []
    window.keyboard.press("Enter")
    done(window, 1)
    still(window, 6)
    assert np.linalg.norm(place(window, "RightHand") - before) > 0.02  # m
    assert np.linalg.norm(place(window, "LeftFoot") - foot) < 0.03  # m
    assert window.state["takes"]["biped"][0]["duration"] == 1  # in step with the walk
    undo(window, 0)
    settled(window)
    assert np.array_equal(place(window, "RightHand"), before)


@pytest.mark.slow
def test_a_press_on_the_playing_body_acts_until_the_release(acting):
    window = acting()
    x, y = window.ask("screenOf(given[0], 0)", point_ref("Head"))
    window.ask("view.range.value = [0, 1]")  # so that the head stays under the pointer
    window.keyboard.press("Space")
    window.wait("state().playing")
    window.mouse.move(x, y)
    window.mouse.down()
    phase(window, "recording")
    assert window.state["playing"]
    act_circles(window.mouse.move, (x - 20, y), radius=20)
    window.mouse.up()
    phase(window, "review")
    assert abs(loop_found(window) - PERIOD) < NEAR * PERIOD
    window.keyboard.press("Escape")
    window.wait("state().recording === null")
    settled(window)
    assert window.state["done"] == []
    assert window.state["interaction"] is None
    assert window.state["previews"] == []


@pytest.mark.slow
def test_a_gamepad_acts_a_loop(acting):
    window = acting()
    before = place(window, "RightHand")
    window.page.evaluate(GAMEPAD, PERIOD)
    choose(window, "Device", "Gamepad")
    window.keyboard.press("Shift+Space")
    phase(window, "recording")
    window.page.wait_for_timeout(1000 * TURNS * PERIOD)
    window.keyboard.press("Shift+Space")
    phase(window, "review")
    assert abs(loop_found(window) - PERIOD) < NEAR * PERIOD
    assert_kept_and_undone(window, before)


@pytest.mark.slow
def test_a_finger_acts_a_loop(acting):
    window = acting()
    before = place(window, "RightHand")
    x, y = window.ask("screenOf(given[0], 0)", point_ref("RightHand"))
    window.keyboard.press("Shift+Space")
    phase(window, "recording")
    with_finger(window.page, (x, y), (x - 30, y))
    phase(window, "review")
    assert abs(loop_found(window) - PERIOD) < NEAR * PERIOD
    assert_kept_and_undone(window, before)


def with_finger(page, start, middle, radius=30):
    tools = page.context.new_cdp_session(page)

    def touch(kind, *at):
        points = [{"x": x, "y": y, "id": 0} for x, y in at]
        tools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", start)
    act_circles(lambda x, y: touch("touchMove", (x, y)), middle, radius)
    touch("touchEnd")
    tools.detach()


@pytest.mark.slow
def test_a_phone_acts_a_loop_on_the_shared_document(own_studio_of, window_of, shared_browser):
    studio = own_studio_of("biped:walk", "--share")
    window = window_of(studio)
    window.page.locator('[data-tool="cycle"]').click()
    before = place(window, "RightHand")
    phone = phone_window(shared_browser.get(), f"{studio.shared}&perform=1")
    page = phone.page
    page.get_by_label("Count-in").select_option("0")
    page.get_by_label("What is performed").select_option(label="Right hand")
    page.get_by_label("Record", exact=True).tap()
    phase(phone, "recording")
    box = page.locator(".perform-pad").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    with_finger(page, (x + 60, y), (x, y), radius=60)
    page.get_by_label("Stop recording").tap()
    phase(phone, "review")
    assert abs(loop_found(phone) - PERIOD) < 0.1 * PERIOD
    page.get_by_role("button", name="Keep").tap()
    done(window, 1)  # the other window has it
    settled(window)
    still(window, 6)
    assert np.linalg.norm(place(window, "RightHand") - before) > 0.02  # m
    page.get_by_role("button", name="Undo").tap()
    done(window, 0)
    page.context.close()


def phone_window(browser, address):
    from browser_window import NO_EFFECTS, NO_PIXELS

    context = browser.new_context(
        viewport={"width": 390, "height": 844},
        has_touch=True,
        is_mobile=True,
        ignore_https_errors=True,
    )
    for script in (NO_EFFECTS, NO_PIXELS):
        context.add_init_script(script)
    page = context.new_page()
    page.goto(address)
    window = Window(page)
    window.wait("ready")
    return window


def test_a_standstill_says_that_nothing_was_recorded(acting):
    window = acting("Head")
    window.keyboard.press("Shift+Space")
    phase(window, "recording")
    window.keyboard.press("Shift+Space")
    window.wait("state().recording === null")
    window.page.locator(".toast", has_text="Nothing recorded").wait_for(timeout=5000)
    assert window.state["done"] == []


@pytest.mark.slow
def test_a_single_cycle_is_not_lost_by_enter_and_can_be_closed(acting):
    window = acting("Head")
    x, y = window.ask("screenOf(given[0], 0)", point_ref("Head"))
    window.mouse.move(x, y)
    window.keyboard.press("Shift+Space")
    phase(window, "recording")
    act_circles(window.mouse.move, (x - 30, y), turns=1)
    window.keyboard.press("Shift+Space")
    window.keyboard.press("Enter")  # at once: not all samples have been looked at
    window.page.locator(".toast", has_text="Nothing kept yet. No loop").wait_for(timeout=5000)
    phase(window, "review")
    window.until(lambda: "No loop" in choices(window), "a single cycle")
    note = window.page.locator(".card.note", has_text="No loop")
    note.wait_for()
    window.page.locator(".record-strip .choices button").last.click()
    window.until(lambda: not note.count(), "the note is gone")
    checked = '.record-strip .choices [aria-checked="true"]'
    window.until(
        lambda: "One cycle" in window.page.locator(checked).inner_text(), "the cycle is chosen"
    )
    window.keyboard.press("Enter")
    done(window, 1)
