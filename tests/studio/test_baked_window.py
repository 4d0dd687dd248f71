"""A clip with a key on every frame in the browser: the card offers few key poses."""

from dataclasses import replace

import numpy as np
import pytest
from places import done, saved, select, spot, still

from arcwright import files
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.open import read
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve, Interpolation
from arcwright.scene.point import Point
from arcwright.scene.scene import Scene

FRAME = 12
HAND = Point("LeftHand")


@pytest.fixture
def baked(tmp_path):
    """A file as exporters write it."""
    character = read("biped:walk").characters[0]
    take = character.takes[0]
    times = np.arange(25) / 24
    rows = values_at(take, times).T
    curves = tuple(Curve.of(times, row, interpolation=Interpolation.LINEAR) for row in rows)
    clip = replace(take, base=Clip("walk", curves, 1.0))
    path = tmp_path / "baked.glb"
    files.write(Scene("baked", (replace(character, takes=(clip,)),)), path)
    return path


def opened(studio, window_of, tool):
    window = window_of(studio)
    window.page.locator(f'[data-tool="{tool}"]').click()
    window.wait(f'state().tool === "{tool}"')
    still(window, FRAME)
    select(window, "LeftHand")
    return window


def keys(scene):
    clip = scene.characters[0].takes[0].base
    return max(len(curve) for curve in clip.curves if curve is not None)


def test_a_drag_of_a_baked_clip_offers_few_key_poses(studio_of, window_of, baked):
    studio = studio_of(str(baked))
    window = opened(studio, window_of, "tangent")
    x, y = window.ask("screenOf(...given)", spot("LeftHand"), FRAME)
    window.press([x, y], [x + 20, y - 40], settle=300)
    window.page.locator(".card.note", has_text="key on every frame").wait_for()
    window.mouse.up()
    window.page.locator(".card.note .offer", has_text="Reduce to").click()
    done(window, 1)
    assert "reduced to" in window.state["done"][-1]
    after = saved(window, studio, "reduced.arc.glb")
    assert keys(after) < 20
    window.keyboard.press("Control+z")
    window.wait("state().done.length === 0")


def test_a_pose_of_a_baked_clip_does_not_pop(studio_of, window_of, baked):
    studio = studio_of(str(baked))
    before = files.read(baked)
    window = opened(studio, window_of, "pose")
    x, y = window.ask("screenOf(...given)", spot("LeftHand"), FRAME)
    window.drag([x, y], [x + 20, y - 40], settle=300)
    done(window, 1)
    after = saved(window, studio, "posed.arc.glb")
    times = np.arange(25) / 24
    paths = [trail(s.characters[0].takes[0], HAND, times).position for s in (before, after)]
    moved = np.linalg.norm(paths[1] - paths[0], axis=1)
    assert moved[FRAME] > 0.02
    assert moved[FRAME - 1] > 0.8 * moved[FRAME] < moved[FRAME + 1] / 0.64
    assert moved[[0, 4, 20, 24]].max() < 1e-5
