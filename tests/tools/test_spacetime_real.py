"""Drags of whole motions on real rigs: what random ones found, and what must always be so."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from arcwright import files
from arcwright.arrays import same
from arcwright.curves.spline import band
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.point import Point
from arcwright.solve.blocks import BlockFactor, Moments, times
from arcwright.tools.spacetime.tool import SpacetimeOptions
from data import DATA, needs_data
from spacetime_cases import Case, Ended, cut, ended, limited, only, places, stretched

pytestmark = needs_data

FOX = "gltf/Fox.glb", "Walk", "b_Head_05"
FISH = "gltf/quaternius/Clownfish.glb", "Fish_Armature|Swimming_Fast", "Main2"
WALK = "bvh/cmu/02_01_walk.bvh", "02_01_walk", "LeftHand"
TURN = "bvh/other-skeletons/pirouette.bvh", "pirouette", "lThigh"
REAL = [FOX, FISH, WALK, TURN]


@cache
def taken(file: str, name: str):
    """A scene of one take, of a second or so where it was captured."""
    scene = files.read(DATA / file)
    take = next(each for actor in scene.characters for each in actor.takes if each.name == name)
    rig = take.rig
    if file.startswith("bvh"):
        take = cut(take, 0.5, seconds=1.5)
    return only(scene, take, rig)


def case(real: tuple[str, str, str], frame: int, by: tuple[float, float, float], **options) -> Case:
    file, name, joint = real
    scene = taken(file, name)
    take, point = scene.characters[0].takes[0], Point(joint)
    time = float(take.frame_times()[frame])
    place = trail(take, point, [time]).position[0]
    return Case(scene, point, time, place, place + by, SpacetimeOptions(**options))


@cache
def released_drag(real: tuple[str, str, str]) -> Ended:
    """A drag of 5 cm in the first half."""
    drag = case(real, 6, (0.03, 0.04, 0.0))
    return ended(drag, drag.straight())


@pytest.mark.parametrize("real", REAL)
def test_the_drag_is_met_and_undo_is_exact(real):
    end = released_drag(real)
    assert np.linalg.norm(end.held - end.case.target) < 1e-3
    assert np.isfinite(values_at(end.take, end.take.frame_times())).all()
    assert same(end.edit.inverse().apply(end.after), end.case.scene)


@pytest.mark.parametrize("real", REAL)
def test_the_same_updates_give_the_same_edit_and_a_drag_that_returns_none(real):
    end = released_drag(real)
    assert same(end.after, ended(end.case, end.case.straight()).after)
    session, _ = end.case.session([*end.case.straight(), end.case.place])
    assert session.finish().empty


@pytest.mark.parametrize("real", REAL)
def test_nothing_changes_outside_of_the_range(real):
    rate = taken(*real[:2]).characters[0].takes[0].rate
    drag = case(real, 6, (0.03, 0.04, 0.0), start=2 / rate, end=12 / rate)
    end = ended(drag, drag.straight())
    assert end.layer is not None
    frames = np.arange(0, drag.take.duration, 0.25 / rate)
    outside = frames[(frames < 2 / rate - 1e-9) | (frames > 12 / rate + 1e-9)]
    assert same(values_at(drag.take, outside), values_at(end.take, outside))


def test_limits_of_a_captured_rig_hold_at_every_frame():
    drag = case(WALK, 60, (0.0, 0.25, 0.0))
    tight = limited(drag.take, 0.05)
    drag = replace(drag, scene=only(drag.scene, tight, drag.take.rig))
    end = ended(drag, drag.straight())
    values, table = values_at(end.take, tight.frame_times()), tight.rig.channels
    assert (values > table.low - 5e-3).all()
    assert (values < table.high + 5e-3).all()


def test_bones_of_a_rig_with_a_translation_at_each_joint_keep_their_length():
    end = released_drag(FISH)
    frames = end.take.frame_times()
    before, after = places(end.case.take, frames), places(end.take, frames)
    assert stretched(end.case, before, after) < 1e-6


def test_an_edit_reaches_to_the_last_frame():
    drag = case(FOX, -2, (0.0, 0.1, 0.0))
    end = ended(drag, drag.straight())
    frames = drag.take.frame_times()[-2:]
    moved = np.linalg.norm(places(end.take, frames) - places(drag.take, frames), axis=-1)
    assert moved[1].max() > 0.5 * moved[0].max()


def test_the_last_frame_can_be_dragged():
    drag = case(FOX, -1, (0.0, 0.1, 0.0))
    assert np.linalg.norm(ended(drag, drag.straight()).held - drag.target) < 1e-3


def test_a_stiff_system_of_many_unknowns_is_solved():
    random, moments, steps, size = np.random.default_rng(0), 80, 40, 40
    spline = band(0, 1, steps, np.linspace(0, 1, moments))
    rows = 10 * random.normal(size=(moments, 3, size))
    stiffness = rows.swapaxes(1, 2) @ rows + 1e-2 * np.eye(size)
    blocks = Moments(spline.first, spline.weight, steps).squares(stiffness)
    slope = random.normal(size=(steps, size))
    assert np.abs(times(blocks, BlockFactor(blocks).divide(slope)) - slope).max() < 1e-6
