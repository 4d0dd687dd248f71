"""The lamp's simulator: mechanics that must hold, its reference in NumPy, and another engine."""

from dataclasses import replace

import numpy as np
import pytest

from arcwright.characters import built_in
from arcwright.compiled import library as compiled
from arcwright.kinematics.forward import forward
from arcwright.tools.autocomplete.hops.annealing import first_guess
from arcwright.tools.autocomplete.hops.hop_measures import measure
from arcwright.tools.autocomplete.hops.lamp import Lamp
from arcwright.tools.autocomplete.hops.lamp_take import take_of
from arcwright.tools.autocomplete.hops.model import advance, dynamics, turned
from arcwright.tools.autocomplete.hops.pose_graph import Schedule, schedule
from arcwright.tools.autocomplete.hops.simulation import (
    STEP,
    pose_of_rest,
    run_schedule,
    simulate,
)
from hopping import GRAPH
from mujoco_lamp import HAS_MUJOCO, mujoco_run

LAMP = Lamp()
HIGH = np.array([0.0, 2.0, 0.0, 0.1, -0.2, 0.3])  # m, rad: in the air
BUILT = pytest.mark.skipif(compiled.library is None, reason="nothing was compiled at install")


def limp(steps, start=HIGH, lamp=LAMP):
    """Run without motors."""
    loose = replace(lamp, stiffness=np.zeros(3), damping=np.zeros(3))
    plan = Schedule(np.array([steps + 1]), np.zeros((1, 3)), steps)
    return run_schedule(loose, np.asarray(start, float), plan, 0.0005)[0]


def centre_of_mass(states):
    """(T, 2) m."""
    angles = states[:, 2:3] + np.cumsum(np.insert(states[:, 3:], 0, 0, axis=1), axis=1)
    place, total = states[:, :2].copy(), np.zeros((len(states), 2))
    for link in range(4):
        own = np.repeat(LAMP.centre[link][None], len(states), axis=0)
        total += LAMP.mass[link] * (place + turned(own, angles[:, link]))
        place += turned(np.repeat(LAMP.hinge[link][None], len(states), axis=0), angles[:, link])
    return total / LAMP.mass.sum()


def test_the_lamp_has_the_proportions_of_the_character():
    rig = built_in("lamp").characters[0].rig
    states = np.array([[0.3, 0.2, 0.2, -0.5, 0.8, 0.4], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]])
    world = forward(rig, take_of(rig, states).base.values)
    joints = [rig.names.index(name) for name in ("Base", "LowerArm", "UpperArm", "Shade")]
    angles = states[:, 2:3] + np.cumsum(np.insert(states[:, 3:], 0, 0, axis=1), axis=1)
    place = states[:, :2].copy()
    for link, joint in enumerate(joints):
        own = world[:, joint, :3, 3]
        assert np.allclose(np.stack([own[:, 2], own[:, 1]], axis=1), place, atol=1e-9)
        place += turned(np.repeat(LAMP.hinge[link][None], len(states), axis=0), angles[:, link])
    table = rig.channels
    for joint, low, high in zip(joints[1:], LAMP.low, LAMP.high, strict=True):
        row = (table.joint == joint) & (table.kind == 3)
        assert (table.low[row], table.high[row]) == (
            pytest.approx(low, abs=1e-4),
            pytest.approx(high, abs=1e-4),
        )


def test_in_the_air_the_centre_of_mass_falls_as_a_point_does():
    run = simulate_in_air(0.4)
    time = 0.0005 * np.arange(len(run))
    centre = centre_of_mass(run)
    # a semi-implicit step is half a step ahead: first order in the step
    fallen = centre[0, 1] - 0.5 * LAMP.gravity * time * (time + 0.0005)
    assert np.allclose(centre[:, 1], fallen, atol=1e-3)
    assert np.allclose(centre[:, 0], centre[0, 0], atol=1e-3)


def simulate_in_air(seconds):
    plan = schedule(GRAPH, 1, 0.0, 0.0005)
    steps = round(seconds / 0.0005)
    return run_schedule(LAMP, HIGH, replace(plan, steps=steps), 0.0005)[0]


def test_a_limp_lamp_in_the_air_keeps_its_energy():
    states = limp(600)
    speed = np.diff(states, axis=0) / 0.0005
    energies = []
    for state, rate in zip(states[1:], speed, strict=True):
        q = np.concatenate([state[:3], state[2] + np.cumsum(state[3:])])
        v = np.concatenate([rate[:3], rate[2] + np.cumsum(rate[3:])])
        _, matrix, _ = dynamics(LAMP, q, v)
        height = centre_of_mass(state[None])[0, 1]
        energies.append(0.5 * v @ matrix @ v + LAMP.mass.sum() * LAMP.gravity * height)
    assert np.ptp(energies) < 0.005 * LAMP.mass.sum() * LAMP.gravity * 1.0


def test_forces_are_what_the_mass_matrix_says():
    """Lagrange's equation: M' v - d(v M v / 2)/dq, by finite differences."""
    random = np.random.default_rng(3)
    weightless = replace(LAMP, gravity=0.0)
    for _ in range(5):
        q, v = random.normal(size=6), random.normal(size=6)

        def matrix(q, v=v):
            return dynamics(weightless, q, v)[1]

        each = 1e-6 * np.eye(6)
        slopes = np.array([(matrix(q + d) - matrix(q - d)) / 2e-6 for d in each])  # (6, 6, 6)
        expected = 0.5 * np.einsum("kij,i,j->k", slopes, v, v) - np.einsum(
            "kij,k,j->i", slopes, v, v
        )
        assert np.allclose(dynamics(weightless, q, v)[2], expected, atol=1e-6)


def test_at_rest_it_stays_where_it_is():
    plan = Schedule(np.array([501]), np.zeros((1, 3)), 500)
    states, carrying = run_schedule(LAMP, pose_of_rest(LAMP), plan, STEP)
    assert np.abs(states - states[0]).max() < 2e-3
    assert (carrying[-100:] > 0).all()


def test_the_sole_neither_sinks_nor_slides_at_rest_on_rough_ground_and_slides_on_ice():
    start = pose_of_rest(LAMP).copy()
    plan = Schedule(np.array([301]), np.array([[0.5, -0.3, 0.0]]), 300)
    rough, _ = run_schedule(LAMP, start, plan, STEP)
    ice, _ = run_schedule(replace(LAMP, friction=0.0), start, plan, STEP)
    reach = LAMP.foot[1, 0] * np.sin(np.abs(rough[:, 2]))
    assert (rough[:, 1] - reach).min() > -0.001
    assert np.abs(rough[:60, 0]).max() < 0.002 < np.abs(ice[:60, 0]).max()
    assert np.ptp(centre_of_mass(ice)[:, 0]) < 2e-3  # nothing pushes it sideways


def test_torques_stay_within_the_strongest():
    """In weightless air, a motor with little torque is slower than one with much."""
    plan = Schedule(np.array([51]), np.array([[0.9, 0.0, 0.0]]), 50)
    weightless = replace(LAMP, gravity=0.0)
    weak = replace(weightless, strongest=np.full(3, 0.05))
    strong, slow = (run_schedule(each, HIGH, plan, STEP)[0] for each in (weightless, weak))
    assert strong[-1, 3] - HIGH[3] > 4 * (slow[-1, 3] - HIGH[3]) > 0


def test_a_lamp_that_leans_too_far_has_fallen():
    plan = Schedule(np.array([3001]), np.array([[1.04, 1.6, 1.0]]), 3000)
    states, _ = run_schedule(LAMP, pose_of_rest(LAMP), plan, STEP)
    assert len(states) < 3001


@BUILT
def test_compiled_steps_are_those_of_the_reference():
    random = np.random.default_rng(0)
    for graph in [GRAPH, *(first_guess(LAMP, random) for _ in range(2))]:
        plan = schedule(graph, 1, 0.0, STEP)
        states, carrying = run_schedule(LAMP, pose_of_rest(LAMP), plan, STEP)
        expected, feet = advance(LAMP, pose_of_rest(LAMP), plan, STEP)
        assert len(states) == len(expected)
        assert np.abs(states - expected).max() < 1e-9
        assert np.array_equal(carrying, feet)


def test_the_result_hardly_depends_on_the_step():
    coarse, fine = (measure(LAMP, simulate(LAMP, GRAPH, step=step)) for step in (STEP, STEP / 2))
    assert np.allclose(coarse.distance, fine.distance, rtol=0.03)
    assert np.allclose(coarse.height, fine.height, rtol=0.06)


@pytest.mark.skipif(not HAS_MUJOCO, reason="needs MuJoCo")
def test_another_engine_moves_the_lamp_alike():
    own = simulate(LAMP, GRAPH, cycles=1, settling=0.5, step=0.0005)
    other = mujoco_run(LAMP, GRAPH, cycles=1, settling=0.5, every=1)
    a, b = measure(LAMP, own), measure(LAMP, other)
    assert a.hops == b.hops == 1
    assert b.distance[0] == pytest.approx(a.distance[0], rel=0.15)
    assert b.height[0] == pytest.approx(a.height[0], rel=0.15)
    assert not b.fell


@pytest.mark.skipif(not HAS_MUJOCO, reason="needs MuJoCo")
def test_another_engine_agrees_closely_without_contact():
    plan = schedule(GRAPH, 1, 0.0, 0.0005)
    own = run_schedule(LAMP, HIGH, replace(plan, steps=600), 0.0005)[0]
    short = replace(GRAPH, durations=np.array([0.13, 0.06, 0.1, 0.01]))
    other = mujoco_run(LAMP, short, cycles=1, settling=0.0, every=1, start=HIGH)
    count = min(len(own), len(other.states), 560)
    assert np.abs(own[:count] - other.states[:count]).max() < 0.02
