from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from arcwright.arrays import same
from arcwright.curves.evaluate import evaluate_curve
from arcwright.curves.handles import with_auto_handles
from arcwright.curves.keys import keyed
from arcwright.scene.curve import Curve, Extrapolation, Handle
from plain import random_curve, seeds
from random_cases import examples

LOOPS = [Extrapolation.CYCLE, Extrapolation.CYCLE_OFFSET]


def random_keys(seed: int, count: int = 9) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return np.cumsum(rng.uniform(0.1, 1, count)), np.cumsum(rng.normal(0.5, 1, count))


def jumps_of_acceleration(curve: Curve) -> np.ndarray:
    """At the inner keys, for one-third handles: six times each is the jump."""
    length, rise = np.diff(curve.time), np.diff(curve.value)
    into, out = curve.tangent[1:, 0, 1], curve.tangent[:-1, 1, 1]
    start = (rise - into - 2 * out) / length**2
    end = -(rise - out - 2 * into) / length**2
    return start[1:] - end[:-1]


@examples(24, 60)
@given(seeds)
def test_clamped_curves_never_leave_the_range_of_their_keys(seed: int) -> None:
    time, value = random_keys(seed)
    for smooth in (True, False):
        curve = keyed(time, value, smooth=smooth)
        for k in range(len(time) - 1):
            inside = evaluate_curve(curve, np.linspace(time[k], time[k + 1], 40))
            low, high = sorted(value[k : k + 2])
            # Without smoothing only the handle that leads is clamped, as in Blender.
            slack = 1e-9 if smooth else 0.35 * (high - low) + 1e-9
            assert low - slack <= inside.min()
            assert inside.max() <= high + slack


@examples(24, 60)
@given(seeds)
def test_smooth_auto_keys_have_no_jump_of_acceleration(seed: int) -> None:
    time, value = random_keys(seed)
    curve = keyed(time, value, Handle.AUTO)
    np.testing.assert_allclose(jumps_of_acceleration(curve), 0, atol=1e-8 * 1e3)
    np.testing.assert_array_equal(curve.tangent[[0, -1], :, 1], 0)


@pytest.mark.parametrize("way", LOOPS)
@pytest.mark.parametrize("count", [2, 3, 4, 9])
def test_a_cycle_is_smooth_across_its_seam(way: Extrapolation, count: int) -> None:
    time, value = random_keys(3, count)
    curve = keyed(time, value, Handle.AUTO, before=way, after=way)
    slope = curve.tangent[:, :, 1] / curve.tangent[:, :, 0]
    np.testing.assert_allclose(slope[0], slope[-1])
    twice = replace(
        curve,
        time=np.concatenate([time, time[1:] + time[-1] - time[0]]),
        value=np.concatenate([value, value[1:] + value[-1] - value[0]]),
        tangent=np.concatenate([curve.tangent, curve.tangent[1:]]),
        handles=np.concatenate([curve.handles, curve.handles[1:]]),
        interpolation=np.concatenate([curve.interpolation, curve.interpolation[1:]]),
    )
    np.testing.assert_allclose(jumps_of_acceleration(twice), 0, atol=1e-9)


def test_a_local_auto_handle_has_the_mean_slope_and_blenders_length() -> None:
    curve = keyed([0, 1, 3], [0, 1, 5], Handle.AUTO, smooth=False)
    run = np.array([1, 2]) / 2.5614
    np.testing.assert_allclose(curve.tangent[1], np.stack([run, 1.5 * run], axis=-1))


def test_an_extreme_is_flat_when_clamped_and_not_when_auto() -> None:
    assert not keyed([0, 1, 3], [0, 1, 0.5]).tangent[1, :, 1].any()
    assert keyed([0, 1, 3], [0, 1, 0.5], Handle.AUTO).tangent[1, :, 1].all()


def test_vector_handles_point_at_the_neighbours_and_flat_ones_lie_flat() -> None:
    curve = keyed([0, 1, 3], [0, 3, 0], Handle.VECTOR)
    np.testing.assert_allclose(curve.tangent[1], [[1 / 3, 1], [2 / 3, -1]])
    curve = keyed([0, 1, 3], [0, 3, 0], Handle.FLAT)
    np.testing.assert_allclose(curve.tangent[1], [[1 / 3, 0], [2 / 3, 0]])


def test_an_aligned_handle_rotates_with_the_other_one_and_keeps_its_time() -> None:
    tangent = np.array([[[0.1, 0], [0.1, 0]], [[0.2, 5.0], [0.4, 2.0]], [[0.1, 0], [0.1, 0]]])
    kinds = np.full((3, 2), Handle.ALIGNED)
    curve = Curve([0, 1, 2], [0, 1, 0], tangent, kinds, [0, 0, 0])
    np.testing.assert_allclose(with_auto_handles(curve).tangent[1], [[0.2, 1.0], [0.4, 2.0]])
    broken = replace(curve, handles=np.where(np.arange(2) == 1, Handle.FREE, kinds))
    np.testing.assert_array_equal(with_auto_handles(broken).tangent, tangent)


@examples(16, 40)
@given(seeds)
def test_handles_computed_twice_are_the_same(seed: int) -> None:
    rng = np.random.default_rng(seed)
    curve = random_curve(seed)
    curve = replace(curve, handles=rng.integers(0, 6, (len(curve), 2)))
    once = with_auto_handles(curve)
    again = with_auto_handles(once)
    np.testing.assert_allclose(once.tangent, again.tangent, atol=1e-12)


def test_a_single_key_stays() -> None:
    curve = keyed([2], [3])
    assert same(with_auto_handles(curve), curve)
