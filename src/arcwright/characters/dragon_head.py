"""The dragon's head: skull, jaw with teeth, eyes, horns and cheek frills."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from arcwright.characters.sdf_primitive import SdfPrimitive, ball, limb
from arcwright.characters.skeleton import Vector, vector

SIDES = (-1, 1)
HORN: list[tuple[Vector, float]] = [  # m, places and thickness
    ((0.062, 1.745, 0.82), 0.035),
    ((0.082, 1.8, 0.75), 0.031),
    ((0.1, 1.842, 0.68), 0.025),
    ((0.112, 1.868, 0.61), 0.018),
    ((0.118, 1.88, 0.53), 0.007),
]


def head() -> list[SdfPrimitive]:
    """Skull, snout with nostrils, brows and cheeks."""
    return [
        ball("Head", (0, 1.665, 0.865), (0.125, 0.112, 0.135), blend=0.05, soft=0.03),
        ball("Head", (0, 1.637, 1.02), (0.098, 0.066, 0.175), (6, 0, 0), blend=0.06, soft=0.03),
        ball("Head", (0, 1.628, 1.145), (0.082, 0.055, 0.08), blend=0.04, soft=0.03),
        *(ball("Head", (s * 0.042, 1.672, 1.175), 0.027, blend=0.03) for s in SIDES),
        *(
            ball("Head", (s * 0.078, 1.745, 0.925), (0.042, 0.028, 0.07), (14, 0, 0), blend=0.025)
            for s in SIDES
        ),
        *(ball("Head", (s * 0.085, 1.61, 0.9), (0.048, 0.052, 0.07), blend=0.035) for s in SIDES),
        *(
            ball("Head", (s * 0.046, 1.68, 1.205), (0.009, 0.009, 0.016), blend=0.005, carve=True)
            for s in SIDES
        ),
    ]


def jaw() -> list[SdfPrimitive]:
    """The lower jaw with two fangs, its inside painted as mouth."""
    return [
        ball("Jaw", (0, 1.566, 1.0), (0.084, 0.038, 0.165), (3, 0, 0), colour="skin"),
        ball("Jaw", (0, 1.563, 1.105), (0.071, 0.034, 0.075), blend=0.035),
        limb("Jaw", (0, 1.54, 1.12), (0, 1.5, 1.13), 0.024, 0.01, blend=0.03),
        *(
            limb(
                "Jaw",
                (s * 0.042, 1.58, 1.138),
                (s * 0.046, 1.617, 1.146),
                0.0115,
                0.004,
                blend=0.0,
                colour="ivory",
            )
            for s in SIDES
        ),
        ball("Jaw", (0, 1.517, 1.0), (0.068, 0.034, 0.16), colour="belly", paint=True),
        ball("Jaw", (0, 1.612, 1.015), (0.076, 0.037, 0.15), colour="mouth", paint=True),
    ]


def eyes() -> list[SdfPrimitive]:
    """Amber with a slit pupil and a glint."""
    at = np.array([0.093, 1.708, 0.945])
    look = at + np.array([0.026, 0.0, 0.026])
    glint = look + np.array([0.0, 0.014, 0.006])
    primitives = []
    for side in SIDES:
        flip = np.array([side, 1, 1])
        primitives += [
            ball("Head", vector(at * flip), (0.036, 0.038, 0.037), blend=0, colour="eye"),
            ball(
                "Head",
                vector(look * flip),
                (0.013, 0.027, 0.013),
                (0, side * 45, 0),
                colour="pupil",
                paint=True,
            ),
            ball("Head", vector(glint * flip), 0.007, colour="ivory", paint=True),
        ]
    return primitives


def crown() -> list[SdfPrimitive]:
    """Two horns swept back, and three frill spikes behind each cheek."""
    primitives = []
    for s in SIDES:
        primitives += [
            *(
                limb("Head", (s * x0, y0, z0), (s * x1, y1, z1), r0, r1, blend=0.0, colour="plate")
                for ((x0, y0, z0), r0), ((x1, y1, z1), r1) in pairwise(HORN)
            ),
            *(
                limb(
                    "Head",
                    (s * 0.1, 1.67 - 0.045 * n, 0.86 - 0.01 * n),
                    (s * (0.2 - 0.012 * n), 1.7 - 0.075 * n, 0.73 - 0.004 * n),
                    0.023 - 0.002 * n,
                    0.005,
                    blend=0.004,
                )
                for n in range(3)
            ),
        ]
    return primitives


def teeth() -> list[SdfPrimitive]:
    """Small ones along the upper lip."""
    upper = [(0.08, 1.03), (0.077, 1.07), (0.071, 1.11), (0.062, 1.15), (0.042, 1.183)]
    return [
        limb("Head", (s * x, 1.605, z), (s * x, 1.574, z), 0.0115, 0.004, blend=0.0, colour="ivory")
        for x, z in upper
        for s in SIDES
    ]
