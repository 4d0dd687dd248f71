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
from arcwright.tools.spacetime.displacement import EditRange, unknowns_of
from arcwright.tools.spacetime.jacobians import PointKinematics
from arcwright.tools.spacetime.model import SpacetimeModel
from arcwright.tools.spacetime.stiffness import MassPoints, displacement_stiffness
from arcwright.tools.spacetime.tension import point_forces, tension
from arcwright.tools.spacetime.terms import NONE, Term
from random_rigs import random_rig, random_values

STEP = 1e-6


def displaced(rig, unknowns, x, values):
    """Values with a layer that has the same displacement everywhere."""
    turn, add = unknowns.split(np.tile(x, (4, 1)))
    layer = Layer("d", 0, 1, unknowns.joints, turn, unknowns.channels, add)
    return with_layer(rig, layer, np.linspace(0.2, 0.8, len(values)), values)


@pytest.mark.parametrize("seed", range(8))
def test_point_jacobians_match_finite_differences(seed):
    rig = random_rig(seed, scaled=seed % 2 == 1)
    points = places(rig, [(joint, [0.3, -0.2, 0.5]) for joint in (3, 6, 8)])
    unknowns = unknowns_of(rig, points.joints)
    kinematics = PointKinematics(rig, points, unknowns)
    values = 0.5 * random_values(rig, seed) + 0.3
    _normalise(rig, values)
    x = 0.3 * np.random.default_rng(seed).normal(size=unknowns.count)
    at = displaced(rig, unknowns, x, values)
    every = len(values), 1
    moved = kinematics.evaluate(at, np.tile(x, every))
    for column in range(unknowns.count):
        sides = []
        for sign in (1, -1):
            shifted = x.copy()
            shifted[column] += sign * STEP
            there = displaced(rig, unknowns, shifted, values)
            sides.append(kinematics.evaluate(there, np.tile(shifted, every)))
        slope = (sides[0].position - sides[1].position) / (2 * STEP)
        assert moved.linear[..., column] == pytest.approx(slope, abs=2e-6), column
        between = sides[0].orientation @ sides[1].orientation.swapaxes(-1, -2)
        spin = vector_from_matrix(between) / (2 * STEP)
        assert moved.angular[..., column] == pytest.approx(spin, abs=2e-6), column


def _normalise(rig, values):
    from arcwright.kinematics.sample import quaternion_channels

    four = quaternion_channels(rig)
    values[:, four] /= np.linalg.norm(values[:, four], axis=-1, keepdims=True)


def test_joints_with_one_or_two_angles_have_one_unknown_for_each():
    for seed in range(20):
        rig = random_rig(seed, modes=("XYZ",))
        unknowns = unknowns_of(rig)
        kinds = rig.channels.kind
        for joint in range(len(rig.names)):
            turning = (rig.channels.joint == joint) & (kinds >= 3) & (kinds <= 5)
            channels = set(np.flatnonzero(turning).tolist())
            assert (joint in unknowns.joints) == (len(channels) == 3)
            assert channels.isdisjoint(unknowns.channels.tolist()) == (len(channels) in (0, 3))


def test_quaternion_joints_have_three_unknowns():
    rig = random_rig(1, modes=(QUATERNION,), scaled=False)
    unknowns = unknowns_of(rig)
    assert unknowns.rotation_count == 3 * len(rig.names)


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
def test_compiled_poses_and_normal_equations_match_numpy(seed, monkeypatch):
    rig = limited(random_rig(seed, scaled=False), seed)
    if seed % 2:
        rig = evenly_scaled(rig, seed)
    random = np.random.default_rng(seed)
    span = EditRange(0.0, 1.0, 9, slice(0, 9), np.linspace(0, 1, 20), np.ones(20, bool))
    start = 0.4 * random_values(rig, seed, times=20)
    _normalise(rig, start)
    points = places(rig, [(joint, [0.3, -0.2, 0.5]) for joint in (3, 6, 8)])
    unknowns = unknowns_of(rig, points.joints if seed % 3 else None)
    kinematics = PointKinematics(rig, points, unknowns)
    everywhere = places(rig, list(range(len(rig.names))))
    share = np.full(len(rig.names), 1 / len(rig.names))
    mass = MassPoints(everywhere, share, 1.0, np.ones(len(rig.names)))
    stiffness = displacement_stiffness(rig, mass, span, span.times, start, unknowns, smooth=3.0)
    compiled = SpacetimeModel(rig, span, start, kinematics, stiffness, 1e4)
    assert compiled._compiled is not None
    monkeypatch.setattr(model, "compile_kinematics", lambda *_: None)
    plain = SpacetimeModel(rig, span, start, kinematics, stiffness, 1e4)
    nobody = np.zeros(20, int)

    def weight():
        return random.uniform(0, 9, 20)

    terms = [
        Term("position", 0, random.normal(size=(20, 3)), weight(), nobody),
        Term("position", 1, random.normal(size=(20, 3)), weight(), nobody,
             other=2, offset=np.tile([0, NONE, 1], (20, 1)), huber=0.2),
        Term("distance", 1, random.uniform(0, 2, 20), weight(), nobody, 0),
        Term("height", 2, random.normal(size=(20, 3)), weight(), nobody),
        Term("orientation", 2, np.tile(np.eye(3), (20, 1, 1)), weight(), nobody),
    ]  # fmt: skip
    x, moved = 0.3 * random.normal(size=(9, unknowns.count)), random.normal(size=2)
    states, systems = [], []
    for each in (compiled, plain):
        each = each.with_terms(terms, 2)
        states.append(each.evaluate(x, moved))
        forces = point_forces(states[-1].rows, 3) if seed % 4 > 1 else None
        systems.append(each.normal_equations(states[-1], forces))
    assert states[0].poses.position == pytest.approx(states[1].poses.position, abs=1e-12)
    assert states[0].poses.orientation == pytest.approx(states[1].poses.orientation, abs=1e-12)
    assert seed == 0 or len(states[0].violations.sample)
    assert states[0].cost == pytest.approx(states[1].cost)
    for ours, theirs in zip(*systems, strict=True):
        assert ours == pytest.approx(theirs, rel=1e-9, abs=1e-9)
    for step, other in zip(
        compiled.solve_step(systems[0]), plain.solve_step(systems[1]), strict=True
    ):
        assert step == pytest.approx(other, rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("along", [1.0, -1.0])
def test_tension_is_the_second_derivative_of_a_stretched_chain_and_nothing_when_pushed(along):
    rig = random_rig(3, scaled=False, modes=("XYZ",))
    parents = np.arange(len(rig.names)) - 1
    offset = np.tile([0.0, 0.4, 0.0], (len(rig.names), 1))
    rig = replace(
        rig, parents=parents, offset=offset, rest=np.tile([1.0, 0, 0, 0], (len(parents), 1))
    )
    points = places(rig, [(3, [0.0, 0.3, 0.0])])
    unknowns = unknowns_of(rig, points.joints)
    kinematics = PointKinematics(rig, points, unknowns)
    values = np.tile(rig.channels.default, (1, 1))
    force = np.array([[[0.0, 20.0 * along, 0.0]]])

    def work(x):
        at = displaced(rig, unknowns, x, values)
        return -float((kinematics.evaluate(at, x[None]).position * force).sum())

    zero, step = np.zeros(unknowns.count), 1e-4
    found = tension(kinematics, kinematics.evaluate(values, zero[None]), force)[0]
    turns = range(unknowns.rotation_count)
    for a in turns:
        for b in turns:
            corners = [
                sign
                * other
                * work(zero + step * (sign * np.eye(len(zero))[a] + other * np.eye(len(zero))[b]))
                for sign in (1, -1)
                for other in (1, -1)
            ]
            expected = sum(corners) / (4 * step**2) if along > 0 else 0.0
            assert found[a, b] == pytest.approx(expected, abs=1e-4)


def test_joints_that_never_rotate_in_a_captured_motion_stay_rigid():
    rig = random_rig(3, scaled=False, modes=("XYZ",))
    values = random_values(rig, 3, times=20)
    whole = unknowns_of(rig)
    still = whole.joints[len(whole.joints) // 2]
    values[:, np.flatnonzero(rig.channels.joint == still)] = 0.2
    captured = unknowns_of(rig, None, values, captured=True)
    assert still not in captured.joints
    assert set(captured.joints) | {still} == set(whole.joints)
    assert still in unknowns_of(rig, None, values).joints


def test_rigid_channels_stay_as_they_are():
    """Slides of a bone that keeps its length, as the rig analysis tells."""
    rig = read("biped").characters[0].rig
    slides = np.flatnonzero(rig.channels.kind < Kind.ROTATE_X)
    assert set(slides) <= set(unknowns_of(rig).channels)
    assert not set(slides) & set(unknowns_of(rig, rigid=slides).channels)
