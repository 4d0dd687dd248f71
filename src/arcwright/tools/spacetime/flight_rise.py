"""Flight rise: while timing adapts, the body keeps to a parabola in the air, of any height.

A higher jump takes longer. At the old times its path is the old parabola plus a free multiple of
another one, which is 0 at take-off and landing; slowed down it falls as before (`Flight.stretch`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.flights import Flight, find_flights
from arcwright.kinematics.forward import forward
from arcwright.scene.rig import Rig
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.motion_constraint import FLIGHT, MotionConstraint
from arcwright.tools.spacetime.stiffness import MassPoints
from arcwright.tools.spacetime.terms import (
    MIN_FLIGHT_SAMPLES,
    MOTION_CONSTRAINT_WEIGHT,
    NONE,
    Term,
)

if TYPE_CHECKING:
    from arcwright.tools.spacetime.tool import SpacetimeOptions

FEET_WEIGHT = 3.0  # per m^2, with which feet keep their place below the body in the air


def edited_flights(
    rig: Rig,
    mass: MassPoints,
    times: Floats,
    values: Floats,
    drags: Sequence[Drag],
    constraints: Sequence[MotionConstraint],
    options: SpacetimeOptions,
) -> tuple[Flight, ...]:
    """The flights whose height an edit may change, from values (T, C) at frames (T,).

    Automatically those in which a point is dragged. Flights with a constraint of their own are left
    to it.
    """
    held = [drag.time for drag in drags if drag.position is not None]
    if options.adapt_timing == "off" or not held:
        return ()
    own = [(each.start, each.end) for each in constraints if each.kind == FLIGHT]
    return tuple(
        each
        for each in find_flights(times, centre_heights(rig, mass, values))
        if (options.adapt_timing == "on" or any(each.start <= t <= each.end for t in held))
        and not any(start < each.end and end > each.start for start, end in own)
        and ((times >= each.start) & (times <= each.end)).sum() >= MIN_FLIGHT_SAMPLES
    )


def centre_heights(rig: Rig, mass: MassPoints, values: Floats) -> Floats:
    """(T,) m, heights of the centre of mass."""
    joints, slots = np.unique(mass.points.joints, return_inverse=True)
    world = forward(rig, values, joints.tolist())[:, :, 1]
    height: Floats = np.einsum("tpi,pi->tp", world[:, slots, :3], mass.points.offsets) @ mass.share
    return height + world[:, slots, 3] @ mass.share


def carried_feet(
    flights: Sequence[Flight], body: int, feet: Sequence[int], times: Floats, paths: Floats
) -> list[Term]:
    """Feet in the air stay about where they were below the body.

    Stretched at take-off and landing, legs would cross between them.
    """
    share = sum((each.profile(times) for each in flights), np.zeros(len(times)))
    nobody = np.full(len(times), NONE)
    return [
        Term("position", at, paths[:, at] - paths[:, body], FEET_WEIGHT * share, nobody, other=body)
        for at in (feet if share.any() else ())
    ]


def rise_terms(
    flights: Sequence[Flight], body: int, times: Floats, paths: Floats, offset: int
) -> list[Term]:
    """One term for each flight, with one free offset: how much higher the body is half-way.

    `body` is the point that carries the body, `offset` the first free offset.
    """
    found = []
    for at, flight in enumerate(flights):
        inside = (times >= flight.start - 1e-9) & (times <= flight.end + 1e-9)
        weight = MOTION_CONSTRAINT_WEIGHT * inside.astype(np.float64)
        free = np.where(inside, offset + at, NONE)[:, None]
        nobody = np.full(len(times), NONE)
        profile = flight.profile(times)
        found.append(
            Term("rise", body, paths[:, body], weight, nobody, offset=free, profile=profile)
        )
    return found
