"""Files in the browser: dropped, exported, opened again."""

import base64
from pathlib import Path

import numpy as np
import pytest

from arcwright.open import read, write
from places import curve, curve_place, done, paths, settled, still

DROP = """([name, text, shiftKey]) => {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const carried = new DataTransfer();
  carried.items.add(new File([bytes], name));
  const stage = document.querySelector("main.stage") ?? document.body;
  for (const kind of ["dragenter", "dragover", "drop"])
    stage.dispatchEvent(
      new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: carried, shiftKey }));
}"""


def drop(window, path, shift=False):
    text = base64.b64encode(path.read_bytes()).decode()
    window.page.evaluate(DROP, [path.name, text, shift])


def test_a_dropped_glb_is_opened_and_can_be_dragged(studio_of, window_of, tmp_path):
    write(read("lamp:hop"), tmp_path / "lamp.glb")
    window = window_of(studio_of())
    drop(window, tmp_path / "lamp.glb")
    window.wait('state().name === "lamp" && window.arcwright.ready')
    assert window.state["take"] == "hop"
    still(window, 5)
    joint = window.state["points"][0]["joint"]
    start = curve_place(window, joint, 20)
    window.drag(start, [start[0] + 10, start[1] - 15], settle=100)
    done(window, 1)


def test_a_dropped_bvh_is_opened(studio_of, window_of, tmp_path):
    write(read("biped:walk"), tmp_path / "walk.bvh")
    window = window_of(studio_of("lamp:hop"))
    drop(window, tmp_path / "walk.bvh")
    window.wait("state().name.includes('walk') && window.arcwright.ready")
    takes = next(iter(window.state["takes"].values()))
    assert takes[0]["keyed"] is False
    still(window, 3)
    joint = window.state["points"][0]["joint"]
    seen = curve(window, joint)
    assert (
        np.abs(paths(read(tmp_path / "walk.bvh"), joint)[::4] - seen[::4][: len(seen)]).max() < 1e-4
    )


def test_an_imported_character_is_selected_and_in_view(studio_of, window_of, tmp_path):
    write(read("lamp:hop"), tmp_path / "lamp.arc.glb")
    window = window_of(studio_of(), size=(1280, 640))
    drop(window, tmp_path / "lamp.arc.glb", shift=True)
    window.wait('state().character === "lamp" && window.arcwright.ready')
    row = window.page.locator(".row.actor[aria-selected=true]")
    assert row.inner_text().strip() == "lamp"

    def in_view():
        there = row.bounding_box()
        return 0 < there["y"] < 640 - there["height"]

    window.until(in_view, "the row is in view")
    settled(window)
    assert window.ask("screenOf({joint: 'Shade', character: 'lamp'})")


def test_a_damaged_file_is_refused_with_a_message_and_the_document_stays(
    studio_of, window_of, tmp_path
):
    (tmp_path / "bad.glb").write_bytes(b"glTF" + bytes(40))
    window = window_of(studio_of())
    drop(window, tmp_path / "bad.glb")
    window.page.locator(".toast, [role=alert]").first.wait_for()
    assert window.state["character"] == "biped"


SLOW = [pytest.param(ending, marks=pytest.mark.slow) for ending in (".bvh", ".arc.glb")]


@pytest.mark.parametrize("ending", [".glb", *SLOW])
def test_what_is_exported_opens_again_with_the_edit(studio_of, window_of, tmp_path, ending):
    window = window_of(studio_of())
    still(window, 0)
    start = curve_place(window, "RightHand", 20)
    window.drag(start, [start[0] - 30, start[1] - 60], settle=100)
    done(window, 1)
    edited = curve(window, "RightHand")
    window.keyboard.press("Control+e")
    window.page.get_by_role("radio", name=f", {ending}").check()
    with window.page.expect_download() as fetched:
        window.page.get_by_role("button", name="Export", exact=True).click()
    target = tmp_path / fetched.value.suggested_filename
    assert target.suffixes == Path(f"walk{ending}").suffixes
    fetched.value.save_as(target)
    scene = read(target)
    assert np.abs(paths(scene, "RightHand")[::4] - edited[::4]).max() < 2e-4


def test_a_document_that_cannot_be_saved_is_not_left(studio_of, window_of):
    studio = studio_of()
    window = window_of(studio)
    still(window, 0)
    window.keyboard.press("p")
    done(window, 1)
    window.keyboard.press("Control+o")
    window.page.get_by_role("button", name="hop", exact=True).click()
    window.page.get_by_role("button", name="Save", exact=True).click()
    window.page.locator("dialog.saveas input[name=name]").fill("nowhere/mine")
    window.keyboard.press("Enter")
    window.page.locator(".toast.error").wait_for()
    assert window.state["name"] == "biped:walk"
    assert not window.state["saved"]
    window.keyboard.press("Control+o")
    window.page.get_by_role("button", name="hop", exact=True).click()
    window.page.get_by_role("button", name="Save", exact=True).click()
    window.page.locator("dialog.saveas input[name=name]").fill("other")
    window.keyboard.press("Enter")
    window.wait('state().name === "lamp:hop"')
    assert len(read(studio.folder / "other.arc.glb").pins) == 1
