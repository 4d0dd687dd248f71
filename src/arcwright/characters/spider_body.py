"""The spider robot's joints and the pieces they carry: hull, eye, abdomen, eight hinged legs."""

from __future__ import annotations

import numpy as np

from arcwright.characters.assembly import Piece, both_sides
from arcwright.characters.skeleton import Joint, root, vector
from arcwright.characters.skeleton import both_sides as both_joints
from arcwright.characters.solids import Solid, ball, beam, box, drum, joined, lathe, rod

HIP = 0.2  # m, height of the hips and of the body's middle
HUBS = {
    1: (34, 0.085, 0.125),
    2: (72, 0.118, 0.045),
    3: (108, 0.118, -0.04),
    4: (146, 0.085, -0.115),
}
"""Leg: the way it points (degrees from the front to the left), x and z of its hip (m)."""
FEMUR = (0.0, 0.0, 0.058)  # m, from the hip, in the leg's axes: z outward, y up
TIBIA = (0.0, 0.118, 0.142)  # m, from the femur's hinge
TARSUS = (0.0, -0.168, 0.098)  # m, from the tibia's hinge
TIP = (0.0, -0.15, 0.036)  # m, from the tarsus' hinge: where the foot meets the floor


def _leg(number: int) -> list[Joint]:
    way, x, z = HUBS[number]
    out = np.array([np.sin(np.radians(way)), 0, np.cos(np.radians(way))])
    places = [np.array([x, HIP, z])]
    for _, up, far in (FEMUR, TIBIA, TARSUS):
        places.append(places[-1] + far * out + np.array([0, up, 0]))
    hip, femur, tibia, tarsus = (vector(place) for place in places)
    name = f"LeftLeg{number}"
    return [
        Joint(f"{name}Coxa", "Body", hip, {"y": (-42, 42)}, frame=(0, way, 0)),
        Joint(f"{name}Femur", f"{name}Coxa", femur, {"x": (-55, 50)}),
        Joint(f"{name}Tibia", f"{name}Femur", tibia, {"x": (-60, 75)}, stiffness=0.8),
        Joint(f"{name}Tarsus", f"{name}Tibia", tarsus, {"x": (-40, 60)}, stiffness=2),
    ]


JOINTS = both_joints(
    [
        root("Body", (0, HIP, 0), stiffness=2),
        Joint("Eye", "Body", (0, HIP + 0.03, 0.15), {"x": (-40, 40), "y": (-60, 60)}, "YZX"),
        Joint("Abdomen", "Body", (0, HIP + 0.035, -0.12), {"x": (-25, 35), "y": (-25, 25)}, "YZX"),
        *(joint for number in HUBS for joint in _leg(number)),
    ]
)

PALETTE = {
    "shell": ("#159aa3", 0.1, 0.4),
    "dark": ("#23272e", 0.3, 0.5),
    "steel": ("#aab3bc", 0.8, 0.35),
    "accent": ("#ffc02e", 0.0, 0.4),
    "glow": ("#ff4a38", 0.0, 0.4),
}


def pieces() -> list[Piece]:
    """All pieces, in the axes of the joints that carry them."""
    legs = [piece for number in HUBS for piece in _limb(f"LeftLeg{number}")]
    return both_sides([*_hull(), *_eye(), *_abdomen(), *legs])


def _along_z(profile: list[tuple[float, float]], sides: int = 28) -> Solid:
    """A turned shape about +Z."""
    return lathe(profile, sides).rotated(x=90)


def _hull() -> list[Piece]:
    dome = lathe(
        [(1.0, -0.05), (1.02, 0.1), (0.97, 0.42), (0.84, 0.7), (0.6, 0.9), (0.3, 0.98), (0, 1.0)],
        36,
    )
    lid = lathe([(0.66, 0.86), (0.62, 0.905), (0.3, 1.01), (0, 1.03)], 36)
    skirt = lathe(
        [
            (0, -0.045),
            (0.9, -0.045),
            (1.0, -0.02),
            (1.06, 0.0),
            (1.06, 0.012),
            (1.0, 0.016),
            (0, 0.016),
        ],
        36,
    )
    ridge = box(0.022, 0.02, 0.17, 0.008, 2).moved((0, 0.081, -0.01))
    lamps = [
        ball(0.009, 0.006, 0.009, 12, 7).moved((x, 0.078, z))
        for x in (-0.034, 0.034)
        for z in (0.035, 0.0, -0.035)
    ]
    return [
        Piece("Body", "shell", dome.scaled(0.128, 0.075, 0.16).moved((0, 0.01, 0))),
        Piece(
            "Body",
            "dark",
            joined(
                skirt.scaled(0.128, 1, 0.16), lid.scaled(0.128, 0.075, 0.16).moved((0, 0.0105, 0))
            ),
        ),
        Piece("Body", "accent", ridge),
        Piece("Body", "glow", joined(*lamps)),
    ]


def _eye() -> list[Piece]:
    bezel = _along_z(
        [(0.03, 0.03), (0.05, 0.03), (0.053, 0.038), (0.05, 0.05), (0.042, 0.052), (0.038, 0.04)]
    )
    lens = _along_z([(0, 0.03), (0.041, 0.034), (0.036, 0.047), (0.022, 0.056), (0, 0.06)])
    pupil = _along_z([(0, 0.05), (0.018, 0.054), (0.0175, 0.0585), (0.01, 0.0625), (0, 0.0635)], 20)
    small = [ball(0.011, 0.011, 0.008, 14, 7).moved((x, 0.047, 0.034)) for x in (-0.032, 0.032)]
    pods = [ball(0.017, 0.017, 0.016, 14, 9).moved((x, 0.045, 0.024)) for x in (-0.032, 0.032)]
    return [
        Piece("Eye", "shell", joined(ball(0.058, 0.054, 0.056), *pods)),
        Piece("Eye", "accent", bezel),
        Piece("Eye", "dark", lens),
        Piece("Eye", "glow", joined(pupil, *small)),
        Piece("Body", "steel", drum(0.035, 0.08, 0.008).rotated(x=90).moved((0, 0.03, 0.12))),
    ]


def _abdomen() -> list[Piece]:
    far = np.linspace(0, np.pi, 15)
    egg = [(0.118 * np.sin(t) ** 0.8, -0.3 * (1 - np.cos(t)) / 2) for t in far][::-1]
    bands = {"shell": [egg[9:], egg[4:7]], "dark": [egg[6:10], egg[:5]]}
    parts = [
        Piece("Abdomen", colour, joined(*(_band(band) for band in cut)).moved((0, 0.045, 0.012)))
        for colour, cut in bands.items()
    ]
    spinner = _along_z([(0, -0.03), (0.016, -0.03), (0.024, 0.0), (0, 0.01)], 16).moved(
        (0, 0.045, -0.285)
    )
    stripes = [
        _band(
            [
                (r + 0.0025, z),
                (r + 0.0045, z - 0.002),
                (r + 0.0045, z - 0.012),
                (r + 0.001, z - 0.014),
            ][::-1]
        ).moved((0, 0.045, 0.012))
        for r, z in (egg[9], egg[6])
    ]
    return [
        *parts,
        Piece("Abdomen", "accent", joined(*stripes)),
        Piece("Abdomen", "glow", spinner),
        Piece("Abdomen", "steel", ball(0.04, 0.04, 0.04, 18, 9).moved((0, 0.02, 0.0))),
    ]


def _band(profile: list[tuple[float, float]]) -> Solid:
    """Part of a turned shape about +Z, flattened a little as an abdomen is."""
    return _along_z([(max(r, 0.0), z) for r, z in profile], 32).scaled(1, 0.88, 1)


def _limb(name: str) -> list[Piece]:
    knuckle = drum(0.021, 0.05, 0.006, 18).rotated(z=90)
    knee = drum(0.023, 0.044, 0.006, 18).rotated(z=90)
    ankle = drum(0.0155, 0.032, 0.004, 14).rotated(z=90)
    femur, tibia, tip = np.array(TIBIA), np.array(TARSUS), np.array(TIP)
    piston = rod(
        femur * 0.12 + [0, 0.026, -0.008], femur * 0.6 + [0, 0.026, -0.01], 0.008, 0.006, 10
    )
    foot = ball(0.0125, 0.0125, 0.0125, 12, 7).moved(tip + np.array([0, 0.0125, 0]))
    return [
        Piece(f"{name}Coxa", "dark", drum(0.027, 0.062, 0.008, 20)),
        Piece(f"{name}Coxa", "accent", drum(0.028, 0.012, 0.003, 20).moved((0, 0.012, 0))),
        Piece(f"{name}Coxa", "steel", beam((0, 0, 0.01), (0, 0, 0.06), 0.026, 0.03, 0.008)),
        Piece(f"{name}Femur", "steel", joined(knuckle, piston)),
        Piece(f"{name}Femur", "shell", beam(femur * 0.06, femur * 0.95, 0.034, 0.042, 0.011, 0.8)),
        Piece(f"{name}Femur", "accent", beam(femur * 0.66, femur * 0.74, 0.0345, 0.042, 0.004)),
        Piece(f"{name}Tibia", "dark", knee),
        Piece(f"{name}Tibia", "shell", beam(tibia * 0.02, tibia * 0.97, 0.03, 0.038, 0.01, 0.62)),
        Piece(f"{name}Tarsus", "steel", ankle),
        Piece(
            f"{name}Tarsus",
            "dark",
            rod([0, 0, 0], tip + np.array([0, 0.014, -0.003]), 0.0135, 0.0075, 12),
        ),
        Piece(f"{name}Tarsus", "accent", foot),
    ]
