"""The biped's idles, standing and crouched: loops that breathe and shift weight over still feet."""

from __future__ import annotations

from arcwright.characters.biped_limbs import Foot, sole_contact, with_foot
from arcwright.characters.biped_steps import at_ease, even
from arcwright.characters.ik_track import soft_loop
from arcwright.characters.posing import Pose, clip, mirrored, pose
from arcwright.characters.recipe import Stage
from arcwright.scene.clip import Clip
from arcwright.scene.rig import Rig

RATE = 24.0
IDLE_FRAMES = 72
CROUCH_FRAMES = 60
SQUAT = Foot(pitch=8.0, knee=22.0, yaw=12.0, wide=0.12)
SIDES = ("Left", "Right")
TRUNK = ("Hips", "Spine", "Chest", "UpperChest", "Neck", "Head")
HANGING = {"LeftHand": 4.0, "RightHand": 4.0, "LeftLowerArm": 2.0, "RightLowerArm": 2.0}


def first_pose(rig: Rig) -> Pose:
    """Where idle begins, and where every one-shot begins and ends: standing at ease."""
    still = pose(rig, dict.fromkeys(TRUNK, (0, 0, 0)))
    return still | even(rig, {"LeftShoulder": (0, 0)}) | at_ease(rig)


def idle(rig: Rig) -> Clip:
    """Two breaths while the weight goes over the left foot and then over the right one."""
    first = first_pose(rig)
    over = pose(
        rig,
        {
            "Hips.translate": (0.034, -0.04, -0.004),
            "Hips": (0, 2.5, 2.5),
            "Spine": (2, -1, -2.5),
            "Chest": (0, -1, -1.5),
            "Neck": (0, 0, 1),
            "Head": (1, 3, 1.5),
            "LeftUpperArm": (0, -3, -33.5),
            "RightUpperArm": (0, 8, 30),
        },
    )
    poses = _breathing(first, IDLE_FRAMES, over)
    return _on_still_feet(rig, "idle", poses, Foot(), HANGING | {"Head": 3.0})


def crouch(rig: Rig) -> Clip:
    """Squatting on the balls of the feet, hands ready, looking ahead."""
    arms = even(rig, {"LeftUpperArm": (-16, -46, -8), "LeftLowerArm": -88, "LeftHand": (0, 0, -12)})
    squat = first_pose(rig) | arms
    squat |= pose(
        rig,
        {
            "Hips.translate": (0, -0.395, -0.15),
            "Hips": (28, 0, 0),
            "Spine": (14, 0, 0),
            "Chest": (8, 0, 0),
            "UpperChest": (4, 0, 0),
            "Neck": (-16, 0, 0),
            "Head": (-28, 0, 0),
        },
    )
    over = pose(
        rig,
        {
            "Hips.translate": (0.03, -0.403, -0.147),
            "Hips": (29, 2, 2),
            "Spine": (14, -1, -2),
            "Head": (-28, 5, 0),
            "LeftUpperArm": (-16, -44, -9),
        },
    )
    poses = _breathing(squat, CROUCH_FRAMES, over)
    return _on_still_feet(rig, "crouch", poses, SQUAT, HANGING | {"Head": 2.0})


def _breathing(first: Pose, frames: int, over: Pose) -> dict[int, Pose]:
    """A loop from a pose, one with the weight over the left foot, and its mirror image."""
    half = frames // 2
    other = first | mirrored(over)
    poses = {0: first, frames // 4: over, half: _named(first, over, other)}
    poses |= {half + frames // 4: mirrored(over), frames: first}
    for breath, share in ((5 / 36, 1.0), (13 / 36, -0.5), (23 / 36, 1.0), (31 / 36, -0.5)):
        poses.setdefault(round(breath * frames), {}).update(_breath(first, share))
    return poses


def _named(first: Pose, *poses: Pose) -> Pose:
    """The part of a pose that other poses name, too."""
    names = {name for posed in poses for name in posed}
    return {name: value for name, value in first.items() if name in names}


def _breath(first: Pose, share: float) -> Pose:
    """The chest lifted by a breath, the shoulders with it."""
    lift = {"UpperChest.rotate.x": -0.045, "Chest.rotate.x": -0.012, "Neck.rotate.x": 0.035}
    lift |= {"LeftShoulder.rotate.z": 0.05, "RightShoulder.rotate.z": -0.05}
    return {name: first[name] + share * amount for name, amount in lift.items()}


def _on_still_feet(
    rig: Rig, name: str, poses: dict[int, Pose], foot: Foot, lag: dict[str, float]
) -> Clip:
    made = soft_loop(clip(rig, name, poses, rate=RATE, loops=True, lag=lag))
    frames = float(max(poses))
    for side in SIDES:
        made = with_foot(rig, made, side, {0.0: foot, frames: foot}, [(0.0, frames)])
    return made


def idle_stage() -> Stage:
    """Both soles on the ground all the time."""
    return _still_feet(IDLE_FRAMES)


def crouch_stage() -> Stage:
    """Both feet where they are all the time."""
    return _still_feet(CROUCH_FRAMES)


def _still_feet(frames: float) -> Stage:
    return Stage(constraints=tuple(sole_contact(side, (0.0, frames), RATE) for side in SIDES))
