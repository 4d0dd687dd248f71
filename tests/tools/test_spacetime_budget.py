"""Time limits of a release, Solve further, what a release moves, and notes of side effects."""

import re
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest

from arcwright import read
from arcwright.kinematics.trail import trail
from arcwright.scene.constraint import FlightConstraint, Pin
from arcwright.scene.edit import Edit
from arcwright.scene.point import Point
from arcwright.scene.target import Target
from arcwright.solve.budget import Budget
from arcwright.solve.gauss_newton import DecreaseCriteria, gauss_newton
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.side_effects import side_effect_notes
from arcwright.tools.spacetime.tool import SpacetimeOptions, SpacetimeTool
from arcwright.tools.tool import SolvesFurther
from spacetime_cases import places

HIPS = Point("Hips")


class Ticks:
    """A clock that goes on by a second whenever it is read."""

    def __init__(self):
        self.count = 0

    def __call__(self):
        self.count += 1
        return float(self.count)


def begun(scene, point, time, by, updates=4, more=(), **options):
    """A session after a drag in some updates, and its last preview."""
    session = SpacetimeTool().begin(scene, Target(), SpacetimeOptions(**options), more)
    start = trail(take_of(scene), point, [time]).position[0]
    for share in np.linspace(1 / updates, 1, updates):
        preview = session.update(Drag(point, time, position=start + share * np.array(by)))
    return session, preview


def take_of(scene):
    return scene.characters[0].takes[0]


def contradicting():
    """A walk whose hips are pinned half a second before they are dragged far away."""
    return replace(
        read("biped:walk"), constraints=(Pin(HIPS, 0.45, 0.49), *read("biped:walk").constraints)
    )


def test_a_budget_is_spent_by_its_clock_and_reports_progress():
    shares, clock = [], Ticks()
    budget = Budget(3.0, clock, shares.append)
    budget.reach(0.5)
    assert [budget.is_spent() for _ in range(3)] == [False, True, True]
    assert budget.exhausted
    assert shares == [0.5] * 4


def test_a_budget_is_spent_before_a_step_that_would_not_be_over_in_time():
    times = iter([0.0, 0.3, 0.6, 0.65])
    budget = Budget(1.0, lambda: next(times))
    assert [budget.is_spent() for _ in range(3)] == [False, False, False]
    times = iter([0.0, 0.3, 0.71])
    budget = Budget(1.0, lambda: next(times))
    assert [budget.is_spent() for _ in range(2)] == [False, True]


def test_a_longer_step_is_begun_only_with_time_for_it():
    times = iter([0.0, 0.2, 0.4])
    budget = Budget(1.0, lambda: next(times))
    assert [budget.is_spent(), budget.is_spent(4.0)] == [False, True]


def test_a_step_that_is_tried_again_and_again_is_given_up_when_time_is_up():
    class Refused:
        tries = 0

        def damped_step(self, state, damping):
            self.tries += 1
            return state, 1.0

    class Still(NamedTuple):
        cost: float

    model, asked = Refused(), Ticks()
    gauss_newton(model, Still(1.0), 0.0, DecreaseCriteria(max_iterations=9), lambda: asked() > 3)
    assert model.tries == 3


def test_a_release_stops_when_its_time_is_up_and_says_so():
    session, _ = begun(contradicting(), HIPS, 0.5, [0.0, -0.3, 0.0], solve_time=5.0)
    session.clock = Ticks()
    edit = session.finish()
    assert not edit.empty
    assert session.clock.count <= 8  # it was not asked for many more steps
    assert any(note.kind == "unfinished" for note in session.notes())


def test_a_release_with_time_left_says_nothing_of_it():
    session, _ = begun(read("biped:walk"), HIPS, 0.5, [0.0, -0.03, 0.0])
    session.finish()
    assert not any(note.kind == "unfinished" for note in session.notes())


def test_solving_further_gives_what_a_release_without_a_limit_gives():
    early, _ = begun(contradicting(), HIPS, 0.5, [0.0, -0.3, 0.0], solve_time=5.0)
    early.clock = Ticks()
    early.finish()
    late, _ = begun(contradicting(), HIPS, 0.5, [0.0, -0.3, 0.0], solve_time=600.0)
    shares = []
    assert isinstance(early, SolvesFurther)
    further = early.solve_further(shares.append)
    frames = take_of(contradicting()).frame_times()
    ends = [
        places(take_of(edit.apply(contradicting())), frames) for edit in (further, late.finish())
    ]
    assert ends[0] == pytest.approx(ends[1], abs=1e-9)
    assert shares == sorted(shares)
    assert not any(note.kind == "unfinished" for note in early.notes())


def test_progress_can_cancel_solving_further():
    session, _ = begun(contradicting(), HIPS, 0.5, [0.0, -0.3, 0.0])

    def enough(_):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        session.solve_further(enough)
    assert not session.finish().empty


@pytest.mark.parametrize(
    ("point", "by"),
    [
        ("Hips", [0.03, -0.08, 0.0]),
        ("LeftHand", [0.0, 0.15, 0.1]),
        ("Head", [0.0, -0.05, 0.05]),
        ("LeftFoot", [0.05, 0.0, 0.03]),
    ],
)
def test_a_release_moves_nothing_by_a_centimetre_where_constraints_agree(point, by):
    scene = read("biped:walk")
    session, preview = begun(scene, Point(point), 0.5, by, updates=8)
    frames = take_of(scene).frame_times()
    shown, after = (
        places(take_of(edit.apply(scene)), frames) for edit in (preview.edit, session.finish())
    )
    assert np.linalg.norm(after - shown, axis=-1).max() < 0.01


@pytest.mark.parametrize("point", ["Hips", "LeftHand", "Head", "LeftFoot"])
def test_ordinary_drags_have_no_side_effects_to_note(point):
    session, _ = begun(read("biped:walk"), Point(point), 0.5, [0.02, -0.03, 0.03])
    assert not [note for note in session.notes() if note.kind == "moved"]


def test_a_flight_that_changes_the_motion_a_lot_is_noted():
    scene = read("biped:jump")
    more = (FlightConstraint(8 / 24, 16 / 24, 2.0),)  # a fall on the Moon
    session, _ = begun(scene, Point("LeftHand"), 0.5, [0.0, 0.02, 0.0], more=more)
    after = take_of(session.finish().apply(scene))
    frames = take_of(scene).frame_times()
    far = np.linalg.norm(places(after, frames) - places(take_of(scene), frames), axis=-1).max()
    notes = [note for note in session.notes() if note.kind == "moved"]
    assert far > 0.2
    assert max(note.amount for note in notes) > 0.7 * far
    assert "at frame" in notes[0].text


def test_a_planted_point_that_moves_is_noted_with_frame_and_distance():
    scene = read("biped:walk")
    session, _ = begun(scene, HIPS, 0.3, [0.0, -0.02, 0.0])
    (solved,) = session._released().solved.values()
    x = solved.state.x.copy()
    x[:, -3:] += 0.3  # the body elsewhere, whatever the solver would have found
    torn = solved._replace(state=solved.model.evaluate(x, solved.state.offsets))
    after = take_of(Edit("", (torn.change("torn"),)).apply(scene))
    notes = side_effect_notes(torn)
    note = next(each for each in notes if re.match(r"\w+Toes, planted", each.text))
    joint, frame = re.match(r"(\w+), planted, moved .* cm at frame (\d+)", note.text).groups()
    toes = next(each.point for each in scene.contacts if each.point.joint == joint)
    ends = [trail(take, toes, [int(frame) / 24]).position[0] for take in (take_of(scene), after)]
    assert np.linalg.norm(ends[1] - ends[0]) == pytest.approx(note.amount, abs=1e-6)
