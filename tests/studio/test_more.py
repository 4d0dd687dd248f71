"""What only a browser can see: several points at once, videos, another document."""

import base64
from pathlib import Path

import numpy as np
import pytest

from arcwright.picture import png
from places import done, select, still

PLAY = """async (text) => {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const video = document.createElement("video");
  video.muted = true;
  video.src = URL.createObjectURL(new Blob([bytes], { type: "video/webm" }));
  await new Promise((done, fail) => {
    video.onloadeddata = done;
    video.onerror = () => fail(video.error);
  });
  const flat = document.createElement("canvas");
  [flat.width, flat.height] = [video.videoWidth, video.videoHeight];
  const shown = [];
  for (let frame = 0; frame < 7; frame++) {
    const drawn = new Promise((done) => video.requestVideoFrameCallback(done));
    video.currentTime = (frame + 0.5) / 24;
    await new Promise((done) => (video.onseeked = done));
    await Promise.race([drawn, new Promise((done) => setTimeout(done, 1000))]);
    flat.getContext("2d").drawImage(video, 0, 0);
    shown.push(flat.toDataURL());
  }
  return [video.duration, video.videoWidth, shown];
}"""


def test_pins_of_two_points_are_one_step(studio_of, window_of):
    window = window_of(studio_of(), size=(900, 640))
    still(window, 6)
    select(window, "LeftFoot", "RightFoot")
    window.mouse.move(450, 200)
    window.keyboard.press("p")
    done(window, 1)
    pins = [
        each["point"]["joint"] for each in window.state["pointConstraints"] if each["kind"] == "pin"
    ]
    assert sorted(pins) == ["LeftFoot", "RightFoot"]
    window.keyboard.press("p")
    done(window, 2)
    assert all(each["kind"] == "contact" for each in window.state["pointConstraints"])
    window.keyboard.press("Control+z")
    done(window, 1)


@pytest.mark.slow
def test_another_document_opens_without_an_error_and_a_video_of_it_is_not_empty(
    studio_of, window_of
):
    window = window_of(studio_of(), size=(900, 640), picture="bodies")
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
    film = Path(coming.value.path()).read_bytes()
    assert len(film) > 2000
    long, wide, shown = window.page.evaluate(PLAY, base64.b64encode(film).decode())
    assert long == pytest.approx(7 / 24, abs=0.002)  # s, however slowly it was drawn
    assert wide > 300
    assert len(set(shown)) == 7  # no two pictures alike


@pytest.mark.slow
def test_an_image_during_playback_is_made_at_once_and_not_empty(studio_of, window_of):
    window = window_of(studio_of(), size=(900, 640), picture="bodies")
    window.keyboard.press("Control+e")
    window.page.locator("dialog.export label", has_text=".png").click()
    window.page.evaluate("() => { window.arcwright.view.playing.value = true; }")
    with window.page.expect_download() as coming:
        window.page.locator("dialog.export button.main").click()
    picture = png.read(coming.value.path())
    size = window.page.evaluate(
        "() => { const c = document.querySelector('canvas'); return [c.height, c.width]; }"
    )
    assert list(picture.shape[:2]) == size
    assert len(np.unique(picture.reshape(-1, picture.shape[2]), axis=0)) > 100  # colours


def test_an_export_that_loses_something_is_shown_as_a_warning(studio_of, window_of):
    window = window_of(studio_of())
    window.keyboard.press("Control+e")
    window.page.locator("dialog.export label", has_text=".bvh").click()
    with window.page.expect_download():
        window.page.locator("dialog.export button.main").click()
    window.page.locator(".toast.warning", has_text="does not contain everything").wait_for()
    assert window.page.locator(".toast.error").count() == 0
