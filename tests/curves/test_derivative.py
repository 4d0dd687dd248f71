from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from arcwright.curves.derivative import derivative
from arcwright.curves.evaluate import evaluate, evaluate_curve
from arcwright.curves.pack import pack, pack_curves
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve, Extrapolation, Interpolation
from arcwright.scene.rig import ChannelTable, Kind, Rig
from plain import random_curve, seeds
from random_cases import examples

STEP = 1e-6


def gentle_curve(seed: int) -> Curve:
    """A random curve without near-vertical places, where differences mean nothing."""
    curve = random_curve(seed)
    rng = np.random.default_rng(seed)
    gap = np.diff(curve.time, prepend=curve.time[0] - 1, append=curve.time[-1] + 1)
    gaps = np.stack([gap[:-1], gap[1:]], axis=-1)
    part = rng.uniform(0.1, 0.7, gaps.shape)
    part[:, 0] = np.where(
        rng.random(len(gap) - 1) < 0.25, rng.uniform(1.1, 2, len(gap) - 1), part[:, 0]
    )
    tangent = np.array(curve.tangent)
    tangent[:, :, 0] = np.where(rng.random(gaps.shape) < 0.2, 1 / 3, part) * gaps
    return replace(curve, tangent=tangent)


def away_from_keys(curve: Curve, seed: int) -> np.ndarray:
    span = curve.time[-1] - curve.time[0] + 0.5
    times = np.random.default_rng(seed).uniform(
        curve.time[0] - 2 * span, curve.time[-1] + 2 * span, 40
    )
    folded = times - curve.time[0]
    if len(curve) > 1:
        period = curve.time[-1] - curve.time[0]
        around = np.concatenate([np.mod(folded, period), np.mod(-folded, period)])
        near = (
            abs(around[:, None] - (curve.time - curve.time[0]))
            .min(axis=1)
            .reshape(2, -1)
            .min(axis=0)
        )
        return times[near > 1e-3]
    return times[abs(folded) > 1e-3]


def differences(low: Curve, high: Curve, times: np.ndarray, step: float = STEP) -> np.ndarray:
    return (evaluate_curve(high, times) - evaluate_curve(low, times)) / (2 * step)


@examples(32, 80)
@given(seeds)
def test_slope_equals_finite_differences(seed: int) -> None:
    curve = gentle_curve(seed)
    times = away_from_keys(curve, seed)
    got = derivative(pack_curves([curve], np.zeros(1)), times).slope[:, 0]
    want = (evaluate_curve(curve, times + STEP) - evaluate_curve(curve, times - STEP)) / (2 * STEP)
    np.testing.assert_allclose(got, want, rtol=2e-5, atol=2e-5)


@examples(32, 80)
@given(seeds)
def test_derivative_by_key_values_equals_finite_differences(seed: int) -> None:
    curve = gentle_curve(seed)
    times = away_from_keys(curve, seed)
    found = derivative(pack_curves([curve], np.zeros(1)), times)
    got = np.zeros((len(times), len(curve)))
    rows = np.arange(len(times))
    for end in range(2):
        np.add.at(got, (rows, found.keys[:, 0, end]), found.by_value[:, 0, end])
    got[:, -1] += found.rounds[:, 0]
    got[:, 0] -= found.rounds[:, 0]
    for key in range(len(curve)):
        bump = np.eye(len(curve))[key] * STEP
        low, high = (replace(curve, value=curve.value + way * bump) for way in (-1, 1))
        np.testing.assert_allclose(got[:, key], differences(low, high, times), atol=1e-8)


@examples(32, 80)
@given(seeds)
def test_derivative_by_tangents_equals_finite_differences(seed: int) -> None:
    curve = gentle_curve(seed)
    times = away_from_keys(curve, seed)
    found = derivative(pack_curves([curve], np.zeros(1)), times)
    got = np.zeros((len(times), len(curve), 2, 2))
    rows = np.arange(len(times))
    np.add.at(got, (rows, found.keys[:, 0, 0], 1), found.by_tangent[:, 0, 0])
    np.add.at(got, (rows, found.keys[:, 0, 1], 0), found.by_tangent[:, 0, 1])
    for place in np.ndindex(len(curve), 2, 2):
        bump = np.zeros((len(curve), 2, 2))
        bump[place] = STEP
        low, high = (replace(curve, tangent=curve.tangent + way * bump) for way in (-1, 1))
        want = differences(low, high, times)
        np.testing.assert_allclose(got[:, *place], want, rtol=2e-5, atol=2e-5)


def test_the_formula_of_the_parameter_holds() -> None:
    curve = Curve(
        [0, 1], [0, 2], [[[0, 0], [0.2, 1]], [[0.6, -1], [0, 0]]], np.zeros((2, 2)), [0, 0]
    )
    found = derivative(pack_curves([curve], np.zeros(1)), [0.3])
    m = found.slope[0, 0]
    p, q = found.by_tangent[0, 0, 0, 1], -found.by_tangent[0, 0, 1, 1]
    np.testing.assert_allclose(found.by_tangent[0, 0], [[-m * p, p], [m * q, -q]])


def test_many_channels_are_the_same_as_one_by_one() -> None:
    curves = [random_curve(seed) for seed in range(12)] + [None]
    packed = pack_curves(curves, np.zeros(13))
    times = np.linspace(-5, 8, 333)
    every = derivative(packed, times)
    for c, curve in enumerate(curves[:-1]):
        one = derivative(pack_curves([curve], np.zeros(1)), times)
        for name in ("slope", "keys", "by_value", "by_tangent", "rounds"):
            np.testing.assert_array_equal(getattr(every, name)[:, c], getattr(one, name)[:, 0])
    assert (every.keys[:, -1] == -1).all()
    assert not every.slope[:, -1].any()
    some = derivative(packed, times, channels=[12, 3])
    np.testing.assert_array_equal(some.by_tangent[:, 1], every.by_tangent[:, 3])


def test_weights_give_back_the_value() -> None:
    curve = random_curve(5, keys=6, modes=(0, 1, 2))
    packed = pack_curves([curve], np.zeros(1))
    times = np.linspace(curve.time[0], curve.time[-1], 50)
    found = derivative(packed, times)
    first, second = found.keys[:, 0].T
    value = (found.by_value[:, 0] * curve.value[found.keys[:, 0]]).sum(axis=1)
    value += found.by_tangent[:, 0, 0, 1] * curve.tangent[first, 1, 1]
    value += found.by_tangent[:, 0, 1, 1] * curve.tangent[second, 0, 1]
    np.testing.assert_allclose(value, evaluate_curve(curve, times), atol=1e-12)


def test_a_vertical_place_has_a_finite_slope() -> None:
    tangent = [[[0, 0], [0, 1]], [[0, 1], [0, 0]]]
    curve = Curve([0, 1], [0, 1], tangent, np.zeros((2, 2)), [0, 0])
    found = derivative(pack_curves([curve], np.zeros(1)), [0.0, 0.5, 1.0])
    assert np.isfinite(found.slope).all()


@pytest.mark.parametrize("sign", [1, -1])
def test_slerp_slope_equals_finite_differences(sign: int) -> None:
    kinds = [Kind.QUATERNION_W, Kind.QUATERNION_X, Kind.QUATERNION_Y, Kind.QUATERNION_Z]
    rig = Rig(
        ("a",), [-1], np.zeros((1, 3)), [[1, 0, 0, 0]], np.ones((1, 3)), ("quaternion",),
        ChannelTable.of([0] * 4, kinds),
    )  # fmt: skip
    q = np.array([[1, 0, 0, 0], [0.6 * sign, 0.8 * sign, 0, 0]])
    curves = tuple(
        Curve.of([0, 2], q[:, c], interpolation=Interpolation.SLERP, after=Extrapolation.CYCLE)
        for c in range(4)
    )
    packed = pack(Clip("turn", curves, 1), rig)
    times = np.array([0.1, 1.2, 1.9, 2.5])
    want = (evaluate(packed, times + STEP) - evaluate(packed, times - STEP)) / (2 * STEP)
    np.testing.assert_allclose(derivative(packed, times).slope, want, atol=1e-8)
