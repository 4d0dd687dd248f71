from dataclasses import replace

import numpy as np
import pytest

from arcwright import read
from arcwright.kinematics.layering import with_layer
from arcwright.kinematics.places import places
from arcwright.kinematics.rotation import vector_from_matrix
from arcwright.scene.layer import Layer
from arcwright.scene.rig import QUATERNION, Kind
from arcwright.tools.spacetime import model
from arcwright.tools.spacetime.compiled_kinematics import library
from arcwright.tools.spacetime.displacement import Range, freedom
from arcwright.tools.spacetime.jacobians import Body
from arcwright.tools.spacetime.model import SpacetimeModel, stiffness_of
from arcwright.tools.spacetime.terms import NONE, Lane
from random_rigs import random_rig, random_values

STEP = 1e-6


def displaced(rig, free, x, values):
    """Values with a layer that has the same displacement everywhere."""
    turn, add = free.parts(np.tile(x, (4, 1)))
    layer = Layer("d", 0, 1, free.joints, turn, free.channels, add)
    return with_layer(rig, layer, np.linspace(0.2, 0.8, len(values)), values)


@pytest.mark.parametrize("seed", range(8))
def test_points_move_and_turn_as_finite_differences_say(seed):
    rig = random_rig(seed, scaled=seed % 2 == 1)
    where = places(rig, [(joint, [0.3, -0.2, 0.5]) for joint in (3, 6, 8)])
    free = freedom(rig, where.joints)
    body = Body(rig, where, free)
    values = 0.5 * random_values(rig, seed) + 0.3
    _normalise(rig, values)
    x = 0.3 * np.random.default_rng(seed).normal(size=free.count)
    at = displaced(rig, free, x, values)
    every = len(values), 1
    moved = body.moved(at, np.tile(x, every))
    for column in range(free.count):
        sides = []
        for sign in (1, -1):
            shifted = x.copy()
            shifted[column] += sign * STEP
            there = displaced(rig, free, shifted, values)
            sides.append(body.moved(there, np.tile(shifted, every)))
        slope = (sides[0].position - sides[1].position) / (2 * STEP)
        assert moved.move[..., column] == pytest.approx(slope, abs=2e-6), column
        between = sides[0].orientation @ sides[1].orientation.swapaxes(-1, -2)
        spin = vector_from_matrix(between) / (2 * STEP)
        assert moved.turn[..., column] == pytest.approx(spin, abs=2e-6), column


def _normalise(rig, values):
    from arcwright.kinematics.sample import quaternion_channels

    four = quaternion_channels(rig)
    values[:, four] /= np.linalg.norm(values[:, four], axis=-1, keepdims=True)


def test_joints_with_one_or_two_angles_add_to_these():
    for seed in range(20):
        rig = random_rig(seed, modes=("XYZ",))
        free = freedom(rig)
        kinds = rig.channels.kind
        for joint in range(len(rig.names)):
            turning = (rig.channels.joint == joint) & (kinds >= 3) & (kinds <= 5)
            channels = set(np.flatnonzero(turning).tolist())
            assert (joint in free.joints) == (len(channels) == 3)
            assert channels.isdisjoint(free.channels.tolist()) == (len(channels) in (0, 3))


def test_quaternion_joints_have_three_unknowns():
    rig = random_rig(1, modes=(QUATERNION,), scaled=False)
    free = freedom(rig)
    assert free.turns == 3 * len(rig.names)


def limited(rig, seed):
    """The rig with limits on some channels."""
    random, table = np.random.default_rng(seed), rig.channels
    low = np.where(random.random(len(table)) < 0.7, random.uniform(-0.5, 0, len(table)), -np.inf)
    return replace(rig, channels=replace(table, low=low, high=np.maximum(table.high, 0.3)))


def evenly_scaled(rig, seed):
    """Joints that are larger or smaller, each the same along all axes."""
    scale = np.random.default_rng(seed).uniform(0.5, 2.0, (len(rig.names), 1))
    return replace(rig, scale=np.tile(scale, (1, 3)))


@pytest.mark.skipif(library is None, reason="nothing compiled")
@pytest.mark.parametrize("seed", range(12))
def test_the_library_places_points_and_squares_rows_as_numpy_does(seed, monkeypatch):
    rig = limited(random_rig(seed, scaled=False), seed)
    if seed % 2:
        rig = evenly_scaled(rig, seed)
    random = np.random.default_rng(seed)
    span = Range(0.0, 1.0, 9, slice(0, 9), np.linspace(0, 1, 20), np.ones(20, bool))
    start = 0.4 * random_values(rig, seed, times=20)
    _normalise(rig, start)
    where = places(rig, [(joint, [0.3, -0.2, 0.5]) for joint in (3, 6, 8)])
    free = freedom(rig, where.joints if seed % 3 else None)
    body = Body(rig, where, free)
    stiffness = stiffness_of(rig, span, span.times, start, free, whole=bool(seed % 2), smooth=3.0)
    quick = SpacetimeModel(rig, span, start, body, stiffness, 1e4)
    assert quick._bent is not None
    monkeypatch.setattr(model, "bent_of", lambda *_: None)
    plain = SpacetimeModel(rig, span, start, body, stiffness, 1e4)
    lanes = [
        Lane("place", 0, random.normal(size=(20, 3)), random.uniform(0, 9, 20), np.zeros(20, int)),
        Lane("place", 1, random.normal(size=(20, 3)), random.uniform(0, 9, 20), np.zeros(20, int),
             other=2, free=np.tile([0, NONE, 1], (20, 1)), near=0.2),
        Lane("apart", 1, random.uniform(0, 2, 20), random.uniform(0, 9, 20), np.zeros(20, int), 0),
        Lane("above", 2, random.normal(size=(20, 3)), random.uniform(0, 9, 20), np.zeros(20, int)),
        Lane("turn", 2, np.tile(np.eye(3), (20, 1, 1)), random.uniform(0, 9, 20),
             np.zeros(20, int)),
    ]  # fmt: skip
    x, moved = 0.3 * random.normal(size=(9, free.count)), random.normal(size=2)
    states, systems = [], []
    for each in (quick, plain):
        each = each.wishing(lanes, 2)
        states.append(each.state(x, moved))
        systems.append(each.system(states[-1]))
    assert states[0].position == pytest.approx(states[1].position, abs=1e-12)
    assert states[0].orientation == pytest.approx(states[1].orientation, abs=1e-12)
    assert seed == 0 or len(states[0].broken.time)
    assert states[0].cost == pytest.approx(states[1].cost)
    for ours, theirs in zip(*systems, strict=True):
        assert ours == pytest.approx(theirs, rel=1e-9, abs=1e-9)
    for step, other in zip(quick.step(systems[0]), plain.step(systems[1]), strict=True):
        assert step == pytest.approx(other, rel=1e-6, abs=1e-8)


def test_what_is_of_one_piece_in_a_captured_motion_stays_so():
    rig = random_rig(3, scaled=False, modes=("XYZ",))
    values = random_values(rig, 3, times=20)
    whole = freedom(rig)
    still = whole.joints[len(whole.joints) // 2]
    values[:, np.flatnonzero(rig.channels.joint == still)] = 0.2
    captured = freedom(rig, None, values, captured=True)
    assert still not in captured.joints
    assert set(captured.joints) | {still} == set(whole.joints)
    assert still in freedom(rig, None, values).joints


def test_rigid_channels_stay_as_they_are():
    """Slides of a bone that keeps its length, as the rig analysis tells."""
    rig = read("biped").characters[0].rig
    slides = np.flatnonzero(rig.channels.kind < Kind.ROTATE_X)
    assert set(slides) <= set(freedom(rig).channels)
    assert not set(slides) & set(freedom(rig, rigid=slides).channels)
