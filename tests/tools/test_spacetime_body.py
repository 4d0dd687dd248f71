import numpy as np
import pytest

from arcwright.kinematics.layering import with_layer
from arcwright.kinematics.places import places
from arcwright.kinematics.rotation import vector_from_matrix
from arcwright.scene.layer import Layer
from arcwright.scene.rig import QUATERNION
from arcwright.tools.spacetime.body import Body, freedom
from random_rigs import random_rig, random_values

STEP = 1e-6


def displaced(rig, free, x, values):
    """Values with a layer that has the same displacement everywhere."""
    turn, add = free.parts(np.tile(x, (4, 1)))
    layer = Layer("d", 0, 1, free.joints, turn, free.channels, add)
    return with_layer(rig, layer, np.linspace(0.2, 0.8, len(values)), values)


def turns_of(free, x, count):
    return np.repeat(free.parts(x[None])[0], count, axis=0)


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
    moved = body.moved(values, at, turns_of(free, x, len(values)), turning=True)
    for column in range(free.count):
        sides = []
        for sign in (1, -1):
            shifted = x.copy()
            shifted[column] += sign * STEP
            there = displaced(rig, free, shifted, values)
            sides.append(body.moved(values, there, turns_of(free, shifted, len(values))))
        slope = (sides[0].position - sides[1].position) / (2 * STEP)
        assert moved.move[..., column] == pytest.approx(slope, abs=2e-6), column
        between = sides[0].orientation @ sides[1].orientation.swapaxes(-1, -2)
        spin = vector_from_matrix(between) / (2 * STEP)
        assert moved.turn[..., column] == pytest.approx(spin, abs=2e-6), column


def _normalise(rig, values):
    from arcwright.kinematics.sample import quaternion_channels

    four = quaternion_channels(rig)
    values[:, four] /= np.linalg.norm(values[:, four], axis=-1, keepdims=True)


def test_a_joint_with_one_angle_turns_about_its_axis_only():
    for seed in range(20):
        rig = random_rig(seed, modes=("XYZ",))
        free = freedom(rig)
        per_joint = np.bincount(free.turns // 3, minlength=len(free.joints))
        for joint, count in zip(free.joints, per_joint, strict=True):
            kinds = rig.channels.kind[rig.channels.joint == joint]
            held = ((kinds >= 3) & (kinds <= 5)).sum()
            assert count == (1 if held == 1 else 3)


def test_quaternion_joints_have_three_unknowns():
    rig = random_rig(1, modes=(QUATERNION,), scaled=False)
    free = freedom(rig)
    assert len(free.turns) == 3 * len(rig.names)
