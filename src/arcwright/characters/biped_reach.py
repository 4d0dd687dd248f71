"""The biped at a table: it holds what moves with its hands, and clears the table's edge."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats
from arcwright.characters.assembly import Piece, assembled
from arcwright.characters.biped_carry import hand_rotation
from arcwright.characters.biped_steps import Written
from arcwright.characters.ik_track import Limb, Solve, bake
from arcwright.characters.mesh import look, shape
from arcwright.characters.posing import Pose, only, pose, pose_at, solve_ik, values_of
from arcwright.characters.skeleton import Vector, root, skeleton, vector
from arcwright.characters.solids import Solid, box, joined
from arcwright.kinematics.forward import forward
from arcwright.scene.clip import Clip
from arcwright.scene.point import Point
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Prop

HOLD: Vector = (0.1, -0.036, 0.0)  # m, of a held bar's middle in the left hand
OVER_EDGE: Vector = (0.31, 0.2, -0.15)  # m, of a wrist from the middle of a table's front edge
PARTS = ("UpperArm", "LowerArm", "Hand")
WOOD = {"wood": ("#b98556", 0.0, 0.6), "dark": ("#6d4a30", 0.0, 0.7)}


@dataclass(frozen=True)
class Table:
    """A table before the biped."""

    top: float = 0.82  # m
    ahead: float = 0.57  # m, its middle
    wide: float = 1.2  # m
    deep: float = 0.52  # m

    def prop(self) -> Prop:
        """Four legs, rails and a top."""
        rig = skeleton([root("Table", (0.0, self.top, self.ahead))])
        x, z = self.wide / 2 - 0.08, self.deep / 2 - 0.07
        legs: list[Solid] = [
            box(0.055, self.top - 0.03, 0.055, 0.008).moved((x * a, -self.top / 2 - 0.015, z * b))
            for a in (-1, 1)
            for b in (-1, 1)
        ]
        rails = [box(2 * x, 0.07, 0.025, 0.006).moved((0, -0.065, z * a)) for a in (-1, 1)]
        top = box(self.wide, 0.035, self.deep, 0.01).moved((0, -0.0175, 0))
        parts = [Piece("Table", "wood", top), Piece("Table", "dark", joined(*legs, *rails))]
        mesh = assembled(rig, parts)
        return Prop("Table", rig, (), (shape("Table", mesh, rig),), look(WOOD, mesh.materials))

    def over_edge(self, rig: Rig, base: Clip, side: str, frame: int) -> Pose:
        """A bent arm with its hand above the front edge, on its way to the table or back."""
        sign = 1 if side == "Left" else -1
        bent = pose(rig, {f"{side}UpperArm": (0, 12 * sign, -26 * sign)})
        bent |= pose(rig, {f"{side}LowerArm": -95 * sign, f"{side}Hand": (0, 0, 12 * sign)})
        x, y, z = OVER_EDGE
        wrist = (sign * x, self.top + y, self.ahead - self.deep / 2 + z)
        posed = pose_at(rig, base, frame) | bent
        joints = arm(side)
        return only(solve_ik(rig, posed, f"{side}Hand", wrist, chain=joints[:2]), *joints)


def hanging(rig: Rig, side: str, back: float, bend: float) -> Pose:
    """An arm beside the body, so many degrees back, the elbow bent."""
    sign = 1 if side == "Left" else -1
    written: Written = {f"{side}UpperArm": (0, back * sign, -29 * sign)}
    return pose(rig, written | {f"{side}LowerArm": -bend * sign})


def trunk(at: Vector, hips: Vector, spine: Vector, chest: Vector) -> Written:
    """The body without its limbs: metres from rest, and degrees."""
    return {"Hips.translate": at, "Hips": hips, "Spine": spine, "Chest": chest}


def arm(side: str) -> tuple[str, ...]:
    """The joints of one arm."""
    return tuple(f"{side}{part}" for part in PARTS)


def held(side: str, place: Vector = HOLD) -> Point:
    """A place in a hand, given for the left one."""
    return Point(f"{side}Hand", np.array(_of(side, place)))


def _of(side: str, place: Vector) -> Vector:
    x, y, z = place
    return (x if side == "Left" else -x, y, z)


def hand_at(
    rig: Rig,
    posed: Pose,
    side: str,
    place: Floats,
    ahead: Floats,
    back: Floats,
    point: Vector = HOLD,
) -> Pose:
    """The pose with a point of a hand at a place, fingers along `ahead`, its back along `back`."""
    along = ahead if side == "Left" else -ahead
    rotation = hand_rotation(rig, f"{side}Hand", along, back)
    own = _of(side, point)
    return solve_ik(rig, posed, f"{side}Hand", vector(place), rotation, point=own)


def on_track(
    rig: Rig, made: Clip, side: str, solve: Solve, span: tuple[int, int], point: Vector = HOLD
) -> Clip:
    """The clip with one arm solved over a span, so that its hand stays on what it holds."""
    limb = Limb(arm(side), f"{side}Hand", (_of(side, point), (0.0, 0.0, 0.0)))
    whole = (float(span[0]), float(span[1]))
    return bake(rig, made, limb, solve, whole, planted=[whole])


def in_world(rig: Rig, played: Clip, frame: float) -> Floats:
    """(4, 4) where the root of a prop is at a frame."""
    whole: Floats = forward(rig, values_of(rig, pose_at(rig, played, frame))[None])[0, 0]
    return whole


def directions(yaw: float, pitch: float, side: str) -> tuple[Floats, Floats]:
    """Fingers (3,) and back of a hand (3,), its palm inward: degrees to the left and down."""
    turn, dip = np.radians((yaw, pitch))
    sign = 1 if side == "Left" else -1
    ahead = np.array([np.sin(turn) * np.cos(dip), -np.sin(dip), np.cos(turn) * np.cos(dip)])
    return ahead, sign * np.array([np.cos(turn), 0.0, -np.sin(turn)])
