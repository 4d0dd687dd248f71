"""The dragon: 3.4 m from snout to tail, four legs, and wings of 4.4 m with fingers.

`stand` and `hover` are still: loops to act on. `fly` beats its wings on the spot.
"""

from __future__ import annotations

import numpy as np

from arcwright.characters.dragon_body import PALETTE, sculptures
from arcwright.characters.dragon_joints import JOINTS, SOLE
from arcwright.characters.posing import Pose, clip, mirrored, pose
from arcwright.characters.recipe import Recipe, Stage
from arcwright.characters.skeleton import Vector
from arcwright.scene.clip import Clip
from arcwright.scene.constraint import Contact
from arcwright.scene.point import Point
from arcwright.scene.rig import Rig

RATE = 24.0
HEIGHT = 0.9  # m, how far above the floor it flies
TOES = ("LeftToes", "RightToes", "LeftForeToes", "RightForeToes")
Written = dict[str, float | Vector | tuple[float, float]]

FOLDED: Written = {
    "LeftWingArm": (0, 40, 40), "LeftWingForearm": (0, -80, 0), "LeftWingHand": (0, 80, 0),
    "LeftWingFinger1": (5, 0), "LeftWingFinger2": (-5, 0), "LeftWingFinger3": (-11, 0),
}  # fmt: skip
TUCKED: Written = {
    "LeftUpperLeg": (38, 0, 0), "LeftLowerLeg": 34, "LeftFoot": (46, 0, 0), "LeftToes": 30,
    "LeftForeUpperLeg": (30, 0, 0), "LeftForeLowerLeg": -52, "LeftForeFoot": (62, 0, 0),
    "LeftForeToes": 30,
}  # fmt: skip
LEVEL: Written = {
    "Neck1": (10, 0, 0), "Neck2": (12, 0, 0), "Neck3": (8, 0, 0), "Neck4": (-4, 0, 0),
    "Neck5": (-10, 0, 0), "Head": (-10, 0, 0), "Tail1": (8, 0), "Tail2": (6, 0), "Tail3": (6, 0),
}  # fmt: skip
RAISED: Written = {
    "LeftWingArm": (0, 4, 44), "LeftWingForearm": (0, -6, 14), "LeftWingHand": (0, 8, 16),
    **{f"LeftWingFinger{n}": (2 * n, 6) for n in (1, 2, 3)},
    **{f"LeftWingFinger{n}Tip": (0, -14) for n in (1, 2, 3)},
}  # fmt: skip
LOWERED: Written = {
    "LeftWingArm": (0, -6, -46), "LeftWingForearm": (0, 4, -10), "LeftWingHand": (0, -4, -14),
    **{f"LeftWingFinger{n}": (-2 * n, -4) for n in (1, 2, 3)},
    **{f"LeftWingFinger{n}Tip": (0, 18) for n in (1, 2, 3)},
}  # fmt: skip
LAG = {"WingForearm": 1.0, "WingHand": 2.0} | {f"WingFinger{n}": 2.5 for n in (1, 2, 3)}
LAG |= {f"WingFinger{n}Tip": 3.5 for n in (1, 2, 3)}


def clips(rig: Rig) -> list[Clip]:
    """`stand` on all fours with wings half folded, `hover` with wings spread, and `fly`."""
    aloft = pose(rig, {"Hips.translate.y": HEIGHT, **LEVEL}) | _even(rig, TUCKED)
    return [_still(rig, "stand", _even(rig, FOLDED)), _still(rig, "hover", aloft), fly(rig, aloft)]


def fly(rig: Rig, aloft: Pose) -> Clip:
    """Wings up, wings down: the fingers follow the arm, the body rises as they go down."""
    up = aloft | _even(rig, RAISED) | _bob(rig, -0.07, 3.0)
    down = aloft | _even(rig, LOWERED) | _bob(rig, 0.07, -3.0)
    lag = {f"{side}{part}": late for side in ("Left", "Right") for part, late in LAG.items()}
    return clip(rig, "fly", {0: up, 11: down, 24: up}, rate=RATE, loops=True, lag=lag)


def _bob(rig: Rig, rise: float, nod: float) -> Pose:
    tail: Written = {f"Tail{n}": (nod * (4 - n), 0) for n in range(1, 9)}
    neck: Written = {"Neck1": (10 + nod, 0, 0), "Neck3": (8 - nod, 0, 0), "Head": (-10 - nod, 0, 0)}
    return pose(rig, {"Hips.translate.y": HEIGHT + rise, "Chest.x": -nod, **neck, **tail})


def _still(rig: Rig, name: str, posed: Pose) -> Clip:
    return clip(rig, name, {0: posed, 24: posed}, rate=RATE, loops=True, whole=True)


def _even(rig: Rig, written: Written) -> Pose:
    """A pose of the left side and its mirror image."""
    left = pose(rig, written)
    return left | mirrored(left)


def _stand() -> Stage:
    """All four feet on the floor."""
    soles = [Point(name, np.array(SOLE)) for name in TOES]
    return Stage(constraints=tuple(Contact(sole, 0.0, 1.0, orientation=True) for sole in soles))


RECIPE = Recipe("dragon", JOINTS, sculptures, PALETTE, clips, {"stand": _stand})
