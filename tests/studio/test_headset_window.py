"""VR controllers hold puppets: an emulated headset in a real browser."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from arcwright.kinematics.sample import sample
from arcwright.open import read, write
from arcwright.scene.take import Take
from places import done, still

HEADSET = Path(__file__).parents[2] / "studio" / "node_modules" / "iwer" / "build" / "iwer.js"
WEAR = """() => {
  const device = new IWER.XRDevice(IWER.metaQuest3);
  device.installRuntime({ forceInstall: true });
  window.hands = device.controllers;
  window.hands.right.position.set(0.2, 1, -0.3);
  window.hands.left.position.set(-0.2, 1, -0.3);
}"""
# The ray of a hand goes from its place towards a point, both as the wearer sees them.
AIM = """([hand, from, to]) => {
  const d = to.map((each, i) => each - from[i]);
  const l = Math.hypot(...d), [x, y, z] = d.map((each) => each / l);
  const q = [y, -x, 0, 1 - z]; // half way from -z to the direction
  const n = Math.hypot(...q);
  window.hands[hand].position.set(...from);
  window.hands[hand].quaternion.set(...q.map((each) => each / n));
}"""

pytestmark = [
    pytest.mark.skipif(not HEADSET.exists(), reason="the emulator of a headset is not installed"),
    pytest.mark.slow,
]


class Wearer:
    """Somebody with a headset, who stands where the studio's camera is."""

    def __init__(self, window):
        self.window, page = window, window.page
        page.add_init_script(path=HEADSET)
        page.add_init_script(f"({WEAR})()")
        page.reload()
        window.wait("ready")
        page.locator('[data-tool="puppet"]').click()
        window.wait('state().tool === "puppet"')
        still(window, 0)
        camera = window.ask("camera()")
        self.place = np.array(camera["position"]) * [1, 0, 1]
        self.yaw = camera["yaw"]
        window.keyboard.press("Control+k")
        window.keyboard.type("VR controllers")
        window.keyboard.press("Enter")
        page.wait_for_timeout(500)  # its first frames

    def seen(self, place):
        """A place of the world as the wearer has it before them."""
        x, y, z = np.asarray(place) - self.place
        c, s = np.cos(self.yaw), np.sin(self.yaw)
        return [c * x - s * z, y, s * x + c * z]

    def aim(self, hand, start, joint, character=""):
        """Hold a hand at a place before the wearer, and point at a joint."""
        ref = {"joint": joint, **({"character": character} if character else {})}
        to = self.seen(self.window.ask("worldOf(given[0])", ref))
        self.window.page.evaluate(AIM, [hand, list(start), to])

    def move(self, hand, x, y, z):
        self.window.page.evaluate(
            "([hand, ...to]) => window.hands[hand].position.set(...to)", [hand, x, y, z]
        )

    def pull(self, hand, value=1):
        self.window.page.evaluate(
            "([hand, value]) => window.hands[hand].updateButtonValue('trigger', value)",
            [hand, value],
        )

    def lead(self, seconds, **ways):
        """Move hands along functions of the share of the time."""
        steps = round(seconds * 30)
        for step in range(steps + 1):
            for hand, way in ways.items():
                self.move(hand, *way(step / steps))
            self.window.page.wait_for_timeout(33)


def takes(window, name):
    return window.state["takes"][name]


def curves(window):
    overlays = [each for shown in window.state["previews"] for each in shown["overlays"]]
    return sum(each["shape"] == "curve" for each in overlays)


def test_a_controller_holds_what_its_ray_hits(studio_of, window_of):
    window = window_of(studio_of("biped"), alone=True)
    wearer = Wearer(window)
    wearer.aim("right", (0.2, 1.0, -0.3), "Chest")
    wearer.pull("right")
    window.until(lambda: curves(window) == 1, "it is held")
    wearer.lead(0.6, right=lambda s: (0.2 + 0.5 * s, 1.0, -0.3))
    wearer.pull("right", 0)
    done(window, 1)
    assert takes(window, "biped")[-1]["name"] == "performance"


def test_two_controllers_hold_hips_and_head_of_one(studio_of, window_of, folder):
    window = window_of(studio_of("biped"), alone=True)
    given = len(takes(window, "biped"))
    wearer = Wearer(window)
    wearer.aim("right", (0.2, 1.0, -0.3), "Hips")
    wearer.aim("left", (-0.2, 1.2, -0.3), "Head")
    wearer.pull("right")
    window.until(lambda: curves(window) == 1, "its body is held")
    wearer.pull("left")
    window.until(lambda: curves(window) == 2, "its head is held, too")
    before = np.array(window.ask("worldOf(given[0])", {"joint": "Head"}))
    wearer.lead(0.6, left=lambda s: (-0.2 + 0.12 * s, 1.2 - 0.06 * s, -0.3))
    window.until(
        lambda: np.linalg.norm(window.ask("worldOf(given[0])", {"joint": "Head"}) - before) > 0.07,
        "the head follows its own controller",
    )
    wearer.pull("left", 0)
    window.until(lambda: curves(window) == 1, "the head is released")
    wearer.pull("right", 0)
    done(window, 1)
    assert len(takes(window, "biped")) == given + 1, "one take for both"


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


def test_two_controllers_lead_two_puppets_at_once(studio_of, window_of, folder):
    window = window_of(studio_of(two_bipeds(folder)), alone=True)
    wearer = Wearer(window)
    wearer.aim("right", (0.2, 1.0, -0.3), "Chest", "Ben")
    wearer.aim("left", (-0.2, 1.0, -0.3), "Chest", "Ada")
    wearer.pull("right")
    window.until(lambda: curves(window) == 1, "one is held")
    wearer.pull("left")
    window.until(lambda: curves(window) == 2, "both are held")
    wearer.lead(
        0.8, right=lambda s: (0.2 + 0.4 * s, 1.0, -0.3), left=lambda s: (-0.2 - 0.4 * s, 1.0, -0.3)
    )
    wearer.pull("left", 0)
    window.wait("state().done.length === 1")
    assert not window.state["playing"], "the other one is still held"
    wearer.lead(0.3, right=lambda s: (0.6 + 0.1 * s, 1.0, -0.3))
    wearer.pull("right", 0)
    done(window, 2)
    assert [len(takes(window, name)) for name in ("Ada", "Ben")] == [2, 2]
    lengths = [takes(window, name)[-1]["duration"] for name in ("Ada", "Ben")]
    assert lengths[1] > lengths[0] > 0.6
