"""Lamp: the planar lamp that hops, with the proportions of the built-in character."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from arcwright.arrays import Floats, frozen

COLUMNS = ("base x", "base y", "base angle", "leg", "neck", "head")  # m, m, rad, rad, rad, rad
JOINTS = ("LowerArm", "UpperArm", "Shade")  # of the character
GRAVITY = 9.81
CENTRES = ((0.0, 0.016), (-0.044, 0.1), (0.065, 0.09), (0.06, -0.02))
HINGES = ((-0.012, 0.05), (-0.088, 0.2), (0.13, 0.18), (0.0, 0.0))
WATCHED = ((0.0, 0.0), (0.13, 0.18), (0.08, -0.134), (0.166, 0.028))  # knee, neck; shade's rim


def _array(*values: float | tuple[float, float]) -> Callable[[], Floats]:
    """What makes an array of these values."""
    return partial(np.array, values, np.float64)


@dataclass(frozen=True, eq=False)
class Lamp:
    """Four links in the plane of forward (x) and up (y); angles are clockwise, 0 as the rig rests.

    The base begins at the middle of its sole, each other link at the joint that carries it.
    """

    # of base, leg, neck, head: kg, kg m² about the centre of mass, m to that, m to the next joint
    mass: Floats = field(default_factory=_array(0.55, 0.15, 0.15, 0.35))  # (4,)
    inertia: Floats = field(default_factory=_array(0.0019, 0.0007, 0.0008, 0.0014))  # (4,)
    centre: Floats = field(default_factory=_array(*CENTRES))  # (4, 2)
    hinge: Floats = field(default_factory=_array(*HINGES))  # (4, 2)
    # m: ends of the sole, which carry, and points that must not touch the ground
    foot: Floats = field(default_factory=_array((-0.104, 0), (0.104, 0)))  # (2, 2)
    watched: Floats = field(default_factory=_array(*WATCHED))  # (4, 2)
    # of the joints leg, neck, head: N m / rad, N m s / rad, N m, rad, rad
    stiffness: Floats = field(default_factory=_array(14.0, 14.0, 3.0))  # (3,)
    damping: Floats = field(default_factory=_array(0.7, 0.7, 0.12))  # (3,)
    strongest: Floats = field(default_factory=_array(9.0, 9.0, 3.0))  # (3,)
    low: Floats = field(default_factory=_array(-1.0472, -1.2217, -1.3963))  # (3,)
    high: Floats = field(default_factory=_array(1.0472, 1.6581, 1.3963))  # (3,)
    limit_stiffness: float = 60.0  # N m / rad
    limit_damping: float = 0.5  # N m s / rad
    friction: float = 1.0
    gravity: float = GRAVITY  # m/s²
    steepest: float = 1.2  # rad: a base that leans more has fallen
    margin: float = 0.01  # m: height below which a watched point has hit the ground

    def __post_init__(self) -> None:
        shapes: dict[str, tuple[int, ...]] = {
            "centre": (4, 2),
            "hinge": (4, 2),
            "foot": (2, 2),
            "watched": (4, 2),
        }
        shapes |= {"mass": (4,), "inertia": (4,)}
        for name in _FIELDS[:11]:
            value = frozen(getattr(self, name), f"Lamp.{name}", shapes.get(name, (3,)))
            object.__setattr__(self, name, value)

    @property
    def packed(self) -> Floats:
        """All numbers in the order of `planar.c`."""
        return np.concatenate([np.ravel(getattr(self, name)) for name in _FIELDS])


_FIELDS = tuple(Lamp.__dataclass_fields__)
