"""The dinosaur: 2.2 m of good will, a strong right, and a tail to lean on."""

from __future__ import annotations

from collections.abc import Mapping

from arcwright.characters.dinosaur_body import JOINTS, PALETTE, SOLE, TAIL_TIP, sculptures
from arcwright.characters.posing import Pose, clip, pose, reach
from arcwright.characters.recipe import Recipe, Stage
from arcwright.characters.skeleton import Vector
from arcwright.scene.clip import Clip
from arcwright.scene.point import Contact, Point
from arcwright.scene.rig import Rig

RATE = 24.0
Written = Mapping[str, float | Vector | tuple[float, float]]
LEFT_TOES: Vector = (0.2, 0.055, 0.2)  # m, where the joint stands on the floor
RIGHT_TOES: Vector = (-0.21, 0.055, -0.1)
REST: Vector = (0.1, 0.022, -1.22)  # m, where the tail's tip lies on the floor
TAIL = [f"Tail{n}" for n in range(1, 10)]


def clips(rig: Rig) -> list[Clip]:
    """`punch`: guard, wind-up, hit, follow-through, recoil onto the tail, guard."""
    guard = _guard(rig)
    keys = {
        0.0: guard,
        11.0: _wind_up(rig),
        15.0: _hit(rig),
        20.0: _follow(rig),
        30.0: _recoil(rig),
        40.0: guard,
    }
    return [clip(rig, "punch", keys)]


def _guard(rig: Rig) -> Pose:
    return _standing(rig, {
        "Hips.translate": (0.0, -0.07, 0.0), "Hips": (-6, -10, 0), "Spine": (2, -4, 0), "Chest": (2, -6, 0),
        "Neck": (0, 8, 0), "Head": (8, 10, 0), "Jaw": 2,
        "LeftShoulder": (-6, 0), "LeftUpperArm": (-38, 0, 8), "LeftLowerArm": -38, "LeftHand": (0, 0, 0),
        "RightShoulder": (0, 0), "RightUpperArm": (-12, 0, -12), "RightLowerArm": -52, "RightHand": (0, 0, 0),
    }, right_turn=-25, tail=REST, bend=(-4, 3))  # fmt: skip


def _wind_up(rig: Rig) -> Pose:
    return _standing(rig, {
        "Hips.translate": (-0.03, -0.15, -0.09), "Hips": (-4, -32, 3), "Spine": (4, -16, 3), "Chest": (4, -20, 4),
        "Neck": (-4, 26, 0), "Head": (4, 30, -6), "Jaw": 0,
        "LeftShoulder": (-14, 4), "LeftUpperArm": (-62, -10, 10), "LeftLowerArm": -32, "LeftHand": (-10, 0, 0),
        "RightShoulder": (18, 8), "RightUpperArm": (46, 0, -30), "RightLowerArm": -64, "RightHand": (12, 0, 0),
    }, right_turn=-38, tail=REST, bend=(-4, 6))  # fmt: skip


def _hit(rig: Rig) -> Pose:
    return _standing(rig, {
        "Hips.translate": (0.05, -0.1, 0.13), "Hips": (6, 30, -3), "Spine": (8, 18, -3), "Chest": (8, 24, -4),
        "Neck": (-10, -24, 0), "Head": (-10, -34, 4), "Jaw": 30,
        "LeftShoulder": (0, 0), "LeftUpperArm": (26, 0, 22), "LeftLowerArm": -50, "LeftHand": (0, 0, 0),
        "RightShoulder": (-22, -6), "RightUpperArm": (-84, 14, -6), "RightLowerArm": 74, "RightHand": (-4, 0, 0),
    }, right_turn=12, bend=(4, 7), twist=(-2.0, -9.0))  # fmt: skip


def _follow(rig: Rig) -> Pose:
    return _standing(rig, {
        "Hips.translate": (0.07, -0.13, 0.16), "Hips": (10, 42, -5), "Spine": (10, 22, -4), "Chest": (12, 28, -6),
        "Neck": (-14, -30, 0), "Head": (-12, -40, 6), "Jaw": 18,
        "LeftShoulder": (6, 4), "LeftUpperArm": (40, 0, 30), "LeftLowerArm": -58, "LeftHand": (8, 0, 0),
        "RightShoulder": (-25, -10), "RightUpperArm": (-66, 34, 6), "RightLowerArm": 50, "RightHand": (14, 0, 0),
    }, right_turn=18, bend=(8, 2), twist=(-9.0, 8.0))  # fmt: skip


def _recoil(rig: Rig) -> Pose:
    return _standing(rig, {
        "Hips.translate": (-0.01, -0.12, -0.1), "Hips": (-16, 0, 2), "Spine": (-6, 0, 0), "Chest": (-4, 0, 0),
        "Neck": (4, 2, 0), "Head": (16, 4, 4), "Jaw": 10,
        "LeftShoulder": (-8, 0), "LeftUpperArm": (-46, -6, 14), "LeftLowerArm": -46, "LeftHand": (0, 0, 0),
        "RightShoulder": (-4, 0), "RightUpperArm": (-34, 4, -16), "RightLowerArm": -44, "RightHand": (0, 0, 0),
    }, right_turn=-18, tail=REST, bend=(-2, 4))  # fmt: skip


def _standing(
    rig: Rig,
    written: Written,
    *,
    right_turn: float,
    bend: tuple[float, float],
    twist: tuple[float, float] = (0.0, 0.0),
    tail: Vector | None = None,
) -> Pose:
    """A pose with both feet planted; the tail bends evenly from root to tip, or lies on the floor.

    `bend` and `twist` are the degrees by which its first and last joints lift and swing.
    """
    posed = pose(rig, written)
    for at, name in enumerate(TAIL):
        share = at / (len(TAIL) - 1)
        lift = bend[0] + (bend[1] - bend[0]) * share
        posed |= pose(rig, {name: (lift, twist[0] + (twist[1] - twist[0]) * share)})
    if tail is not None:
        posed = reach(rig, posed, "Tail9", tail, point=TAIL_TIP, chain=TAIL)
    posed = _planted(rig, posed, "Left", LEFT_TOES, 4)
    return _planted(rig, posed, "Right", RIGHT_TOES, right_turn)


def _planted(rig: Rig, posed: Pose, side: str, toes: Vector, turn: float) -> Pose:
    chain = [f"{side}{part}" for part in ("UpperLeg", "LowerLeg", "Foot", "Toes")]
    return reach(rig, posed, f"{side}Toes", toes, (0, turn, 0), chain=chain)


def punch_stage() -> Stage:
    """Feet on the floor all the time, the tail's tip before the blow and after it."""
    tip = Point("Tail9", TAIL_TIP)
    return Stage(
        contacts=(
            Contact(Point("LeftToes", SOLE), 0, 40 / RATE, orientation=True, clip="punch"),
            Contact(Point("RightToes", (0, SOLE[1], 0)), 0, 40 / RATE, clip="punch"),
            Contact(tip, 0, 11 / RATE, clip="punch"),
            Contact(tip, 30 / RATE, 40 / RATE, clip="punch"),
        )
    )


RECIPE = Recipe("dinosaur", JOINTS, sculptures, PALETTE, clips, {"punch": punch_stage})
