"""Record stick paths in the studio's page: a scripted mouse, and an emulated phone that is turned.

    python benchmarks/record_stick_paths.py [--only NAME]

Each goes through the real page and server into a performance; the samples that the document keeps
are written to `stick_recordings/`, with what the script asked for at which time.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, sync_playwright

from studio_window import FLAGS, chromium  # first: it finds tests/support

from arcwright.scene.recording import Recording  # isort: skip
from browser_window import PAGE_WITHOUT_GPU, Studio, Window, new_page  # isort: skip
from phone import UPRIGHT, Phone  # isort: skip
from places import done, point_ref, saved, still  # isort: skip

OUT = Path(__file__).parent / "stick_recordings"
RATE = 60
CHEST = point_ref("Chest")
PRESSED = "addEventListener('pointerdown', () => (window.pressedAt = performance.now()), true);"
# Plays angles (yaw, pitch in degrees, RATE a second) on the orientation sensor.
PLAY = f"""async (angles) => {{
  const began = performance.now();
  await new Promise((over) => {{
    const timer = setInterval(() => {{
      const at = (performance.now() - began) / 1000 * {RATE};
      const low = Math.min(Math.floor(at), angles.length - 2), share = Math.min(at - low, 1);
      const [one, other] = [angles[low], angles[low + 1]];
      const [yaw, pitch] = [0, 1].map((i) => one[i] * (1 - share) + other[i] * share);
      const now = {{ alpha: 90 + yaw, beta: {UPRIGHT} + pitch, gamma: 0 }};
      dispatchEvent(new DeviceOrientationEvent("deviceorientation", now));
      if (at > angles.length - 1) over(clearInterval(timer));
    }}, 1000 / {RATE});
  }});
  return (began - window.pressedAt) / 1000;
}}"""

Times = np.ndarray


@dataclass(frozen=True)
class Script:
    """What is asked for, and how the device moves: m right and up, or degrees left and up."""

    device: str
    seconds: float
    moves: Callable[[Times], tuple[Times, Times]]
    asked: tuple[tuple[float, str], ...]  # from which time on, s


def ramp(t: Times, start: float, seconds: float) -> Times:
    share = np.clip((t - start) / seconds, 0.0, 1.0)
    return share * share * (3 - 2 * share)


def hop(t: Times, start: float, rise: float) -> Times:
    """A throw upwards at some m/s."""
    since = np.clip(t - start, 0.0, 2 * rise / 9.81)
    return rise * since - 4.905 * since**2


def back(start: float, rise: float) -> float:
    return start + 2 * rise / 9.81


WALK, CROUCH, JUMP, HANG = "walk", "crouch", "jump", "hang"
SCRIPTS = {
    "mouse walk and back": Script(
        "mouse",
        7.0,
        lambda t: (1.1 * ramp(t, 0.5, 1.8) - 1.3 * ramp(t, 3.5, 2.2), 0 * t),
        ((0.0, WALK),),
    ),
    "mouse crouch": Script(
        "mouse",
        6.0,
        lambda t: (0.5 * ramp(t, 2.2, 1.4), -0.4 * (ramp(t, 1.0, 0.5) - ramp(t, 4.4, 0.5))),
        ((0.0, WALK), (1.25, CROUCH), (4.65, WALK)),
    ),
    "mouse flick": Script(
        "mouse",
        4.5,
        lambda t: (0.6 * ramp(t, 0.4, 2.6), hop(t, 1.6, 3.0)),
        ((0.0, WALK), (1.6, JUMP), (back(1.6, 3.0), WALK)),
    ),
    "mouse lift": Script(
        "mouse",
        6.0,
        lambda t: (0.2 * ramp(t, 2.0, 1.0), 0.45 * (ramp(t, 1.0, 0.8) - ramp(t, 3.5, 1.0))),
        ((0.0, WALK), (1.0, HANG), (4.5, WALK)),
    ),
    "phone swing": Script(
        "phone",
        7.0,
        lambda t: (-35 * ramp(t, 0.6, 2.2) + 50 * ramp(t, 3.6, 2.6), 0 * t),
        ((0.0, WALK),),
    ),
    "phone crouch": Script(
        "phone",
        6.0,
        lambda t: (-16 * ramp(t, 2.2, 1.6), -11 * (ramp(t, 1.0, 0.6) - ramp(t, 4.4, 0.6))),
        ((0.0, WALK), (1.3, CROUCH), (4.7, WALK)),
    ),
    "phone flick": Script(
        "phone",
        4.5,
        lambda t: (0 * t, 28 * hop(t, 1.5, 3.0)),
        ((0.0, WALK), (1.5, JUMP), (back(1.5, 3.0), WALK)),
    ),
    "phone lift": Script(
        "phone",
        6.0,
        lambda t: (-8 * ramp(t, 2.0, 1.0), 13 * (ramp(t, 1.0, 1.0) - ramp(t, 3.5, 1.2))),
        ((0.0, WALK), (1.0, HANG), (4.7, WALK)),
    ),
}


def by_mouse(browser: Browser, studio: Studio, script: Script) -> tuple[Recording, float]:
    """Press the chest, move as the script says, release; when the script began in the samples."""
    page = new_page(browser)
    page.set_viewport_size({"width": 1280, "height": 860})
    page.goto(studio.address)
    window = Window(page)
    window.wait("ready")
    page.locator('[data-tool="puppet"]').click()
    window.wait('state().tool === "puppet"')
    still(window, 0)
    at, head = (
        np.array(window.ask("screenOf(given[0])", each)) for each in (CHEST, point_ref("Head"))
    )
    places = [
        np.array(window.ask("worldOf(given[0])", each)) for each in (CHEST, point_ref("Head"))
    ]
    scale = abs(head[1] - at[1]) / abs(places[1][1] - places[0][1])  # px for a metre
    tools = page.context.new_cdp_session(page)
    origin = page.evaluate("(performance.timeOrigin + performance.now()) / 1000") + 0.1
    began = time.monotonic() + 0.1

    def mouse(kind: str, place: np.ndarray, seconds: float) -> None:
        time.sleep(max(0.0, began + seconds - time.monotonic()))
        x, y = place.tolist()
        given = {"type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1}
        tools.send("Input.dispatchMouseEvent", {**given, "timestamp": origin + seconds})

    mouse("mousePressed", at, 0.0)
    times = np.arange(round(script.seconds * RATE)) / RATE
    right, up = script.moves(times)
    for t, x, y in zip(times.tolist(), right * scale, up * scale, strict=True):
        mouse("mouseMoved", at + np.array([x, -y]), t + 1 / RATE)
    mouse("mouseReleased", at + scale * np.array([right[-1], -up[-1]]), script.seconds + 0.1)
    done(window, 1)
    scene = saved(window, studio, "recorded.arc.glb")
    page.context.close()
    return scene.recordings[-1], 1 / RATE


def by_phone(browser: Browser, studio: Studio, script: Script) -> tuple[Recording, float]:
    """Hold, turn as the script says, release; when the script began in the samples."""
    phone = Phone(browser, studio.address.replace("/?", "/phone?"), extra=PRESSED)
    phone.start()
    phone.grab()
    times = np.arange(round(script.seconds * RATE)) / RATE
    left, up = script.moves(times)
    began = phone.page.evaluate(PLAY, np.stack([left, up], axis=1).tolist())
    phone.release()
    done(phone, 1)
    phone.close()
    page = new_page(browser)
    page.goto(studio.address)
    window = Window(page)
    window.wait("ready")
    scene = saved(window, studio, "recorded.arc.glb")
    page.context.close()
    return scene.recordings[-1], began


def written(name: str, script: Script, recording: Recording, began: float) -> str:
    """The path file, with what was asked for."""
    samples = [
        {
            "time": round(at, 5),
            "position": [round(float(each), 5) for each in pose[:3]],
            "rotation": [round(float(each), 5) for each in pose[3:]],
        }
        for at, pose in zip(recording.times.tolist(), recording.poses[:, 0], strict=True)
    ]
    rows = ",\n".join(json.dumps(each, separators=(",", ":")) for each in samples)
    asked = [[round(at + began if at else 0.0, 4), what] for at, what in script.asked]
    grip = recording.point.joint if recording.point else ""
    head = {"name": name, "device": script.device, "grip": grip, "asked": asked}
    return json.dumps(head)[:-1] + f', "samples": [\n{rows}\n]}}\n'


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    OUT.mkdir(exist_ok=True)
    for name, script in SCRIPTS.items():
        if given.only not in name:
            continue
        with (
            tempfile.TemporaryDirectory() as home,
            tempfile.TemporaryDirectory() as folder,
            sync_playwright() as playwright,
        ):
            flags = [*FLAGS, *PAGE_WITHOUT_GPU]
            browser = playwright.chromium.launch(executable_path=chromium(), args=flags)
            studio = Studio(Path(home), Path(folder), "biped").start()
            try:
                act = by_mouse if script.device == "mouse" else by_phone
                recording, began = act(browser, studio, script)
            finally:
                studio.stop()
                browser.close()
        file = OUT / f"{name.replace(' ', '_')}.json"
        file.write_text(written(name, script, recording, began))
        length = recording.times[-1] - recording.times[0]
        print(f"{name}: {len(recording.times)} samples in {length:.2f} s", flush=True)


if __name__ == "__main__":
    main()
