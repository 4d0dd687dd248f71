"""Variations: policies that are reached from those of a database and hop as well: more examples.

A random walk through the space of policies, each step of which must pass the gate of the search;
every eighth is kept. A variation belongs to the search run that its walk came from, so that splits
by run keep walks apart.

    python -m arcwright.tools.autocomplete.train.variations HOPS.npz OUT.npz --each 20
"""

from __future__ import annotations

import argparse
import sys
import time

import numpy as np

from arcwright.arrays import Floats
from arcwright.tools.autocomplete.hops.database import (
    HopDatabase,
    read_database,
    write_database,
)
from arcwright.tools.autocomplete.hops.gate import Gate, faults, lasts
from arcwright.tools.autocomplete.hops.hop_measures import measure
from arcwright.tools.autocomplete.hops.lamp import Lamp
from arcwright.tools.autocomplete.hops.pose_graph import STATES, graph_of
from arcwright.tools.autocomplete.hops.search_run import Outcome, database_of
from arcwright.tools.autocomplete.hops.sequence import sequence_of
from arcwright.tools.autocomplete.hops.simulation import simulate

STEP = 0.2  # standard deviation of a step: share of durations, rad of targets
EVERY = 8  # steps of a walk between those that are kept
SHORTEST, LONGEST = 0.06, 0.7  # s of a state
TRIES = 40  # steps tried for each variation


def joined(parts: list[HopDatabase]) -> HopDatabase:
    """The sequences of several databases, one after the other."""
    return HopDatabase(
        states=np.concatenate([part.states for part in parts]),
        time=np.concatenate([part.time for part in parts]),
        contact=np.concatenate([part.contact for part in parts]),
        keys=np.concatenate([part.keys for part in parts]),
        run=np.concatenate([part.run for part in parts]),
        policy=np.concatenate([part.policy for part in parts]),
    )


def varied(hops: HopDatabase, each: int, seed: int = 0) -> HopDatabase:
    """Up to `each` variations of every sequence, fewer where a walk finds no way on."""
    lamp, gate = Lamp(), Gate()
    outcomes = []
    for row, run in enumerate(hops.run):
        draw = np.random.default_rng((seed, row))
        policy = np.asarray(hops.policy[row], np.float64)
        for step in range(1, EVERY * each + 1):
            outcome = _next(lamp, gate, policy, int(run), draw)
            if outcome is None:
                break
            policy = outcome.graph.numbers
            if step % EVERY == 0:
                outcomes.append(outcome)
    return database_of(outcomes)


def _next(
    lamp: Lamp, gate: Gate, policy: Floats, run: int, draw: np.random.Generator
) -> Outcome | None:
    """The first of some random steps from a policy that is good."""
    for _ in range(TRIES):
        numbers = _stepped(lamp, policy, draw).astype(np.float32).astype(np.float64)
        graph = graph_of(numbers)
        simulated = simulate(lamp, graph)
        measures = measure(lamp, simulated)
        if not faults(measures, gate) and lasts(lamp, graph, measures, gate):
            return Outcome(run, graph, measures, (), True, sequence_of(simulated, measures))
    return None


def _stepped(lamp: Lamp, policy: Floats, draw: np.random.Generator) -> Floats:
    size = STEP * draw.uniform(0.2, 1.0)
    numbers = policy + size * draw.normal(size=len(policy)) * (draw.random(len(policy)) < 0.5)
    durations = policy[:STATES] * (numbers[:STATES] - policy[:STATES] + 1)
    targets = np.clip(numbers[STATES:].reshape(STATES, 3), lamp.low, lamp.high)
    return np.concatenate([np.clip(durations, SHORTEST, LONGEST), targets.ravel()])


def main(words: list[str]) -> None:
    """Write a database with its variations."""
    parser = argparse.ArgumentParser("variations")
    parser.add_argument("hops")
    parser.add_argument("out")
    parser.add_argument("--each", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(words)
    hops, start = read_database(given.hops), time.process_time()
    whole = joined([hops, varied(hops, given.each, given.seed)])
    write_database(whole, given.out)
    more, seconds = len(whole) - len(hops), time.process_time() - start
    print(f"{given.out}: {len(hops)} sequences, {more} variations in {seconds:.0f} s of CPU")  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
