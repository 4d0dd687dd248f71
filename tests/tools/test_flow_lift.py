"""Bent in space: as rigid as possible there, and the same in the picture."""

import numpy as np
import pytest

from arcwright.scene.target import Target
from arcwright.tools.flow.model import moved_vertices
from arcwright.tools.flow.options import FlowOptions
from arcwright.tools.flow.session import FlowSession
from arcwright.tools.flow.shear import shears
from arcwright.tools.flow.shot_view import ShotView
from arcwright.tools.flow.space_lift import lifted, lifted_vertices
from flow_scenes import bar, pole, prop, standing, stroke_of, tube


def leaning_away():
    """A pole that leans away from the camera, and a stroke that leads it to the side."""
    scene = standing(prop("pole", *tube((0, 0, 0.8), (0, 2.2, -1.4), 0.08)))
    share = np.linspace(0, 1, 40)
    line = np.stack([0.9 * share**2, 2.2 * share, 0.8 - 2.2 * share], 1)
    return scene, ShotView(scene.cameras[0].camera).project(line)


def test_nothing_bent_in_the_picture_is_nothing_bent_in_space():
    positions = tube((0, 0, 5), (0.3, 2, 6))[0]
    found = lifted(positions, positions[:, :2] / positions[:, 2:], np.zeros(0, np.int64))
    assert found == pytest.approx(positions, abs=1e-9)


def test_a_turn_of_the_picture_is_a_turn_in_space():
    positions = tube((-1, 0, 6), (1, 0, 6))[0]
    turned = positions.copy()
    turned[:, :2] = positions[:, :2] @ np.array(
        [[np.cos(0.4), np.sin(0.4)], [-np.sin(0.4), np.cos(0.4)]]
    )
    found = lifted(positions, turned[:, :2] / turned[:, 2:], np.zeros(0, np.int64))
    assert found == pytest.approx(turned, abs=0.01)


def test_a_lifted_object_keeps_its_picture_and_its_foot_and_shears_less():
    scene, stroke = leaning_away()
    session = FlowSession(scene, Target(), FlowOptions(lift=True))
    session.update(stroke_of(scene.cameras[0].camera, stroke))
    prepared, bent = session.prepared, session.bent()
    flat, deep = moved_vertices(prepared, bent), lifted_vertices(prepared, bent)
    (index,) = flat
    at = prepared.objects[index].positions
    seen = [prepared.view.project(at + each[index]) for each in (flat, deep)]
    assert np.abs(seen[0] - seen[1]).max() < 4
    assert np.median(np.abs(seen[0] - seen[1])) < 1
    before, after = (shears(prepared, each)["pole"] for each in (flat, deep))
    assert after - 1 < 0.6 * (before - 1)
    foot = at[:, 1] < 0.02
    assert np.abs(deep[index][foot]).max() < 2e-3
    after = session.finish().apply(scene)
    assert after.flow.lift
    moved = after.actor("pole").shapes[0].parts[0].morphs[0]["POSITION"]
    assert moved == pytest.approx(deep[index], abs=1e-5)


def test_parts_that_do_not_touch_are_lifted_together():
    two = [tube((x, 1, 0), (x, 2, 0)) for x in (-0.5, 0.5)]
    positions = np.concatenate([each for each, _ in two])
    faces = np.concatenate([two[0][1], two[1][1] + len(two[0][0])])
    scene = standing(prop("pair", positions, faces), bar(), pole(x=3))
    session = FlowSession(scene, Target(), FlowOptions(lift=True, split="meshes"))
    prepared = session.prepared
    index = prepared.index_of("pair")
    local = prepared.view.view(prepared.objects[index].positions)
    aim = local[:, :2] / local[:, 2:] + [0.05, 0]
    found = lifted(local, aim, np.zeros(0, np.int64))
    assert found[:, :2] / found[:, 2:] == pytest.approx(aim, abs=2e-3)
