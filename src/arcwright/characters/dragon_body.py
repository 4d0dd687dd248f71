"""The dragon's clay and colours: trunk, neck, tail, legs and what grows on them."""

from __future__ import annotations

import numpy as np

from arcwright.characters.dragon_head import crown, eyes, head, jaw, teeth
from arcwright.characters.dragon_joints import NECK, TAIL
from arcwright.characters.dragon_wings import arm, claws, fingers, membranes
from arcwright.characters.mesh import Mesh
from arcwright.characters.recipe import Sculpture
from arcwright.characters.sdf_primitive import SdfPrimitive, ball, both_sides, limb
from arcwright.characters.skeleton import Vector

PALETTE = {
    "skin": ("#b8323f", 0.0, 0.55),
    "belly": ("#f3d9a4", 0.0, 0.65),
    "stripe": ("#7f1f38", 0.0, 0.55),
    "membrane": ("#f08a3c", 0.0, 0.6),
    "plate": ("#f6b73c", 0.0, 0.45),
    "ivory": ("#fdf5e2", 0.0, 0.4),
    "eye": ("#ffe98a", 0.0, 0.2),
    "pupil": ("#17181d", 0.0, 0.1),
    "mouth": ("#8e2f4f", 0.0, 0.5),
}
TOES = [(-0.055, 0.125), (0.0, 0.155), (0.055, 0.125)]  # m, of a foot: aside, ahead


def sculptures() -> list[Sculpture | Mesh]:
    """Body, jaw, wings with their membranes, spikes and horns, eyes, claws and teeth."""
    body = [*_trunk(), *_neck(), *head(), *_tail(), *_legs(), *arm(), *_coat()]
    return [
        Sculpture(both_sides(body), 0.012, 13500),
        Sculpture(jaw(), 0.008, 1000),
        *fingers(),
        *membranes(),
        Sculpture(_spikes(), 0.01, 1300),
        Sculpture([*_arrow(), *crown()], 0.007, 1500),
        Sculpture(both_sides(eyes()), 0.005, 900),
        Sculpture(both_sides([*_claws(), *claws()]), 0.006, 1300),
        Sculpture(teeth(), 0.005, 600),
    ]


def _trunk() -> list[SdfPrimitive]:
    return [
        ball("Hips", (0, 0.79, -0.34), (0.185, 0.19, 0.23), colour="skin", soft=0.05),
        ball("Spine", (0, 0.8, -0.07), (0.195, 0.2, 0.24), (4, 0, 0), blend=0.09, soft=0.06),
        ball("Chest", (0, 0.84, 0.2), (0.205, 0.225, 0.22), (-16, 0, 0), blend=0.09, soft=0.06),
        ball("Chest", (0, 0.83, 0.33), (0.15, 0.16, 0.14), (-30, 0, 0), blend=0.08, soft=0.05),
    ]


def _neck() -> list[SdfPrimitive]:
    return _tube("Neck", NECK, root=0.08)


def _tail() -> list[SdfPrimitive]:
    return _tube("Tail", TAIL, root=0.07)


def _tube(name: str, line: list[tuple[Vector, float]], root: float) -> list[SdfPrimitive]:
    """A limb for each joint of a line of places and radii; `root` blends the first (m)."""
    return [
        limb(
            f"{name}{n + 1}",
            line[n][0],
            line[n + 1][0],
            line[n][1],
            line[n + 1][1],
            blend=0.012 if n else root,
            soft=0.035,
        )
        for n in range(len(line) - 1)
    ]


def _legs() -> list[SdfPrimitive]:
    hind = "LeftUpperLeg"
    fore = "LeftForeUpperLeg"
    return [
        ball(hind, (0.17, 0.67, -0.28), (0.105, 0.19, 0.15), (-26, 0, 0), blend=0.06, soft=0.06),
        limb(hind, (0.19, 0.62, -0.25), (0.25, 0.47, -0.14), 0.1, 0.07, blend=0.05, soft=0.05),
        limb("LeftLowerLeg", (0.25, 0.47, -0.145), (0.24, 0.25, -0.375), 0.068, 0.046, blend=0.04),
        ball("LeftLowerLeg", (0.247, 0.41, -0.22), (0.056, 0.08, 0.066), (45, 0, 0), blend=0.04),
        limb("LeftFoot", (0.24, 0.25, -0.38), (0.24, 0.075, -0.275), 0.046, 0.045, blend=0.035),
        *_paw("LeftToes", (0.24, 0.06, -0.27)),
        ball(fore, (0.16, 0.73, 0.25), (0.085, 0.15, 0.115), (20, 0, 0), blend=0.06, soft=0.05),
        limb(fore, (0.185, 0.68, 0.21), (0.225, 0.5, 0.13), 0.082, 0.06, blend=0.05, soft=0.05),
        limb("LeftForeLowerLeg", (0.225, 0.5, 0.13), (0.215, 0.22, 0.25), 0.06, 0.043, blend=0.035),
        limb("LeftForeFoot", (0.215, 0.22, 0.25), (0.215, 0.075, 0.3), 0.044, 0.044, blend=0.03),
        *_paw("LeftForeToes", (0.215, 0.06, 0.31)),
    ]


def _paw(joint: str, at: Vector) -> list[SdfPrimitive]:
    x, _, z = at
    return [
        ball(joint, (x, 0.056, z + 0.02), (0.07, 0.052, 0.066), blend=0.03),
        *(
            limb(
                joint,
                (x + aside * 0.6, 0.045, z + 0.03),
                (x + aside, 0.035, z + ahead),
                0.041,
                0.033,
                blend=0.014,
            )
            for aside, ahead in TOES
        ),
    ]


def _claws() -> list[SdfPrimitive]:
    feet = [("LeftToes", 0.24, -0.27), ("LeftForeToes", 0.215, 0.31)]
    return [
        limb(
            joint,
            (x + aside, 0.03, z + ahead + 0.012),
            (x + aside * 1.12, 0.013, z + ahead + 0.058),
            0.021,
            0.007,
            blend=0.0,
            colour="ivory",
        )
        for joint, x, z in feet
        for aside, ahead in TOES
    ]


def _coat() -> list[SdfPrimitive]:
    """Belly and stripes: paint where their primitives cut the surface."""
    belly = {"colour": "belly", "paint": True}
    return [
        ball("Hips", (0, 0.62, -0.32), (0.1, 0.13, 0.22), (0, 0, 0), **belly),
        ball("Spine", (0, 0.62, -0.05), (0.12, 0.15, 0.3), (0, 0, 0), **belly),
        ball("Chest", (0, 0.66, 0.24), (0.12, 0.17, 0.24), (-25, 0, 0), **belly),
        ball("Chest", (0, 0.79, 0.47), (0.11, 0.17, 0.13), (-40, 0, 0), **belly),
        *_along("Neck", NECK, (-0.45, 0.8), 0.82, belly),
        *_along("Tail", TAIL, (-0.75, -0.25), 0.82, belly),
        *_saddle(),
    ]


def _saddle() -> list[SdfPrimitive]:
    """A dark band down the back, from the nape to the tail."""
    dark = {"colour": "stripe", "paint": True}
    return [
        *_along("Neck", NECK, (0.55, -0.75), 0.6, dark),
        limb("Chest", (0, 1.03, 0.33), (0, 1.06, 0.12), 0.085, 0.11, **dark),
        limb("Spine", (0, 1.06, 0.12), (0, 1.02, -0.12), 0.11, 0.11, **dark),
        limb("Hips", (0, 1.02, -0.12), (0, 0.98, -0.5), 0.11, 0.1, **dark),
        *_along("Tail", TAIL, (0.85, 0.2), 0.62, dark),
    ]


def _along(
    name: str,
    line: list[tuple[Vector, float]],
    way: tuple[float, float],
    wide: float,
    paint: dict[str, object],
) -> list[SdfPrimitive]:
    """Paint along one side of a tube; `way` is up and ahead, `wide` the reach, in radii."""
    places = [(x, y + way[0] * r, z + way[1] * r) for (x, y, z), r in line]
    return [
        limb(
            f"{name}{n + 1}",
            places[n],
            places[n + 1],
            line[n][1] * wide,
            line[n + 1][1] * wide,
            **paint,
        )
        for n in range(len(line) - 1)
    ]


def _above(n: int, high: float = 0.95) -> Vector:
    """On top of the middle of Tail`n`."""
    (_, y0, z0), (_, y1, z1) = TAIL[n - 1][0], TAIL[n][0]
    thick = TAIL[n][1]
    return (0.0, (y0 + y1) / 2 + thick * high, (z0 + z1) / 2 - thick * 0.2)


def _spikes() -> list[SdfPrimitive]:
    """A row of swept spikes from the neck down to the tail."""
    rows: list[tuple[str, Vector, float, float]] = []
    for n in range(1, 5):
        (_, y, z), thick = NECK[n]
        rows.append((f"Neck{n + 1}", (0, y + 0.62 * thick, z - 0.6 * thick), 0.1, 62))
    rows += [
        ("Neck1", (0, 1.065, 0.38), 0.11, 40),
        ("Chest", (0, 1.045, 0.2), 0.12, 28),
        ("Spine", (0, 0.985, 0.0), 0.12, 24),
        ("Hips", (0, 0.955, -0.21), 0.115, 26),
        ("Hips", (0, 0.935, -0.4), 0.11, 32),
    ]
    rows += [(f"Tail{n}", _above(n, 0.75), 0.107 - 0.009 * n, 36) for n in range(1, 8)]
    return [_spike(joint, at, long, np.radians(lean)) for joint, at, long, lean in rows]


def _spike(joint: str, at: Vector, long: float, lean: float) -> SdfPrimitive:
    """A cone that leans back from upright by `lean` (rad)."""
    x, y, z = at
    end = (x, y + long * np.cos(lean), z - long * np.sin(lean))
    return limb(joint, at, end, long * 0.32, 0.006, blend=0.004, colour="plate")


def _arrow() -> list[SdfPrimitive]:
    """The blade at the end of the tail."""
    (x, y, z), _ = TAIL[-1]
    return [
        ball(
            "Tail8",
            (x, y + 0.008, z - 0.1),
            (0.052, 0.022, 0.15),
            (8, 0, 0),
            blend=0.01,
            colour="plate",
        ),
        *(
            ball(
                "Tail8",
                (x + side * 0.055, y, z - 0.045),
                (0.034, 0.02, 0.1),
                (8, side * -42, 0),
                blend=0.03,
            )
            for side in (-1, 1)
        ),
    ]
