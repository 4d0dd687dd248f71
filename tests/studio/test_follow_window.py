"""The camera in the browser: goes along with a character that leaves the first view."""

from dataclasses import replace

import numpy as np
import pytest

from arcwright.open import read, write
from places import point_ref, still

HIPS = point_ref("Hips")
WAY = 9.0  # m that the captured walk goes


@pytest.fixture
def far(captured):
    """The captured walk, and on: it goes some metres, towards the camera."""
    scene = read(captured)
    actor = scene.characters[0]
    base = actor.takes[0].base
    values = np.tile(base.values[:-1], (6, 1))
    forward = actor.rig.channel("Hips.translate.z")
    values[:, forward] = np.linspace(0, WAY, len(values))
    steps = replace(base, time=np.arange(len(values)) / base.rate, values=values)
    take = replace(actor.takes[0], base=steps)
    path = captured.with_name("far.arc.glb")
    write(replace(scene, characters=(replace(actor, takes=(take,)),), constraints=()), path)
    return path


def seen(window, frame):
    """Where the hips are on the page at a frame that is shown, once it is drawn."""
    still(window, frame)
    window.ask("draw()")
    return np.array(window.ask("screenOf(given[0])", HIPS))


def follow(window):
    """Switch it on, until the camera is there."""
    window.keyboard.press("l")
    hips = "window.arcwright.worldOf({joint: 'Hips'})"
    target = "window.arcwright.camera().target"
    near = " && ".join(f"Math.abs({target}[{i}] - {hips}[{i}]) < 0.1" for i in (0, 2))
    window.wait(f"camera().still && {near}")


def height(window):
    """Of the figure in the viewport, as a share of it."""
    top, low = (
        window.ask("screenOf(given[0])", point_ref(joint)) for joint in ("Head", "LeftToes")
    )
    box = window.page.locator(".stage canvas").bounding_box()
    return (low[1] - top[1]) / box["height"]


def inside(window, place):
    box = window.page.locator(".stage canvas").bounding_box()
    x, y = place[0] - box["x"], place[1] - box["y"]
    return 0 < x < box["width"] and 0 < y < box["height"]


def pan(window):
    """With the middle button and Shift, over the empty floor."""
    window.keyboard.down("Shift")
    window.drag([300, 500], [330, 500], button="middle")
    window.keyboard.up("Shift")


def test_who_walks_out_of_the_first_view_is_followed_until_the_view_is_panned(
    studio_of, window_of, far
):
    window = window_of(studio_of(far))
    before, angle = seen(window, 0), window.ask("camera()")
    assert window.ask("view.followCharacter.value")
    assert height(window) > 0.45  # without the top of the head
    assert inside(window, before)
    for frame in (40, 120, 200, 270):
        window.wait(f"worldOf({{joint: 'Hips'}}, {frame}) !== null")
        assert np.hypot(*(seen(window, frame) - before)) < 25  # px: only its sway is seen
    now = window.ask("camera()")
    assert [now[name] for name in ("yaw", "pitch", "distance")] == [
        angle[name] for name in ("yaw", "pitch", "distance")
    ]
    assert now["target"][1] == angle["target"][1]  # no bobbing
    assert np.hypot(*(seen(window, 0) - before)) < 1  # px
    pan(window)
    first, other = seen(window, 0), seen(window, 120)
    assert np.hypot(*(other - first)) > 200  # it walks through the picture
    seen(window, 0)
    follow(window)
    window.keyboard.press("l")  # off: by the switch, so it is remembered
    window.page.reload(wait_until="commit")
    window.wait("ready")
    assert not window.ask("view.followCharacter.value")
    assert inside(window, window.ask("screenOf(...given)", HIPS, 40))  # some of its way is seen


def test_the_camera_follows_during_playback_and_stays_during_a_drag(studio_of, window_of, far):
    window = window_of(studio_of(far))
    seen(window, 0)
    start = window.ask("camera()")["target"]
    window.ask("view.playing.value = true")
    window.wait(f"camera().target[2] > {start[2] + 0.5}")
    seen(window, 30)
    hand = window.ask("screenOf(given[0])", point_ref("LeftHand"))
    still_there = window.ask("camera()")["target"]
    window.press(hand, [hand[0] + 30, hand[1] - 10])
    window.wait("state().interaction !== null")
    assert window.ask("camera()")["target"] == still_there
    window.keyboard.press("Escape")
    window.mouse.up()
    window.wait("state().interaction === null")
    assert window.ask("camera()")["target"] == still_there


def test_a_file_without_motion_is_framed(studio_of, window_of, folder):
    corners = [f"v {x} {y} {z}" for x in (20, 26) for y in (0, 8) for z in (-30, -24)]
    (folder / "tower.obj").write_text("\n".join([*corners, "f 1 2 4 3", "f 5 6 8 7", ""]))
    window = window_of(studio_of(folder / "tower.obj"))
    camera = window.ask("camera()")
    np.testing.assert_allclose(camera["target"], [23, 4, -27], atol=0.2)
    assert 12 < camera["distance"] < 40
    assert not window.state["playing"]
