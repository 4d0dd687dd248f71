"""How old a puppet's pose is in the page of the phone that leads it, through the real server.

    python benchmarks/puppet_latency.py [--seconds 20] [--scene biped] [--only socket|posts]

An emulated phone turns to and fro at 60 samples a second, over TLS where this machine is on a
network. Ages count from the moment of the device that a pose answers (a tick of 1/60 s) until the
pose was put into the picture; nothing is drawn. Once over the socket, and once by posts.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright

from studio_window import FLAGS, chromium, load  # first: it finds tests/support

from browser_window import PAGE_WITHOUT_GPU, Studio  # isort: skip
from phone import NO_SOCKET, UPRIGHT, Phone  # isort: skip

WAYS = {"socket": "", "posts": NO_SOCKET}
TURNS = f"""() => {{
  const began = performance.now();
  window.turning = setInterval(() => {{
    const turn = 25 * Math.sin((performance.now() - began) / 700);
    const angles = {{ alpha: 90 + turn, beta: {UPRIGHT}, gamma: 0 }};
    dispatchEvent(new DeviceOrientationEvent("deviceorientation", angles));
  }}, 1000 / 60);
}}"""


def measure(link: str, seconds: float, extra: str) -> np.ndarray:
    """Ages of all poses, ms."""
    with sync_playwright() as playwright:
        flags = [*FLAGS, *PAGE_WITHOUT_GPU]
        browser = playwright.chromium.launch(executable_path=chromium(), args=flags)
        phone = Phone(browser, link, extra=extra)
        if extra:
            phone.page.get_by_role("button", name="Continue").tap()
        phone.start()
        phone.ask("drawing(false)")
        phone.grab()
        phone.page.evaluate(TURNS)
        phone.page.wait_for_timeout(2000)  # to warm up
        phone.page.evaluate("() => { window.stop = window.arcwright.stickwatch(); }")
        phone.page.wait_for_timeout(1000 * seconds)
        ages = phone.page.evaluate("() => window.stop()")
        phone.release()
        browser.close()
    return np.array(ages, dtype=float)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--scene", default="biped")
    parser.add_argument("--only", choices=[*WAYS])
    given = parser.parse_args()
    print(f"{given.scene} held by an emulated phone, {given.seconds:g} s ({load()}); ms")
    for way in [given.only] if given.only else WAYS:
        with tempfile.TemporaryDirectory() as home, tempfile.TemporaryDirectory() as folder:
            running = Studio(Path(home), Path(folder), given.scene, ("--share",)).start()
            try:
                link = running.shared.replace("/?", "/phone?")
                ages = measure(link, given.seconds, WAYS[way])
            finally:
                running.stop()
        if len(ages) == 0:
            raise SystemExit("no pose arrived")
        p50, p95, worst = np.quantile(ages, [0.5, 0.95, 1.0])
        print(
            f"  {way}: {len(ages) / given.seconds:.0f} poses a second, "
            f"age p50 {p50:.1f}, p95 {p95:.1f}, worst {worst:.1f}"
        )


if __name__ == "__main__":
    main()
