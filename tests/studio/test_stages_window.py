"""From reality to virtuality: an emulated phone with a fake camera goes through all stages."""

from pathlib import Path

import pytest

from places import done
from stages_phone import NAMES, StagesPhone, stages_link

HEADSET = Path(__file__).parents[2] / "studio" / "node_modules" / "iwer" / "build" / "iwer.js"
REFUSES = "navigator.mediaDevices.getUserMedia = () => Promise.reject(new Error('refused'));"
VISIBLE = "(each) => !each.hidden && each.tagName.toLowerCase()"
WEAR = """
  const device = new IWER.XRDevice(IWER.metaQuest3);
  device.installRuntime({ forceInstall: true });
  const Layer = window.XRWebGLLayer;
  window.XRWebGLLayer = class extends Layer {
    constructor(session, context, options) {
      super(session, context, options);
      window.drawnInto = context.canvas;
    }
  };
"""
VIEWPORT = "() => { window.viewport = document.querySelector('.stages-view canvas'); }"
DRAWN = "() => window.viewport && window.drawnInto === window.viewport"


@pytest.fixture
def stages_on(shared_browser):
    """Open the page on studios; all are closed."""
    opened = []

    def open_page(studio, **given):
        opened.append(StagesPhone(shared_browser.get(), stages_link(studio), **given))
        return opened[-1]

    yield open_page
    for phone in opened:
        phone.close()


def behind(phone):
    """The element of the picture behind the viewport."""
    found = phone.page.locator(".stages-back > *").evaluate_all(f"(all) => all.map({VISIBLE})")
    return [each for each in found if each]


@pytest.mark.slow
def test_a_tap_on_the_ground_of_the_camera_picture_opens_the_next_stage(studio_of, stages_on):
    phone = stages_on(studio_of("biped"))
    assert phone.open_stages() == []  # camera and sensors need a tap first
    phone.begin("Use the camera")
    assert behind(phone) == ["video"]
    assert phone.page.evaluate("document.querySelector('.stages-back video').videoWidth") > 0
    assert phone.open_stages() == ["Place"]
    refused = phone.page.get_by_text("Tap the ground, below the horizon")

    def is_refused():
        phone.tap_picture(0.5, 0.1)  # nothing listens until the scene is there
        return refused.is_visible()

    phone.until(is_refused, "a tap above the horizon is refused")
    phone.tap_picture(0.5, 0.55)
    phone.until(lambda: phone.open_stages() == ["Place", "Avatar"], "the next stage is open")
    feet = phone.ask("placeOf([0, 0, 0])")
    size = phone.page.viewport_size
    assert abs(feet[0] - 0.5 * size["width"]) < 25  # the hips need not be right above the origin
    assert abs(feet[1] - 0.55 * size["height"]) < 40  # the shown take moves
    phone.page.reload()
    phone.wait("ready")
    phone.begin("Continue")
    assert behind(phone) == ["video"]
    assert phone.open_stages() == ["Place", "Avatar"]


def test_without_a_camera_there_is_the_drawn_room(studio_of, stages_on):
    phone = stages_on(studio_of("biped"), extra=REFUSES)
    phone.begin("Use the camera")
    phone.page.get_by_text("There is no camera picture").wait_for()
    assert behind(phone) == ["canvas"]


@pytest.mark.slow
def test_milestones_open_all_stages_and_the_way_back_stays_open(studio_of, stages_on):
    phone = stages_on(studio_of("biped"))
    phone.begin("Use the camera")
    phone.tap_picture(0.5, 0.55)
    phone.page.get_by_role("radio", name="Real prop").tap()
    phone.tap_picture(0.3, 0.5)
    phone.go_on("Avatar")
    phone.use_figure({"LeftHand": (232, 72)})
    placed = phone.page.locator('[data-joint="LeftHand"]').get_attribute("cy")
    assert abs(float(placed) - 72) < 3
    phone.page.get_by_role("button", name="Make avatar").tap()
    phone.until(lambda: phone.state["take"] == "photo pose", "the avatar's take is shown")
    phone.go_on("Augmented")
    began = phone.ask('worldOf({joint: "Hips"})')
    phone.lead_to(phone.kept("narrator"), lambda: phone.kept("progress")["furthest"] == "mixed")
    done(phone, 2)
    assert phone.state["take"] == "performance"

    def stays():
        return abs(phone.ask('worldOf({joint: "Hips"})')[0] - began[0]) > 0.2

    phone.until(stays, "the puppet stays where it was led")
    phone.go_on("Mixed")
    phone.tap_picture(0.35, 0.45)
    phone.until(lambda: len(phone.kept("props")) == 2, "a virtual prop is placed")
    for index in (0, 1):
        prop = phone.kept("props")[index]
        if not prop["visited"]:
            phone.lead_to(prop["place"], lambda index=index: phone.kept("props")[index]["visited"])
    phone.go_on("Virtual")
    phone.page.reload()
    phone.wait("ready")
    phone.begin("Continue")
    assert phone.shown == "virtual"
    assert phone.open_stages() == list(NAMES)
    for name in reversed(NAMES):
        phone.page.get_by_role("navigation").get_by_role("button", name=name).tap()
        phone.until(lambda name=name: phone.shown == name.lower(), "the way back")
        assert phone.open_stages() == list(NAMES)


@pytest.mark.skipif(not HEADSET.exists(), reason="the emulator of a headset is not installed")
@pytest.mark.slow
def test_the_virtual_world_is_drawn_into_a_headset(studio_of, stages_on):
    phone = stages_on(studio_of("biped"))
    page = phone.page
    phone.begin()
    phone.tap_picture(0.5, 0.55)
    progress = '{"shown": "virtual", "furthest": "virtual"}'
    page.evaluate("(value) => localStorage.setItem('arcwright.stages_progress', value)", progress)
    page.add_init_script(path=HEADSET)
    page.add_init_script(WEAR)
    page.reload()
    phone.wait("ready")
    phone.begin("Continue")
    page.evaluate(VIEWPORT)  # the emulator shows the canvas of a session elsewhere
    page.get_by_role("button", name="Enter VR").tap()
    page.wait_for_function(DRAWN)
