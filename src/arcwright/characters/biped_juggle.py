"""The biped with three balls, all still: a loop on which hands and balls can be acted."""

from __future__ import annotations

import numpy as np

from arcwright.characters.assembly import Piece, assembled
from arcwright.characters.biped_carry import hand_rotation
from arcwright.characters.biped_steps import at_ease
from arcwright.characters.mesh import look, shape
from arcwright.characters.posing import Pose, clip, pose, solve_ik
from arcwright.characters.recipe import Stage
from arcwright.characters.skeleton import Vector, root, skeleton
from arcwright.characters.solids import ball
from arcwright.scene.clip import Clip
from arcwright.scene.constraint import Contact
from arcwright.scene.point import Point
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Prop
from arcwright.scene.take import Take

RATE = 24.0
FRAMES = 24
RADIUS = 0.036  # m, of a ball
HELD: Vector = (0.19, 1.06, 0.34)  # m, where the left hand holds a ball; the right one mirrors it
PALM: Vector = (0.085, -0.055, 0.0)  # m, of a ball's middle in the left hand
BALLS: dict[str, tuple[Vector, str]] = {  # where each is in the still loop, and its colour
    "LeftBall": (HELD, "#e5484d"),
    "RightBall": ((-HELD[0], HELD[1], HELD[2]), "#2f7fe0"),
    "MiddleBall": ((0.0, 1.78, 0.36), "#f5b82e"),
}
FEET = ("LeftFoot", "RightFoot")


def juggle(rig: Rig) -> Clip:
    """Both palms up before the waist, a ball on each; the third ball is at the top of its way."""
    posed = at_ease(rig) | pose(rig, {"Neck": (-4, 0, 0), "Head": (-10, 0, 0)})
    for side in ("Left", "Right"):
        posed = _holding(rig, posed, side)
    return clip(rig, "juggle", {0: posed, FRAMES: posed}, rate=RATE, loops=True, whole=True)


def palm(side: str) -> Point:
    """Where the middle of a held ball is in a hand."""
    x, y, z = PALM
    return Point(f"{side}Hand", np.array([x if side == "Left" else -x, y, z]))


def stage() -> Stage:
    """Three balls, each with a still take; the feet on the floor."""
    soles = tuple(Contact(Point(name), 0.0, FRAMES / RATE, orientation=True) for name in FEET)
    return Stage(tuple(_ball(name, *row) for name, row in BALLS.items()), soles)


def _holding(rig: Rig, posed: Pose, side: str) -> Pose:
    """The hand with its palm up, fingers ahead and a little inward."""
    sign = 1.0 if side == "Left" else -1.0
    bent = pose(rig, {f"{side}UpperArm": (0, -22 * sign, -34 * sign)})
    bent |= pose(rig, {f"{side}LowerArm": -75 * sign})
    along, back = np.array([-0.25, 0.05 * sign, 0.95 * sign]), np.array([0.15 * sign, -1.0, 0.0])
    rotation = hand_rotation(rig, f"{side}Hand", along, back)
    x, y, z = palm(side).offset.tolist()
    at = BALLS[f"{side}Ball"][0]
    return solve_ik(rig, posed | bent, f"{side}Hand", at, rotation, point=(x, y, z))


def _ball(name: str, at: Vector, colour: str) -> Prop:
    rig = skeleton([root(name, at)])
    half = ball(RADIUS, RADIUS, RADIUS, 20, 11)
    band = ball(RADIUS * 1.012, RADIUS * 0.22, RADIUS * 1.012, 20, 7)
    mesh = assembled(rig, [Piece(name, "leather", half), Piece(name, "band", band)])
    still = clip(rig, "juggle", {0: {}, FRAMES: {}}, rate=RATE, loops=True, whole=True)
    paint = {"leather": (colour, 0.0, 0.6), "band": ("#fdf5e2", 0.0, 0.6)}
    return Prop(
        name, rig, (Take(rig, still),), (shape(name, mesh, rig),), look(paint, mesh.materials)
    )
