"""What only a browser can see: several points at once, films, another document."""

from pathlib import Path

from places import done, select, still


def test_pins_of_two_points_are_one_step(studio_of, window_of):
    window = window_of(studio_of(), size=(900, 640))
    still(window, 6)
    select(window, "LeftFoot", "RightFoot")
    window.mouse.move(450, 200)
    window.keyboard.press("p")
    done(window, 1)
    pins = [each["point"]["joint"] for each in window.state["wishes"] if each["kind"] == "pin"]
    assert sorted(pins) == ["LeftFoot", "RightFoot"]
    window.keyboard.press("p")
    done(window, 2)
    assert all(each["kind"] == "contact" for each in window.state["wishes"])
    window.keyboard.press("Control+z")
    done(window, 1)


def test_another_document_opens_without_a_complaint_and_a_film_of_it_is_not_empty(
    studio_of, window_of
):
    window = window_of(studio_of(), size=(900, 640))
    window.keyboard.press("Control+o")
    window.page.get_by_role("button", name="hop", exact=True).click()
    window.wait('state().name === "lamp:hop"')
    window.wait("ready")
    assert window.page.locator(".toast").count() == 0
    window.page.evaluate("() => { window.arcwright.view.range.value = [0, 6]; }")
    window.keyboard.press("Control+e")
    window.page.locator("dialog.export label", has_text=".webm").click()
    with window.page.expect_download() as coming:
        window.page.locator("dialog.export button.main").click()
    assert Path(coming.value.path()).stat().st_size > 2000
