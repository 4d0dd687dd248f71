"""How good and how different the sequences of a hop database are.

    python benchmarks/hops_spread.py HOPS.npz

Simulates every policy again and checks it; spreads are 5th percentile, median, 95th percentile.
Differences are rms over frames and columns, relative to the typical ranges of the columns.
"""

from __future__ import annotations

import sys

import one_thread  # noqa: F401

# isort: split
import numpy as np

from arcwright.tools.autocomplete.hops.database import HopDatabase, read_database
from arcwright.tools.autocomplete.hops.gate import Gate, faults, lasts
from arcwright.tools.autocomplete.hops.hop_measures import Measures, measure
from arcwright.tools.autocomplete.hops.lamp import COLUMNS, Lamp
from arcwright.tools.autocomplete.hops.pose_graph import graph_of
from arcwright.tools.autocomplete.hops.selection import RANGES, differences, nearest
from arcwright.tools.autocomplete.hops.sequence import sequence_of
from arcwright.tools.autocomplete.hops.simulation import simulate

LAMP = Lamp()


def main() -> None:
    hops = read_database(sys.argv[1])
    measures = check(hops)
    period = [float(np.diff(each.lift).mean()) * 0.002 for each in measures]
    show("distance of a hop, m", [float(each.distance.mean()) for each in measures])
    show("height of a hop, m", [float(each.height.mean()) for each in measures])
    show("period, s", period)
    show("time in the air, s", [float(each.flight.mean()) for each in measures])
    show("lean in the air, rad", [float(each.lean.mean()) for each in measures])
    apart = differences(hops.states, hops.states)
    show("difference of two sequences, %", 100 * apart[np.triu_indices(len(hops), 1)])
    near = 100 * nearest(hops.states)
    show("difference from the nearest, %", near)
    print(f"{'least of them, %':32} {near.min():8.2f}")
    print(f"{len(set(hops.run.tolist()))} search runs for {len(hops)} sequences")
    for name, typical, column in zip(COLUMNS, RANGES, hops.states.T, strict=True):
        print(f"{name}: {column.min():.3f} to {column.max():.3f}, typical range {typical:g}")


def check(hops: HopDatabase) -> list[Measures]:
    """Measures of all sequences; prints how many keep what they promise."""
    found, good, lasting, again = [], 0, 0, 0
    for row in range(len(hops)):
        graph = graph_of(hops.policy[row].astype(float))
        run = simulate(LAMP, graph)
        own = measure(LAMP, run)
        good += not faults(own, Gate())
        lasting += lasts(LAMP, graph, own, Gate())
        states = sequence_of(run, own).states.astype(np.float32)
        again += bool(np.array_equal(states, hops.states[row]))
        found.append(own)
    print(f"{len(hops)} sequences: {good} with three even hops that end at rest, {lasting} go on")
    print(f"for six cycles in half steps, {again} are exactly what their policy makes")
    return found


def show(name: str, values: list[float] | np.ndarray) -> None:
    low, middle, high = np.percentile(values, [5, 50, 95])
    print(f"{name:32} {low:8.3f} {middle:8.3f} {high:8.3f}")


if __name__ == "__main__":
    main()
