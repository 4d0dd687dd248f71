"""The dinosaur's clay and colours: a friendly theropod with fists and a long tail."""

from __future__ import annotations

import numpy as np

from arcwright.characters.dinosaur_joints import TAIL
from arcwright.characters.recipe import Sculpture
from arcwright.characters.sdf_primitive import SdfPrimitive, ball, both_sides, limb
from arcwright.characters.skeleton import Vector, vector

PALETTE = {
    "skin": ("#5fbf5a", 0.0, 0.6),
    "belly": ("#f7e9b8", 0.0, 0.65),
    "stripe": ("#2b8f63", 0.0, 0.6),
    "plate": ("#ff8b3d", 0.0, 0.5),
    "ivory": ("#fdf5e2", 0.0, 0.4),
    "eye": ("#ffffff", 0.0, 0.2),
    "pupil": ("#17181d", 0.0, 0.1),
    "mouth": ("#c9485b", 0.0, 0.5),
}


def sculptures() -> list[Sculpture]:
    """Body, jaw, eyes, plates, teeth and claws."""
    return [
        Sculpture(both_sides([*_trunk(), *_tail(), *_legs(), *_arms(), *_coat()]), 0.011, 16500),
        Sculpture(_jaw(), 0.008, 1200),
        Sculpture(both_sides(_eyes()), 0.006, 1400),
        Sculpture(_plates(), 0.009, 1600),
        Sculpture(both_sides(_claws()), 0.006, 1800),
        Sculpture(_teeth(), 0.005, 700),
    ]


def _trunk() -> list[SdfPrimitive]:
    return [
        ball("Hips", (0, 0.8, -0.03), (0.178, 0.19, 0.2), colour="skin", soft=0.05),
        ball("Spine", (0, 0.865, 0.09), (0.18, 0.18, 0.165), (-35, 0, 0), blend=0.08, soft=0.05),
        ball("Hips", (0, 0.79, 0.11), (0.172, 0.15, 0.155), blend=0.06, soft=0.05),
        ball("Chest", (0, 0.97, 0.19), (0.168, 0.17, 0.15), (-35, 0, 0), blend=0.08, soft=0.05),
        limb("Neck", (0, 1.08, 0.26), (0, 1.25, 0.345), 0.12, 0.11, blend=0.07, soft=0.04),
        ball("Head", (0, 1.375, 0.41), (0.16, 0.145, 0.165), blend=0.06, soft=0.03),
        ball("Head", (0, 1.345, 0.58), (0.138, 0.083, 0.19), (4, 0, 0), blend=0.07, soft=0.03),
        ball("Head", (0, 1.345, 0.69), (0.116, 0.076, 0.1), blend=0.05, soft=0.03),
        *(ball("Head", (side * 0.052, 1.408, 0.715), 0.031, blend=0.035) for side in (-1, 1)),
        *(
            ball("Head", (side * 0.1, 1.475, 0.455), (0.056, 0.04, 0.07), (10, 0, 0), blend=0.03)
            for side in (-1, 1)
        ),
        *(
            ball("Head", (side * 0.112, 1.315, 0.45), (0.056, 0.06, 0.066), blend=0.04)
            for side in (-1, 1)
        ),
        *(
            ball("Head", (side * 0.056, 1.418, 0.75), (0.011, 0.01, 0.018), blend=0.006, carve=True)
            for side in (-1, 1)
        ),
    ]


def _tail() -> list[SdfPrimitive]:
    return [
        limb(
            f"Tail{n + 1}",
            TAIL[n][0],
            TAIL[n + 1][0],
            TAIL[n][1],
            TAIL[n + 1][1],
            blend=0.008 if n else 0.06,
            soft=0.03,
        )
        for n in range(9)
    ]


def _legs() -> list[SdfPrimitive]:
    toes = [(-0.058, 0.195), (0.0, 0.225), (0.058, 0.195)]
    return [
        ball(
            "LeftUpperLeg",
            (0.148, 0.685, 0.045),
            (0.108, 0.19, 0.14),
            (-28, 0, 0),
            blend=0.06,
            soft=0.06,
        ),
        limb(
            "LeftUpperLeg",
            (0.16, 0.64, 0.07),
            (0.18, 0.49, 0.15),
            0.108,
            0.08,
            blend=0.05,
            soft=0.05,
        ),
        limb("LeftLowerLeg", (0.18, 0.49, 0.145), (0.18, 0.25, -0.045), 0.076, 0.05, blend=0.04),
        ball("LeftLowerLeg", (0.18, 0.415, 0.065), (0.062, 0.085, 0.075), (35, 0, 0), blend=0.04),
        limb("LeftFoot", (0.18, 0.24, -0.05), (0.18, 0.07, 0.045), 0.049, 0.047, blend=0.035),
        ball("LeftToes", (0.18, 0.058, 0.07), (0.075, 0.054, 0.07), blend=0.035),
        *(
            limb(
                "LeftToes",
                (0.18 + x * 0.6, 0.049, 0.09),
                (0.18 + x, 0.037, z),
                0.045,
                0.035,
                blend=0.016,
            )
            for x, z in toes
        ),
    ]


def _arms() -> list[SdfPrimitive]:
    knuckles = [(-0.037, 0.012), (-0.013, 0.017), (0.013, 0.017), (0.038, 0.01)]
    return [
        ball("LeftShoulder", (0.12, 0.99, 0.24), (0.075, 0.078, 0.078), blend=0.05, soft=0.03),
        limb("LeftUpperArm", (0.155, 0.985, 0.25), (0.195, 0.845, 0.225), 0.06, 0.051, blend=0.035),
        limb("LeftLowerArm", (0.195, 0.845, 0.228), (0.19, 0.795, 0.355), 0.053, 0.05, blend=0.025),
        ball("LeftHand", (0.188, 0.785, 0.415), (0.069, 0.06, 0.058), (20, 0, 0), blend=0.02),
        *(
            ball(
                "LeftHand",
                (0.188 + x, 0.783 + y, 0.46),
                (0.0175, 0.04, 0.022),
                (20, 0, 0),
                blend=0.007,
            )
            for x, y in knuckles
        ),
        limb("LeftHand", (0.135, 0.8, 0.4), (0.138, 0.768, 0.462), 0.024, 0.019, blend=0.01),
    ]


def _coat() -> list[SdfPrimitive]:
    """Belly and stripes: paint where their primitives cut the surface."""
    under = [
        limb(
            f"Tail{n + 1}",
            _below(n),
            _below(n + 1),
            TAIL[n][1] * 0.86,
            TAIL[n + 1][1] * 0.86,
            colour="belly",
            paint=True,
        )
        for n in range(9)
    ]
    return [
        ball("Hips", (0, 0.67, 0.03), (0.1, 0.13, 0.2), colour="belly", paint=True),
        ball("Spine", (0, 0.8, 0.21), (0.115, 0.2, 0.13), (25, 0, 0), colour="belly", paint=True),
        ball("Chest", (0, 0.98, 0.33), (0.11, 0.2, 0.12), (-20, 0, 0), colour="belly", paint=True),
        limb("Neck", (0, 1.09, 0.39), (0, 1.22, 0.47), 0.1, 0.08, colour="belly", paint=True),
        *under,
        *_stripes(),
    ]


def _below(n: int) -> Vector:
    (x, y, z), thick = TAIL[n]
    return (x, y - thick * 0.72, z - thick * 0.3)


def _stripes() -> list[SdfPrimitive]:
    """Leaves laid over the back, each square to it."""
    rows: list[tuple[str, Vector, float, float]]
    rows = [("Neck", (0, 1.2, 0.2), 0.09, 60), ("Chest", (0, 1.07, 0.06), 0.13, 50)]
    rows += [("Spine", (0, 0.985, -0.04), 0.15, 38), ("Hips", (0, 0.93, -0.16), 0.16, 25)]
    rows += [(f"Tail{n}", _above(n), TAIL[n][1] * 1.05, 25) for n in (1, 2, 3, 4, 5, 6, 7)]
    return [
        ball(
            joint,
            at,
            (wide * 1.15, wide, 0.018 + wide * 0.2),
            (-tilt, 0, 0),
            colour="stripe",
            paint=True,
        )
        for joint, at, wide, tilt in rows
    ]


def _above(n: int) -> Vector:
    (_, y0, z0), (_, y1, z1) = TAIL[n - 1][0], TAIL[n][0]
    thick = TAIL[n][1]
    return (0.0, (y0 + y1) / 2 + thick * 0.95, (z0 + z1) / 2 - thick * 0.4)


def _jaw() -> list[SdfPrimitive]:
    return [
        ball("Jaw", (0, 1.257, 0.56), (0.118, 0.047, 0.175), (2, 0, 0), colour="skin"),
        ball("Jaw", (0, 1.256, 0.665), (0.1, 0.043, 0.085), blend=0.04),
        ball("Jaw", (0, 1.2, 0.57), (0.094, 0.042, 0.17), colour="belly", paint=True),
        ball("Jaw", (0, 1.325, 0.58), (0.108, 0.05, 0.16), colour="mouth", paint=True),
    ]


def _eyes() -> list[SdfPrimitive]:
    """Whites, pupils looking ahead, and a glint."""
    primitives = []
    for side in (-1, 1):
        at = np.array([side * 0.105, 1.46, 0.495])
        primitives.append(ball("Head", vector(at), (0.05, 0.056, 0.05), blend=0, colour="eye"))
        look = at + np.array([side * 0.021, 0.004, 0.041])
        primitives.append(
            ball("Head", vector(look), (0.026, 0.03, 0.026), colour="pupil", paint=True)
        )
        glint = look + np.array([0.009, 0.016, 0.006])
        primitives.append(ball("Head", vector(glint), 0.0105, colour="eye", paint=True))
    return primitives


def _plates() -> list[SdfPrimitive]:
    """A row of rounded plates from the head down to the tail."""
    rows: list[tuple[str, Vector, float, float]]
    rows = [
        ("Head", (0, 1.515, 0.36), 0.055, 25),
        ("Head", (0, 1.445, 0.26), 0.066, 55),
        ("Neck", (0, 1.31, 0.21), 0.072, 78),
    ]
    rows += [
        ("Chest", (0, 1.18, 0.13), 0.082, 64),
        ("Spine", (0, 1.06, 0.015), 0.09, 52),
        ("Hips", (0, 0.99, -0.1), 0.088, 36),
    ]
    rows += [
        (f"Tail{n}", _above(n), size, 28)
        for n, size in zip(
            range(1, 8), (0.082, 0.074, 0.066, 0.058, 0.05, 0.042, 0.034), strict=True
        )
    ]
    return [
        ball(
            joint,
            at,
            (0.016 + size * 0.1, size, size * 0.62),
            (-tilt, 0, 0),
            blend=0.004,
            colour="plate",
        )
        for joint, at, size, tilt in rows
    ]


def _claws() -> list[SdfPrimitive]:
    toes = [(-0.058, 0.21), (0.0, 0.242), (0.058, 0.21)]
    return [
        limb(
            "LeftToes",
            (0.18 + x, 0.03, z),
            (0.18 + x * 1.12, 0.014, z + 0.045),
            0.023,
            0.008,
            blend=0.0,
            colour="ivory",
        )
        for x, z in toes
    ]


def _teeth() -> list[SdfPrimitive]:
    """Small rounded ones along the upper lip."""
    places = [(0.106, 0.6), (0.103, 0.65), (0.093, 0.7), (0.07, 0.742)]
    return [
        limb(
            "Head",
            (side * x, 1.292, z),
            (side * x, 1.272, z),
            0.0125,
            0.006,
            blend=0.0,
            colour="ivory",
        )
        for x, z in places
        for side in (-1, 1)
    ]
