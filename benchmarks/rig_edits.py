"""The ten edits of real characters and captures that `rig_shots.py` draws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class RigEdit:
    """One gesture on one file."""

    name: str
    file: str  # below ../shared/data
    clip: str
    tool: str
    joint: str
    frame: float  # of the clip, or of the part of a capture
    by: tuple[float, float, float] = (0.0, 0.0, 0.0)  # of the height: right, up, forward
    degrees: tuple[float, float, float] = (0.0, 0.0, 0.0)  # about the world's axes
    options: dict[str, Any] | None = None
    part: tuple[int, int] | None = None  # frames of a capture
    offered: bool = False  # whether what the tool offers is taken
    every: int = 3  # frames between the pictures
    head: str = "Head"
    hips: str = "Hips"
    plants: bool = False  # whether the footplants that are found become contacts first
    view: tuple[float, float, float] | None = None


EDITS = (
    RigEdit(
        "hand_up",
        "bvh/cmu/14_37_drink_soda.bvh",
        "",
        "tangent",
        "RightHand",
        75,
        by=(0, 0.08, 0),
        part=(0, 240),
        every=10,
    ),
    RigEdit(
        "hand_forward",
        "bvh/cmu/139_25_giving_directions.bvh",
        "",
        "tangent",
        "LeftHand",
        150,
        by=(0, 0.0, 0.1),
        part=(0, 300),
        every=10,
    ),
    RigEdit(
        "head_turned",
        "gltf/RobotExpressive.glb",
        "Walking",
        "pose",
        "Head",
        11,
        degrees=(0, 40, 0),
    ),
    RigEdit(
        "hips_down",
        "bvh/cmu/137_26_coffee_mug.bvh",
        "",
        "pose",
        "Hips",
        150,
        by=(0, -0.1, 0),
        part=(0, 300),
        every=20,
    ),
    RigEdit(
        "foot_lifted",
        "gltf/CesiumMan.glb",
        "animation_0",
        "tangent",
        "leg_joint_R_3",
        20,
        by=(0, 0.08, 0),
        offered=True,
        head="Skeleton_neck_joint_2",
        hips="Skeleton_torso_joint_1",
    ),
    RigEdit(
        "tail",
        "gltf/quaternius/Wasp.glb",
        "WaspArmature|Wasp_Flying",
        "tangent",
        "Sting",
        17,
        by=(0.12, 0.1, 0),
        offered=True,
        hips="Thorax",
        every=4,
    ),
    RigEdit(
        "punch_aimed",
        "gltf/RobotExpressive.glb",
        "Punch",
        "tangent",
        "Palm2.R",
        6,
        by=(0, 0.1, 0),
        offered=True,
        every=2,
        hips="Body",
    ),
    RigEdit(
        "step_longer",
        "bvh/cmu/143_32_walk.bvh",
        "",
        "spacetime",
        "LeftFoot",
        165,
        by=(0, 0, 0.07),
        part=(0, 300),
        every=20,
        plants=True,
    ),
    RigEdit(
        "arm_raised",
        "gltf/CesiumMan.glb",
        "animation_0",
        "pose",
        "Skeleton_arm_joint_L__2_",
        24,
        by=(0, 0.15, 0.05),
        head="Skeleton_neck_joint_2",
        hips="Skeleton_torso_joint_1",
        every=2,
        view=(1.0, 0.1, -0.3),  # else the raised elbow shows as a bump behind the shoulder
    ),
    RigEdit(
        "chain_of_2",
        "bvh/cmu/143_23_punching.bvh",
        "",
        "tangent",
        "RightHand",
        120,
        by=(0.05, 0.06, 0),
        options={"chain_length": 2},
        part=(0, 240),
        every=8,
    ),
)
