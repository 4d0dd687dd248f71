"""Measures of a simulated run: its hops, and how evenly and quietly it hops and comes to rest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.tools.autocomplete.hops.lamp import Lamp
from arcwright.tools.autocomplete.hops.simulation import Run

HOP = 0.012  # m above ground from which a flight is a hop
BOUNCE = 0.0015  # m from which a flight is a bounce
LAST = 0.2  # s at the end that must be calm


@dataclass(frozen=True, eq=False)
class Measures:
    """What energies and checks look at; arrays have an entry for each hop."""

    lift: Ints  # (H,) last step on the ground
    land: Ints  # (H,) first step on it again
    distance: Floats  # (H,) m
    height: Floats  # (H,) m, of the sole's lowest point
    flight: Floats  # (H,) s
    lean: Floats  # (H,) rad, of the line from base to head in the air, forward above 0
    tilt_at_landing: Floats  # (H,) rad
    tilt: float  # rad, mean of the base on the ground
    steepest: float  # rad, of the base at any time
    bounce: float  # m, the highest flight that is no hop
    bouncing: float  # s of such flights
    slide: float  # m of the base on the ground
    travel: float  # m, from start to end
    highest: float  # m, of the base's joint
    share: float  # of the planned time before it fell
    fell: bool
    unrest: float  # rad or m, change within the last moments
    final_tilt: float  # rad

    @property
    def hops(self) -> int:
        """How many hops there are."""
        return len(self.lift)


def measure(lamp: Lamp, run: Run) -> Measures:
    """Measure a run."""
    states, contact = run.states, run.contact
    reach = float(np.abs(lamp.foot[:, 0]).max())
    tilt = np.abs(states[:, 2])
    low = states[:, 1] - reach * np.sin(np.minimum(tilt, np.pi / 2))
    lift, land = _flights(contact)
    peak = np.array([low[a : b + 1].max() for a, b in zip(lift, land, strict=True)])
    hop = peak > HOP if len(peak) else np.zeros(0, np.bool_)
    small = ~hop & (peak > BOUNCE) if len(peak) else hop
    bouncing = float((land - lift)[small].sum()) * run.step
    own_lift, own_land = lift[hop], land[hop]
    still = contact[1:] & contact[:-1]
    tail = states[-max(round(LAST / run.step), 2) :]
    return Measures(
        lift=own_lift,
        land=own_land,
        distance=states[own_land, 0] - states[own_lift, 0],
        height=peak[hop] if len(peak) else np.zeros(0),
        flight=np.asarray((own_land - own_lift) * run.step, np.float64),
        lean=_lean(lamp, states, own_lift, own_land),
        tilt_at_landing=tilt[own_land],
        tilt=float(tilt[contact].mean()),
        steepest=float(tilt.max()),
        bounce=float(peak[~hop].max()) if len(peak) and not hop.all() else 0.0,
        bouncing=bouncing,
        slide=float(np.abs(np.diff(states[:, 0]))[still].sum()),
        travel=float(states[-1, 0] - states[0, 0]),
        highest=float(states[:, 1].max()),
        share=(len(states) - 1) / run.planned,
        fell=run.fell,
        unrest=float(np.ptp(tail, axis=0).max()),
        final_tilt=float(tilt[-1]),
    )


def _flights(contact: Bools) -> tuple[Ints, Ints]:
    """Last steps on the ground, and first ones on it again or the end."""
    change = np.diff(contact.astype(np.int8))
    lift, land = np.flatnonzero(change < 0), np.flatnonzero(change > 0) + 1
    if len(land) < len(lift):
        land = np.append(land, len(contact) - 1)
    return lift, land


def _lean(lamp: Lamp, states: Floats, lift: Ints, land: Ints) -> Floats:
    """(H,) rad, in the middle of each flight."""
    angle = np.cumsum(states[(lift + land) // 2, 2:5], axis=1)  # (H, 3) base, leg, neck
    sine, cosine = np.sin(angle), np.cos(angle)
    x, y = lamp.hinge[:3, 0], lamp.hinge[:3, 1]
    lean: Floats = np.arctan2(
        (x * cosine + y * sine)[:, 1:].sum(axis=1), (y * cosine - x * sine)[:, 1:].sum(axis=1)
    )
    return lean
