import numpy as np
import pytest

from arcwright.solve.banded import Factor


def banded(size, width, seed):
    """A positive matrix whose rows reach back by at most a width, and how far each does."""
    random = np.random.default_rng(seed)
    reach = random.integers(0, width + 1, size)
    first = np.maximum(np.arange(size) - reach, 0)
    near = np.arange(size) >= first[:, None]
    lower = np.tril(np.where(near, random.normal(size=(size, size)), 0.0))
    matrix = np.tril(lower) + np.tril(lower, -1).T
    matrix.flat[:: size + 1] = np.abs(matrix).sum(axis=1) + 1
    return matrix, first


@pytest.mark.parametrize(("size", "width"), [(1, 0), (96, 20), (97, 5), (400, 130), (400, 400)])
def test_it_divides_as_a_dense_solver_does(size, width):
    matrix, first = banded(size, width, size)
    vector = np.random.default_rng(1).normal(size=size)
    expected = np.linalg.solve(matrix, vector)
    assert Factor(np.tril(matrix), first).divide(vector) == pytest.approx(expected, abs=1e-10)


def test_what_is_not_positive_is_refused():
    with pytest.raises(np.linalg.LinAlgError):
        Factor(-np.eye(3), np.zeros(3, np.int64))
