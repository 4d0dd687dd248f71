"""The compiled descent against the one in Python; skipped where no library was built."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcwright.compiled import library as compiled
from arcwright.kinematics.trail import trail
from arcwright.objectives.edited_clip import find_clip
from arcwright.objectives.freedom import Freedom
from arcwright.objectives.point_tasks import PointTask, TaskList
from arcwright.objectives.pose_model import PoseModel, prepare_pose
from arcwright.scene.constraint import Pin
from arcwright.scene.point import Point
from arcwright.scene.target import Target
from arcwright.solve import descent
from arcwright.solve.descent import StoppingCriteria, descend
from arcwright.solve.problem import Box
from arcwright.tools.gesture import Drag
from arcwright.tools.tangent.tool import TangentOptions, TangentTool
from chains import TIP, chain_scene
from random_cases import examples
from tangent_models import model_of

built = pytest.mark.skipif(compiled.library is None, reason="nothing was compiled at install")


class StepByStep:
    """A model without its compiled descent."""

    def __init__(self, model):
        self.linearise = model.linearise


def assert_same(ours, stepped):
    assert ours.iterations == stepped.iterations
    assert ours.converged == stepped.converged
    assert ours.damping == pytest.approx(stepped.damping)
    assert np.array_equal(ours.residuals.task, stepped.residuals.task)
    for a, b in (
        (ours.x, stepped.x),
        (ours.residuals.residual, stepped.residuals.residual),
        (ours.residuals.weight, stepped.residuals.weight),
    ):
        assert a.shape == b.shape
        assert np.allclose(a, b, rtol=0, atol=1e-9 * (1 + np.abs(b).max(initial=0)))
    assert ours.residuals.cost == pytest.approx(stepped.residuals.cost, rel=1e-9)


def assert_same_places(model, x):
    """Where points are held, or have a task."""
    ended, there = model.position(x), model.points_at(x).position
    assert ended[:2] == pytest.approx(there[:2], abs=1e-12)
    for task in model.tasks.all:
        for place in {task.place, task.other} - {-1}:
            at = task.samples, place
            assert ended[at] == pytest.approx(there[at], abs=1e-12)


def descended_both_ways(model, start, regularisation, reference, box, criteria):
    ours = model.descended(start, regularisation, reference, box, criteria)
    assert ours is not None
    assert_same(ours, descend(StepByStep(model), start, regularisation, reference, box, criteria))
    return ours


def random_problem(seed, unified, smoothness, tight, strength, task_count):
    """Bounds that hold, soft pulls that make steps climb and be damped, floors, few rows."""
    model, start = model_of(seed, unified=unified, smoothness=smoothness)
    kept = model.constraint_tasks_at(1e-6) if task_count else None  # harder ones only show rounding
    model.tasks = TaskList(model.tasks.own[:task_count], kept)
    random, count, own = np.random.default_rng(seed), model.unknowns, model.handles.box
    regularisation, reference = (
        strength * random.uniform(0.5, 2, count),
        random.normal(0, tight, count),
    )
    low, high = -random.uniform(0, tight, count), random.uniform(0, tight, count)
    return (
        model,
        start,
        regularisation,
        reference,
        Box(np.maximum(low, own.low), np.minimum(high, own.high)),
    )


@built
@examples(40, 120)
@given(
    st.integers(0, 10**6),
    st.booleans(),
    st.sampled_from([0.0, 1.0]),
    st.sampled_from([0.02, 0.3, 3.0]),
    st.sampled_from([1.0, 30.0]),
    st.sampled_from([0, 2, 8]),
    st.sampled_from(
        [
            StoppingCriteria(),
            StoppingCriteria(30, 1e-9, 1e-12),
            StoppingCriteria(30, 1e-9, 1e-12, climb=0.0),
            StoppingCriteria(5, 1e-7, 1e-3, target_tolerance=0.1),
            StoppingCriteria(5, 1e-7, 1e-3, damping=50.0),
        ]
    ),
)
def test_compiled_and_stepwise_descents_agree(
    seed, unified, smoothness, tight, strength, task_count, criteria
):
    problem = random_problem(seed, unified, smoothness, tight, strength, task_count)
    model, box = problem[0], problem[-1]
    ours = descended_both_ways(*problem, criteria)
    assert box.excess(ours.x) == 0
    assert_same_places(model, ours.x)
    assert np.allclose(model.pose(ours.x, 1), model.values(np.array(ours.x))[0][1], atol=1e-12)


@built
def test_such_descents_climb_and_are_damped(monkeypatch):
    """The problems of the test above take every branch of the loop."""
    totals, damped, step = [], [], descent.Stepper.__call__

    def noted(self, x, now, damping):
        totals.append(now.cost + 0.5 * float(self.regularisation @ (x - self.reference) ** 2))
        damped.append(damping)
        return step(self, x, now, damping)

    monkeypatch.setattr(descent.Stepper, "__call__", noted)
    climbed = False
    for seed in range(20):
        model, start, *problem = random_problem(seed, False, 0.0, 3.0, 1.0, 8)
        totals.clear()
        descend(StepByStep(model), start, *problem, StoppingCriteria(30, 1e-9, 1e-12))
        climbed |= bool((np.diff(totals) > 0).any())
    assert climbed
    assert any(damped)


@built
def test_the_library_and_numpy_come_to_the_same_place(monkeypatch):
    def found(seed):
        model, start = model_of(seed, smoothness=1.0)
        regularisation, reference = np.ones(model.unknowns), np.zeros(model.unknowns)
        return descend(
            model, start, regularisation, reference, model.handles.box, StoppingCriteria(8)
        )

    ours = [found(seed) for seed in range(4)]
    monkeypatch.setattr(compiled, "library", None)
    for seed, one in enumerate(ours):
        plain = found(seed)
        assert one.iterations == plain.iterations
        assert one.x == pytest.approx(plain.x, abs=1e-5)


@built
def test_a_descent_without_rows_goes_to_rest():
    model, start, regularisation, reference, box = random_problem(1, False, 0.0, 3.0, 1.0, 0)
    found = descended_both_ways(model, start, regularisation, reference, box, StoppingCriteria())
    assert found.converged
    assert found.x == pytest.approx(box.clip(reference), abs=1e-12)


@built
def test_a_descent_without_unknowns_ends_where_it_begins():
    scene = chain_scene()
    target = find_clip(scene, Target())
    held = prepare_pose(scene, target, [TIP], 0.3, Freedom(target.actor, target.take))
    held = held.only(np.zeros(len(held.channels), bool))
    task = PointTask("hand", 0, np.array([0]), np.ones((1, 3)), None, 2.0)
    model, empty = PoseModel(target.take.rig, held, [task]), np.zeros(0)
    found = descended_both_ways(model, empty, empty, empty, Box(empty, empty), StoppingCriteria())
    assert found.converged
    assert found.iterations == 1


@built
@pytest.mark.parametrize("seed", range(10))
def test_poses_descend_alike(seed):
    scene = chain_scene()
    target = find_clip(scene, Target())
    free = Freedom(target.actor, target.take)
    held = prepare_pose(scene, target, [TIP, Point("joint1")], 0.3, free)
    random = np.random.default_rng(seed)
    tasks = [
        PointTask("hand", 0, np.array([0]), random.normal(size=(1, 3)), None, 1e3, saturation=0.1),
        PointTask("floor", 1, np.array([0]), random.normal(size=(1, 3)), None, 1e3, above=True),
    ]
    model = PoseModel(target.take.rig, held, tasks)
    start = random.uniform(-1, 1, len(held.channels))
    reference = np.zeros_like(start)
    ours = descended_both_ways(
        model, start, model.regularisation, reference, model.box, StoppingCriteria(20)
    )
    assert model.places_at(ours.x).position == pytest.approx(
        model.jacobian(ours.x).position, abs=1e-12
    )


class Counted:
    """The library, with its calls counted by name."""

    def __init__(self, library):
        self.library, self.calls = library, Counter()

    def __getattr__(self, name):
        self.calls[name] += 1
        return getattr(self.library, name)


def dragged(moves=6):
    """Where a point is after each move of a drag with a pin."""
    scene = replace(chain_scene(), constraints=(Pin(Point("joint1"), 0, 2),))
    take = scene.characters[0].takes[0]
    start = trail(take, TIP, np.array([0.3])).position[0]
    session = TangentTool().begin(scene, Target(), TangentOptions(tangents="broken"))
    way = np.linspace(0, 0.02, moves + 1)[1:, None] * [1.0, 0.5, 0.2]
    return np.array([session.update(Drag(TIP, 0.3, position=start + d)).drag.position for d in way])


@built
def test_a_move_is_one_compiled_call(monkeypatch):
    counted = Counted(compiled.library)
    monkeypatch.setattr(compiled, "library", counted)
    dragged()
    assert counted.calls["arcwright_descend"] == 6
    assert counted.calls["arcwright_step"] == 0
    assert counted.calls["arcwright_linearise"] == 0


@built
def test_moves_go_the_same_way_without_the_library(monkeypatch):
    ours = dragged()
    monkeypatch.setattr(compiled, "library", None)
    assert ours == pytest.approx(dragged(), abs=1e-6)
