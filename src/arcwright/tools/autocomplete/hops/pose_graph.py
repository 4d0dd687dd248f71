"""Pose-control graph: a cycle of four target poses of the joints, each held for some time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats, Ints, frozen
from arcwright.errors import BadValue

STATES = 4
SIZE = STATES * 4  # numbers of a graph: durations, then targets


@dataclass(frozen=True, eq=False)
class PoseGraph:
    """The policy of a lamp: joints are driven to one target after the other, over and over."""

    durations: Floats  # (4,) s
    targets: Floats  # (4, 3) rad: leg, neck, head

    def __post_init__(self) -> None:
        for name, shape in (("durations", (STATES,)), ("targets", (STATES, 3))):
            object.__setattr__(self, name, frozen(getattr(self, name), f"PoseGraph.{name}", shape))
        if self.durations.min() <= 0:
            raise BadValue("PoseGraph.durations", "seconds above 0", self.durations.min())

    @property
    def period(self) -> float:
        """Seconds of one cycle."""
        return float(self.durations.sum())

    @property
    def numbers(self) -> Floats:
        """(16,) durations, s, then targets, rad."""
        return np.concatenate([self.durations, self.targets.ravel()])


def graph_of(numbers: Floats) -> PoseGraph:
    """The graph with these numbers (16,), as a database keeps them."""
    row = np.asarray(numbers, np.float64)
    if row.shape != (SIZE,):
        raise BadValue("policy", f"{SIZE} numbers", row.shape)
    return PoseGraph(row[:STATES], row[STATES:].reshape(STATES, 3))


@dataclass(frozen=True, eq=False)
class Schedule:
    """Which target drives the joints at which step of a simulation."""

    until: Ints  # (P,) steps, rising; the last one is after the end
    targets: Floats  # (P, 3) rad
    steps: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "until", frozen(self.until, "Schedule.until", ("P",), np.int64))
        object.__setattr__(self, "targets", frozen(self.targets, "Schedule.targets", ("P", 3)))
        if len(self.until) != len(self.targets):
            raise BadValue("Schedule.targets", f"{len(self.until)} rows", len(self.targets))
        if self.steps < 0 or not len(self.until) or self.until[-1] <= self.steps:
            raise BadValue("Schedule.until", f"a last step above {self.steps}", self.until)


def schedule(graph: PoseGraph, cycles: int, settling: float, step: float) -> Schedule:
    """Cycles of a graph, then the pose of rest for `settling` seconds."""
    ends = np.round(np.cumsum(np.tile(graph.durations, cycles)) / step).astype(np.int64)
    steps = int(ends[-1]) + round(settling / step)
    targets = np.concatenate([np.tile(graph.targets, (cycles, 1)), np.zeros((1, 3))])
    return Schedule(np.append(ends, steps + 1), targets, steps)
