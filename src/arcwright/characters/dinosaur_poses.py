"""The dinosaur's key poses: feet planted, the end of the tail on the floor or in the air."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.characters.dinosaur_joints import TAIL as SPINDLE
from arcwright.characters.dinosaur_joints import TAIL_TIP
from arcwright.characters.posing import Pose, mirrored, pose, solve_ik, values_of
from arcwright.characters.skeleton import Vector
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rotation import matrix_from_euler
from arcwright.scene.rig import Rig

Written = Mapping[str, float | Vector | tuple[float, float]]
TOES: dict[str, Vector] = {"Left": (0.2, 0.055, 0.2), "Right": (-0.21, 0.055, -0.1)}  # m, joints
LEFT_YAW = 4.0  # degrees, of the left foot outward
RIGHT_YAW = (-25.0, -38.0, 8.0, 16.0, -18.0, -25.0)  # degrees, of the right foot at the keys
TIP_OF_TAIL: Vector = (0.16, 0.027, -1.17)  # m, where it lies on the floor
ROTATION_WEIGHT = 0.05  # m per rad: weight of an orientation error of a foot
TAIL = [f"Tail{n}" for n in range(1, 10)]


def guard(rig: Rig) -> Pose:
    """Fists up, the tail's end on the floor."""
    return _standing(rig, {
        "Hips.translate": (0.0, -0.07, 0.0), "Hips": (-6, -10, 0), "Spine": (2, -4, 0),
        "Chest": (2, -6, 0),
        "Neck": (0, 8, 0), "Head": (8, 10, 0), "Jaw": 2,
        "LeftShoulder": (-6, 0), "LeftUpperArm": (-38, 0, 8), "LeftLowerArm": -38,
        "LeftHand": (0, 0, 0),
        "RightShoulder": (0, 0), "RightUpperArm": (-12, 0, -12), "RightLowerArm": -52,
        "RightHand": (0, 0, 0),
    }, right_yaw=RIGHT_YAW[0])  # fmt: skip


def standing(rig: Rig) -> Pose:
    """At ease on both feet, side by side, as in the rest pose; forearms a little raised."""
    left = pose(rig, {"LeftUpperArm": (-14, 0, 4), "LeftLowerArm": -22})
    return left | mirrored(left)


def wind_up(rig: Rig) -> Pose:
    """Turned away and down, the right fist drawn back to the hip."""
    return _standing(rig, {
        "Hips.translate": (-0.03, -0.15, -0.06), "Hips": (-6, -30, 3), "Spine": (4, -16, 3),
        "Chest": (4, -20, 4),
        "Neck": (-4, 26, 0), "Head": (4, 30, -6), "Jaw": 0,
        "LeftShoulder": (-14, 4), "LeftUpperArm": (-62, -10, 10), "LeftLowerArm": -32,
        "LeftHand": (-10, 0, 0),
        "RightShoulder": (18, 8), "RightUpperArm": (46, 0, -30), "RightLowerArm": -64,
        "RightHand": (12, 0, 0),
    }, right_yaw=RIGHT_YAW[1])  # fmt: skip


def hit(rig: Rig) -> Pose:
    """Hips, chest and arm thrown forward, the tail in the air behind."""
    posed = _standing(rig, {
        "Hips.translate": (0.03, -0.11, 0.13), "Hips": (8, 18, -3), "Spine": (8, 12, -3),
        "Chest": (2, 18, -4),
        "Neck": (-22, -18, 0), "Head": (-2, -24, 4), "Jaw": 32,
        "LeftShoulder": (0, 0), "LeftUpperArm": (26, 0, 22), "LeftLowerArm": -50,
        "LeftHand": (0, 0, 0),
        "RightShoulder": (-18, -6), "RightUpperArm": (-84, 14, -6), "RightLowerArm": 74,
        "RightHand": (-4, 0, 0),
    }, right_yaw=RIGHT_YAW[2], lift=(5, 7), swing=(-1, -8))  # fmt: skip
    return _fist(rig, posed, (0.02, 0.845, 0.745))


def follow(rig: Rig) -> Pose:
    """Past the target, the tail swinging out the other way."""
    posed = _standing(rig, {
        "Hips.translate": (0.06, -0.14, 0.15), "Hips": (12, 32, -5), "Spine": (10, 18, -4),
        "Chest": (12, 24, -6),
        "Neck": (-16, -26, 0), "Head": (-12, -34, 6), "Jaw": 16,
        "LeftShoulder": (6, 4), "LeftUpperArm": (40, 0, 30), "LeftLowerArm": -58,
        "LeftHand": (8, 0, 0),
        "RightShoulder": (-24, -10), "RightUpperArm": (-66, 34, 6), "RightLowerArm": 50,
        "RightHand": (14, 0, 0),
    }, right_yaw=RIGHT_YAW[3], lift=(8, 2), swing=(-12, 9))  # fmt: skip
    return _fist(rig, posed, (0.34, 0.66, 0.53))


def recoil(rig: Rig) -> Pose:
    """Back on the heels, leaning on the tail."""
    return _standing(rig, {
        "Hips.translate": (-0.01, -0.12, -0.07), "Hips": (-12, 0, 2), "Spine": (-6, 0, 0),
        "Chest": (-4, 0, 0),
        "Neck": (4, 2, 0), "Head": (16, 4, 4), "Jaw": 10,
        "LeftShoulder": (-8, 0), "LeftUpperArm": (-46, -6, 14), "LeftLowerArm": -46,
        "LeftHand": (0, 0, 0),
        "RightShoulder": (-4, 0), "RightUpperArm": (-34, 4, -16), "RightLowerArm": -44,
        "RightHand": (0, 0, 0),
    }, right_yaw=RIGHT_YAW[4])  # fmt: skip


def _standing(
    rig: Rig,
    written: Written,
    *,
    right_yaw: float,
    lift: tuple[float, float] | None = None,
    swing: tuple[float, float] = (0.0, 0.0),
) -> Pose:
    """A pose with both feet planted and the end of the tail on the floor, or the tail in the air.

    `lift` and `swing` are the degrees by which its first and its last joint bend.
    """
    posed = pose(rig, written)
    posed = draped(rig, posed) if lift is None else posed | _raised(rig, lift, swing)
    posed = planted(rig, posed, "Left", LEFT_YAW)
    return planted(rig, posed, "Right", right_yaw)


def _raised(rig: Rig, lift: tuple[float, float], swing: tuple[float, float]) -> Pose:
    bends = zip(TAIL, np.linspace(*lift, 9), np.linspace(*swing, 9), strict=True)
    return pose(rig, {joint: (float(up), float(aside)) for joint, up, aside in bends})


def draped(rig: Rig, posed: Pose) -> Pose:
    """The tail hanging evenly to the floor and along it, its tip where it lies."""
    names = [f"{joint}.rotate.{axis}" for joint in TAIL for axis in "xy"]
    columns = np.array([rig.channel(name) for name in names])
    values = values_of(rig, posed)
    for rotation in range(120):
        tries = np.tile(values, (len(columns) + 1, 1))
        tries[np.arange(len(columns)) + 1, columns] += 1e-6
        off = _tail_faults(rig, tries, columns, 2.0 * min(rotation, 75))
        slopes = (off[1:] - off[0]).T / 1e-6
        step = np.linalg.lstsq(slopes, -off[0], rcond=None)[0]
        values[columns] += step * min(0.6, 0.2 / np.abs(step).max())
    posed = posed | dict(zip(names, values[columns].tolist(), strict=True))
    return solve_ik(rig, posed, "Tail9", TIP_OF_TAIL, point=TAIL_TIP, chain=TAIL, nudge=0)


def _tail_faults(rig: Rig, values: Floats, columns: Ints, floor: float) -> Floats:
    """(T, faults): the residual of the tip, joints below the floor, uneven and strong bends."""
    world = forward(rig, values, [rig.joint(name) for name in TAIL])
    tip = world[:, -1, :3, :3] @ np.array(TAIL_TIP) + world[:, -1, :3, 3]
    thick = np.array([radius for _, radius in SPINDLE[:9]])
    sunk = np.maximum(1.04 * thick + 0.011 - world[:, :, 1, 3], 0)
    bends = values[:, columns].reshape(len(values), -1, 2)
    uneven = np.diff(bends, axis=1).reshape(len(values), -1)
    residual = 100 * (tip - np.array(TIP_OF_TAIL))
    return np.concatenate([residual, floor * sunk, uneven, 0.3 * values[:, columns]], axis=1)


def planted(rig: Rig, posed: Pose, side: str, rotation: float, nudge: float = 0.02) -> Pose:
    """The pose with the toes of one leg where they stand, rotated by degrees about the vertical."""
    chain = [f"{side}{part}" for part in ("UpperLeg", "LowerLeg", "Foot", "Toes")]
    return solve_ik(
        rig, posed, f"{side}Toes", TOES[side], (0, rotation, 0), chain=chain, nudge=nudge
    )


def foot_faults(rig: Rig, right_yaws: Floats, values: Floats) -> Floats:
    """How far the toes are from where they stand (T, 24): places, m, and axes times `LEVER`."""
    faults = []
    for side, rotations in (("Left", np.full(len(values), LEFT_YAW)), ("Right", right_yaws)):
        world = forward(rig, values, [rig.joint(f"{side}Toes")])[:, 0]
        angles = np.stack(
            [np.radians(rotations), np.zeros_like(rotations), np.zeros_like(rotations)], axis=1
        )
        axes = world[:, :3, :3] - matrix_from_euler(angles, "YZX")
        faults += [world[:, :3, 3] - np.array(TOES[side]), ROTATION_WEIGHT * axes.reshape(-1, 9)]
    return np.concatenate(faults, axis=1)


def _fist(rig: Rig, posed: Pose, at: Vector) -> Pose:
    return solve_ik(rig, posed, "RightHand", at, chain=["RightUpperArm", "RightLowerArm"])
