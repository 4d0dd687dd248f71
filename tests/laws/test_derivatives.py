"""Every derivative of kinematics against central differences."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcwright.kinematics import rotation as r
from arcwright.kinematics import rotation_rate as rate
from arcwright.kinematics.forward import forward, orientation
from arcwright.kinematics.jacobian import point_jacobian
from arcwright.scene.rig import EULER_MODES, QUATERNION, ChannelTable, Kind
from random_rigs import random_rig, random_values

STEP = 1e-6
SEEDS = st.integers(0, 2**32 - 1)


def angular_velocity(matrix_of, x, *, turned_frame=False):
    """(..., 3, n): of the rotation matrix_of(x), per unit rate of each of x's n numbers."""
    here = np.swapaxes(matrix_of(x), -1, -2)
    found = []
    for step in STEP * np.eye(x.shape[-1]):
        change = (matrix_of(x + step) - matrix_of(x - step)) / (2 * STEP)
        spin = here @ change if turned_frame else change @ here
        found.append(np.stack([spin[..., 2, 1], spin[..., 0, 2], spin[..., 1, 0]], axis=-1))
    return np.stack(found, axis=-1)


def of_raw_quaternion(q):
    return r.matrix_from_quaternion(r.quaternion_normalise(q))


ROTATIONS = {
    **{
        order: (
            lambda angles, order=order: r.matrix_from_euler(angles, order),
            lambda angles, order=order: rate.euler_axes(angles, order),
            3,
        )
        for order in EULER_MODES
    },
    "rotation vector": (r.matrix_from_vector, rate.left_jacobian, 3),
}


@pytest.mark.parametrize("form", ROTATIONS)
@given(seed=SEEDS, size=st.sampled_from([1e-3, 0.04, 0.06, 1.0, 3.0]))
@settings(max_examples=15, derandomize=True)
def test_angular_velocity_of_every_form_of_rotation(form, seed, size):
    matrix_of, derivative, count = ROTATIONS[form]
    x = np.random.default_rng(seed).normal(size=(6, count))
    x = size * x
    assert np.allclose(derivative(x), angular_velocity(matrix_of, x), atol=1e-7)


def test_exponential_map_seen_from_the_turned_frame():
    x = np.random.default_rng(1).normal(size=(8, 3))
    expected = angular_velocity(r.matrix_from_vector, x, turned_frame=True)
    assert np.allclose(rate.right_jacobian(x), expected, atol=1e-8)
    assert np.allclose(rate.right_jacobian(np.zeros(3)), np.eye(3))


def moved(rig, values, points):
    joints = [joint for joint, _ in points]
    offsets = np.array([offset for _, offset in points])
    world = forward(rig, values, joints)
    position = (world[..., :3, :3] @ offsets[..., None])[..., 0] + world[..., :3, 3]
    return position, r.matrix_from_quaternion(orientation(rig, values, joints))


CASES = {
    "anything": {},
    "without scale": {"scaled": False},
    "Euler without scale or rest": {"modes": EULER_MODES, "scaled": False, "rest": False},
    "quaternions with scale": {"modes": (QUATERNION,)},
    "even scale": {},
    "scales at rest": {},
}


def unscaled(rig):
    """The channels of a rig without the scale ones."""
    rows = zip(rig.channels.joint, rig.channels.kind, rig.channels.label, strict=True)
    kept = [row for row in rows if not Kind.SCALE_X <= row[1] <= Kind.SCALE_Z]
    joint, kind, label = ([row[i] for row in kept] for i in range(3))
    return ChannelTable.of(joint, [Kind(each) for each in kind], label=label)


@pytest.mark.parametrize("case", CASES)
@given(seed=SEEDS)
@settings(max_examples=8, derandomize=True)
def test_points_move_and_turn_as_the_jacobian_says(case, seed):
    rig = random_rig(seed, 8, **CASES[case])
    if case == "even scale":
        rig = replace(rig, scale=np.repeat(rig.scale[:, :1], 3, axis=1), channels=unscaled(rig))
    if case == "scales at rest":
        rig = replace(rig, scale=np.ones((8, 3)))
    values = random_values(rig, seed, 2)
    quaternions = (rig.channels.kind >= Kind.QUATERNION_W) & (
        rig.channels.kind <= Kind.QUATERNION_Z
    )
    values[:, quaternions] += np.sign(values[:, quaternions])  # away from length zero
    if case == "scales at rest":
        scales = (rig.channels.kind >= Kind.SCALE_X) & (rig.channels.kind <= Kind.SCALE_Z)
        values[:, scales] = 1.0
    points = [(7, [0.1, 0.2, 0.3]), (3, [0.0, 0.0, 0.0]), (7, [1.0, 0.0, 0.0]), (5, [0, 2, 0])]
    answer = point_jacobian(rig, values, points)
    position, turned = moved(rig, values, points)
    assert np.allclose(answer.position, position)
    assert np.allclose(answer.orientation, turned)
    still = np.setdiff1d(np.arange(len(rig.channels)), answer.channels)
    size = 1 + np.abs(position).max()
    for channel in [*answer.channels, *still]:
        step = STEP * (np.arange(len(rig.channels)) == channel)
        (after, turned_after), (before, turned_before) = (
            moved(rig, values + sign * step, points) for sign in (1, -1)
        )
        spin = (turned_after - turned_before) / (2 * STEP) @ np.swapaxes(turned, -1, -2)
        turn = np.stack([spin[..., 2, 1], spin[..., 0, 2], spin[..., 1, 0]], axis=-1)
        column = answer.channels == channel
        expected_move = answer.linear[..., column].sum(axis=-1)
        assert np.allclose((after - before) / (2 * STEP), expected_move, atol=1e-7 * size)
        assert np.allclose(turn, answer.angular[..., column].sum(axis=-1), atol=1e-7)
