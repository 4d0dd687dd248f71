"""Rows of table 5.1, replayed in a real browser from an empty loop, layer by layer.

Run `make cycle-browser`; names of rows in `ROWS` choose others. A studio is opened on the still
scene of a row, and its recorded performances are played in real time through the page's recorder by
the device "recorded path": select, record, review, keep. Each layer is one such gesture; wall
seconds include the solves and the page's own work.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import sync_playwright

import arcwright
from arcwright.files.array_file import read_arrays
from arcwright.scene.scene import Scene
from arcwright.tools.cycle.options import CycleOptions
from arcwright.tools.options import described
from browser_window import PAGE_WITHOUT_GPU, Studio, Window, new_page
from chromium import FLAGS, found_chromium
from cycle_layers import Row
from cycle_table_performances import FOLDER, RATE, ROWS
from places import settled

OPTIONS = """(more) => {
  const { options } = window.arcwright.view;
  options.value = { ...options.value, ...more };
}"""
CHOSEN = ("dragon_fly", "human_juggle", "human_punch")


@dataclass
class Replayed:
    """What a row came to in the browser."""

    layers: int
    kept: int = 0  # layers that changed the document
    acting: float = 0.0  # s, as the page's timer shows it
    wall: float = 0.0  # s
    frames: float = 0.0  # of the loop
    notes: tuple[str, ...] = ()


def main() -> None:
    """Replay the rows that are named, or three of them."""
    where = found_chromium()
    if where is None:
        raise SystemExit("no Chromium: install it (`make browser`), or set CHROMIUM")
    columns = ("layers", "kept", "frames", "acting s", "wall s", "paper min")
    print(f"{'cycle':16}" + "".join(f"{each:>10}" for each in columns))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=where, args=[*FLAGS, *PAGE_WITHOUT_GPU]
        )
        for row in ROWS:
            if row.name in (sys.argv[1:] or CHOSEN):
                print(_line(row, _replayed(browser, row)), flush=True)
        browser.close()


def _line(row: Row, done: Replayed) -> str:
    line = (
        f"{row.name.replace('_', ' '):16}{done.layers:10}{done.kept:10}{done.frames:10g}"
        f"{done.acting:10.1f}{done.wall:10.1f}{row.paper.minutes or '-':>10}"
    )
    return "\n  ".join([line, *done.notes])


def _replayed(browser: Any, row: Row) -> Replayed:
    case = json.loads((FOLDER / f"{row.name}.json").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as home:
        state, folder = Path(home) / "state", Path(home) / "folder"
        folder.mkdir()
        studio = Studio(state, folder, row.scene).start()
        try:
            page = new_page(browser)
            page.set_viewport_size({"width": 1280, "height": 800})
            page.goto(studio.address, wait_until="commit")
            return _acted(Window(page), case, folder)
        finally:
            page.context.close()
            studio.stop()


def _acted(window: Window, case: dict[str, Any], folder: Path) -> Replayed:
    window.wait("ready")
    window.page.locator('[data-tool="cycle"]').click()
    window.wait('state().tool === "cycle"')
    _choose(window, "Count-in", "None")
    scene = arcwright.read(case["scene"])
    done = Replayed(len(case["gestures"]))
    began = time.monotonic()
    for gesture in case["gestures"]:
        _act(window, scene, gesture, folder, done)
    done.wall = time.monotonic() - began
    state = window.state
    take = state["takes"][state["character"]][0]
    done.frames = round(take["duration"] * take["rate"], 2)
    return done


def _act(
    window: Window, scene: Scene, gesture: dict[str, Any], folder: Path, done: Replayed
) -> None:
    """Select what is performed, record the path, and keep what comes of it."""
    arrays = read_arrays(FOLDER, gesture["arrays"])
    steps = len(window.state["done"])
    length = _select(window, scene, gesture)
    _load(window, folder, gesture, arrays)
    usual = {each.name: each.default for each in described(CycleOptions)}
    options = {"cycle": {**usual, **gesture.get("options", {})}}
    window.page.evaluate(OPTIONS, options)
    window.ask("setFrame(given[0])", float(arrays["times"][0]) % length * RATE)
    settled(window)
    window.keyboard.press("Shift+Space")
    window.wait('state().recording?.phase === "review"')
    done.acting += window.state["recording"]["time"]
    window.until(lambda: not window.page.get_by_text("Analysing…").count(), "a result")
    window.keyboard.press("Enter")
    window.wait("state().recording === null")
    settled(window)
    done.kept += len(window.state["done"]) > steps
    said = [note["text"] for shown in window.state["previews"] for note in shown["notes"]]
    done.notes += tuple(f"{Path(gesture['arrays']).stem}: {text}" for text in said)


def _select(window: Window, scene: Scene, gesture: dict[str, Any]) -> float:
    """Choose the actor, then its point or channels; the length of the loop that plays, s."""
    state = window.state
    actor = gesture.get("character") or next(iter(state["takes"]))
    take = state["takes"][actor][0]
    window.ask("view.take.value = given[0]", take["name"])
    window.ask("view.character.value = given[0]", actor)
    window.ask("view.chosenChannels.value = new Set()")
    if "channels" in gesture:
        rig = scene.actor(actor).rig
        chosen = [rig.channel(each) for each in gesture["channels"]]
        window.ask("view.chosenChannels.value = new Set(given[0])", chosen)
    else:
        window.ask("select(given[0])", {**gesture["point"], "character": actor})
    settled(window)
    longest = max(each["duration"] for takes in state["takes"].values() for each in takes[:1])
    return float(longest)


def _load(window: Window, folder: Path, gesture: dict[str, Any], arrays: dict[str, Any]) -> None:
    """The samples as a file of the device "recorded path"."""
    path = folder / f"{Path(gesture['arrays']).stem}.json"
    whole: dict[str, Any] = {"times": arrays["times"].tolist()}
    if "poses" in arrays:
        poses = arrays["poses"][:, 0].astype(float)
        poses[:, 3:] /= np.linalg.norm(poses[:, 3:], axis=1, keepdims=True)
        whole["poses"] = poses.tolist()
    if "axes" in arrays:
        whole |= {"axes": arrays["axes"].tolist(), "axis_names": list(gesture["axis_names"])}
    path.write_text(json.dumps(whole))
    with window.page.expect_file_chooser() as chooser:
        window.page.locator(".record-more").click()
        window.page.locator(".menu").get_by_text("Device", exact=True).hover()
        window.page.locator(".menu").get_by_text("path").or_(
            window.page.locator(".menu").get_by_text("Path ")
        ).last.click()
    chooser.value.set_files(path)
    window.page.get_by_text(f"Record now plays the path of {path.name}").wait_for()


def _choose(window: Window, name: str, value: str) -> None:
    window.page.locator(".record-more").click()
    window.page.locator(".menu").get_by_text(name, exact=True).hover()
    window.page.locator(".menu").get_by_text(value, exact=True).last.click()


if __name__ == "__main__":
    main()
