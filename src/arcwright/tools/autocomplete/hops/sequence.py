"""Sequence: three hops as 93 frames with nine virtual keys, the layout of Zhang (2018), 3.2.

Each hop has 25 frames in the air, evenly between its lift-off and its landing, and 6 frames lie
between a landing and the next lift-off. With the keys themselves that makes 3 * 27 + 2 * 6 = 93
frames, hops begin every 33 frames, and the middles of the flights are frames 13, 46 and 79.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.errors import BadValue
from arcwright.tools.autocomplete.hops.hop_measures import Measures
from arcwright.tools.autocomplete.hops.simulation import Run

HOPS, AIR, GROUND = 3, 25, 6  # hops, frames in the air, frames between hops
PERIOD = AIR + GROUND + 2
FRAMES = HOPS * (AIR + 2) + (HOPS - 1) * GROUND
KEYS = tuple(hop * PERIOD + frame for hop in range(HOPS) for frame in (0, (AIR + 1) // 2, AIR + 1))
"""Frames of lift-off, the middle of the flight, and landing of each hop."""


@dataclass(frozen=True, eq=False)
class Sequence:
    """Three hops, sampled."""

    states: Floats  # (93, 6) m, rad
    time: Floats  # (93,) s, from the first lift-off
    contact: Bools  # (93,)


def sequence_of(run: Run, measures: Measures) -> Sequence:
    """The frames of a run of three hops."""
    if measures.hops != HOPS:
        raise BadValue("run", f"{HOPS} hops", measures.hops)
    moments = frame_steps(measures)
    steps = np.arange(len(run.states))
    columns = [np.interp(moments, steps, column) for column in run.states.T]
    first = np.arange(FRAMES) % PERIOD
    return Sequence(
        states=np.stack(columns, axis=1),
        time=(moments - moments[0]) * run.step,
        contact=(first == 0) | (first > AIR),
    )


def frame_steps(measures: Measures) -> Floats:
    """(93,) the step of the simulation at each frame, with fractions."""
    parts = []
    for hop, (lift, land) in enumerate(zip(measures.lift, measures.land, strict=True)):
        parts.append(np.linspace(lift, land, AIR + 2))
        if hop + 1 < HOPS:
            parts.append(np.linspace(land, measures.lift[hop + 1], GROUND + 2)[1:-1])
    return np.concatenate(parts)
