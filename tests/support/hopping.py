"""A pose-control graph whose lamp makes three good hops, and small databases made of it."""

from __future__ import annotations

import numpy as np

from arcwright.tools.autocomplete.hops.database import HopDatabase
from arcwright.tools.autocomplete.hops.hop_measures import measure
from arcwright.tools.autocomplete.hops.lamp import Lamp
from arcwright.tools.autocomplete.hops.pose_graph import PoseGraph
from arcwright.tools.autocomplete.hops.sequence import KEYS, sequence_of
from arcwright.tools.autocomplete.hops.simulation import simulate

GRAPH = PoseGraph(
    [0.13, 0.06, 0.33, 0.21],
    [[-0.26, 0.89, -1.19], [0.04, -0.87, 0.5], [-0.55, 0.91, 0.22], [-0.39, 0.64, 0.03]],
)


def database(count: int = 3) -> HopDatabase:
    """Sequences that go farther and farther."""
    lamp = Lamp()
    run = simulate(lamp, GRAPH)
    one = sequence_of(run, measure(lamp, run))
    states = np.repeat(one.states[None], count, axis=0)
    states[:, :, 0] *= np.linspace(1.0, 2.0, count)[:, None]
    return HopDatabase(
        states=states,
        time=np.tile(one.time, (count, 1)),
        contact=np.tile(one.contact, (count, 1)),
        keys=np.tile(KEYS, (count, 1)),
        run=np.arange(count),
        policy=np.tile(GRAPH.numbers, (count, 1)),
    )
