"""Pictures of the studio's main views: into docs/pictures/studio, the rest into out/shots.

    python benchmarks/studio_shots.py [NAME ...]

Real mouse and keys in a headless Chromium; views of a real character need ../shared/data.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from arcwright.picture import png
from drawing.small_png import write_small
from studio_window import DATA, FLAGS, chromium, studio

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / "docs" / "pictures" / "studio"
OTHERS = ROOT / "out" / "shots"
KNIGHT = str(DATA / "kaykit" / "Knight.glb")
FOX = str(DATA / "Fox.glb")
WALK = str(DATA.parent / "bvh" / "cmu" / "105_29_normal_walk_long.bvh")


@dataclass(frozen=True)
class View:
    """What is done before the picture is taken."""

    name: str
    scene: str
    does: Callable[[Page], None]
    kept: bool = False
    size: tuple[int, int] = (1280, 800)
    theme: str = "dark"
    touch: bool = False


def ask(page: Page, script: str) -> object:
    """What an expression of the page's handle is worth."""
    return page.evaluate(f"() => window.arcwright.{script}")


def until(page: Page, script: str) -> None:
    """Wait for it to be true."""
    page.wait_for_function(f"() => window.arcwright?.ready && window.arcwright.{script}")


def still(page: Page, frame: float, *joints: str) -> None:
    """Stop at a frame, with the curves of some joints."""
    ask(page, f"setFrame({frame})")
    if joints:
        ask(page, "select(" + ",".join(f'{{joint: "{joint}"}}' for joint in joints) + ")")
    for joint in joints:
        until(page, f'curveAt({{joint: "{joint}"}}, 0)')
    page.wait_for_timeout(400)


def grip(page: Page, joint: str, frame: float) -> tuple[float, float]:
    """Where a curve can be taken hold of."""
    at = ask(page, f'curveAt({{joint: "{joint}"}}, {frame})')
    assert isinstance(at, list), f"no curve of {joint} at {frame}"
    return at[0], at[1]


def pull(page: Page, start: tuple[float, float], by: tuple[float, float]) -> None:
    """Press and move, without letting go."""
    page.mouse.move(*start)
    page.wait_for_timeout(100)
    page.mouse.down()
    for step in range(1, 16):
        page.mouse.move(start[0] + by[0] * step / 15, start[1] + by[1] * step / 15)
        page.wait_for_timeout(30)
    page.wait_for_timeout(700)


def first(page: Page) -> None:
    """As it opens, stopped so that all of the page shows one moment."""
    still(page, 16)


def drag(page: Page) -> None:
    still(page, 12, "RightHand")
    pull(page, grip(page, "RightHand", 19), (-34, -56))


def loop(page: Page) -> None:
    page.locator('[data-tool="cycle"]').click()
    still(page, 0, "LeftWingHand")
    page.mouse.move(600, 120)
    page.keyboard.press("Numpad1")
    until(page, "camera().still")
    page.keyboard.press("NumpadDecimal")
    until(page, "camera().still")
    for _ in range(5):
        page.mouse.wheel(0, 100)
        page.wait_for_timeout(60)
    until(page, "camera().still")
    pull(page, grip(page, "LeftWingHand", 17), (70, 10))


def out_of_reach(page: Page) -> None:
    still(page, 12, "Hips")
    pull(page, grip(page, "Hips", 12), (60, -90))
    until(page, "state().previews.some((preview) => preview.notes.length > 0)")
    page.wait_for_timeout(400)


def pins(page: Page) -> None:
    """Two hands pinned, the hips posed."""
    page.locator('[data-tool="pose"]').click()
    for joint in ("LeftFoot", "RightFoot"):
        still(page, 6, joint)
        page.mouse.move(900, 480)
        page.keyboard.press("p")
        page.wait_for_timeout(400)
    still(page, 6, "Hips")
    pull(page, screen(page, "Hips", 6), (26, 46))


def screen(page: Page, joint: str, frame: float) -> tuple[float, float]:
    at = ask(page, f'screenOf({{joint: "{joint}"}}, {frame})')
    assert isinstance(at, list)
    return at[0], at[1]


def dope(page: Page) -> None:
    """Keys of several joints, some chosen, contacts as bars."""
    still(page, 9, "LeftToes", "RightToes", "Hips")
    taller(page, 120)
    page.wait_for_timeout(300)
    rows = page.evaluate("() => window.arcwright.timeline.rows()")
    row = next(each["id"] for each in rows if each["label"] == "Hips")
    at = page.evaluate("(row) => window.arcwright.timeline.mark(row, 6)", row)
    if at:
        page.mouse.click(*at)
    page.wait_for_timeout(300)


def graph(page: Page) -> None:
    still(page, 9, "RightHand", "RightLowerArm")
    taller(page, 140)
    page.get_by_text("Graph editor", exact=True).click()
    page.wait_for_timeout(500)
    channel = page.evaluate("() => window.arcwright.timeline.state().drawn[0]")
    key = page.evaluate("(channel) => window.arcwright.timeline.key(channel, 1)", channel)
    if key:
        page.mouse.click(*key)
    page.wait_for_timeout(300)


def taller(page: Page, by: float) -> None:
    """Pull the timeline up."""
    edge = page.locator(".time").bounding_box()
    assert edge is not None
    x, y = edge["x"] + edge["width"] / 2, edge["y"] + 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - by / 2)
    page.mouse.move(x, y - by)
    page.mouse.up()


def palette(page: Page) -> None:
    still(page, 9)
    page.keyboard.press("Control+k")
    page.keyboard.type("con")
    page.wait_for_timeout(300)


def keys(page: Page) -> None:
    still(page, 9, "RightHand")
    page.mouse.move(640, 300)
    page.keyboard.press("?")
    page.wait_for_timeout(300)


def opening(page: Page) -> None:
    still(page, 9)
    page.keyboard.press("Control+o")
    page.wait_for_timeout(600)


def exporting(page: Page) -> None:
    still(page, 9)
    page.keyboard.press("Control+e")
    page.wait_for_timeout(400)


def lesson(page: Page) -> None:
    page.keyboard.press("Control+k")
    page.keyboard.type("Drag an arc")
    page.keyboard.press("Enter")
    page.locator(".card.lesson").wait_for()
    page.wait_for_timeout(1500)


def menu(page: Page) -> None:
    still(page, 12, "RightHand")
    page.mouse.click(*grip(page, "RightHand", 19), button="right")
    page.wait_for_timeout(300)


def skins(page: Page) -> None:
    """Onion skins and the path of a hand by speed."""
    still(page, 18)
    ask(page, "view.ghosts.value = {on: true, before: 3, after: 3, step: 3}")
    page.wait_for_timeout(800)


def strobe(page: Page) -> None:
    still(page, 20)
    ask(page, "view.strobe.value = {on: true, every: 5}")
    page.wait_for_timeout(800)


def speeds(page: Page) -> None:
    still(page, 30)
    ask(page, "view.speedColours.value = true")
    ask(page, "view.orientationArrows.value = true")
    page.wait_for_timeout(600)


def compared(page: Page) -> None:
    drag(page)
    page.mouse.up()
    until(page, "state().done.length === 1")
    still(page, 19)
    ask(page, "view.compare.value = true")
    page.wait_for_timeout(600)


def plants(page: Page) -> None:
    """A footplant dragged aside, the original in stripes, a layer in the list."""
    still(page, 20)
    page.keyboard.press("3")
    ask(page, "select()")
    page.wait_for_timeout(300)
    at = page.evaluate("() => window.arcwright.markers()[0].at")
    pull(page, (at[0], at[1] + 8), (46, 30))
    page.mouse.up()
    until(page, "state().done.length === 1")
    ask(page, "view.original.value = true")
    still(page, 9, "LeftToes")
    page.mouse.move(900, 500)
    page.wait_for_timeout(600)


def constraints(page: Page) -> None:
    """A jump that keeps its flight, its hands' distance and out of a box, which is chosen."""
    page.keyboard.press("3")
    for joints, label in (
        ((), "Ballistic flight"),
        (("LeftHand", "RightHand"), "Keep distance"),
        (("LeftFoot",), "Keep outside box"),
    ):
        still(page, 20, *joints)
        page.get_by_label("Add constraint").click()
        page.get_by_role("menuitem", name=label).click()
        page.wait_for_timeout(400)
    ask(page, "select()")
    page.locator(".constraint-item.shape").last.click()
    page.mouse.move(900, 500)
    page.wait_for_timeout(500)


def found(page: Page) -> None:
    """Footplants of a long captured walk, found and not yet kept."""
    page.keyboard.press("3")
    still(page, 600)
    ask(page, "select()")
    until(page, "markers().length > 0")
    page.wait_for_timeout(400)


def stopped(page: Page) -> None:
    still(page, 10)


VIEWS = (
    View("first", "biped:walk", first, kept=True),
    View("drag", "biped:walk", drag, kept=True),
    View("loop", "dragon:fly", loop, kept=True),
    View("light-loop", "dragon:fly", loop, theme="light"),
    View("short", "biped:stand", out_of_reach, kept=True),
    View("pins", "biped:walk", pins, kept=True),
    View("dope", "biped:walk", dope, kept=True),
    View("graph", "biped:walk", graph, kept=True),
    View("plants", "biped:walk", plants, kept=True),
    View("light-plants", "biped:walk", plants, theme="light"),
    View("constraints", "biped:jump", constraints, kept=True),
    View("light-constraints", "biped:jump", constraints, theme="light"),
    View("constraints-wide", "biped:jump", constraints, size=(1920, 1080)),
    View("found", WALK, found),
    View("light-found", WALK, found, theme="light", size=(1920, 1080)),
    View("palette", "biped:walk", palette),
    View("keys", "biped:walk", keys),
    View("open", "biped:walk", opening),
    View("export", "biped:walk", exporting),
    View("lesson", "biped:walk", lesson, kept=True),
    View("menu", "biped:walk", menu),
    View("light", "lamp:hop", strobe, kept=True, theme="light"),
    View("light-keys", "biped:walk", keys, theme="light"),
    View("light-graph", "biped:walk", graph, theme="light"),
    View("skins", "dinosaur:punch", skins, kept=True),
    View("skins-wide", "dinosaur:punch", skins, size=(1920, 1080)),
    View("strobe", "biped:jump", strobe, size=(1920, 1080)),
    View("speeds", "robot:flight", speeds),
    View("compare", "biped:walk", compared),
    View("robot", "robot:flight", stopped, theme="light"),
    View("guitar", "biped:guitar", stopped),
    View("knight", KNIGHT, stopped),
    View("fox", FOX, stopped, theme="light"),
    View("tablet", "biped:walk", stopped, size=(1024, 768), touch=True),
    View("wide", "biped:walk", drag, size=(1920, 1080)),
)


def take(browser: Browser, view: View) -> Path:
    """One view, its studio and its picture."""
    width, height = view.size
    context = browser.new_context(
        viewport={"width": width, "height": height}, has_touch=view.touch, reduced_motion="reduce"
    )
    page = context.new_page()
    page.add_init_script(f"localStorage.setItem('arcwright.theme', '\"{view.theme}\"')")
    target = (KEPT if view.kept else OTHERS) / f"{view.name}.png"
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        with studio(view.scene) as running:
            page.goto(running.address, wait_until="commit")
            until(page, "ready")
            page.wait_for_timeout(500)
            view.does(page)
            write_small(png.decode(page.screenshot())[..., :3], target)
    finally:
        context.close()
    return target


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="only these views")
    names = parser.parse_args().names
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        for view in VIEWS:
            if names and view.name not in names:
                continue
            if not (":" in view.scene or Path(view.scene).exists()):
                print(f"{view.name}: {Path(view.scene).name} is not there, left out")
                continue
            target = take(browser, view)
            print(f"{target.relative_to(ROOT)}  {target.stat().st_size / 1000:.0f} KB")
        browser.close()


if __name__ == "__main__":
    main()
