"""The compiled kernel against NumPy; skipped where no library was built."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import builders
from arcwright.compiled import library as compiled
from arcwright.errors import BadValue
from arcwright.kinematics.deviation import Deviation
from arcwright.kinematics.forward import forward, plain_forward
from arcwright.kinematics.jacobian import plain_jacobian, point_jacobian
from arcwright.kinematics.places import Places
from arcwright.scene.rig import EULER_MODES, MODES, QUATERNION, Kind
from random_rigs import chain_rig, random_rig, random_values

built = pytest.mark.skipif(
    compiled.library is None,
    reason="not compiled: no C compiler at install, sources changed since, or "
    "ARCWRIGHT_PLAIN=1; build it with pip install -e . --no-deps",
)
SEEDS = st.integers(0, 2**32 - 1)
KINDS = {
    "anything": {},
    "without scale": {"scaled": False},
    "without rest": {"rest": False},
    "neither": {"scaled": False, "rest": False},
    "quaternions": {"modes": (QUATERNION,)},
    **{order: {"modes": (order,), "scaled": False} for order in EULER_MODES},
}
POINTS = [(7, [0.1, 0.2, 0.3]), (3, [0.0, 0.0, 0.0]), (7, [1.0, 0.0, 0.0]), (5, [0, 2, 0])]


def agree(rig, values, points=POINTS, channels=None):
    """Compiled and plain answers are the same to 1e-12 of the size of what is measured."""
    ours = point_jacobian(rig, values, points, channels)
    plain = plain_jacobian(rig, values, points, channels)
    joints = [7, 0, 3, 3]
    pairs = [
        *zip(ours, plain, strict=True),
        (forward(rig, values), plain_forward(rig, values)),
        (forward(rig, values, joints), plain_forward(rig, values, joints)),
    ]
    for a, b in pairs:
        assert a.shape == b.shape
        assert a.dtype == b.dtype
        assert np.allclose(a, b, rtol=0, atol=1e-12 * (1 + np.abs(b).max(initial=0)))


@built
@pytest.mark.parametrize("kind", KINDS)
@given(seed=SEEDS)
@settings(max_examples=20, derandomize=True)
def test_compiled_and_plain_agree_on_random_rigs(kind, seed):
    rig = random_rig(seed, 8, **KINDS[kind])
    agree(rig, random_values(rig, seed, 4))


@built
@pytest.mark.parametrize("strict", [False, True])
@given(seed=SEEDS)
@settings(max_examples=20, derandomize=True)
def test_compiled_and_plain_deviations_agree(strict, seed):
    rig = random_rig(seed, 8)
    values = random_values(rig, seed, 6)
    aim = Deviation.of(rig, values)
    if strict:
        weight = np.random.default_rng(seed).uniform(0.5, 2, (6, 8))
        aim = replace(aim, strict=weight)
    other = random_values(rig, seed + 1, 4)
    ours, plain = aim.of_joints(other, 2), aim.plain_of_joints(other, 2)
    assert ours.shape == plain.shape == (4,)
    assert np.allclose(ours, plain, rtol=1e-12, atol=1e-12 * aim.size)
    assert (aim.largest(values) <= 1e-7 * aim.size).all()


@built
@pytest.mark.parametrize("strict", [False, True])
@given(seed=SEEDS)
@settings(max_examples=20, derandomize=True)
def test_compiled_and_plain_rows_of_deviations_agree(strict, seed):
    rig, rng = random_rig(seed, 8), np.random.default_rng(seed)
    aim = Deviation.of(rig, random_values(rig, seed, 6))
    if strict:
        aim = replace(aim, strict=rng.uniform(0.5, 2, (6, 8)))
    channels = np.flatnonzero(rng.random(len(rig.channels)) < 0.8)
    given = random_values(rig, seed + 1, 4), 2, channels, 0.3 * aim.size
    ours = aim.rows(*given)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiled, "library", None)
        plain = aim.rows(*given)
    for a, b in zip(ours, plain, strict=True):
        assert a.shape == b.shape
        assert np.allclose(a, b, rtol=1e-9, atol=1e-9 * aim.size)


@given(seed=SEEDS)
@settings(max_examples=20, derandomize=True)
def test_rows_of_deviations_are_their_derivatives(seed):
    rig = random_rig(seed, 8)
    values, channels = random_values(rig, seed, 1), np.arange(len(rig.channels))
    aim = Deviation.of(rig, values)
    near = values + 0.01 * random_values(rig, seed + 1, 1)
    step = 1e-6 * random_values(rig, seed + 2, 1)
    least = 0.5 * float(aim.of_joints(near)[0])
    rows, there = (aim.rows(each, 0, channels, least) for each in (near, near + step))
    assert np.linalg.norm(rows.away, axis=1).max() == pytest.approx(aim.of_joints(near)[0])
    assert len(rows.moment) == len(there.moment)
    moved = rows.away + rows.move @ step[0]
    assert np.allclose(moved, there.away, rtol=0, atol=1e-8 * aim.size)


@built
@given(seed=SEEDS, scale=st.booleans())
@settings(max_examples=20, derandomize=True)
def test_compiled_and_plain_agree_where_every_joint_has_all_channels(seed, scale):
    rig = builders.random_rig(seed, 8, scale=scale)
    agree(rig, random_values(rig, seed, 3))


@built
@given(seed=SEEDS)
@settings(max_examples=20, derandomize=True)
def test_compiled_and_plain_agree_where_scale_is_even_at_some_moments(seed):
    rig = random_rig(seed, 8)
    rig = replace(rig, scale=np.repeat(rig.scale[:, :1], 3, axis=1))
    values = random_values(rig, seed, 4)
    scales = (rig.channels.kind >= Kind.SCALE_X) & (rig.channels.kind <= Kind.SCALE_Z)
    values[:2, scales] = 1.0
    agree(rig, values)
    agree(replace(rig, scale=np.ones((8, 3))), values)


@built
@given(seed=SEEDS)
@settings(max_examples=20, derandomize=True)
def test_compiled_and_plain_agree_on_some_of_the_channels(seed):
    rig = random_rig(seed, 8)
    rng = np.random.default_rng(seed)
    chosen = np.flatnonzero(rng.random(len(rig.channels)) < 0.5)
    agree(rig, random_values(rig, seed), POINTS, chosen)
    agree(rig, random_values(rig, seed), POINTS, [*chosen.tolist(), -1, -2, 10_000])
    agree(rig, random_values(rig, seed), POINTS, [])


@built
@pytest.mark.parametrize("mode", MODES)
def test_every_angle_rotates_correctly(mode):
    rig = chain_rig(8, mode)
    quarters = np.arange(-9, 10) * np.pi / 4
    sizes = np.concatenate([quarters, quarters + 1e-9, [1e-300, 99_999.0, 1e5, 123_456.7, 1e15]])
    values = np.repeat(np.concatenate([sizes, -sizes])[:, None], len(rig.channels), axis=1)
    exact = np.sin(values), np.cos(values)
    answer = forward(rig, values, [0])[:, 0, :3, :3]
    if mode == QUATERNION:
        agree(rig, values[np.abs(values[:, 0]) < 1e5])
        return
    row, column = "XYZ".index(mode[0]), "XYZ".index(mode[2])  # where a sine stands alone
    assert np.allclose(np.abs(answer[:, row, column]), np.abs(exact[0][:, 0]), rtol=0, atol=4e-16)
    assert np.allclose(answer[:, row, row], exact[1][:, 0] ** 2, rtol=0, atol=4e-16)


@built
def test_quaternions_of_no_length_and_scales_of_nothing_agree():
    rig = random_rig(5, 8)
    agree(rig, np.zeros((2, len(rig.channels))))


@built
def test_no_moments_no_points_and_no_channels_agree():
    rig = random_rig(3, 8)
    agree(rig, np.zeros((0, len(rig.channels))))
    agree(rig, random_values(rig, 3), [])
    agree(rig, random_values(rig, 3), Places(np.zeros(0, int), np.zeros((0, 3))), [])


@built
def test_values_may_lie_in_memory_in_any_way():
    rig = random_rig(11, 8)
    values = random_values(rig, 11, 6)
    still = values.copy()
    still.setflags(write=False)
    bytewise = np.zeros(values.nbytes + 1, np.uint8)[1:].view(np.float64).reshape(values.shape)
    bytewise[:] = values
    expected = point_jacobian(rig, values, POINTS)
    for other in (
        still,
        np.asfortranarray(values),
        np.repeat(values, 2, axis=1)[:, ::2],
        values[::-1].copy()[::-1],
        values.astype(">f8"),
        values.astype(object),
        bytewise,
        values.tolist(),
    ):
        for a, b in zip(point_jacobian(rig, other, POINTS), expected, strict=True):
            assert np.array_equal(a, b)
        assert np.array_equal(forward(rig, other), forward(rig, values))


@built
def test_offsets_may_be_a_view_of_larger_memory():
    rig = random_rig(12, 8)
    wide = np.random.default_rng(1).normal(size=(3, 4))
    wide.setflags(write=False)
    strided, tight = Places([7, 2, 2], wide[:, 1:]), Places([7, 2, 2], wide[:, 1:].copy())
    values = random_values(rig, 12)
    assert np.array_equal(
        point_jacobian(rig, values, strided).linear, point_jacobian(rig, values, tight).linear
    )


@built
def test_rows_of_a_jacobian_are_contiguous_and_can_be_written():
    answer = point_jacobian(random_rig(4, 8), random_values(random_rig(4, 8), 4), POINTS)
    for array in answer[1:]:
        assert array.flags.c_contiguous
        assert array.flags.aligned
        assert array.flags.writeable


@built
def test_numbers_that_are_none_stay_none():
    rig = chain_rig(8)
    values = np.full((2, len(rig.channels)), np.nan)
    values[1] = np.inf
    with np.errstate(invalid="ignore"):
        assert np.isnan(point_jacobian(rig, values, [7]).position).all()


@pytest.mark.parametrize("shape", [(3,), (2, 3), (2, 28), (1, 2, 27)])
def test_values_of_another_rig_are_refused(shape):
    rig = chain_rig(8)
    assert len(rig.channels) == 27
    with pytest.raises(BadValue, match=r"values: expected shape \(T, 27\)"):
        point_jacobian(rig, np.zeros(shape), [7])
    with pytest.raises(BadValue, match=r"values: expected shape \(T, 27\)"):
        forward(rig, np.zeros(shape))


def test_joints_outside_the_rig_are_refused():
    rig = chain_rig(8)
    for joint in (-1, 8):
        with pytest.raises(BadValue, match="joints: expected indices 0 to 7"):
            point_jacobian(rig, np.zeros((1, 27)), Places([joint], np.zeros((1, 3))))
        with pytest.raises(BadValue, match="joints: expected indices 0 to 7"):
            forward(rig, np.zeros((1, 27)), [joint])
