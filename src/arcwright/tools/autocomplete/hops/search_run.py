"""Search run: one search, and the sequence it adds to a database if it is good."""

from __future__ import annotations

from collections.abc import Sequence as Many
from dataclasses import dataclass

import numpy as np

from arcwright.tools.autocomplete.hops.annealing import Found, paper_search, shaped_search
from arcwright.tools.autocomplete.hops.database import HopDatabase
from arcwright.tools.autocomplete.hops.gate import Gate, faults, lasts, passes_loosely
from arcwright.tools.autocomplete.hops.hop_measures import Measures, measure
from arcwright.tools.autocomplete.hops.lamp import Lamp
from arcwright.tools.autocomplete.hops.pose_graph import SIZE, PoseGraph, graph_of
from arcwright.tools.autocomplete.hops.sequence import FRAMES, KEYS, Sequence, sequence_of
from arcwright.tools.autocomplete.hops.simulation import simulate

SEARCHES = ("shaped", "paper")
NOT_REPEATED = "repetition"  # the fault of a run that does not go on as it began


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a search run came to."""

    run: int
    graph: PoseGraph  # rounded as a database keeps it, so that it can be simulated again
    measures: Measures
    faults: tuple[str, ...]  # none where it is good
    loosely: bool  # whether it passes the paper's kind of gate
    sequence: Sequence | None


def search_run(lamp: Lamp, seed: int, run: int, search: str = "shaped") -> Outcome:
    """Search with random numbers of its own, simulate what was found again, and check it."""
    best = _search(lamp, (seed, run), search)
    graph = graph_of(best.graph.numbers.astype(np.float32).astype(np.float64))
    simulated = simulate(lamp, graph)
    measures, gate = measure(lamp, simulated), Gate()
    found = faults(measures, gate)
    if not found and not lasts(lamp, graph, measures, gate):
        found = (NOT_REPEATED,)
    sequence = None if found else sequence_of(simulated, measures)
    return Outcome(run, graph, measures, found, passes_loosely(measures), sequence)


def _search(lamp: Lamp, seed: tuple[int, int], search: str) -> Found:
    if search == "paper":
        return paper_search(lamp, seed)
    return shaped_search(lamp, seed)[0]


def database_of(outcomes: Many[Outcome]) -> HopDatabase:
    """The sequences of good runs."""
    good = [(each, each.sequence) for each in outcomes if each.sequence is not None]
    return HopDatabase(
        states=np.array([own.states for _, own in good]).reshape(-1, FRAMES, 6),
        time=np.array([own.time for _, own in good]).reshape(-1, FRAMES),
        contact=np.array([own.contact for _, own in good]).reshape(-1, FRAMES),
        keys=np.tile(KEYS, (len(good), 1)),
        run=np.array([each.run for each, _ in good]),
        policy=np.array([each.graph.numbers for each, _ in good]).reshape(-1, SIZE),
    )
