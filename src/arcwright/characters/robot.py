"""The flying robot: hovers on two ducted rotors and flies a course of obstacles in four keys.

The default flight collides with every obstacle between the keys, but not at a key.
"""

from __future__ import annotations

from arcwright.characters.assembly import assembled
from arcwright.characters.mesh import Mesh
from arcwright.characters.posing import Pose, clip, pose
from arcwright.characters.recipe import Recipe
from arcwright.characters.robot_body import HOVER, JOINTS, PALETTE, pieces
from arcwright.characters.robot_course import course
from arcwright.characters.skeleton import Vector, skeleton
from arcwright.scene.clip import Clip
from arcwright.scene.rig import Rig

SPIN = 40.0  # degrees a frame, of the rotors
Written = dict[str, float | Vector | tuple[float, float]]

PLACES: dict[float, Vector] = {  # frame: middle of the body, m
    0.0: (0, 1.1, -3.1),
    24.0: (0.95, 1.3, -1.0),
    48.0: (-0.95, 1.15, 1.05),
    72.0: (0, 1.25, 3.1),
}
AT_EASE: Written = {
    "Neck": (0, 0), "Antenna1": (0, 0), "Antenna2": (0, 0), "Tail": (0, 0),
    "LeftHand": (0, 0, 0), "RightHand": (0, 0, 0), "LeftFingers": 0, "RightFingers": 0,
}  # fmt: skip
"""What every key says where it does not say otherwise."""
START: Written = {
    "Body": (6, 10, 0), "Head": (-4, 8), "LeftPylon": (6, 0), "RightPylon": (6, 0),
    "LeftUpperArm": (8, 0, 12), "RightUpperArm": (8, 0, -12),
    "LeftLowerArm": -25, "RightLowerArm": -25,
}  # fmt: skip
LEFT_BANK: Written = {
    "Body": (24, -18, 16), "Neck": (-12, -6), "Head": (-8, -28),
    "LeftPylon": (22, 6), "RightPylon": (22, 6),
    "LeftUpperArm": (48, 0, 20), "RightUpperArm": (42, 0, -26),
    "LeftLowerArm": -15, "RightLowerArm": -22,
    "Antenna1": (-22, 8), "Antenna2": (-20, 6), "Tail": (-10, -22),
}  # fmt: skip
RIGHT_BANK: Written = {
    "Body": (26, 16, -18), "Neck": (-14, 6), "Head": (-10, 26),
    "LeftPylon": (24, -6), "RightPylon": (24, -6),
    "LeftUpperArm": (-118, 0, 10), "RightUpperArm": (50, 0, -18),
    "LeftLowerArm": -6, "RightLowerArm": -18, "LeftFingers": -40,
    "Antenna1": (-24, -10), "Antenna2": (-22, -8), "Tail": (-10, 24),
}  # fmt: skip
STOP: Written = {
    "Body": (-14, -6, 0), "Neck": (8, 0), "Head": (4, -8),
    "LeftPylon": (-12, 0), "RightPylon": (-12, 0),
    "LeftUpperArm": (-30, 0, 62), "RightUpperArm": (-30, 0, -62),
    "LeftLowerArm": -42, "RightLowerArm": -42, "LeftHand": (0, 0, 15), "RightHand": (0, 0, -15),
    "Antenna1": (16, 0), "Antenna2": (14, 0), "Tail": (14, 0),
}  # fmt: skip

HANGING: Written = {
    "LeftUpperArm": (4, 0, 8), "RightUpperArm": (4, 0, -8),
    "LeftLowerArm": -18, "RightLowerArm": -18,
}  # fmt: skip


def clips(rig: Rig) -> list[Clip]:
    """`flight`: start, a bank each way, the stop; and `hover`, a still loop to act on."""
    poses = zip(PLACES, (START, LEFT_BANK, RIGHT_BANK, STOP), strict=True)
    keys = {frame: _key(rig, frame, written) for frame, written in poses}
    still = pose(rig, AT_EASE | HANGING)
    hover = clip(rig, "hover", {0: still, 24: still}, loops=True, whole=True)
    return [clip(rig, "flight", keys), hover]


def _key(rig: Rig, frame: float, written: Written) -> Pose:
    x, y, z = PLACES[frame]
    rotations = {"LeftRotor": frame * SPIN, "RightRotor": -frame * SPIN}
    return pose(rig, {"Body.translate": (x, y - HOVER, z)} | rotations | AT_EASE | written)


def sculptures() -> list[Mesh]:
    """The robot's pieces as one mesh."""
    return [assembled(skeleton(JOINTS), pieces())]


RECIPE = Recipe("robot", JOINTS, sculptures, PALETTE, clips, {"flight": course})
