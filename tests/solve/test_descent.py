import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from arcwright.solve.descent import Linearisation, StoppingCriteria, descend
from arcwright.solve.problem import Box
from random_cases import examples


class Arm:
    """A chain of unit links in the plane with a target for its tip."""

    def __init__(self, target, links):
        self.target = np.asarray(target, float)
        self.links = links

    def tip(self, x):
        turned = np.cumsum(x)
        return np.array([np.cos(turned).sum(), np.sin(turned).sum()])

    def linearise(self, x):
        turned = np.cumsum(x)
        along = np.stack([-np.sin(turned), np.cos(turned)])
        matrix = np.cumsum(along[:, ::-1], axis=1)[:, ::-1]
        miss = self.target - self.tip(x)
        return Linearisation(miss, matrix, np.full(2, 1e6), 0.5e6 * float(miss @ miss))


def reach(target, links=4, limit=2.5, start=0.3, moves=10):
    """Drag the tip from where it is to the target, in moves, as a hand would."""
    reference = np.full(links, start)
    box = Box(np.full(links, -limit), np.full(links, limit))
    arm = Arm(target, links)
    begin, x = arm.tip(reference), reference
    for share in np.linspace(1 / moves, 1, moves):
        arm = Arm(begin + share * (np.asarray(target) - begin), links)
        found = descend(arm, x, np.ones(links), reference, box, StoppingCriteria(60))
        x = found.x
    return arm, found


@examples(20, 60)
@given(st.floats(-1.0, 2.0), st.floats(1.6, 3.2))
def test_targets_in_reach_are_met(angle, distance):
    target = distance * np.array([np.cos(angle), np.sin(angle)])
    arm, found = reach(target)
    assert np.abs(arm.tip(found.x) - target).max() < 5e-4


@examples(5, 40)
@given(st.floats(-1.2, 2.2), st.floats(4.5, 50))
def test_targets_out_of_reach_are_approached_and_the_arm_converges(angle, distance):
    target = distance * np.array([np.cos(angle), np.sin(angle)])
    arm, found = reach(target, moves=60)  # leaps of several metres may fold it at its limits
    assert np.linalg.norm(arm.tip(found.x) - target) < distance - 4 + 0.02
    assert np.isfinite(found.x).all()


def test_the_start_is_the_solution_when_the_target_is_already_met():
    arm = Arm((0, 0), 4)
    arm, found = reach(arm.tip(np.full(4, 0.3)))
    assert np.abs(found.x - 0.3).max() < 1e-12
    assert found.converged


def test_without_a_climb_no_step_starts_higher_than_the_last_one():
    class Noted(Arm):
        def __init__(self, target):
            super().__init__(target, 4)
            self.at = []

        def linearise(self, x):
            self.at.append(x)
            return super().linearise(x)

    def steps_begin(climb):
        arm, start = Noted((-6.0, 1.0)), np.full(4, 0.3)
        box = Box(np.full(4, -2.5), np.full(4, 2.5))
        criteria = StoppingCriteria(60, climb=climb)
        found = descend(arm, start, np.ones(4), start, box, criteria)
        totals = [arm.linearise(x).cost + 0.5 * ((x - start) ** 2).sum() for x in list(arm.at)]
        return totals, arm.linearise(found.x).cost + 0.5 * ((found.x - start) ** 2).sum()

    totals, end = steps_begin(0.0)
    assert end == min(totals)
    assert totals != steps_begin(10.0)[0]


def test_a_descent_goes_on_as_damped_as_the_last_one_ended():
    start, box = np.full(4, 0.3), Box(np.full(4, -2.5), np.full(4, 2.5))
    arm = Arm((2.0, 3.0), 4)

    def step(begin, damping):
        criteria = StoppingCriteria(2, damping=damping)
        return descend(arm, begin, np.ones(4), start, box, criteria)

    free, damped = step(start, 0.0), step(start, 1e8)
    assert np.abs(damped.x - start).max() < 0.2 * np.abs(free.x - start).max()
    assert damped.damping == 1e7  # a good step
    assert step(damped.x, damped.damping).damping == 1e6
