"""Baked motion in the browser: it can be dragged as soon as it is opened."""

from dataclasses import replace

import numpy as np
import pytest

from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.open import read, write
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve
from arcwright.scene.point import Point
from places import done, point_ref, select, settled, still, undo


@pytest.fixture
def exported(folder):
    """The walk with a key on every frame, as exporters write it."""
    scene = read("biped:walk")
    actor = scene.characters[0]
    take = actor.takes[0]
    times = np.arange(round(take.duration * take.rate) + 1) / take.rate
    curves = tuple(Curve.of(times, row) for row in values_at(take, times).T)
    take = replace(take, base=Clip(take.name, curves, float(times[-1]), take.rate))
    path = folder / "exported.arc.glb"
    write(replace(scene, characters=(replace(actor, takes=(take,)),), constraints=()), path)
    return path


BETWEEN = pytest.param(12, "blended in", marks=pytest.mark.slow)


@pytest.mark.parametrize(("frame", "offered"), [(10, "key poses"), BETWEEN])
def test_a_drag_suggests_a_key_and_k_accepts_it(studio_of, window_of, exported, frame, offered):
    window = window_of(studio_of(exported))
    window.page.locator('[data-tool="tangent"]').click()
    still(window, frame)
    select(window, "LeftHand")
    start = window.ask("screenOf(...given)", point_ref("LeftHand"), frame)
    window.press(start, (start[0] + 20, start[1] - 40))
    window.wait("state().previews.some((preview) => preview.offer)")
    preview = window.state["previews"][0]
    assert "key on every frame" in preview["notes"][0]["text"]
    assert offered in preview["offer"]["text"]
    window.page.get_by_role("button", name=preview["offer"]["text"]).wait_for()  # K accepts it
    window.keyboard.press("k")
    window.mouse.up()
    done(window, 1)
    undo(window, 0)


def test_a_pose_does_not_pop(studio_of, window_of, exported):
    before, frame = read(exported), 12
    window = window_of(studio_of(exported))
    window.page.locator('[data-tool="pose"]').click()
    window.wait('state().tool === "pose"')
    still(window, frame)
    select(window, "LeftHand")
    x, y = window.ask("screenOf(...given)", point_ref("LeftHand"), frame)
    window.drag([x, y], [x + 20, y - 40], settle=300)
    done(window, 1)
    window.keyboard.press("Control+s")
    window.wait("state().saved")
    takes = [scene.characters[0].takes[0] for scene in (before, read(exported))]
    was, now = (trail(take, Point("LeftHand"), np.arange(25) / 24).position for take in takes)
    moved = np.linalg.norm(now - was, axis=1)
    assert moved[frame] > 0.02
    assert moved[[frame - 1, frame + 1]].min() > 0.75 * moved[frame]
    assert moved[[0, 4, 20, 24]].max() < 1e-5


def test_a_capture_opens_playing_and_the_first_drag_of_the_body_pauses_and_edits_it(
    studio_of, window_of, captured
):
    window = window_of(studio_of(captured))
    assert window.state["playing"]
    assert window.state["tool"] == "spacetime"
    window.ask("view.pace.value = 0.001")  # a hand that does not run away
    settled(window)
    x, y = window.ask("screenOf(given[0])", point_ref("RightHand"))
    window.mouse.click(x, y)
    assert window.state["playing"]  # a click selects
    window.press([x + 5, y], [x + 30, y - 30])
    window.wait("state().previews.length === 1")
    state = window.state
    assert not state["playing"]
    assert state["frame"] == state["interaction"]["time"] * state["rate"]
    window.mouse.up()
    done(window, 1)
    assert not window.state["playing"]
    assert window.state["frame"] == state["frame"]
    undo(window, 0)
