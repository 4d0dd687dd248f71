"""Contrast, labels and roles of the studio, checked by axe-core."""

from pathlib import Path

import pytest

from places import select, settled, still

AXE = Path(__file__).parents[2] / "studio" / "node_modules" / "axe-core" / "axe.min.js"
RUN = """async () => {
  const { violations } = await axe.run(document, { runOnly: ["wcag2a", "wcag2aa"] });
  return violations.map(({ id, nodes }) => [
    id, nodes.length, nodes.slice(0, 4).map(({ html }) => html.slice(0, 160)),
  ]);
}"""


def violations(window):
    window.page.evaluate(AXE.read_text())  # a script tag would be against the page's policy
    return window.page.evaluate(RUN)


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed: run `make page`")
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_axe_finds_nothing_in_the_studio_its_menus_and_dialogs(studio_of, window_of, theme):
    window = window_of(studio_of(), size=(1280, 800))
    still(window, 6)
    window.page.evaluate(f"window.arcwright.view.theme.value = {theme!r}")
    window.page.click("[data-tool=pose]")
    select(window, "LeftHand")
    settled(window)
    assert violations(window) == []
    for keys in ("Control+e", "Control+k", "?"):
        window.keyboard.press(keys)
        window.page.locator("dialog").wait_for()
        assert violations(window) == [], keys
        window.keyboard.press("Escape")
        window.page.locator("dialog").wait_for(state="detached")
    window.page.get_by_role("menuitem", name="Edit").click()
    window.page.locator(".menu").wait_for()
    assert violations(window) == []
