import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcwright.compiled import library as compiled
from arcwright.curves.keyed_spline import Spline
from arcwright.curves.minimax import minimax
from arcwright.curves.nonnegative import nonnegative_minimum, plain_minimum
from arcwright.curves.spline_part import Part, Refit
from random_cases import examples
from splines import swaying


def program(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """A positive matrix, nearly singular, and a linear term."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(1, 60))
    rows = rng.normal(size=(count, max(1, count // 2)))
    return rows @ rows.T + 1e-3 * np.eye(count), rng.normal(size=count)


@examples(20, 60)
@given(st.integers(0, 10_000))
def test_nonnegative_programs_are_solved(seed: int) -> None:
    matrix, right = program(seed)
    for found in (nonnegative_minimum(matrix, right), plain_minimum(matrix, right)):
        slope = right - matrix @ found
        assert found.min() >= 0
        assert slope.max() <= 1e-5 * abs(right).max()
        assert abs(found * slope).max() <= 1e-5 * abs(right).max() * max(1, found.max())


@pytest.mark.skipif(compiled.library is None, reason="nothing is compiled")
@pytest.mark.parametrize("seed", range(6))
def test_compiled_programs_agree_with_numpy(seed: int) -> None:
    matrix, right = program(seed)
    found = nonnegative_minimum(matrix, right)
    np.testing.assert_allclose(found, plain_minimum(matrix, right), atol=1e-7, rtol=1e-6)


def inner(seed: int, broken: bool = False) -> tuple[Part, Refit]:
    """Five keys of a swaying target, and their fit by least squares."""
    target = swaying(seed)
    target.broken[:, :2] = broken
    keys = np.array([60, 71, 84, 96, 108])
    spline = Spline(target, np.union1d(np.arange(0, 241, 12), keys))
    part = Part(target, keys)
    return part, part.fitted(spline.nodes[keys], 1, 0.0)


@pytest.mark.parametrize("broken", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_the_largest_deviation_gets_below_that_of_least_squares(seed: int, broken: bool) -> None:
    part, start = inner(seed, broken)
    found = minimax(part, start, 0.9 * start.worst)
    assert found.worst <= 0.9 * start.worst
    np.testing.assert_array_equal(found.nodes[[0, -1]], start.nodes[[0, -1]])
    smooth = slice(2, None) if broken else slice(None)
    np.testing.assert_array_equal(found.nodes[:, 1, smooth], found.nodes[:, 2, smooth])
    again = part.measured(found.nodes)
    np.testing.assert_array_equal(again.deviation, found.deviation)


def test_what_cannot_be_reached_is_never_worse_than_the_start() -> None:
    part, start = inner(1)
    assert minimax(part, start, 0.1 * start.worst).worst <= start.worst
