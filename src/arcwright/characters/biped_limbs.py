"""The biped's feet and hands on tracks: where they are at some frames, and which of them carry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import numpy as np

from arcwright.characters.biped_carry import hand_rotation
from arcwright.characters.biped_steps import ANKLE, BALL, HEEL, SOLE, WIDE, Written, kneeling, leg
from arcwright.characters.ik_track import Limb, Span, bake, track
from arcwright.characters.posing import Pose, only, pose, solve_ik, values_of
from arcwright.characters.skeleton import Vector
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rotation import euler_from_matrix
from arcwright.scene.clip import Clip
from arcwright.scene.constraint import Contact
from arcwright.scene.point import Point
from arcwright.scene.rig import Rig

FINGERS = ("Index", "Middle", "Ring", "Little")


class Foot(NamedTuple):
    """Where a foot is: its ball, so that the heel rises about it (pitch > 0, degrees)."""

    ahead: float = 0.0  # m
    high: float = 0.0  # m
    pitch: float = 0.0  # degrees
    toes: float = 0.0  # degrees that the toes bend up beyond lying flat
    wide: float = WIDE  # m, from the middle
    yaw: float = 6.0  # degrees outward
    knee: float = 0.0  # degrees outward


Feet = Mapping[int, Foot] | Mapping[float, Foot]


def with_foot(
    rig: Rig,
    played: Clip,
    side: str,
    feet: Feet,
    planted: Sequence[Span] = (),
    span: Span | None = None,
) -> Clip:
    """The clip with one leg solved for a foot on its track, over a span or the whole clip."""
    place = track(feet, loops=played.loops and span is None)
    limb = Limb(leg(side), f"{side}Foot", (BALL, HEEL))

    def solve(frame: float, posed: Pose) -> Pose:
        return standing(rig, posed, side, Foot(*place(frame)))

    span = span or (0.0, played.duration * played.rate)
    return bake(rig, played, limb, solve, span, keys=feet, planted=planted)


def standing(rig: Rig, posed: Pose, side: str, foot: Foot) -> Pose:
    """The pose with a foot there, the knee bent as little as it must be."""
    sign = 1 if side == "Left" else -1
    at = (sign * foot.wide, foot.high + SOLE + BALL[1], foot.ahead + BALL[2] + ANKLE)
    body = {name: value for name, value in posed.items() if name.split(".")[0] not in leg(side)}
    guess = kneeling(rig, side, posed, at)
    guess |= pose(rig, {f"{side}UpperLeg.z": sign * foot.knee})
    guess |= pose(rig, {f"{side}Toes": float(np.clip(-foot.pitch - foot.toes, -69, 29))})
    rotation = (foot.pitch, sign * foot.yaw, 0.0)
    return solve_ik(_inner(rig), body | guess, f"{side}Foot", at, rotation, point=BALL)


def foot_of(rig: Rig, posed: Pose, side: str) -> Foot:
    """Where a foot is in a pose."""
    sign = 1 if side == "Left" else -1
    world = forward(rig, values_of(rig, posed)[None])[0, rig.joint(f"{side}Foot")]
    x, y, z = (world[:3, :3] @ BALL + world[:3, 3]).tolist()
    _, yaw, pitch = np.degrees(euler_from_matrix(world[:3, :3], "ZYX")).tolist()
    toes = -pitch - float(np.degrees(posed.get(f"{side}Toes.rotate.x", 0.0)))
    ahead, high = z - BALL[2] - ANKLE, y - SOLE - BALL[1]
    return Foot(ahead, high, pitch, toes, sign * x, sign * yaw)


def fingers(rig: Rig, side: str, bend: float, lift: float = 0.0) -> Pose:
    """A hand from flat (-1) over at ease (0) to a fist (1); `lift` degrees at the knuckles."""
    sign = 1 if side == "Left" else -1
    curl = (-66.0, -88.0, -48.0) if bend > 0 else (-13.0, -19.0, -13.0)
    written: Written = {}
    for finger in FINGERS:
        written[f"{side}{finger}Proximal.z"] = sign * (bend * curl[0] + lift)
        written[f"{side}{finger}Intermediate"] = sign * bend * curl[1]
        written[f"{side}{finger}Distal"] = sign * bend * curl[2]
    written[f"{side}ThumbProximal"] = (-30.0 * sign * min(bend, 0), -20.0 * sign * max(bend, 0))
    written[f"{side}ThumbIntermediate"] = -40.0 * sign * max(bend, 0)
    return pose(rig, written)


def pointing_finger() -> Written:
    """The left index straight, all others rolled in, the thumb over them."""
    rolled: Written = {"LeftThumbProximal": (0, -20), "LeftThumbIntermediate": -40.0}
    rolled |= {"LeftIndexProximal.z": 14.0, "LeftIndexIntermediate": 17.0, "LeftIndexDistal": 12.0}
    for finger in ("Middle", "Ring", "Little"):
        rolled[f"Left{finger}Proximal.z"] = -66.0
        rolled[f"Left{finger}Intermediate"] = -88.0
        rolled[f"Left{finger}Distal"] = -48.0
    return rolled


LIMIT_MARGIN = np.radians(1.5)
PALM: Vector = (0.11, -0.03, 0.0)  # m, under the knuckles of the left hand, in the hand


class Hand(NamedTuple):
    """Where a flat hand is, palm down."""

    wide: float  # m, of its palm from the middle
    ahead: float  # m
    heading: float = 0.0  # degrees of the fingers, outward from straight ahead
    high: float = 0.0  # m
    tilt: float = 0.0  # degrees that the fingers hang down


Hands = Mapping[int, Hand] | Mapping[float, Hand]


def with_hand(rig: Rig, played: Clip, side: str, hands: Hands, planted: Sequence[Span]) -> Clip:
    """The clip with one arm solved for a hand on its track, from its first key to its last."""
    joints = tuple(f"{side}{part}" for part in ("UpperArm", "LowerArm", "Hand"))
    limb = Limb(joints, f"{side}Hand", (palm(side), (0.0, 0.0, 0.0)))
    place = track(hands, loops=False)
    arms: dict[float, Pose] = {}  # by half frame: a guess for what is solved near it

    def solve(frame: float, posed: Pose) -> Pose:
        near = round(2 * frame) / 2
        guess = arms.get(near, arms.get(near - 0.5, {}))
        solved = leaning(rig, posed | guess, side, Hand(*place(frame)))
        arms.setdefault(near, only(solved, *joints))
        return solved

    span = (float(min(hands)), float(max(hands)))
    return bake(rig, played, limb, solve, span, keys=hands, planted=planted)


def leaning(rig: Rig, posed: Pose, side: str, hand: Hand) -> Pose:
    """The pose with a flat hand there, the elbow near where it was."""
    sign = 1.0 if side == "Left" else -1.0
    turn, tilt = np.radians((hand.heading, hand.tilt))
    along = np.array([np.sin(turn) * np.cos(tilt), -sign * np.sin(tilt), 0.0])
    along[2] = sign * np.cos(turn) * np.cos(tilt)
    back = np.array([sign * np.sin(turn) * np.sin(tilt), np.cos(tilt), np.cos(turn) * np.sin(tilt)])
    rotation = hand_rotation(rig, f"{side}Hand", along, back)
    at = (sign * hand.wide, hand.high, hand.ahead)
    return solve_ik(_inner(rig), posed, f"{side}Hand", at, rotation, point=palm(side))


@cache
def _inner(rig: Rig) -> Rig:
    """The rig with narrower limits, so that curves between solved keys stay inside its own."""
    table = rig.channels
    inner = replace(table, low=table.low + LIMIT_MARGIN, high=table.high - LIMIT_MARGIN)
    return replace(rig, channels=inner)


def palm(side: str) -> Vector:
    """The point under a palm, in the hand."""
    x, y, z = PALM
    return (x if side == "Left" else -x, y, z)


def ball_contact(side: str, span: Span, rate: float) -> Contact:
    """The ball of a foot stays over a span of frames."""
    return Contact(Point(f"{side}Toes"), span[0] / rate, span[1] / rate)


def sole_contact(side: str, span: Span, rate: float) -> Contact:
    """A whole foot stays over a span of frames."""
    return Contact(Point(f"{side}Foot"), span[0] / rate, span[1] / rate, orientation=True)


def palm_contact(side: str, span: Span, rate: float) -> Contact:
    """The ball of a hand stays over a span of frames."""
    return Contact(Point(f"{side}Hand", np.array(palm(side))), span[0] / rate, span[1] / rate)
