"""The camera in the browser: goes along with a character, and opens where its way can be seen."""

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


def test_a_long_path_opens_with_a_figure_that_is_large_enough(studio_of, window_of, far):
    window = window_of(studio_of(far))
    first = seen(window, 0)
    assert height(window) > 0.3  # without the top of the head
    assert inside(window, first)
    assert inside(window, window.ask("screenOf(...given)", HIPS, 40))  # some of its way, too


def test_the_camera_follows_only_when_asked_and_remembers_that(studio_of, window_of, far):
    window = window_of(studio_of(far))
    first, other = seen(window, 0), seen(window, 120)
    assert np.hypot(*(other - first)) > 200  # it walks through the picture
    seen(window, 0)
    follow(window)
    before, angle = seen(window, 0), window.ask("camera()")
    for frame in (40, 120, 200, 270):
        window.wait(f"worldOf({{joint: 'Hips'}}, {frame}) !== null")
        assert np.hypot(*(seen(window, frame) - before)) < 25  # px: only its sway is seen
    now = window.ask("camera()")
    assert [now[name] for name in ("yaw", "pitch", "distance")] == [
        angle[name] for name in ("yaw", "pitch", "distance")
    ]
    assert now["target"][1] == angle["target"][1]  # no bobbing
    assert np.hypot(*(seen(window, 0) - before)) < 1  # px
    window.page.reload(wait_until="commit")
    window.wait("ready")
    assert window.ask("view.followCharacter.value")


def test_the_camera_follows_during_playback_and_stays_during_a_drag(studio_of, window_of, far):
    window = window_of(studio_of(far))
    seen(window, 0)
    follow(window)
    start = window.ask("camera()")["target"]
    window.ask("view.playing.value = true")
    window.wait(f"camera().target[2] > {start[2] + 0.5}")
    seen(window, 30)
    window.keyboard.press("3")
    window.wait("state().tool === 'spacetime'")
    hand = window.ask("screenOf(given[0])", point_ref("LeftHand"))
    still_there = window.ask("camera()")["target"]
    window.press(hand, [hand[0] + 30, hand[1] - 10])
    window.wait("state().interaction !== null")
    assert window.ask("camera()")["target"] == still_there
    window.keyboard.press("Escape")
    window.mouse.up()
    window.wait("state().interaction === null")
    assert window.ask("camera()")["target"] == still_there
