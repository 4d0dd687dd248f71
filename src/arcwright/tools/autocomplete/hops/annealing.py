"""Simulated annealing over pose-control graphs: the paper's search, and a shaped one."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats
from arcwright.tools.autocomplete.hops.energy import Style, paper_energy, shaped_energy
from arcwright.tools.autocomplete.hops.hop_measures import Measures, measure
from arcwright.tools.autocomplete.hops.lamp import Lamp
from arcwright.tools.autocomplete.hops.pose_graph import STATES, PoseGraph
from arcwright.tools.autocomplete.hops.simulation import simulate

POSES = np.array([[-0.6, 1.0, -0.3], [0.4, -0.5, 0.3], [0.0, 0.3, 0.0], [-0.3, 0.5, 0.0]])
SPREAD = np.array([0.35, 0.45, 0.5])  # rad: leg, neck, head
DURATIONS = np.array([[0.15, 0.4], [0.1, 0.25], [0.1, 0.3], [0.15, 0.5]])  # s
SHORTEST, LONGEST = 0.06, 0.7  # s
PAPER_ITERATIONS, ITERATIONS = 1000, 500
GUESSES = 40  # random graphs, of which the best one starts a shaped search
SETTLING = 0.6  # s, of candidates
EARLY, HOPELESS = 0.3, 4.5  # share of the iterations after which such an energy ends a search


@dataclass(frozen=True, eq=False)
class Found:
    """A graph, what it does, and its energy."""

    graph: PoseGraph
    measures: Measures
    energy: float


@dataclass(frozen=True, eq=False)
class Trace:
    """What happened at one iteration."""

    energy: float  # of the candidate
    current: float
    acceptance: float  # probability
    temperature: float


Watch = Callable[[Trace], None]


@dataclass(frozen=True)
class Annealing:
    """How a search moves; temperatures and neighbours follow the share of iterations done."""

    evaluate: Callable[[PoseGraph], Found]
    neighbour: Callable[[PoseGraph, float], PoseGraph]
    temperature: Callable[[float], float]
    iterations: int
    hopeless: float = math.inf  # energy that is given up early


def paper_search(
    lamp: Lamp,
    seed: tuple[int, ...],
    watch: Watch | None = None,
    iterations: int = PAPER_ITERATIONS,
) -> Found:
    """The search of Zhang (2018), 3.1.4: temperature 2 · 0.999307^K, weight drawn at random."""
    random = np.random.default_rng(seed)
    weight = random.uniform()

    def evaluate(graph: PoseGraph) -> Found:
        measures = measure(lamp, simulate(lamp, graph))
        return Found(graph, measures, paper_energy(measures, weight))

    def neighbour(graph: PoseGraph, _: float) -> PoseGraph:
        durations, targets = graph.durations.copy(), graph.targets.copy()
        durations[random.integers(STATES)] += random.choice((-0.007, 0.007))
        targets[range(STATES), random.integers(3, size=STATES)] += random.choice(
            (-0.5, 0.5), size=STATES
        )
        return _within(lamp, durations, targets)

    def temperature(done: float) -> float:
        return float(2 * 0.999307 ** (done * PAPER_ITERATIONS))

    start = evaluate(first_guess(lamp, random))
    plan = Annealing(evaluate, neighbour, temperature, iterations)
    return anneal(plan, start, random, watch)


def shaped_search(
    lamp: Lamp, seed: tuple[int, ...], iterations: int = ITERATIONS, watch: Watch | None = None
) -> tuple[Found, Style]:
    """A search for one style: terms for faults, colder and colder, in smaller and smaller steps."""
    random = np.random.default_rng(seed)
    style = Style.drawn(random)

    def evaluate(graph: PoseGraph) -> Found:
        measures = measure(lamp, simulate(lamp, graph, settling=SETTLING))
        return Found(graph, measures, shaped_energy(measures, style, graph.period))

    def neighbour(graph: PoseGraph, done: float) -> PoseGraph:
        durations, targets = graph.durations.copy(), graph.targets.copy()
        size = 1.0 - 0.85 * done
        durations[random.integers(STATES)] += 0.04 * size * random.normal()
        moved = random.uniform(size=STATES) < 0.5
        targets[moved, random.integers(3, size=STATES)[moved]] += (
            0.25 * size * random.normal(size=STATES)[moved]
        )
        return _within(lamp, durations, targets)

    def temperature(done: float) -> float:
        return float(0.15 * 0.01**done)

    guesses = [evaluate(first_guess(lamp, random)) for _ in range(GUESSES)]
    start = min(guesses, key=lambda each: each.energy)
    plan = Annealing(evaluate, neighbour, temperature, iterations, HOPELESS)
    return anneal(plan, start, random, watch), style


def first_guess(lamp: Lamp, random: np.random.Generator) -> PoseGraph:
    """A crouch, a stretch, a tuck in the air and a landing, each far from certain."""
    durations = random.uniform(DURATIONS[:, 0], DURATIONS[:, 1])
    return _within(lamp, durations, POSES + SPREAD * random.normal(size=POSES.shape))


def _within(lamp: Lamp, durations: Floats, targets: Floats) -> PoseGraph:
    return PoseGraph(np.clip(durations, SHORTEST, LONGEST), np.clip(targets, lamp.low, lamp.high))


def anneal(
    plan: Annealing, start: Found, random: np.random.Generator, watch: Watch | None = None
) -> Found:
    """The graph of the least energy that was found."""
    best = current = start
    for number in range(plan.iterations):
        done = number / plan.iterations
        if done >= EARLY and best.energy > plan.hopeless:
            break
        heat = plan.temperature(done)
        other = plan.evaluate(plan.neighbour(current.graph, done))
        rise = other.energy - current.energy
        chance = 1.0 if rise < 0 else math.exp(-rise / heat)
        if random.uniform() < chance:
            current = other
        if current.energy < best.energy:
            best = current
        if watch is not None:
            watch(Trace(other.energy, current.energy, chance, heat))
    return best
