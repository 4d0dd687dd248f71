"""Pictures of the stages from reality to virtuality, into docs/pictures/stages, and a film of them.

    python benchmarks/stages_pictures.py

An emulated phone goes through the game in a headless Chromium, with the drawn room and the drawn
figure. The film shows it several times as fast as it was played here.
"""

from __future__ import annotations

import base64
import sys
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Page, sync_playwright

from arcwright.arrays import AnyArray
from arcwright.picture import png
from arcwright.picture.film import animated
from drawing.small_png import write_small
from studio_window import FLAGS, chromium, studio

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))

import stages_phone  # noqa: E402
from stages_phone import StagesPhone, stages_link  # noqa: E402

KEPT = ROOT / "docs" / "pictures" / "stages"
FILM = ROOT / "docs" / "pictures" / "films" / "stages.png"
FRAMES, SHOWN = 90, 6.0  # pictures of the film, and how many a second
PATIENCE = 240.0  # s to lead a puppet somewhere, on a busy machine
SPEAKS = 1500  # ms until the narrator is in the middle of its line
# Pixels of the drawn figure: where its joints are.
FIGURE = {
    "Neck": (150, 108),  # before the head, which then lies where the neck was
    "Head": (150, 95),
    "LeftUpperArm": (178, 118),
    "LeftLowerArm": (222, 136),
    "LeftHand": (240, 95),
    "RightUpperArm": (122, 118),
    "RightLowerArm": (105, 163),
    "RightHand": (92, 206),
    "Hips": (150, 192),
    "LeftUpperLeg": (162, 200),
    "LeftLowerLeg": (170, 274),
    "LeftFoot": (175, 348),
    "RightUpperLeg": (138, 200),
    "RightLowerLeg": (130, 274),
    "RightFoot": (126, 348),
}


class Camera:
    """All that a page shows, with the times at which it did."""

    def __init__(self, page: Page) -> None:
        self._tools = page.context.new_cdp_session(page)
        self._seen: list[tuple[float, str]] = []  # s, and a PNG in base64
        self._tools.on("Page.screencastFrame", self._keep)
        size = page.viewport_size
        half = {"maxWidth": size["width"] // 2, "maxHeight": size["height"] // 2}
        self._tools.send("Page.startScreencast", {"format": "png", **half})

    def _keep(self, shown: dict[str, Any]) -> None:
        self._seen.append((shown["metadata"]["timestamp"], shown["data"]))
        self._tools.send("Page.screencastFrameAck", {"sessionId": shown["sessionId"]})

    def frames(self, count: int) -> list[AnyArray]:
        """Pictures (H, W, 3) at even times from the first to the last; it films no further."""
        self._tools.send("Page.stopScreencast")
        self._tools.detach()
        times = np.array([time for time, _ in self._seen])
        even = np.linspace(times[0], times[-1], count)
        at = np.searchsorted(times, even, side="right") - 1
        images = [png.decode(base64.b64decode(self._seen[each][1]))[..., :3] for each in at]
        height, width = (min(image.shape[axis] for image in images) for axis in (0, 1))
        return [image[:height, :width] for image in images]


def take(phone: StagesPhone, name: str) -> None:
    """A picture as it is seen on the phone."""
    phone.page.wait_for_timeout(SPEAKS)
    image = png.decode(phone.page.screenshot())
    write_small(image[..., :3], KEPT / f"{name}.png")


def lead_to_each(phone: StagesPhone) -> None:
    """The puppet visits all props."""
    for index, prop in enumerate(phone.kept("props")):
        if not phone.kept("props")[index]["visited"]:
            phone.lead_to(prop["place"], lambda at=index: phone.kept("props")[at]["visited"])
            phone.page.wait_for_timeout(SPEAKS)


def play(phone: StagesPhone) -> None:
    """All stages, with a picture of each."""
    phone.begin()
    phone.tap_picture(0.56, 0.6)
    phone.page.get_by_role("radio", name="Real prop").tap()
    phone.tap_picture(0.2, 0.645)
    phone.page.get_by_role("slider", name="Size").fill("0.27")
    take(phone, "1_place")
    phone.go_on("Avatar")
    phone.use_figure(FIGURE)
    take(phone, "2_avatar")
    phone.page.get_by_role("button", name="Make avatar").tap()
    phone.go_on("Augmented")
    take(phone, "3_augmented")

    def arrived() -> bool:
        return phone.kept("progress")["furthest"] == "mixed"

    phone.lead_to(phone.kept("narrator"), arrived)
    phone.go_on("Mixed")
    phone.tap_picture(0.3, 0.57)
    phone.page.get_by_role("radio", name="Mushroom").tap()
    phone.tap_picture(0.52, 0.61)
    lead_to_each(phone)
    take(phone, "4_mixed")
    phone.go_on("Virtual")
    take(phone, "5_virtual")


def main() -> None:
    """Start a studio and a browser, and play."""
    stages_phone.PATIENCE = PATIENCE
    with studio("biped") as server, sync_playwright() as playing:
        browser = playing.chromium.launch(executable_path=chromium(), args=FLAGS)
        phone = StagesPhone(browser, stages_link(server), picture=())
        camera = Camera(phone.page)
        play(phone)
        FILM.write_bytes(animated(camera.frames(FRAMES), SHOWN))
        browser.close()
    for path in (*sorted(KEPT.glob("*.png")), FILM):
        print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
