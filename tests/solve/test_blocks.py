import numpy as np
import pytest

from arcwright.curves.spline import band
from arcwright.solve import blocks as blocks_module
from arcwright.solve.blocks import BlockFactor, Moments, System, times


def moments_of(count=9, frames=40):
    spline = band(0.0, 1.0, count, np.linspace(0, 1, frames))
    return Moments(spline.first, spline.weight, count), spline.full()


def dense(blocks):
    count, size, wide, _ = blocks.shape
    whole = np.zeros((count, size, count, size))
    for step in range(count):
        for k in range(min(wide, count - step)):
            whole[step + k, :, step] = blocks[step, :, k].T
            whole[step, :, step + k] = blocks[step, :, k]
    return whole.reshape(count * size, -1)


def positive(size=5, count=9, seed=0):
    """Blocks of a positive matrix, and the dense one that they stand for."""
    random = np.random.default_rng(seed)
    moments, spline = moments_of(count)
    rows = random.normal(size=(len(spline), 7, size))
    blocks = moments.squares(rows.swapaxes(1, 2) @ rows)
    blocks[:, :, 0] += 0.1 * np.eye(size)
    wide = np.einsum("tn,tmd->tmnd", spline, rows).reshape(-1, count * size)
    return blocks, wide.T @ wide + 0.1 * np.eye(count * size)


def test_the_blocks_of_squares_are_those_of_the_dense_product():
    blocks, whole = positive()
    assert dense(blocks) == pytest.approx(whole)


def test_values_at_moments_and_pulls_back_are_transposes():
    moments, spline = moments_of()
    random = np.random.default_rng(1)
    steps, pull = random.normal(size=(9, 3)), random.normal(size=(40, 3))
    assert moments.at(steps) == pytest.approx(spline @ steps)
    assert moments.back(pull) == pytest.approx(spline.T @ pull)


@pytest.mark.parametrize("count", [4, 5, 9])
def test_dividing_is_solving_the_dense_system(count):
    blocks, whole = positive(count=count)
    vector = np.random.default_rng(2).normal(size=(count, 5))
    found = BlockFactor(blocks).divide(vector)
    assert found.ravel() == pytest.approx(np.linalg.solve(whole, vector.ravel()))
    assert times(blocks, found) == pytest.approx(vector)


def test_several_vectors_are_divided_at_once():
    blocks, whole = positive()
    vectors = np.random.default_rng(3).normal(size=(9, 5, 2))
    found = BlockFactor(blocks).divide(vectors)
    assert found.reshape(45, 2) == pytest.approx(np.linalg.solve(whole, vectors.reshape(45, 2)))


def test_a_border_couples_further_unknowns_with_all_steps():
    blocks, whole = positive()
    random = np.random.default_rng(4)
    border, corner = 0.1 * random.normal(size=(9, 5, 2)), 3 * np.eye(2)
    wide = np.block([[whole, border.reshape(45, 2)], [border.reshape(45, 2).T, corner]])
    vector, extra = random.normal(size=(9, 5)), random.normal(size=2)
    inner, outer = System(blocks, vector, border, corner, extra).solved()
    expected = np.linalg.solve(wide, np.append(vector.ravel(), extra))
    assert np.append(inner.ravel(), outer) == pytest.approx(expected)


@pytest.mark.parametrize("size", [1, 2, 7, 8, 9, 12, 20, 37])
@pytest.mark.parametrize("count", [4, 6, 15])
def test_the_compiled_way_and_the_plain_one_agree_for_blocks_of_every_size(size, count):
    blocks, whole = positive(size, count, seed=size)
    sides = np.random.default_rng(5).normal(size=(count, size))
    plain = BlockFactor(blocks).divide(sides)
    assert times(blocks, plain) == pytest.approx(sides, abs=1e-9)
    inner, _ = System.bare(blocks.copy(), sides, 0).solved()
    assert inner == pytest.approx(plain, rel=1e-6, abs=1e-9)
    assert inner.ravel() == pytest.approx(np.linalg.solve(whole, sides.ravel()), rel=1e-6, abs=1e-9)


def test_a_matrix_that_is_not_positive_is_refused(monkeypatch):
    for library in (blocks_module.library, None):
        monkeypatch.setattr(blocks_module, "library", library)
        blocks, _ = positive()
        blocks[4, 2, 0, 2] = -1.0
        with pytest.raises(np.linalg.LinAlgError):
            System.bare(blocks, np.ones((9, 5)), 0).solved()


@pytest.mark.parametrize("compiled", [True, False])
def test_few_digits_are_lost_where_weights_are_far_apart(compiled, monkeypatch):
    if not compiled:
        monkeypatch.setattr(blocks_module, "library", None)
    random = np.random.default_rng(6)
    moments, spline = moments_of(30, 120)
    rows = random.normal(size=(len(spline), 3, 12)) * 1e4
    blocks = moments.squares(rows.swapaxes(1, 2) @ rows)
    blocks[:, :, 0] += 1e-2 * np.eye(12)
    wanted = random.normal(size=(30, 12))
    found, _ = System.bare(blocks.copy(), times(blocks, wanted), 0).solved()
    assert times(blocks, found - wanted) == pytest.approx(np.zeros((30, 12)), abs=1e-5)
