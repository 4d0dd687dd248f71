"""The lamp: a desk lamp of half a metre that hops and looks around. Hinges bend about x."""

from __future__ import annotations

import numpy as np

from arcwright.characters.assembly import Piece, assembled
from arcwright.characters.mesh import Mesh
from arcwright.characters.posing import Pose, clip, pose
from arcwright.characters.recipe import Recipe, Stage
from arcwright.characters.skeleton import Joint, Vector, root, skeleton
from arcwright.characters.solids import Solid, ball, drum, joined, lathe, ring, rod
from arcwright.scene.clip import Clip
from arcwright.scene.constraint import Contact
from arcwright.scene.point import Point
from arcwright.scene.rig import Rig

RATE = 24.0
FOOT, KNEE, NECK = (0.0, 0.05, -0.012), (0.0, 0.25, -0.1), (0.0, 0.43, 0.03)  # m, hinges

JOINTS = (
    root("Base", (0, 0, 0), stiffness=2),
    Joint("Stem", "Base", (0, 0.035, 0), {"y": (-120, 120)}, "YZX", 2),
    Joint("LowerArm", "Stem", FOOT, {"x": (-60, 60)}, "YZX", 1.5),
    Joint("UpperArm", "LowerArm", KNEE, {"x": (-70, 95)}, "YZX", 1),
    Joint("Shade", "UpperArm", NECK, {"x": (-80, 80), "y": (-70, 70)}, "YXZ", 0.7),
)

PALETTE = {
    "paint": ("#f2a93b", 0.0, 0.4),
    "metal": ("#c9d2da", 0.7, 0.3),
    "dark": ("#3a424c", 0.3, 0.5),
    "lining": ("#fff6e0", 0.0, 0.6),
    "bulb": ("#fff3b0", 0.0, 0.2),
}


def sculptures() -> list[Mesh]:
    """Turned and bent parts, each carried by one joint."""
    pieces = [*_foot(), *_arm("LowerArm", FOOT, KNEE), *_arm("UpperArm", KNEE, NECK), *_shade()]
    return [assembled(skeleton(JOINTS), pieces)]


def _foot() -> list[Piece]:
    dome = [(0, 0), (0.098, 0), (0.104, 0.004), (0.104, 0.012), (0.098, 0.02), (0.07, 0.03)]
    weight = lathe([*dome, (0.03, 0.036), (0, 0.037)], 48)
    button = drum(0.012, 0.012, 0.003).moved((0, 0.03, 0.07))
    return [
        Piece("Base", "paint", weight),
        Piece("Base", "dark", button),
        Piece("Stem", "metal", drum(0.02, 0.02, 0.004).moved((0, 0.008, 0))),
        Piece("Stem", "dark", _hinge(0.018, 0.04).moved(np.subtract(FOOT, (0, 0.035, 0)))),
    ]


def _hinge(radius: float, wide: float) -> Solid:
    return drum(radius, wide, 0.003).rotated(z=90)


def _arm(joint: str, start: Vector, end: Vector) -> list[Piece]:
    """Two rods, the hinge at the far end, and a spring beside them."""
    way = np.subtract(end, start)
    rods = [rod((0, 0, 0), way, 0.0068).moved((x, 0, 0)) for x in (-0.014, 0.014)]
    lower, upper = 0.12 * way + (0, 0.012, 0.012), 0.6 * way + (0, 0.012, 0.012)
    rotations = [_coil(lower, upper, share) for share in np.linspace(0, 1, 11)]
    wires = [rod(0.02 * way, lower, 0.002, sides=8), rod(upper, 0.97 * way, 0.002, sides=8)]
    return [
        Piece(joint, "metal", joined(*rods)),
        Piece(joint, "paint", _hinge(0.0165, 0.044).moved(way)),
        Piece(joint, "dark", joined(*rotations, *wires)),
    ]


def _coil(start: np.ndarray, end: np.ndarray, share: float) -> Solid:
    lean = float(np.degrees(np.arctan2(end[2] - start[2], end[1] - start[1])))
    hoop = ring(0.0075, 0.0016, 16, 6)
    return hoop.rotated(x=lean).moved(start + share * (end - start))


def _shade() -> list[Piece]:
    """A cone that opens forward and down, white inside, with its bulb."""
    outside = [(0.092, -0.105), (0.094, -0.1), (0.088, -0.085), (0.05, -0.012), (0.03, 0.028)]
    outside += [(0.026, 0.038), (0.012, 0.044), (0, 0.045)]
    inside = [(0, 0.02), (0.022, 0.02), (0.046, -0.016), (0.084, -0.088), (0.092, -0.105)]
    bulb = lathe(
        [(0, -0.09), (0.018, -0.083), (0.029, -0.062), (0.026, -0.04), (0.013, -0.012)], 24
    )
    tilt, shift = -62.0, (0.0, -0.004, 0.03)
    parts = {
        "paint": lathe(outside, 40),
        "lining": lathe(inside[::-1], 40),
        "bulb": bulb,
        "dark": joined(ball(0.02, 0.02, 0.02).moved((0, 0.03, 0)), drum(0.016, 0.05, 0.003)),
    }
    return [Piece("Shade", name, part.rotated(x=tilt).moved(shift)) for name, part in parts.items()]


def bent(rig: Rig, lower: float, upper: float, shade: float) -> Pose:
    """The three hinges, in degrees from rest."""
    return pose(rig, {"LowerArm": lower, "UpperArm": upper, "Shade.x": shade})


def based(rig: Rig, high: float, ahead: float, pitch: float = 0.0) -> Pose:
    """Where the base is, and how it tips (degrees, forward above 0)."""
    written = {"Base.translate.y": high, "Base.translate.z": ahead, "Base.x": pitch}
    return pose(rig, written)


def hop(rig: Rig) -> Clip:
    """Squash, stretch, tuck, and a landing that takes three beats to settle."""
    poses = {
        0: bent(rig, 0, 0, 0),
        8: bent(rig, -34, 62, -14),
        11: based(rig, 0, 0),
        12: bent(rig, 26, -34, 22),
        17: based(rig, 0.2, 0.19, -9) | bent(rig, 4, 8, 10),
        22: based(rig, 0, 0.38) | bent(rig, 12, -14, -12),
        26: bent(rig, -30, 58, 16),
        36: bent(rig, 0, 0, 0),
    }
    return clip(rig, "hop", poses, rate=RATE, lag={"Shade": 1})


def look(rig: Rig) -> Clip:
    """Notices something at its side, leans in, and tilts its head at it."""
    poses = {
        0: bent(rig, 0, 0, 0) | pose(rig, {"Stem": 0, "Shade.y": 0}),
        6: bent(rig, -10, 14, 14) | pose(rig, {"Stem": -10, "Shade.y": -14}),
        16: bent(rig, 22, -6, -18) | pose(rig, {"Stem": 58, "Shade.y": 26}),
        30: bent(rig, 26, 4, 10) | pose(rig, {"Stem": 54, "Shade.y": 8}),
    }
    return clip(rig, "look", poses, rate=RATE, lag={"Stem": 2, "UpperArm": 1})


def _clips(rig: Rig) -> list[Clip]:
    return [hop(rig), look(rig)]


def _stage(*spans: tuple[float, float]) -> Stage:
    """The base stands still over these spans of frames."""
    base = Point("Base")
    return Stage(
        constraints=tuple(Contact(base, a / RATE, b / RATE, orientation=True) for a, b in spans)
    )


RECIPE = Recipe(
    "lamp",
    JOINTS,
    sculptures,
    PALETTE,
    _clips,
    {"hop": lambda: _stage((0, 11), (22, 36)), "look": lambda: _stage((0, 30))},
)
