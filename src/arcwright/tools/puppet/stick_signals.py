"""Stick signals: what a state machine sees of the stick that holds a puppet."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from arcwright.arrays import Floats
from arcwright.tools.puppet.state_machine import Signals


def held_signals(
    seen: Signals, velocity: Floats, lift: float, ahead: Floats, crouch: float, *, undecided: bool
) -> Signals:
    """Signals with those of a stick: its velocity (3,), its lift, m, and the way of a jump (3,)."""
    over_ground = velocity * [1, 0, 1]
    speed = float(np.linalg.norm(over_ground))
    straight = float(ahead @ over_ground) / max(speed, 1e-9) if ahead.any() else 1.0
    return replace(
        seen,
        held=True,
        lift=lift,
        rise=float(velocity[1]),
        speed=speed,
        straight=straight,
        crouch=crouch,
        undecided=undecided,
    )
