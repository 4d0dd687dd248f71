"""The content of the stored samples: a lamp with constraints of every kind, layers and a prop."""

import numpy as np

from arcwright.scene.constraint import (
    BalanceConstraint,
    CoincidentConstraint,
    Contact,
    DistanceConstraint,
    FlightConstraint,
    FloorConstraint,
    OrientationConstraint,
    PathConstraint,
    Pin,
    RegionConstraint,
)
from arcwright.scene.layer import Layer
from arcwright.scene.point import Point
from arcwright.scene.region import Box, Cylinder, HalfSpace, Sphere

SHADE = Point("Shade", [0.0, 0.125, 0.25], "lamp")
BASE = Point("Base", character="lamp")
TAKE = "hop"

PINS = (Pin(SHADE, 0.25, 0.5, True, True, take=TAKE), Pin(BASE, 0.75, 0.75))
CONTACTS = (
    Contact(BASE, 0.0, 0.125, True, True, None, take=TAKE),
    Contact(SHADE, 0.5, 1.0, relative_to=Point("Box", [0.5, 0, 0], "Box")),
)
CONSTRAINTS = (
    DistanceConstraint(SHADE, BASE, 0.0, 0.5, 0.375, take=TAKE),
    DistanceConstraint(SHADE, BASE, 0.5, 0.75),
    CoincidentConstraint(SHADE, 0.0, 1.0, take=TAKE),
    PathConstraint(SHADE, [0.0, 0.25, 1.0], [[0, 1, 0], [0.5, 1, 0.25], [1, 1, 0.5]], take=TAKE),
    OrientationConstraint(SHADE, 0.25, 0.5, [0.5, 0.5, -0.5, 0.5], take=TAKE),
    RegionConstraint(SHADE, 0.0, 1.0, HalfSpace([0, 0.5, 0], [0, 1, 0]), True, take=TAKE),
    RegionConstraint(SHADE, 0.0, 1.0, Sphere([0, 2, 0], 0.25)),
    RegionConstraint(BASE, 0.0, 0.5, Box([-1, -1, -1], [1, 1, 1]), True, take=TAKE),
    RegionConstraint(BASE, 0.0, 0.5, Cylinder([2, 0, 0], [2, 1, 0], 0.125), False, take=TAKE),
    FloorConstraint(0.0, 1.0, 0.0625, SHADE, take=TAKE),
    FloorConstraint(0.0, 0.5, None, None, "lamp", take=TAKE),
    BalanceConstraint(0.0, 0.25, 0.1875, "lamp", take=TAKE),
    FlightConstraint(0.25, 0.75, 9.8125, "lamp", take=TAKE),
    FlightConstraint(0.75, 1.0, None, "lamp"),
)
_TURN, _ADD = np.arange(30).reshape(5, 2, 3) / 256, np.arange(5).reshape(5, 1) / 64
_BOB = np.arange(12).reshape(4, 1, 3) / -512
LAYERS = (
    Layer("Lean forward", 0.0, 1.0, [1, 2], _TURN, [0], _ADD, 0.75),
    Layer("Bob", 0.25, 0.75, [1], _BOB, np.array([], int), np.zeros((4, 0)), 1.0, True),
)
DONE = [
    *("Pin Shade, frames 6-12", "Pin Base, frame 18"),
    *("Contact Base, frames 0-3", "Contact Shade, frames 12-24"),
    *("Add Shade to Base distance, frames 0-12", "Add Shade to Base distance, frames 12-18"),
    *("Add Shade return, frames 0-24", "Add Shade path, frames 0-24"),
    *("Add Shade turn, frames 6-12", "Add Shade region, frames 0-24"),
    *("Add Shade region, frames 0-24", "Add Base region, frames 0-12"),
    *("Add Base region, frames 0-12", "Add Shade floor, frames 0-24"),
    *("Add floor, frames 0-12", "Add balance, frames 0-6"),
    *("Add flight, frames 6-18", "Add flight, frames 18-24"),
    *("Add layers", "Move 1 key", "Limit Shade.rotate.y"),
    *("Copy hop to hop twice", "Rename Lean to Lean forward"),
]
UNDONE = ["Rename look to look around"]
