"""Simulation: a lamp on level ground, from rest, driven by a pose-control graph."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.compiled import library as compiled
from arcwright.compiled.library import address, ints
from arcwright.tools.autocomplete.hops.lamp import Lamp
from arcwright.tools.autocomplete.hops.model import advance
from arcwright.tools.autocomplete.hops.pose_graph import PoseGraph, Schedule, schedule

STEP = 0.002  # s
CYCLES = 3
SETTLING = 1.2  # s at the end, for coming to rest


@dataclass(frozen=True, eq=False)
class Run:
    """What a simulation did; it ends early where the lamp fell."""

    states: Floats  # (T, 6) m, rad: columns of lamp.py
    carrying: Ints  # (T,) points of the sole that carry
    planned: int  # steps it was to take
    step: float  # s

    @property
    def fell(self) -> bool:
        """Whether the lamp fell."""
        return len(self.states) <= self.planned

    @property
    def contact(self) -> Bools:
        """(T,) whether the base is on the ground."""
        return np.asarray(self.carrying > 0)


def simulate(
    lamp: Lamp,
    graph: PoseGraph,
    *,
    cycles: int = CYCLES,
    settling: float = SETTLING,
    step: float = STEP,
) -> Run:
    """Start at rest, run the graph some times, and settle in the pose of rest."""
    plan = schedule(graph, cycles, settling, step)
    states, carrying = run_schedule(lamp, pose_of_rest(lamp), plan, step)
    return Run(states, carrying, plan.steps, step)


def run_schedule(lamp: Lamp, start: Floats, plan: Schedule, step: float) -> tuple[Floats, Ints]:
    """States (T, 6) and carrying points (T,), in C where it was compiled, from rest at `start`."""
    if compiled.library is None:
        return advance(lamp, start, plan, step)
    packed, start = lamp.packed, np.array(start, np.float64)
    until, targets = ints(plan.until), np.array(plan.targets, np.float64)
    states = np.empty((plan.steps + 1, 6))
    carrying = np.empty(plan.steps + 1, np.int64)
    done = compiled.library.arcwright_planar(
        address(packed),
        address(start),
        plan.steps,
        step,
        address(until),
        address(targets),
        address(states),
        address(carrying),
    )
    return states[: done + 1], carrying[: done + 1]


@lru_cache(maxsize=16)
def pose_of_rest(lamp: Lamp) -> Floats:
    """(6,) where the lamp comes to rest with its targets at 0, sagging under its weight."""
    plan = Schedule(np.array([10_000]), np.zeros((1, 3)), 1500)
    state: Floats = run_schedule(lamp, np.zeros(6), plan, STEP)[0][-1].copy()
    state[:3] = 0
    state.setflags(write=False)
    return state
