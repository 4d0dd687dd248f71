"""Gate: which runs become sequences of the database."""

from __future__ import annotations

from dataclasses import dataclass

from arcwright.arrays import Floats
from arcwright.tools.autocomplete.hops.energy import WANTED_HOPS, spread
from arcwright.tools.autocomplete.hops.hop_measures import Measures, measure
from arcwright.tools.autocomplete.hops.lamp import Lamp
from arcwright.tools.autocomplete.hops.pose_graph import PoseGraph
from arcwright.tools.autocomplete.hops.simulation import CYCLES, STEP, simulate

FAR, HIGH = 0.25, 0.03  # m: travel and height that the paper's kind of gate asks for


@dataclass(frozen=True)
class Gate:
    """What a good run is."""

    distance: float = 0.05  # m, the shortest hop
    height: float = 0.02  # m, the lowest hop
    uneven: float = 0.15  # standard deviation over mean of distances, heights and flights
    bounce: float = 0.006  # m, the highest bounce between hops
    steepest: float = 0.7  # rad of the base
    slide: float = 0.25  # of the travel
    unrest: float = 0.02  # rad or m in the last moments
    drift: float = 0.2  # how far six cycles may be from three, in distance, height and flight


def faults(measures: Measures, gate: Gate, hops: int = WANTED_HOPS) -> tuple[str, ...]:
    """What keeps a run from being good, by name."""
    if measures.fell or measures.hops != hops:
        return ("fall",) if measures.fell else ("hops",)
    even = max(spread(each, 1e-9) for each in _each_hop(measures))
    checks = {
        "distance": measures.distance.min() >= gate.distance,
        "height": measures.height.min() >= gate.height,
        "uneven": even <= gate.uneven,
        "bounce": measures.bounce <= gate.bounce,
        "tilt": measures.steepest <= gate.steepest and measures.final_tilt <= 0.01,
        "slide": measures.slide <= gate.slide * measures.travel,
        "unrest": measures.unrest <= gate.unrest,
    }
    return tuple(name for name, kept in checks.items() if not kept)


def lasts(lamp: Lamp, graph: PoseGraph, measures: Measures, gate: Gate) -> bool:
    """Whether twice as many cycles, in steps half as long, give twice as many hops of the kind."""
    longer = measure(lamp, simulate(lamp, graph, cycles=2 * CYCLES, step=STEP / 2))
    if faults(longer, gate, 2 * WANTED_HOPS):
        return False
    pairs = zip(_each_hop(measures), _each_hop(longer), strict=True)
    return all(abs(b.mean() / a.mean() - 1) <= gate.drift for a, b in pairs)


def passes_loosely(measures: Measures) -> bool:
    """The paper's gate: a certain distance, a certain height, three hops; numbers are ours."""
    far = measures.travel >= FAR and measures.highest >= HIGH
    return far and measures.hops == WANTED_HOPS and not measures.fell


def _each_hop(measures: Measures) -> tuple[Floats, Floats, Floats]:
    return measures.distance, measures.height, measures.flight
