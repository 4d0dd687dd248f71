import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcwright.errors import BadValue
from arcwright.solve.backend import solve
from arcwright.solve.problem import Box, Problem
from random_cases import examples


def random_problem(seed, rows, unknowns, tight):
    random = np.random.default_rng(seed)
    reference = random.normal(size=unknowns)
    width = random.uniform(0, tight, unknowns)
    return Problem(
        matrix=random.normal(size=(rows, unknowns)),
        target=random.normal(size=rows) * 3,
        weight=10 ** random.uniform(0, 7, rows),
        regularisation=random.uniform(0.5, 2, unknowns),
        reference=reference,
        box=Box(reference - width, reference + random.uniform(0, tight, unknowns)),
    )


@examples(60, 150)
@given(
    st.integers(0, 10**6), st.integers(0, 40), st.integers(1, 40), st.sampled_from([0.01, 0.5, 50])
)
def test_the_solution_is_inside_the_bounds_and_optimal(seed, rows, unknowns, tight):
    answer = solve(random_problem(seed, rows, unknowns, tight))
    assert answer.outside == 0
    assert answer.optimality < 1e-5


def test_without_a_box_it_is_plain_least_squares():
    problem = random_problem(1, 6, 9, 1e9)
    weighted = np.sqrt(problem.weight)[:, None] * problem.matrix
    stacked = np.vstack([weighted, np.diag(np.sqrt(problem.regularisation))])
    wanted = np.concatenate(
        [
            np.sqrt(problem.weight) * problem.target,
            np.sqrt(problem.regularisation) * problem.reference,
        ]
    )
    assert solve(problem).x == pytest.approx(np.linalg.lstsq(stacked, wanted, rcond=None)[0])


def test_more_rows_than_unknowns_and_fewer_give_the_same_answer():
    tall = random_problem(2, 8, 5, 0.3)
    doubled = Problem(
        np.vstack([tall.matrix, tall.matrix]),
        np.tile(tall.target, 2),
        np.tile(tall.weight, 2) / 2,
        tall.regularisation,
        tall.reference,
        tall.box,
    )
    assert solve(doubled).x == pytest.approx(solve(tall).x, abs=1e-9)


def test_equal_bounds_fix_the_unknowns():
    problem = random_problem(3, 4, 6, 0.0)
    assert solve(problem).x == pytest.approx(problem.reference)


def test_bad_problems_are_refused():
    with pytest.raises(BadValue, match="low <= high"):
        Box(np.ones(2), np.zeros(2))
    good = random_problem(4, 2, 3, 1)
    with pytest.raises(BadValue, match="Problem.target"):
        Problem(
            good.matrix, good.target[:1], good.weight, good.regularisation, good.reference, good.box
        )
    with pytest.raises(BadValue, match="above 0"):
        Problem(
            good.matrix, good.target, good.weight, good.regularisation * 0, good.reference, good.box
        )
