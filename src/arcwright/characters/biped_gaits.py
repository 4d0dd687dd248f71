"""The biped's running and crouched walking: loops that travel, feet on their balls."""

from __future__ import annotations

from arcwright.characters.biped_limbs import Feet, Foot, ball_contact, fingers, with_foot
from arcwright.characters.ik_track import Span, soft_loop
from arcwright.characters.posing import Pose, clip, mirrored, pose
from arcwright.characters.recipe import Stage
from arcwright.scene.clip import Clip
from arcwright.scene.rig import Rig

RATE = 24.0
RUN_FRAMES, RUN_TRAVEL = 16, 2.3  # frames and m of a cycle
CROUCH_FRAMES, CROUCH_TRAVEL = 28, 0.8
TO_BALL = 0.115  # m, from the place of a foot to its ball
RUN_STANCE: Span = (1.5, 6.5)  # frames in which the left foot carries; the right half a cycle later
CROUCH_STANCE: Span = (0.0, 17.0)


def run(rig: Rig) -> Clip:
    """Two steps with a flight after each: lean, high heels, elbows bent against the legs."""
    half = RUN_FRAMES // 2
    reach = pose(
        rig,
        {
            "Hips.translate": (0, -0.032, 0),
            "Hips": (11, -9, 0),
            "Spine": (5, 5, 0),
            "Chest": (3, 9, 0),
            "UpperChest": (2, 7, 0),
            "Neck": (-5, -5, 0),
            "Head": (-11, -7, 0),
            "LeftShoulder": (10, 0),
            "LeftUpperArm": (0, 44, -31),
            "LeftLowerArm": -96,
            "LeftHand": (0, 0, -12),
            "RightShoulder": (10, 0),
            "RightUpperArm": (12, 26, 33),
            "RightLowerArm": 110,
            "RightHand": (0, 0, 6),
        },
    )
    low = pose(rig, {"Hips.translate.y": -0.088, "Hips.translate.x": 0.012, "Hips.z": 3.0})
    low |= pose(rig, {"Hips.x": 14, "Spine.z": -3, "Chest.z": -1, "Spine.x": 7, "Head.x": -15})
    poses = _two_steps(reach, low, RUN_FRAMES, RUN_TRAVEL)
    poses[0] |= fingers(rig, "Left", 0.45) | fingers(rig, "Right", 0.45)
    lag = {"LeftLowerArm": 0.5, "RightLowerArm": 0.5, "LeftHand": 1.0, "RightHand": 1.0}
    made = soft_loop(clip(rig, "run", poses, rate=RATE, loops=True, lag=lag))
    return _on_feet(rig, made, _running_foot(), RUN_STANCE, half, RUN_TRAVEL)


def _running_foot() -> Feet:
    """The left foot: under the body on its ball, off the toes, heel to the seat, knee ahead."""
    speed = RUN_TRAVEL / RUN_FRAMES
    land = speed * RUN_STANCE[0] + 0.345 - TO_BALL
    keys = {
        1.5: Foot(land, 0.0, 5.0),
        3.0: Foot(land, 0.0, 0.0),
        4.0: Foot(land, 0.0, 5.0),
        6.5: Foot(land, 0.0, 62.0),
        9.0: Foot(9 * speed - 0.42 - TO_BALL, 0.31, 104, -80),
        11.5: Foot(11.5 * speed - 0.08 - TO_BALL, 0.27, 58, -55),
        14.0: Foot(14 * speed + 0.345 - TO_BALL, 0.245, 10, -10),
        16.0: Foot(16 * speed + 0.45 - TO_BALL, 0.12, -4, 4),
        17.5: Foot(land + RUN_TRAVEL, 0.0, 5.0),
    }
    return {frame: foot._replace(wide=0.06, yaw=3.0) for frame, foot in keys.items()}


def crouch_walk(rig: Rig) -> Clip:
    """Two low steps on the balls of the feet, hips level, hands ready."""
    reach = pose(
        rig,
        {
            "Hips.translate": (0, -0.355, -0.14),
            "Hips": (30, -8, 0),
            "Spine": (14, 3, 0),
            "Chest": (8, 6, 0),
            "UpperChest": (4, 3, 0),
            "Neck": (-18, -2, 0),
            "Head": (-30, -2, 0),
            "LeftUpperArm": (-16, -38, -4),
            "LeftLowerArm": -98,
            "LeftHand": (0, 0, -14),
            "RightUpperArm": (-14, 60, 4),
            "RightLowerArm": 88,
            "RightHand": (0, 0, -4),
        },
    )
    over = pose(rig, {"Hips.translate.y": -0.34, "Hips.translate.x": 0.03, "Hips.z": 3.0})
    over |= pose(rig, {"Hips.x": 32, "Spine.z": -3, "Chest.z": -2, "Head.x": -32})
    poses = _two_steps(reach, over, CROUCH_FRAMES, CROUCH_TRAVEL)
    lag = {"LeftLowerArm": 1.0, "RightLowerArm": 1.0, "LeftHand": 2.0, "RightHand": 2.0}
    made = soft_loop(clip(rig, "crouch_walk", poses, rate=RATE, loops=True, lag=lag))
    half = CROUCH_FRAMES // 2
    return _on_feet(rig, made, _crouched_foot(), CROUCH_STANCE, half, CROUCH_TRAVEL)


def _crouched_foot() -> Feet:
    speed = CROUCH_TRAVEL / CROUCH_FRAMES
    land = 0.27 - TO_BALL
    keys = {
        0: Foot(land, 0.0, 10.0),
        3: Foot(land, 0.0, 4.0),
        9: Foot(land, 0.0, 12.0),
        17: Foot(land, 0.0, 46.0),
        20.5: Foot(20.5 * speed - 0.11 - TO_BALL, 0.1, 50, -40),
        24.5: Foot(24.5 * speed + 0.19 - TO_BALL, 0.1, 14, -10),
        28: Foot(land + CROUCH_TRAVEL, 0.0, 10.0),
    }
    return {frame: foot._replace(wide=0.1, yaw=9.0, knee=22.0) for frame, foot in keys.items()}


def _two_steps(reach: Pose, over: Pose, frames: int, travel: float) -> dict[int, Pose]:
    """A cycle from the left foot's reach and its carrying; the right one does the same."""
    poses: dict[int, Pose] = {}
    start = reach["Hips.translate.z"]
    calm = {name: 0.0 for name in over if name not in reach}
    for quarter, posed in enumerate((calm | reach, over, calm | mirrored(reach), mirrored(over))):
        poses[quarter * frames // 4] = dict(posed)
    poses[frames] = dict(poses[0])
    for frame, share in ((0, 0.0), (frames // 2, 0.5), (frames, 1.0)):
        poses[frame]["Hips.translate.z"] = start + travel * share
    return poses


def _on_feet(rig: Rig, made: Clip, feet: Feet, stance: Span, half: float, travel: float) -> Clip:
    """The clip with both legs on their tracks, the right one half a cycle later."""
    later = {f + half: foot._replace(ahead=foot.ahead + travel / 2) for f, foot in feet.items()}
    frames = round(made.duration * made.rate)
    made = with_foot(rig, made, "Left", feet, inside(stance, frames))
    late = (stance[0] + half, stance[1] + half)
    return with_foot(rig, made, "Right", later, inside(late, frames))


def inside(span: Span, frames: int) -> list[Span]:
    """A span of frames in a loop as one or two spans inside it."""
    start, end = span
    if end <= frames:
        return [span]
    return [(start, float(frames)), (0.0, end - frames)]


def run_stage() -> Stage:
    """The balls of the feet stay where they land."""
    return _stage(RUN_STANCE, RUN_FRAMES)


def crouch_walk_stage() -> Stage:
    """As for running; the right foot carries across the loop's seam."""
    return _stage(CROUCH_STANCE, CROUCH_FRAMES)


def _stage(stance: Span, frames: int) -> Stage:
    contacts = []
    for side, late in (("Left", 0.0), ("Right", frames / 2)):
        for span in inside((stance[0] + late, stance[1] + late), frames):
            contacts.append(ball_contact(side, span, RATE))
    return Stage(constraints=tuple(contacts))
