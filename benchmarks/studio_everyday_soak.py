"""A soak of random everyday actions by mouse and keyboard: `make soak-everyday`.

After each action: no console error, no mark of what is gone, and as many undos as it made steps
give the document back to the last bit; redo gives the edit again. In the end a fresh page shows the
same document.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))

from browser_window import PAGE_WITHOUT_GPU, Studio, Window, new_page  # noqa: E402
from chromium import FLAGS, found_chromium  # noqa: E402
from places import settled, timeline  # noqa: E402

AWAY = (30, 12)  # over the bar: nothing of the viewport is under it
OVER = (640, 150)  # over the viewport, mostly beside the body
KEYS = {
    **{"play": ["Space", "Space"], "step": ["ArrowRight"], "step back": ["ArrowLeft"]},
    **{"next key": ["ArrowUp"], "previous key": ["ArrowDown"], "first": ["Shift+ArrowLeft"]},
    **{"key": ["i"], "copy pose": ["Control+c"], "paste pose": ["Control+v"]},
    **{"paste mirrored": ["Control+Shift+v"], "mirror": ["Control+Shift+m"], "reset": ["Alt+r"]},
    **{"pose": ["1"], "motion curves": ["2"], "pin": ["p"], "contact": ["c"], "axes": [","]},
    **{"undo": ["Control+z"], "redo": ["Control+Shift+z"], "frame all": ["Home"]},
    **{"front": ["Numpad1"], "side": ["Numpad3"], "perspective": ["Numpad5"], "none": ["Alt+a"]},
    **{"palette": ["Control+k", "Escape"], "shortcuts": ["?", "Escape"]},
}
ON_KEYS = {
    **{"delete keys": ["x"], "copy keys": ["Control+c"], "paste keys": ["Control+v"]},
    **{"all keys": ["Control+a"], "invert": ["Control+i"], "insert keys": ["i"]},
    **{"sheet": ["Shift+F6"], "range of keys": ["Control+Alt+p"], "view all": ["Home"]},
}


class Soak:
    """A window and the random actions in it."""

    def __init__(self, window: Window, seed: int) -> None:
        self.window, self.random = window, np.random.default_rng(seed)
        self.actions = {
            **{name: lambda keys=keys: self.keys(OVER, keys) for name, keys in KEYS.items()},
            **{name: lambda keys=keys: self.on_keys(keys) for name, keys in ON_KEYS.items()},
            **{"select": self.select, "drag body": self.drag_body, "drag curve": self.drag_curve},
            **{"drag key": self.drag_key, "tween": self.tween, "orbit": self.orbit},
            **{"zoom": self.zoom, "box": self.box, "marker": self.marker, "scrub": self.scrub},
            **{"auto key": self.auto_key},
        }

    def near(self, place: list[float], far: float = 40) -> list[float]:
        """A place some pixels away."""
        return (np.array(place) + self.random.uniform(-far, far, 2)).tolist()

    def keys(self, where: tuple[int, int], keys: list[str]) -> None:
        """Press keys over a place."""
        self.window.mouse.move(*where)
        for key in keys:
            self.window.keyboard.press(key)

    def mark(self) -> list[float] | None:
        """A key that is in view in the dope sheet."""
        rows = [each for each in timeline(self.window, "rows()") if each["channels"]]
        row = rows[self.random.integers(min(len(rows), 6))]
        times = [0, 3, 6, 9, 12, 14, 18, 24]
        return timeline(self.window, "mark(...given)", row["id"], int(self.random.choice(times)))

    def on_keys(self, keys: list[str]) -> None:
        """Click a key in the timeline, then press keys there."""
        at = self.mark() if self.window.ask("view.sheet.value") == "dope" else None
        self.window.mouse.click(*(at or (700, 700)))
        for key in keys:
            self.window.keyboard.press(key)

    def joint(self) -> list[float] | None:
        """Where a joint is seen."""
        names = ["Head", "LeftHand", "RightHand", "Hips", "LeftFoot", "RightLowerArm", "Chest"]
        return self.window.ask("screenOf(...given)", {"joint": str(self.random.choice(names))})

    def select(self) -> None:
        """Click the body."""
        if at := self.joint():
            self.window.mouse.click(*at)

    def drag_body(self) -> None:
        """Drag the body."""
        if at := self.joint():
            self.window.drag(at, self.near(at), steps=3)

    def drag_curve(self) -> None:
        """Drag the curve of the selected point."""
        points = self.window.state["points"]
        frame = float(self.random.integers(0, 24))
        at = points and self.window.ask("curveAt(...given)", points[-1], frame)
        if at:
            self.window.drag(at, self.near(at), steps=3)

    def drag_key(self) -> None:
        """Drag a key in time."""
        if self.window.ask("view.sheet.value") == "dope" and (at := self.mark()):
            self.window.drag(at, [at[0] + self.random.uniform(-90, 90), at[1]], steps=3)

    def tween(self) -> None:
        """Tween and keep it, or not."""
        self.window.mouse.move(*OVER)
        self.window.keyboard.press("Shift+E")
        self.window.mouse.move(*self.near([*OVER], 100), steps=3)
        if self.random.random() < 0.3:
            self.window.keyboard.press("Escape")
        else:
            self.window.mouse.click(*self.near([*OVER], 10))

    def orbit(self) -> None:
        """Turn the view."""
        self.window.drag([*OVER], self.near([*OVER]), steps=2, button="middle")

    def zoom(self) -> None:
        """Zoom a little."""
        self.window.mouse.move(*OVER)
        self.window.mouse.wheel(0, float(self.random.choice([-60, 60])))

    def box(self) -> None:
        """Select joints by a box."""
        self.window.mouse.move(*OVER)
        self.window.keyboard.press("b")
        self.window.drag(self.near([600, 250]), self.near([700, 400]), steps=3)

    def marker(self) -> None:
        """Add a marker."""
        self.window.mouse.move(700, 700)
        self.window.keyboard.press("m")
        self.window.page.wait_for_timeout(40)
        self.window.keyboard.press("Enter")
        self.window.keyboard.press("Escape")

    def scrub(self) -> None:
        """Drag on the ruler."""
        at = timeline(self.window, "frame(given[0])", int(self.random.integers(0, 24)))
        if at:
            self.window.drag(at, [at[0] + 30, at[1]], steps=2)

    def auto_key(self) -> None:
        """Switch auto key."""
        self.window.page.get_by_title("Auto key:").click()

    def rest(self) -> None:
        """Until the page rests: unkeyed poses are discarded, the pointer is elsewhere."""
        self.window.mouse.move(*AWAY)
        if (self.window.state["interaction"] or {}).get("unkeyed"):
            self.window.keyboard.press("Escape")
        if self.window.state["playing"]:
            self.window.mouse.move(*OVER)
            self.window.keyboard.press("Space")
            self.window.mouse.move(*AWAY)
        self.wait_for_steps()

    def wait_for_steps(self) -> None:
        """Until nothing changes any more: a change is sent without an answer to wait for."""
        before = None
        while before != (before := (self.window.ask("fingerprint()"), self.window.state["done"])):
            settled(self.window)
            self.window.page.wait_for_timeout(150)

    def check(self, before: str, done: list[str]) -> list[str]:
        """What is wrong after an action."""
        window, wrong = self.window, []
        if marked := window.ask("marked()"):
            wrong.append(f"stale marks {marked}")
        now, steps = window.ask("fingerprint()"), window.state["done"]
        made = len(steps) - len(done)
        if made <= 0 or steps[: len(done)] != done:
            return wrong
        for key in ("Control+z", "Control+Shift+z"):
            wanted, count = (before, len(done)) if key == "Control+z" else (now, len(steps))
            for _ in range(made):
                window.keyboard.press(key)
            window.wait(f"state().done.length === {count}")
            self.wait_for_steps()
            if window.ask("fingerprint()") != wanted:
                wrong.append(f"{key} after {steps[len(done) :]} is not exact")
        return wrong


def main() -> int:
    """Run the soak; 1 where something was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--actions", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    from playwright.sync_api import sync_playwright

    wrong: list[str] = []
    tried: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        home, folder = Path(place) / "home", Path(place) / "folder"
        home.mkdir()
        folder.mkdir()
        studio = Studio(home, folder, "biped:walk").start()
        flags = [*FLAGS, *PAGE_WITHOUT_GPU]
        browser = playwright.chromium.launch(executable_path=found_chromium(), args=flags)
        page = new_page(browser)
        page.set_viewport_size({"width": 1280, "height": 800})
        page.on("console", lambda said: said.type == "error" and wrong.append(said.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(studio.address, wait_until="commit")
        window = Window(page)
        window.wait("ready")
        soak = Soak(window, wanted.seed)
        soak.rest()
        for number in range(wanted.actions):
            name = str(soak.random.choice(list(soak.actions)))
            tried[name] += 1
            before, done = window.ask("fingerprint()"), window.state["done"]
            known = len(wrong)
            soak.actions[name]()
            soak.rest()
            wrong += soak.check(before, done)
            for each in wrong[known:]:
                print(f"action {number}, {name}: {each}", flush=True)
        steps, shown = len(window.state["done"]), window.ask("fingerprint()")
        page.reload()
        window.wait("ready && window.arcwright.settled")
        if window.ask("fingerprint()") != shown:
            wrong.append("a fresh page shows another document")
        browser.close()
        studio.stop()
    print(f"{wanted.actions} actions of {len(tried)} kinds, {steps} steps in the history:", end=" ")
    print(f"{len(wrong)} faults" if wrong else "no fault")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
