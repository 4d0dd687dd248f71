import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcwright.curves.spline import band, basis, refine
from arcwright.errors import BadValue
from random_cases import examples

counts = st.integers(4, 20)


@given(counts)
@examples(12, 30)
def test_weights_are_positive_and_add_up_to_one(count: int) -> None:
    weight = basis(-1.0, 2.0, count, np.linspace(-1, 2, 101))
    assert weight.min() >= 0
    np.testing.assert_allclose(weight.sum(axis=1), 1, atol=1e-14)


@given(counts)
@examples(12, 30)
def test_the_curve_meets_the_first_and_last_control_value(count: int) -> None:
    weight = basis(0.5, 2.0, count, [0.5, 2.0])
    np.testing.assert_array_equal(weight, np.eye(count)[[0, -1]])


def test_outside_the_range_there_is_nothing() -> None:
    assert not basis(0.0, 1.0, 6, [-0.01, 1.01]).any()


@pytest.mark.parametrize("count", [4, 5, 6, 7, 12])
@pytest.mark.parametrize("derivative", [1, 2])
def test_derivatives_equal_finite_differences(count: int, derivative: int) -> None:
    times = np.linspace(0.31, 1.86, 57)
    step = 1e-5
    low, high = (
        basis(0.3, 1.9, count, times + way * step, derivative=derivative - 1) for way in (-1, 1)
    )
    slope = basis(0.3, 1.9, count, times, derivative=derivative)
    np.testing.assert_allclose(slope, (high - low) / (2 * step), atol=2e-4)


@given(counts, st.integers(0, 9999))
@examples(12, 30)
def test_refining_keeps_the_curve(count: int, seed: int) -> None:
    control = np.random.default_rng(seed).normal(size=(count, 2, 3))
    finer = refine(control)
    times = np.linspace(0, 3, 80)
    assert len(finer) == 2 * count - 3
    old = band(0, 3, count, times).apply(control)
    np.testing.assert_allclose(band(0, 3, len(finer), times).apply(finer), old, atol=1e-12)


def test_the_band_and_the_full_matrix_are_the_same() -> None:
    control = np.random.default_rng(1).normal(size=(9, 3))
    times = np.linspace(-0.2, 1.2, 40)
    compact = band(0, 1, 9, times)
    np.testing.assert_allclose(compact.apply(control), basis(0, 1, 9, times) @ control, atol=1e-14)


def test_cubics_are_met_exactly() -> None:
    # Control values of t by blossoming stand at the mean of three knots.
    knots = np.clip(np.arange(-3, 7), 0, 3).astype(float)
    control = (knots[1:7] + knots[2:8] + knots[3:9]) / 3
    times = np.linspace(0, 3, 31)
    np.testing.assert_allclose(band(0, 3, 6, times).apply(control), times, atol=1e-14)


@pytest.mark.parametrize(
    ("start", "end", "count", "order"), [(0, 1, 3, 0), (1, 1, 5, 0), (0, 1, 5, 3)]
)
def test_bad_ranges_counts_and_orders_are_refused(
    start: float, end: float, count: int, order: int
) -> None:
    with pytest.raises(BadValue):
        basis(start, end, count, [0.5], derivative=order)
