"""A phone holds a puppet: emulated touch and orientation events in a real browser."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from arcwright.kinematics.sample import sample
from arcwright.open import read, write
from arcwright.scene.take import Take
from browser_window import new_page
from phone import LANDSCAPE, NO_SOCKET, Phone
from places import done, undo

NO_NETWORK = "this machine is on no network"
# Remembers the connection, so that a test can cut it.
SOCKET = """
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (data) { window.socket = this; send.call(this, data); };
"""
# As on an iPhone: asks, and gives the answer that a test has set.
ASKS = """
  DeviceOrientationEvent.requestPermission = () => Promise.resolve(window.answer ?? "denied");
"""


@pytest.fixture
def phone_on(shared_browser):
    """Open phones on studios; all are closed."""
    opened = []

    def open_phone(studio, **given):
        opened.append(Phone(shared_browser.get(), phone_link(studio), **given))
        return opened[-1]

    yield open_phone
    for phone in opened:
        phone.close()


def phone_link(studio):
    return studio.address.replace("/?", "/phone?")


def takes(window, name="biped"):
    return window.state["takes"][name]


def duration(window, name="biped"):
    return takes(window, name)[-1]["duration"]


def performed_states(window):
    """What the puppet did in the last take, in order."""
    return [each["name"] for each in takes(window)[-1]["sections"]]


def held_text(phone):
    return phone.page.locator(".stick-hint").inner_text()


def test_a_phone_leads_a_puppet_into_a_take_and_undoes_it(studio_of, window_of, phone_on):
    studio = studio_of("biped")
    window, phone = window_of(studio), phone_on(studio)
    before = len(takes(window))
    window.page.get_by_text("1 phone", exact=True).wait_for()
    phone.start()
    assert "Hold to grab biped" in held_text(phone)
    looked = np.array(phone.ask("camera().target"))
    phone.grab()
    assert phone.page.evaluate("window.vibrated") == [18]
    phone.act(0.8, yaw=lambda t: -40 * t)
    assert np.linalg.norm(phone.ask("camera().target") - looked) > 0.5  # the picture turns, too
    window.page.locator('[title$="performs biped"]').wait_for()
    phone.release()
    done(window, 1)
    assert len(takes(window)) == before + 1
    assert 0.6 < duration(window) < 20
    window.page.locator('[title$="connected"]').wait_for()
    phone.page.get_by_role("button", name="Undo").tap()
    done(window, 0)
    phone.until(phone.aims, "it looks at the puppet again")


def test_touch_zones_ask_for_actions_while_it_is_held(studio_of, phone_on):
    phone = phone_on(studio_of("biped"))
    zone = phone.page.get_by_role("button", name="Punch")
    phone.start()
    assert zone.count() == 0
    phone.grab()
    box = zone.bounding_box()
    assert [phone.page.get_by_role("button", name=each).count() for each in ("Kick", "Throw")] == [
        1,
        1,
    ]
    phone.touch("touchStart", 1, (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2))
    phone.act(0.2)
    phone.lift(1)
    phone.act(1.0)
    assert phone.state["interaction"], "the first finger still holds it"
    phone.release()
    done(phone, 1)
    assert performed_states(phone) == ["locomotion", "action", "locomotion"]


def test_a_performed_puppet_stays_where_it_was_put(studio_of, phone_on):
    phone = phone_on(studio_of("biped"))
    phone.start()
    phone.grab()
    phone.act(0.8, yaw=lambda t: -30 * t)
    phone.release()
    done(phone, 1)
    phone.until(phone.aims, "it looks at the puppet")
    assert not phone.state["playing"]
    first = duration(phone)
    assert phone.state["frame"] == phone.state["lastFrame"]
    put = np.array(phone.ask("worldOf(given[0])", {"joint": "Chest"}))
    phone.page.get_by_role("button", name="Play").tap()
    phone.until(lambda: phone.state["frame"] < phone.state["lastFrame"], "it plays from its start")
    phone.until(lambda: not phone.state["playing"], "and waits at its end again")
    assert np.allclose(phone.ask("worldOf(given[0])", {"joint": "Chest"}), put)
    phone.grab()
    phone.act(0.5, yaw=lambda t: -24 + 30 * t)
    phone.release()
    done(phone, 2)
    assert [each["name"] for each in takes(phone)].count("performance") == 1
    assert duration(phone) > first + 0.4, "the same take goes on"


def test_the_tool_is_switched_to_the_pad_and_back(studio_of, phone_on):
    phone = phone_on(studio_of("biped"), size=LANDSCAPE)
    page = phone.page
    phone.start()
    page.get_by_role("radio", name="Motion cycle").tap()
    page.locator(".perform-pad").wait_for()
    assert not page.locator(".stick-pad").is_visible()
    assert page.get_by_label("Record", exact=True).is_visible()
    page.get_by_role("radio", name="Puppet").tap()
    page.locator(".stick-pad").wait_for()
    assert not page.locator(".perform-pad").is_visible()
    phone.until(phone.aims, "it looks at the puppet")


def test_settings_are_kept_and_change_the_stick(studio_of, phone_on):
    phone = phone_on(studio_of("biped"), size=LANDSCAPE)
    page = phone.page
    phone.start()
    near = np.array(phone.ask("camera().target"))
    page.get_by_role("button", name="Settings").tap()
    page.get_by_role("slider", name="Stick length").fill("3")
    page.get_by_role("slider", name="Sensitivity").fill("2")
    page.get_by_label("Left-handed").check()
    page.get_by_role("button", name="Done").tap()
    pad, view = (page.locator(each).bounding_box() for each in (".stick-pad", ".perform-view"))
    assert pad["x"] < view["x"]
    assert phone.ask("camera().distance") > 4.2
    phone.until(lambda: np.allclose(phone.ask("camera().target"), near, atol=0.05), "same target")
    page.reload()
    phone.wait("ready")
    assert page.evaluate("localStorage['arcwright.stick_sensitivity']") == "2"


def test_a_press_beside_all_characters_holds_nothing(studio_of, phone_on):
    phone = phone_on(studio_of("biped"))
    phone.start()
    phone.turn(60, 0)
    phone.until(lambda: not phone.aims(), "it points beside")
    phone.touch("touchStart", 0, phone.pad())
    phone.until(lambda: "Nothing to grab" in held_text(phone), "a hint")
    phone.release()
    assert phone.state["interaction"] is None
    assert phone.state["done"] == []


def test_a_refused_permission_says_what_to_do(studio_of, phone_on):
    phone = phone_on(studio_of("biped"), extra=ASKS)
    card = phone.page.locator(".stick-start")
    phone.page.get_by_role("button", name="Start").tap()
    card.get_by_text("The motion sensors are blocked").wait_for()
    assert "choose Allow" in card.inner_text()
    phone.page.evaluate("() => { window.answer = 'granted'; }")
    phone.page.get_by_role("button", name="Try again").tap()
    phone.turn(0, 0)
    card.wait_for(state="detached")


@pytest.mark.slow
def test_a_second_finger_leads_and_raises(studio_of, phone_on):
    phone = phone_on(studio_of("biped"))
    phone.start()
    phone.grab()
    before = np.array(phone.ask("camera().target"))
    phone.touch("touchStart", 1, phone.pad(0.8))
    x, y = phone.pad(0.8)
    for step in range(1, 6):
        phone.touch("touchMove", 1, (x, y - 12 * step))

    def gone():
        return np.linalg.norm((phone.ask("camera().target") - before)[[0, 2]]) > 0.6

    phone.until(gone, "it is led along the ground")
    assert abs(phone.ask("camera().target")[1] - before[1]) < 0.05
    phone.release()
    done(phone, 1)
    phone.until(phone.aims, "it looks at the puppet again")
    phone.grab()
    before = np.array(phone.ask("camera().target"))
    phone.touch("touchStart", 1, (x - 80, y))
    for step in range(1, 6):
        phone.touch("touchMove", 1, (x - 80 + 16 * step, y))
    phone.until(lambda: phone.ask("camera().target")[1] - before[1] > 0.3, "it is raised")
    phone.release()
    done(phone, 2)


@pytest.mark.parametrize("release_offline", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_a_lost_connection_loses_nothing(studio_of, window_of, phone_on, release_offline):
    studio = studio_of("biped")
    window, phone = window_of(studio), phone_on(studio, extra=SOCKET)
    phone.start()
    phone.grab()
    phone.act(0.5, yaw=lambda t: -30 * t)
    phone.cut_connection()
    phone.until(lambda: "offline" in held_text(phone), "it says so")
    phone.act(0.7, yaw=lambda t: -15 - 30 * t)
    if release_offline:
        phone.release()
        phone.until(lambda: "once the connection is back" in held_text(phone), "it waits")
        phone.restore_connection()
    else:
        phone.restore_connection()
        phone.wait('state().line === "open"')
        phone.act(0.3, yaw=lambda t: -36)
        phone.release()
    done(window, 1)
    assert duration(window) > 1.2
    phone.until(lambda: "Saving" not in held_text(phone), "it is confirmed")
    phone.until(phone.aims, "it can be grabbed again")


def test_a_wrong_token_is_refused(studio_of, shared_browser):
    page = shared_browser.get().new_page()
    answer = page.goto(phone_link(studio_of("biped")).partition("token=")[0] + "token=wrong")
    assert answer.status == 403
    assert "Open the link that the studio printed" in page.content()
    page.close()


@pytest.mark.slow
def test_a_phone_whose_browser_refuses_the_socket_performs_by_posts(studio_of, window_of, phone_on):
    studio = studio_of("biped")
    window, phone = window_of(studio), phone_on(studio, extra=NO_SOCKET)
    phone.page.get_by_text("works by single requests").wait_for()
    assert phone.page.locator(".perform-line").inner_text() == "Slower"
    box = phone.page.get_by_role("button", name="Settings").bounding_box()
    assert box["x"] + box["width"] <= phone.page.viewport_size["width"]
    phone.page.get_by_role("button", name="Continue").tap()
    window.page.get_by_text("1 phone", exact=True).wait_for()
    phone.start()
    phone.grab()
    phone.act(0.5, yaw=lambda t: -40 * t)
    window.page.locator('[title$="performs biped"]').wait_for()
    phone.page.route("**/posts/**", lambda route: route.abort())  # some requests are lost
    phone.act(0.4, yaw=lambda t: -20 - 40 * t)
    phone.page.unroute("**/posts/**")
    phone.act(0.3, yaw=lambda t: -36)
    phone.release()
    done(window, 1)
    assert 1.0 < duration(window) < 20
    phone.page.get_by_role("button", name="Undo").tap()
    done(window, 0)
    phone.page.goto("about:blank")
    window.until(lambda: window.page.get_by_text("1 phone", exact=True).count() == 0, "it has left")


def test_a_connection_that_is_blocked_altogether_says_so(studio_of, shared_browser):
    page = new_page(shared_browser.get())
    page.add_init_script(NO_SOCKET)
    page.route("**/posts", lambda route: route.abort())
    page.goto(phone_link(studio_of("biped")))
    page.get_by_text("blocks the live connection").wait_for()
    assert page.locator(".perform-line").inner_text() == "Connection blocked"
    page.context.close()


def two_bipeds(folder):
    """Two of them, 2 m apart."""
    scene = read("biped:idle")
    actor = scene.characters[0]
    motion = sample(actor.takes[0], np.arange(25) / 24)
    beside = motion.values + 2.0 * (np.arange(motion.values.shape[1]) == 0)  # along x
    cast = tuple(
        replace(actor, name=name, takes=(Take(actor.rig, replace(motion, values=values)),))
        for name, values in (("Ada", motion.values), ("Ben", beside))
    )
    path = folder / "two.arc.glb"
    write(replace(scene, characters=cast, constraints=()), path)
    return path


@pytest.mark.slow
def test_two_phones_perform_two_puppets_at_once(studio_of, window_of, phone_on, folder):
    studio = studio_of(two_bipeds(folder))
    window, one, other = window_of(studio), phone_on(studio), phone_on(studio)
    window.page.get_by_text("2 phones", exact=True).wait_for()
    other.page.get_by_label("Character", exact=True).select_option("Ben")
    one.start()
    other.start()
    one.grab()
    other.grab()
    one.act(0.4, yaw=lambda t: -30 * t)
    other.act(0.4, yaw=lambda t: 30 * t)
    one.release()
    window.wait("state().done.length === 1")
    other.act(0.3, yaw=lambda t: 12)
    other.release()
    done(window, 2)
    assert [len(takes(window, name)) for name in ("Ada", "Ben")] == [2, 2]
    assert min(duration(window, name) for name in ("Ada", "Ben")) > 0.4


@pytest.mark.slow
def test_the_code_of_a_shared_studio_leads_to_the_phones_page(own_studio_of, shared_browser):
    try:
        studio = own_studio_of("biped", "--share")
    except AssertionError:
        pytest.skip(NO_NETWORK)
    phone = Phone(shared_browser.get(), studio.shared.replace("/?", "/phone?"))
    assert phone.page.url.startswith("https://")
    assert phone.page.url.endswith("/phone")
    phone.start()
    phone.grab()
    phone.act(0.6, yaw=lambda t: -30 * t)
    phone.release()
    done(phone, 1)
    phone.close()


GAMEPAD = """() => {
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


def puppeteer(window):
    window.page.locator('[data-tool="puppet"]').click()
    window.wait('state().tool === "puppet"')


def shown_states(window):
    overlays = [each for shown in window.state["previews"] for each in shown["overlays"]]
    return [each["text"] for each in overlays if each["shape"] == "text"]


def test_a_gamepad_holds_leads_and_flicks(studio_of, window_of):
    window = window_of(studio_of("biped"), alone=True)
    puppeteer(window)
    window.page.evaluate(GAMEPAD)
    window.page.wait_for_timeout(100)
    window.page.evaluate("() => { window.pad.pressed[7] = 1; window.pad.axes = [0.5, 0, 0, 0]; }")
    window.until(lambda: "on its feet" in shown_states(window), "it is held and walks")
    window.page.wait_for_timeout(800)  # led evenly
    window.page.evaluate("() => { window.pad.pressed[0] = 1; }")
    window.page.wait_for_timeout(1200)  # a jump
    window.page.evaluate(
        "() => { window.pad.axes = [0, 0, 0, 0]; window.pad.pressed = { 7: 1, 1: 1 }; }"
    )
    window.page.wait_for_timeout(1200)  # a punch
    window.page.evaluate("() => { window.pad.pressed = {}; }")
    done(window, 1)
    assert takes(window)[-1]["name"] == "performance"
    assert [each for each in performed_states(window) if each in ("jump", "action")] == [
        "jump",
        "action",
    ]
    undo(window, 0)


@pytest.mark.slow
def test_a_phone_is_not_asked_about_documents_that_were_not_saved(studio_of, window_of, phone_on):
    phone = phone_on(studio_of("biped"))
    phone.start()
    phone.grab()
    phone.act(0.3, yaw=lambda t: -40 * t)
    phone.release()
    done(phone, 1)
    studio = studio_of("dinosaur")
    window_of(studio).page.locator(".recovered").first.wait_for()
    other = phone_on(studio)
    other.start()
    assert other.page.locator(".recovered").count() == 0


# Notes the locks of the screen that are asked for, and lets a test end the last one.
NOTE_LOCKS = """
  window.locks = [];
  navigator.wakeLock.request = (kind) => {
    const lock = { kind, released: false };
    window.locks.push(lock);
    return Promise.resolve(lock);
  };
"""


def test_the_screen_is_kept_awake_also_after_another_tab_was_seen(studio_of, phone_on):
    phone = phone_on(studio_of("biped"), extra=NOTE_LOCKS)
    phone.start()
    assert phone.page.evaluate("window.locks.map((each) => each.kind)") == ["screen"]
    phone.page.evaluate(
        "() => { window.locks[0].released = true;"
        " document.dispatchEvent(new Event('visibilitychange')); }"
    )
    phone.page.wait_for_function("window.locks.length === 2")


HEADSET = Path(__file__).parents[2] / "studio" / "node_modules" / "iwer" / "build" / "iwer.js"
# As a phone that tracks its position by its camera.
TRACKS = """() => {
  const device = new IWER.XRDevice(IWER.metaQuest3);
  device.installRuntime({ forceInstall: true });
  window.tracked = device;
  device.position.set(0, 1.5, 0);
}"""

# The emulator's canvas lies over the page, which a phone shows over its camera's picture.
BENEATH = """() => {
  for (const each of document.querySelectorAll("[data-webxr_runtime], [data-webxr_runtime] *"))
    each.style.pointerEvents = "none";
}"""


@pytest.mark.skipif(not HEADSET.exists(), reason="the emulator of a headset is not installed")
@pytest.mark.slow
def test_a_phone_whose_position_is_tracked_leads_by_walking(studio_of, phone_on):
    phone = phone_on(studio_of("biped"))
    page = phone.page
    page.add_init_script(path=HEADSET)
    page.add_init_script(f"({TRACKS})()")
    page.reload()
    phone.wait("ready")
    phone.start()
    page.get_by_role("button", name="Settings").tap()
    page.get_by_role("button", name="Track position with the camera").tap()
    page.wait_for_timeout(500)  # its first frames
    page.evaluate(BENEATH)
    page.get_by_role("button", name="Recentre").tap()
    phone.until(phone.aims, "it points at the character")
    before = np.array(phone.ask('worldOf({joint: "Hips"})'))
    phone.grab()
    for step in range(30):
        page.evaluate("(z) => window.tracked.position.set(0, 1.5, z)", -0.03 * (step + 1))
        page.wait_for_timeout(50)

    def went():
        x, _, z = np.array(phone.ask('worldOf({joint: "Hips"})')) - before
        return np.hypot(x, z)

    phone.until(lambda: went() > 0.6, "it goes as far as the phone, and turns on its way")
    phone.release()
    done(phone, 1)
