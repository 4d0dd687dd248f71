"""Random mouse and keys on the studio's page: nothing may break, and all of it can be undone.

    python benchmarks/studio_monkey.py --events 2000 --seed 1 [--scene biped:walk]

Ends with 1 where the page reported an error, the server ended, or undoing everything and doing
it again does not give the same document.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
from collections import Counter
from dataclasses import fields
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from arcwright.arrays import same
from arcwright.open import read
from arcwright.scene.scene import Scene
from studio_window import FLAGS, chromium, studio

SIZE = 1280, 800
LETTERS = list("gsrxyzpckatvdif,.123?")
NAMED = ["Space", "Home", "End", "Delete", "Escape", "Enter", "Tab", "F1"]
NAMED += ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]
HELD = ["z", "Shift+z", "c", "v", "a", "d", "k", "e", "y", "s", "o", "Shift+s"]  # with Ctrl
KEYS = LETTERS + NAMED + [f"Control+{key}" for key in HELD] + ["Alt+a", "Shift+d", "Control+z"]


class Monkey:
    """Does something, anything, and writes down what."""

    def __init__(self, page: Page, seed: int) -> None:
        self.page, self.dice = page, random.Random(seed)
        self.did: list[str] = []
        self.counts: Counter[str] = Counter()

    def act(self) -> None:
        """One thing: mostly the mouse; out of a dialog it finds its way before long."""
        if self.dice.random() < 0.4 and self.page.evaluate(DIALOG):
            self.page.keyboard.press("Escape")
        acts = [self.drag, self.click, self.wheel, self.key, self.cross]
        act = self.dice.choices(acts, (5, 5, 1, 6, 1))[0]
        self.counts[act.__name__] += 1
        self.did.append(act())

    def drag(self) -> str:
        """Somewhere to somewhere near, sometimes with keys and a second button meanwhile."""
        start, by = self.place(), [self.dice.gauss(0, 70) for _ in range(2)]
        button = self.dice.choices(("left", "right", "middle"), (8, 1, 1))[0]
        held = self.dice.choices(("", "Shift", "Control", "Alt"), (7, 1, 1, 1))[0]
        if held:
            self.page.keyboard.down(held)
        self.page.mouse.move(*start)
        self.page.mouse.down(button=button)
        for step in range(1, 6):
            self.page.mouse.move(start[0] + by[0] * step / 5, start[1] + by[1] * step / 5)
            if self.dice.random() < 0.08:
                self.page.keyboard.press(self.dice.choice(("x", "y", "z", "k", "Escape", "Space")))
            self.page.wait_for_timeout(self.dice.choice((0, 10, 30)))
        self.page.mouse.up(button=button)
        if held:
            self.page.keyboard.up(held)
        return f"drag {held} {button} {start} by {by}"

    def click(self) -> str:
        """A press without a move; twice at times."""
        place = self.place()
        button = self.dice.choices(("left", "right"), (5, 1))[0]
        count = self.dice.choices((1, 2), (6, 1))[0]
        self.page.mouse.click(*place, button=button, click_count=count)
        return f"click {button} x{count} {place}"

    def wheel(self) -> str:
        """A few notches."""
        self.page.mouse.move(*self.place())
        self.page.mouse.wheel(0, self.dice.choice((-240, -120, 120, 240)))
        return "wheel"

    def key(self) -> str:
        """A key that means something, mostly."""
        key = self.dice.choice(KEYS)
        self.page.keyboard.press(key)
        return f"key {key}"

    def cross(self) -> str:
        """The pointer goes over the page."""
        self.page.mouse.move(*self.place(), steps=8)
        return "cross"

    def place(self) -> tuple[int, int]:
        """Anywhere; often where a curve, a key or the body is."""
        if self.dice.random() < 0.35:
            found = self.page.evaluate(NEAR, self.dice.random())
            if found:
                return round(found[0]), round(found[1])
        return self.dice.randrange(SIZE[0]), self.dice.randrange(SIZE[1])


DIALOG = "() => document.querySelector('dialog:modal') !== null"
QUIET = """() => {
  const now = window.arcwright.state();
  return !now.interaction && !now.previews.length && !document.querySelector(".job");
}"""
NEAR = """(share) => {
  const now = window.arcwright?.state();
  const spot = now?.points[0];
  return spot ? window.arcwright.curveAt(spot, share * now.lastFrame) : null;
}"""


def main() -> None:
    """Let it loose, then look at what is left."""
    asked = argparse.ArgumentParser()
    asked.add_argument("--events", type=int, default=2000)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--scene", default="biped:walk")
    asked.add_argument("--draw", action="store_true", help="draw, which is slow without a GPU")
    given = asked.parse_args()
    with (
        tempfile.TemporaryDirectory() as kept,
        studio(given.scene) as served,
        sync_playwright() as p,
    ):
        browser = p.chromium.launch(executable_path=chromium(), args=FLAGS)
        page = browser.new_page(viewport={"width": SIZE[0], "height": SIZE[1]})
        errors: list[str] = []
        monkey = Monkey(page, given.seed)
        page.on("pageerror", lambda error: note(errors, monkey, str(error)))
        page.on("console", lambda m: m.type == "error" and note(errors, monkey, m.text))
        page.on("filechooser", lambda _: None)  # else the system's own would open
        page.goto(served.address)
        page.wait_for_function("() => window.arcwright?.ready", timeout=60_000)
        page.evaluate(f"() => window.arcwright.drawing({str(given.draw).lower()})")
        most = 0
        for _ in range(given.events):
            monkey.act()
            most = max(most, page.evaluate("() => window.arcwright.state().revision") or 0)
        print(dict(monkey.counts), f"{most} revisions, {len(errors)} errors")
        trouble = errors or aftermath(page, Path(kept), served.process)
        browser.close()
    if trouble:
        raise SystemExit("\n".join(trouble))
    print("the same after undoing and redoing everything")


def note(errors: list[str], monkey: Monkey, text: str) -> None:
    """An error, with what was done just before."""
    errors.append(f"after {len(monkey.did)} events: {text}; " + "; ".join(monkey.did[-4:]))
    print(errors[-1])


def aftermath(page: Page, kept: Path, process: int) -> list[str]:
    """What is wrong with the document, if anything."""
    try:
        os.kill(process, 0)
    except OSError:
        return ["the server has ended"]
    for _ in range(4):
        page.keyboard.press("Escape")
    page.wait_for_function("() => window.arcwright.state().line === 'open'", timeout=30_000)
    before, state = settled(page, kept / "before.arc.glb")
    steps = len(state["done"])
    print(state["name"], *state["done"], sep="\n  ")
    travel(page, "Control+z", 0)
    print(f"{steps} steps undone")
    travel(page, "Control+Shift+z", steps)
    after, _ = settled(page, kept / "after.arc.glb")
    other = [
        each.name
        for each in fields(Scene)
        if not same(*(getattr(s, each.name) for s in (before, after)))
    ]
    return [f"after undoing and redoing: other {name}" for name in other]


def settled(page: Page, path: Path) -> tuple[Scene, dict[str, Any]]:
    """The document once nothing is under way, and what the page says of it.

    What was said before an export is done before it, but the page may hear of it only then, and
    slow work may end at any time: what was exported counts only if the page knew all of it.
    """
    for _ in range(20):
        page.wait_for_timeout(1000)
        page.wait_for_function(QUIET, timeout=60_000)
        state = page.evaluate("() => window.arcwright.state()")
        scene = exported(page, path)
        if page.evaluate("() => window.arcwright.state().revision") == state["revision"]:
            return scene, state
    raise SystemExit("the document does not come to rest")


def travel(page: Page, key: str, steps: int) -> None:
    """Undo or redo by its key until this many steps are done."""
    for _ in range(2000):
        now = page.evaluate("() => window.arcwright.state().done.length")
        if now == steps:
            return
        page.keyboard.press(key)
        page.wait_for_function(
            f"() => window.arcwright.state().done.length !== {now}", timeout=20_000
        )
    raise SystemExit(f"{key} does not lead to step {steps}")


def exported(page: Page, path: Path) -> Scene:
    """The document as a project file gives it."""
    page.keyboard.press("Control+e")
    page.locator("dialog.export input[type=radio]").first.check()
    with page.expect_download() as coming:
        page.locator("dialog.export button.main").click()
    coming.value.save_as(path)
    return read(path)


if __name__ == "__main__":
    main()
