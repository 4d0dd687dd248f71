"""Pictures of the studio's views at four sizes, dark and light, into out/sizes: `make shots-sizes`.

Two checks are made on the way: nothing of the page is wider than the window, and no text is smaller
than 10 px.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))

from browser_window import Studio, Window, new_page  # noqa: E402
from chromium import FLAGS, found_chromium  # noqa: E402
from places import select, settled, still  # noqa: E402
from wav import wav  # noqa: E402

SIZES = ((1024, 700), (1280, 800), (1920, 1080), (2560, 1440))
LEAST = 10  # px, of text
TROUBLE = """(least) => {
  const wide = document.documentElement.scrollWidth > innerWidth ? ["wider than the window"] : [];
  const small = [...document.querySelectorAll("body *")].filter((each) => {
    const own = [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    const sign = each.ariaHidden || each.className === "caret";
    const shown = own && !sign && each.getClientRects().length;
    const size = parseFloat(getComputedStyle(each).fontSize);
    return shown && size < least;
  });
  return [...wide, ...small.map((each) => `small text: ${each.outerHTML.slice(0, 80)}`)];
}"""


def posing(window: Window) -> None:
    """The Pose tool with a selected hand."""
    window.page.click("[data-tool=pose]")
    select(window, "LeftHand")


def graph(window: Window) -> None:
    """The graph editor."""
    select(window, "RightHand")
    window.page.get_by_text("Graph editor", exact=True).click()


def sound(window: Window) -> None:
    """A sound under the dope sheet."""
    if window.state["sound"]:
        return
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "steps.wav"
        path.write_bytes(wav(1.0, clicks=(0.1, 0.35, 0.6, 0.85)))
        window.keyboard.press("Control+k")
        window.keyboard.type("Add sound")
        with window.page.expect_file_chooser() as chosen:
            window.keyboard.press("Enter")
        chosen.value.set_files(path)
        window.wait("state().sound?.duration > 0 && window.arcwright.settled")


def large(window: Window) -> None:
    """The interface at 130 %."""
    window.page.evaluate("window.arcwright.view.uiScale.value = 1.3")


def palette(window: Window) -> None:
    """The search with another word typed."""
    window.keyboard.press("Control+k")
    window.keyboard.type("breakdown")


def exporting(window: Window) -> None:
    """The export dialog with the settings of a video."""
    window.keyboard.press("Control+e")
    window.page.get_by_text("Video, .mp4").click()


def opening(window: Window) -> None:
    """The dialog that opens files."""
    window.keyboard.press("Control+o")


def layers(window: Window) -> None:
    """The tool of whole motions."""
    window.page.click("[data-tool=spacetime]")
    select(window, "LeftHand")


VIEWS: dict[str, Callable[[Window], None]] = {
    each.__name__: each
    for each in (posing, graph, palette, exporting, opening, layers, sound, large)
}


def clean(window: Window) -> None:
    """Close what a view has opened."""
    window.keyboard.press("Escape")
    window.page.locator("dialog").wait_for(state="detached")
    window.page.evaluate("window.arcwright.view.sheet.value = 'dope'")


def pictures(window: Window, name: str, theme: str, out: Path) -> int:
    """One view at all sizes; how many faults were found."""
    trouble = 0
    VIEWS[name](window)
    for width, height in SIZES:
        window.page.set_viewport_size({"width": width, "height": height})
        window.page.wait_for_timeout(200)
        settled(window)
        found = window.page.evaluate(TROUBLE, LEAST)
        trouble += len(found)
        target = out / f"{name}-{width}-{theme}.png"
        window.page.screenshot(path=target)
        print(target.relative_to(ROOT), *found[:3], sep="  ", flush=True)
    clean(window)
    return trouble


def main() -> int:
    """Take all pictures; 1 where something is too wide or too small."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("views", nargs="*", default=list(VIEWS))
    wanted = parser.parse_args()
    from playwright.sync_api import sync_playwright

    out, trouble = ROOT / "out" / "sizes", 0
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        home, folder = Path(place) / "home", Path(place) / "folder"
        home.mkdir()
        folder.mkdir()
        studio = Studio(home, folder, "biped:walk").start()
        browser = playwright.chromium.launch(executable_path=found_chromium(), args=FLAGS)
        for theme in ("dark", "light"):
            page = new_page(browser, "bodies")
            page.set_viewport_size({"width": 1280, "height": 800})
            page.goto(studio.address, wait_until="commit")
            window = Window(page)
            window.wait("ready")
            still(window, 6)
            page.evaluate(f"window.arcwright.view.theme.value = {theme!r}")
            trouble += sum(pictures(window, name, theme, out) for name in wanted.views)
            page.context.close()
        browser.close()
        studio.stop()
    return int(trouble > 0)


if __name__ == "__main__":
    sys.exit(main())
