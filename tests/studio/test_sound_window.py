"""A sound under the timeline: added, seen, dragged, heard in step with playback, and exported."""

import base64

import pytest

from places import done, settled, still, timeline, undo
from wav import wav

FAR = 0.12  # s that sound and picture may be apart in a slow browser
DECODED = """async (data) => {
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  const sound = await new OfflineAudioContext(1, 1, 48000).decodeAudioData(bytes.buffer);
  const samples = sound.getChannelData(0);
  const loud = samples.findIndex((each) => Math.abs(each) > 0.2);
  return [sound.duration, loud / sound.sampleRate];
}"""


def heard(window):
    return window.state["sound"]


def add(window, tmp_path, name="beat.wav", **shape):
    path = tmp_path / name
    path.write_bytes(wav(**shape))
    with window.page.expect_file_chooser() as chosen:
        window.keyboard.press("Control+k")
        window.keyboard.type("lip sync")
        window.keyboard.press("Enter")
    chosen.value.set_files(path)
    window.wait(f"state().sound?.name === {name!r} && window.arcwright.settled")


def test_a_sound_is_added_dragged_muted_undone_and_kept(studio_of, window_of, tmp_path, folder):
    window = window_of(studio_of())
    still(window, 4)
    assert heard(window) is None
    add(window, tmp_path, seconds=0.75, clicks=(0.25,))
    assert heard(window)["duration"] == pytest.approx(0.75, abs=0.01)
    assert window.state["done"] == ["Add sound beat.wav"]
    start, there = (timeline(window, "sound(...given)", time) for time in (0.1, 0.1 + 6 / 24))
    window.drag(start, there)
    done(window, 2)
    assert heard(window)["start"] == pytest.approx(0.25)
    window.press(there, [there[0] + 60, there[1]])
    window.keyboard.press("Escape")
    window.mouse.up()
    assert heard(window)["shown"] == pytest.approx(0.25)
    window.page.get_by_label("Mute sound").click()
    done(window, 3)
    assert heard(window)["muted"]
    undo(window, 2)
    undo(window, 1)
    assert heard(window)["start"] == 0
    window.keyboard.press("Control+Shift+s")
    window.keyboard.type("heard.arc.glb")
    window.keyboard.press("Enter")
    window.wait("state().saved")
    window.page.reload()
    window.wait("ready && window.arcwright.settled")
    assert heard(window)["name"] == "beat.wav"


def test_a_sound_plays_with_the_picture_and_is_scrubbed(studio_of, window_of, tmp_path):
    window = window_of(studio_of())
    still(window, 0)
    add(window, tmp_path, seconds=1.0)
    window.mouse.move(640, 140)
    window.keyboard.press("ArrowRight")
    window.wait("state().sound.scrubbed > 0")
    window.keyboard.press("Space")
    window.wait("state().sound.at > 0.3")
    state = window.state
    assert abs(state["sound"]["at"] - state["frame"] / state["rate"]) < FAR
    window.wait("state().sound.playing > 1")  # the loop began anew, and the sound with it
    window.keyboard.press("Space")
    window.wait("state().sound.at === null")


def test_a_video_has_the_sound_of_its_frames(studio_of, window_of, tmp_path):
    window = window_of(studio_of())
    still(window, 0)
    add(window, tmp_path, seconds=0.8, clicks=(0.6,))
    settled(window)
    for kind in ("webm", "mp4"):
        window.keyboard.press("Control+e")
        window.page.get_by_text(f"Video, .{kind}").click()
        first = window.page.get_by_role("textbox", name="First frame")
        first.fill("6")
        first.press("Enter")
        with window.page.expect_download() as made:
            window.page.locator("dialog button.main").click()
        path = tmp_path / f"made.{kind}"
        made.value.save_as(path)
        data = base64.b64encode(path.read_bytes()).decode()
        length, loud = window.page.evaluate(DECODED, data)
        frames = window.state["lastFrame"] - 6 + 1
        assert length == pytest.approx(frames / window.state["rate"], abs=0.08)
        assert loud == pytest.approx(0.6 - 0.02 - 6 / 24, abs=0.05)


def test_what_no_browser_decodes_is_said(studio_of, window_of, tmp_path):
    window = window_of(studio_of())
    still(window, 0)
    path = tmp_path / "broken.wav"
    path.write_bytes(wav()[:14] + bytes(40))
    with window.page.expect_file_chooser() as chosen:
        window.keyboard.press("Control+k")
        window.keyboard.type("Add sound")
        window.keyboard.press("Enter")
    chosen.value.set_files(path)
    window.page.get_by_text("broken.wav cannot be decoded by this browser").wait_for()
    undo(window, 0)
