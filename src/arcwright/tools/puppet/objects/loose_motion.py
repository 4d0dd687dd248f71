"""Loose motion: props that nothing holds fall, bounce a little, roll or slide, and come to rest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arcwright.arrays import Floats
from arcwright.tools.puppet.jump import GRAVITY
from arcwright.tools.puppet.objects.movable import Movable, Placement, extent, radius, support
from arcwright.tools.puppet.terrain import Ground

BOUNCE = 0.3  # of the speed at which it hits the ground
LEAST_BOUNCE = 0.5  # m/s: slower ones do not bounce
ROLLS = 0.9  # m/s² by which a ball becomes slower
SLIDES = 5.0  # m/s² by which anything else does
UP = np.array([0.0, 1.0, 0.0])


def loose_step(
    movable: Movable,
    placed: Placement,
    velocity: Floats,
    others: Sequence[tuple[Movable, Placement]],
    ground: Ground,
    seconds: float,
) -> tuple[Placement, Floats]:
    """Where a prop is after some seconds, and its velocity (3,) m/s."""
    x, _, z = placed.position.tolist()
    rests = support(others, x, z, ground(x, z))[0] + extent(movable, placed, UP)
    in_air = placed.position[1] > rests + 1e-4 or velocity[1] > 0
    if in_air:
        velocity = velocity - seconds * GRAVITY * UP
    moved = placed.position + seconds * velocity
    if moved[1] <= rests:
        moved[1] = rests
        up = -BOUNCE * float(velocity[1]) if -velocity[1] > LEAST_BOUNCE else 0.0
        over = velocity * [1, 0, 1]
        speed = float(np.linalg.norm(over))
        slower = (ROLLS if movable.round else SLIDES) * seconds
        velocity = over * max(1.0 - slower / max(speed, 1e-9), 0.0) + up * UP
    if movable.round and not in_air:
        rolled = placed.rolled((moved - placed.position) * [1, 0, 1], radius(movable, placed))
        return rolled.moved(moved), velocity
    return placed.moved(moved), velocity
