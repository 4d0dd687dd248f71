import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcwright.curves.evaluate import evaluate_curve
from arcwright.curves.fit import spline_curves
from arcwright.curves.hermite import CHUNK, HermiteBasis, least_squares
from arcwright.curves.keyed_spline import Spline
from arcwright.curves.spline_part import Target
from splines import Straight


def dense(basis: HermiteBasis, broken: np.ndarray) -> np.ndarray:
    """(T, U) all weights as one matrix."""
    column, first = basis.columns(broken)
    matrix = np.zeros((len(column), first[-1]))
    np.add.at(matrix, (np.arange(len(column))[:, None], column), basis.weight)
    return matrix


def case(seed: int, keys: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Uneven times, keys among them, values of three channels and weights."""
    rng = np.random.default_rng(seed)
    time = np.cumsum(rng.uniform(0.01, 0.05, 6 * keys))
    inner = np.sort(rng.choice(np.arange(1, len(time) - 1), keys - 2, replace=False))
    chosen = np.concatenate([[0], inner, [len(time) - 1]])
    return time, chosen, rng.normal(size=(len(time), 3)), rng.uniform(0.1, 2, len(time))


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1000), st.sampled_from([2, 5, CHUNK + 1, 3 * CHUNK]), st.booleans())
def test_the_residual_is_orthogonal_to_all_that_can_be_changed(
    seed: int, keys: int, some: bool
) -> None:
    time, chosen, values, weight = case(seed, keys)
    basis = HermiteBasis.of(time, chosen)
    broken = np.random.default_rng(seed).random((keys, 3)) < (0.3 if some else 0)
    nodes = least_squares(basis, values, weight, broken)
    left = (values - basis.evaluate(nodes)) * weight[:, None]
    for channel in range(3):
        matrix = dense(basis, broken[:, channel])
        scale = np.linalg.norm(matrix, axis=0) * np.linalg.norm(values[:, channel])
        assert (abs(matrix.T @ left[:, channel]) <= 1e-3 * scale + 1e-9).all()


@pytest.mark.parametrize("keys", [3, 2 * CHUNK + 3])
def test_keys_that_are_fixed_stay(keys: int) -> None:
    time, chosen, values, weight = case(1, keys)
    basis = HermiteBasis.of(time, chosen)
    smooth = np.zeros((keys, 3), bool)
    nodes = least_squares(basis, values, weight, smooth, (True, True))
    assert not nodes[[0, -1]].any()
    assert nodes[1:-1].any()


def test_smooth_keys_have_one_slope_and_broken_ones_two() -> None:
    time, chosen, values, weight = case(3, 8)
    broken = np.zeros((8, 3), bool)
    broken[4, 1] = True
    nodes = least_squares(HermiteBasis.of(time, chosen), values, weight, broken)
    jump = nodes[:, 1] != nodes[:, 2]
    np.testing.assert_array_equal(jump, broken)


def test_the_curves_of_a_spline_have_its_values() -> None:
    time, chosen, values, _ = case(5, 9)
    channels, none = np.arange(3), np.zeros((0, 4), np.int64)
    smooth = np.zeros((len(time), 3), bool)
    target = Target(time, Straight(values), channels, smooth, np.ones(len(time)), none, np.ones(3))
    spline = Spline(target, chosen)
    curves = spline_curves(spline)
    made = np.stack([evaluate_curve(curve, time) for curve in curves], axis=-1)
    np.testing.assert_allclose(abs(made - values).max(axis=1), spline.deviation, atol=1e-9)
