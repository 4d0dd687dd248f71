"""The loop of damped Gauss-Newton steps, on small problems with known minima."""

from typing import NamedTuple

import numpy as np
import pytest

from arcwright.solve.gauss_newton import FIRST_DAMPING, DecreaseCriteria, gauss_newton

THOROUGH = DecreaseCriteria(max_iterations=100, cost_tolerance=0.0, least=1e-20)


class State(NamedTuple):
    x: np.ndarray
    cost: float


class Rosenbrock:
    """A narrow curved valley: residuals 10 (y - x^2) and 1 - x."""

    def __init__(self):
        self.evaluated = 0

    def state(self, x):
        residual = self._residual(x)
        return State(x, 0.5 * float(residual @ residual))

    def _residual(self, x):
        return np.array([10 * (x[1] - x[0] ** 2), 1 - x[0]])

    def damped_step(self, state, damping):
        self.evaluated += 1
        jacobian = np.array([[-20 * state.x[0], 10.0], [-1.0, 0.0]])
        gradient = jacobian.T @ self._residual(state.x)
        step = -np.linalg.solve(jacobian.T @ jacobian + damping * np.eye(2), gradient)
        predicted = 0.5 * float(-gradient @ step + damping * step @ step)
        return self.state(state.x + step), predicted


class Singular(Rosenbrock):
    """The same, but without damping its system is singular."""

    def damped_step(self, state, damping):
        if damping == 0:
            raise np.linalg.LinAlgError
        return super().damped_step(state, damping)


@pytest.mark.parametrize("kind", [Rosenbrock, Singular])
def test_steps_reach_the_minimum_of_a_curved_valley(kind):
    model = kind()
    state, _ = gauss_newton(model, model.state(np.array([-1.2, 1.0])), 0.0, THOROUGH)
    assert state.x == pytest.approx([1, 1], abs=1e-6)


def test_the_cost_never_increases():
    model, criteria = Rosenbrock(), DecreaseCriteria(max_iterations=1, cost_tolerance=0.0)
    state, damping, costs = model.state(np.array([-1.2, 1.0])), 0.0, []
    for _ in range(20):
        costs.append(state.cost)
        state, damping = gauss_newton(model, state, damping, criteria)
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] < 1e-12


def test_at_the_minimum_the_state_stays_as_it_is():
    model = Rosenbrock()
    state = model.state(np.ones(2))
    after, damping = gauss_newton(model, state, FIRST_DAMPING, THOROUGH)
    assert after is state
    assert damping == FIRST_DAMPING


def test_the_number_of_steps_is_limited():
    model = Rosenbrock()
    start = model.state(np.array([-1.2, 1.0]))
    few, _ = gauss_newton(model, start, 0.0, DecreaseCriteria(max_iterations=2, cost_tolerance=0.0))
    assert 0 < few.cost < start.cost


def test_steps_that_gain_too_little_end_the_loop_after_some_in_a_row():
    counts = []
    for idle in (1, 3):
        model = Rosenbrock()
        start = model.state(np.array([-1.2, 1.0]))
        gauss_newton(model, start, 0.0, DecreaseCriteria(max_iterations=50, least=1e9, idle=idle))
        counts.append(model.evaluated)
    assert counts[0] < counts[1]


def test_beyond_the_usual_number_steps_go_on_only_while_each_gains_much():
    counts = []
    for much in (0.0, 0.9999):
        model = Rosenbrock()
        start = model.state(np.array([-1.2, 1.0]))
        criteria = DecreaseCriteria(max_iterations=9, cost_tolerance=0.0, usual=3, much=much)
        gauss_newton(model, start, 0.0, criteria)
        counts.append(model.evaluated)
    assert counts[1] < counts[0]


def test_last_steps_that_gain_little_can_be_left_out():
    model = Rosenbrock()
    start = model.state(np.array([0.99, 0.98]))
    criteria = DecreaseCriteria(max_iterations=50, least=1e9, idle=2, keeps_idle=False)
    assert gauss_newton(model, start, 0.0, criteria)[0] is start
