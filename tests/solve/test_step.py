"""Steps by the library against those of NumPy; skipped where no library was built."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcwright.compiled import library as compiled
from arcwright.solve.model import Linearisation
from arcwright.solve.problem import Box
from arcwright.solve.rows import Groups, Layout, Rows
from arcwright.solve.step import TOO_FAR, Stepper
from random_cases import examples

built = pytest.mark.skipif(compiled.library is None, reason="nothing was compiled at install")


def random_rows(random, count, unknowns):
    """Rows in groups that each touch some of the unknowns, and one that stands for none."""
    lists = [
        np.append(np.flatnonzero(random.random(unknowns) < 0.7), -1) for _ in range(count // 3 + 1)
    ]
    layout = Layout(Groups(unknowns, lists), random.integers(0, len(lists), count))
    return Rows(layout, random.normal(size=layout.size))


def random_stepper(seed, count, unknowns, tight):
    random = np.random.default_rng(seed)
    rows = random_rows(random, count, unknowns)
    low, high = -random.uniform(0, tight, unknowns), random.uniform(0, tight, unknowns)
    reference = random.normal(size=unknowns)
    weight = 10 ** random.uniform(0, 6, count)
    now = Linearisation(random.normal(size=count), rows, weight, 1.0)
    stepper = Stepper(random.uniform(0.5, 2, unknowns), reference, Box(low, high))
    return stepper, now, random.uniform(low, high)


@built
@examples(60, 150)
@given(
    st.integers(0, 10**6),
    st.integers(0, 30),
    st.integers(1, 30),
    st.sampled_from([0.01, 0.5, 50]),
    st.sampled_from([0.0, 3.0]),
)
def test_compiled_and_plain_steps_agree(seed, count, unknowns, tight, damping):
    stepper, now, x = random_stepper(seed, count, unknowns, tight)
    _, ours = stepper._compiled(x, now, now.matrix, damping)
    plain = stepper._plain(x, now, damping)
    assert (ours.x >= stepper.box.low).all()
    assert (ours.x <= stepper.box.high).all()
    assert ours.x == pytest.approx(plain.x, abs=1e-5)
    assert ours.far == pytest.approx(plain.far, abs=1e-5)
    assert ours.predicted == pytest.approx(plain.predicted, rel=1e-5, abs=1e-5)


@built
@pytest.mark.parametrize(("count", "unknowns"), [(90, 140), (140, 90)])
def test_steps_that_meet_many_bounds_agree_or_go_down(count, unknowns):
    for seed in range(3):
        stepper, now, x = random_stepper(seed, count, unknowns, 0.1)
        _, ours = stepper._compiled(x, now, now.matrix, 0.0)
        plain = stepper._plain(x, now, 0.0)
        assert stepper.box.excess(ours.x) == 0
        assert 0 <= ours.predicted <= plain.predicted * (1 + 1e-6)


def with_smooth_keys(random, dense, few, unknowns, apart):
    """Rows that touch most unknowns, then some that touch up to four that are near each other."""
    first = random.integers(0, unknowns - apart, few)
    near = [np.sort(random.choice(apart, 4, replace=False)) + at for at in first]
    lists = [np.flatnonzero(random.random(unknowns) < 0.8), *(np.append(n[:3], -1) for n in near)]
    group = np.concatenate([np.zeros(dense, np.int64), 1 + np.arange(few)])
    layout = Layout(Groups(unknowns, lists), group)
    return Rows(layout, random.normal(size=layout.size))


@built
@pytest.mark.parametrize("tight", [0.1, 50])
@pytest.mark.parametrize(
    ("dense", "few", "unknowns", "apart"),
    [(9, 25, 40, 6), (9, 70, 40, 12), (60, 25, 40, 6), (9, 25, 40, 30), (0, 25, 40, 6)],
    ids=["by band", "few above unknowns", "by unknowns", "far apart", "few alone"],
)
def test_steps_with_rows_of_few_unknowns_agree(dense, few, unknowns, apart, tight):
    agreed = 0
    for seed in range(10):
        random = np.random.default_rng(seed)
        rows = with_smooth_keys(random, dense, few, unknowns, apart)
        low, high = -random.uniform(0, tight, unknowns), random.uniform(0, tight, unknowns)
        weight = 10 ** random.uniform(0, 3, dense + few)
        now = Linearisation(random.normal(size=dense + few), rows, weight, 1.0)
        reference = random.normal(size=unknowns)
        stepper = Stepper(10 ** random.uniform(-3, 1, unknowns), reference, Box(low, high))
        x = random.uniform(low, high)
        for damping in (0.0, 3.0):
            rounds, ours = stepper._compiled(x, now, rows, damping, only_whole=True)
            if rounds == TOO_FAR:
                continue
            plain = stepper._plain(x, now, damping)
            assert ours.x == pytest.approx(plain.x, abs=1e-6)
            assert ours.predicted == pytest.approx(plain.predicted, rel=1e-6)
            agreed += 1
    assert agreed >= 10


@built
def test_a_step_that_meets_ever_more_bounds_is_not_found_whole_until_it_is_damped():
    for seed in range(8):
        stepper, now, x = random_stepper(seed, 90, 140, 0.1)
        assert stepper.whole(x, now, 0.0) is None
        assert stepper(x, now, 0.0) is not None
        damped = stepper.whole(x, now, 1e9)
        assert damped is not None
        assert damped.x == pytest.approx(stepper._plain(x, now, 1e9).x, abs=1e-6)


def in_time(random, times, segments, rows_each):
    """Rows at rising times that touch the four unknowns of each channel's segment there."""
    channels = len(segments)
    first = np.cumsum([0, *segments])
    lists = [
        np.concatenate(
            [4 * (first[c] + segments[c] * t // times) + np.arange(4) for c in range(channels)]
        )
        for t in range(times)
    ]
    when = random.permutation(times)
    groups = Groups(int(4 * first[-1]), [lists[t] for t in when], when.astype(float))
    layout = Layout(groups, random.permutation(np.repeat(np.arange(times), rows_each)))
    return Rows(layout, random.normal(size=layout.size))


@built
@pytest.mark.parametrize("tight", [0.02, 50])
@pytest.mark.parametrize(
    ("times", "segments", "rows_each"), [(40, (9, 30, 17), 3), (130, (9, 3, 20), 6)]
)
def test_large_and_plain_steps_agree(times, segments, rows_each, tight):
    random = np.random.default_rng(times)
    rows = in_time(random, times, segments, rows_each)
    count, unknowns = rows.shape
    low, high = -random.uniform(0, tight, unknowns), random.uniform(0, tight, unknowns)
    now = Linearisation(random.normal(size=count) * 0.01, rows, np.full(count, 1e4), 1.0)
    stepper = Stepper(np.ones(unknowns), np.zeros(unknowns), Box(low, high))
    x = random.uniform(low, high)
    ours, plain = stepper._large(x, now, rows, 0.5), stepper._plain(x, now, 0.5)
    assert ours.x == pytest.approx(plain.x, abs=1e-6)
    assert ours.far == pytest.approx(plain.far, abs=1e-6)
    assert ours.predicted == pytest.approx(plain.predicted, rel=1e-6)


@built
def test_a_large_step_that_cycles_still_goes_down_inside_its_box():
    for seed in range(20):
        stepper, now, x = random_stepper(seed, 12, 20, 0.5)
        step = stepper._large(x, now, now.matrix, 0.0)
        assert step.predicted >= -1e-9
        assert stepper.box.excess(step.x) == 0


@built
def test_rows_multiply_as_their_dense_form_does(monkeypatch):
    random = np.random.default_rng(1)
    rows = random_rows(random, 7, 9)
    x, y, dense = random.normal(size=9), random.normal(size=7), rows.dense
    assert rows @ x == pytest.approx(dense @ x, abs=1e-14)
    assert y @ rows == pytest.approx(y @ dense, abs=1e-14)
    monkeypatch.setattr(compiled, "library", None)
    plain = Rows(rows.layout, rows.entry)
    assert np.array_equal(plain.dense, dense)
    assert plain @ x == pytest.approx(dense @ x, abs=1e-14)
    assert y @ plain == pytest.approx(y @ dense, abs=1e-14)


def test_a_dense_matrix_can_be_rows():
    matrix = np.arange(6.0).reshape(2, 3)
    assert np.array_equal(Rows.of(matrix).dense, matrix)
