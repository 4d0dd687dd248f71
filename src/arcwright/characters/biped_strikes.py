"""The biped's punch, kick and throw: one-shots in place that begin and end as idle begins.

Poses are written for the left hand or foot and mirrored: the biped is right-handed.
"""

from __future__ import annotations

from collections.abc import Mapping

from arcwright.characters.biped_idle import first_pose
from arcwright.characters.biped_limbs import Foot, ball_contact, fingers, sole_contact, with_foot
from arcwright.characters.biped_steps import Written
from arcwright.characters.posing import Pose, clip, mirrored, pose, solve_ik
from arcwright.characters.recipe import Stage
from arcwright.characters.skeleton import Vector
from arcwright.scene.clip import Clip
from arcwright.scene.rig import Rig

RATE = 24.0
PUNCH_FRAMES, KICK_FRAMES, THROW_FRAMES = 20, 24, 24
KICK_OFF, KICK_DOWN = 6, 21  # frames in between which the kicking foot is in the air


def punch(rig: Rig) -> Clip:
    """Sink onto the back foot, drive hip, shoulder and fist through in turn, recover."""
    wind = pose(rig, _body((-0.035, -0.085, -0.03), (4, 20, 0), (4, 8, 0), (4, 8, 0), (-6, -30, 0)))
    wind |= pose(
        rig,
        {
            "LeftShoulder": (10, 4),
            "LeftUpperArm": (4, 30, -34),
            "LeftLowerArm": -122,
            "LeftHand": (0, 0, -8),
            "RightUpperArm": (30, 48, -4),
            "RightLowerArm": 92,
            "RightHand": (0, 0, 6),
        },
    )
    hit = pose(rig, _body((0.05, -0.085, 0.08), (8, -24, 0), (6, -12, 0), (2, -14, 0), (-6, 38, 0)))
    hit |= pose(
        rig,
        {
            "LeftShoulder": (-24, 6),
            "LeftUpperArm": (0, -70, 40),
            "LeftLowerArm": -16,
            "LeftHand": (0, 0, 0),
            "RightUpperArm": (20, -8, 12),
            "RightLowerArm": 118,
            "RightHand": (0, 0, 0),
        },
    )
    hit = solve_ik(rig, hit, "LeftHand", (0.03, 1.3, 0.8), chain=("LeftUpperArm", "LeftLowerArm"))
    through = hit | pose(rig, {"Hips.translate": (0.056, -0.09, 0.09), "Hips.y": -27})
    through = solve_ik(
        rig, through, "LeftHand", (0.0, 1.28, 0.81), chain=("LeftUpperArm", "LeftLowerArm")
    )
    back = pose(rig, _body((0.02, -0.065, 0.04), (5, -6, 0), (4, -2, 0), (2, -2, 0), (-4, 10, 0)))
    back |= pose(
        rig,
        {
            "LeftShoulder": (-4, 2),
            "LeftUpperArm": (14, -28, -22),
            "LeftLowerArm": -104,
            "RightUpperArm": (18, 14, 18),
            "RightLowerArm": 84,
        },
    )
    launch = pose(rig, {"LeftUpperArm": (10, -18, -30), "LeftLowerArm": -96})  # elbow kept in
    poses = {0: first_pose(rig), 5: wind, 7: launch, 9: hit, 11: through, 15: back}
    poses[20] = first_pose(rig)
    fists = {0: 0.0, 4: 1.0, 15: 1.0, 20: 0.0}
    made = _clip(rig, "punch", poses, dict.fromkeys(("Left", "Right"), fists))
    back_foot = {0: Foot(), 5: Foot(), 9: Foot(pitch=26, yaw=-14), 11: Foot(pitch=30, yaw=-18)}
    back_foot |= {15: Foot(pitch=12, yaw=-2), 18: Foot(), 20: Foot()}
    return _on_feet(rig, made, {0: Foot(), 20: Foot()}, back_foot)


def kick(rig: Rig) -> Clip:
    """Weight over the right foot, knee up, snap the shin out and back, foot down. Mirrored."""
    shift = pose(rig, _body((-0.075, -0.075, -0.02), (6, 4, -2), (4, 0, 3), (2, 4, 0), (-6, -4, 0)))
    shift |= pose(rig, _guard())
    knee = pose(rig, _body((-0.1, -0.035, 0.0), (-6, -6, 4), (6, 2, -2), (6, 4, 0), (-2, 0, 0)))
    knee |= pose(rig, {"LeftUpperLeg": (-92, 0, 4), "LeftLowerLeg": 112, "LeftFoot": (20, 0, 0)})
    knee |= pose(rig, {"LeftToes": 0, "LeftUpperArm": (20, 4, -28), "LeftLowerArm": -96})
    knee |= pose(rig, {"RightUpperArm": (20, 40, 8), "RightLowerArm": 96})
    hit = pose(rig, _body((-0.092, -0.045, 0.05), (-20, -16, 2), (8, 6, 0), (8, 8, 0), (4, 6, 0)))
    hit |= pose(rig, {"LeftUpperLeg": (-76, 0, 2), "LeftLowerLeg": 8, "LeftFoot": (24, 0, 0)})
    hit |= pose(rig, {"LeftToes": -30, "LeftUpperArm": (0, 34, -24), "LeftLowerArm": -62})
    hit |= pose(rig, {"RightUpperArm": (24, 30, 2), "RightLowerArm": 104})
    hold = pose(rig, {"LeftUpperLeg.x": -74, "LeftLowerLeg": 14, "LeftFoot.x": 20})
    recoil = pose(rig, _body((-0.095, -0.04, 0.01), (-4, -6, 3), (6, 2, 0), (6, 2, 0), (-4, 2, 0)))
    recoil |= pose(rig, {"LeftUpperLeg": (-72, 0, 5), "LeftLowerLeg": 92, "LeftFoot": (14, 0, 0)})
    recoil |= pose(rig, _guard() | {"LeftToes": 0})
    down = pose(rig, _body((-0.05, -0.06, 0.0), (4, 0, -1), (3, 0, 2), (2, 0, 0), (-4, 0, 0)))
    poses = {0: first_pose(rig), 6: shift, 10: knee, 13: hit, 14: hold, 17: recoil, 21: down}
    poses[24] = first_pose(rig)
    fists = {0: 0.0, 6: 0.8, 17: 0.8, 24: 0.0}
    made = _clip(rig, "kick", poses, dict.fromkeys(("Left", "Right"), fists))
    made = with_foot(rig, made, "Left", {0: Foot(), 20: Foot(), 24: Foot()}, [(0.0, 24.0)])
    leaving = {0: Foot(), 3: Foot(), KICK_OFF: Foot(pitch=34)}
    made = with_foot(rig, made, "Right", leaving, [(0.0, KICK_OFF)], (0.0, KICK_OFF))
    landing = {KICK_DOWN: Foot(pitch=16), 23: Foot(), 24: Foot()}
    return with_foot(rig, made, "Right", landing, [(KICK_DOWN, 24.0)], (KICK_DOWN, 24.0))


def throw(rig: Rig) -> Clip:
    """Turn away with the arm cocked, hips lead, chest follows, the hand comes over last."""
    wind = pose(
        rig, _body((-0.0, -0.06, -0.03), (-4, 26, 0), (-4, 12, 2), (-4, 12, 4), (2, -44, 0))
    )
    wind |= pose(rig, {"Hips.translate": (0.045, -0.07, -0.04), "LeftShoulder": (14, 8)})
    wind |= pose(rig, {"LeftUpperArm": (-60, 26, 34), "LeftLowerArm": -96, "LeftHand": (0, 0, 30)})
    wind |= pose(rig, {"RightUpperArm": (10, 62, -30), "RightLowerArm": 24, "RightHand": (0, 0, 0)})
    lead = pose(rig, _body((-0.01, -0.08, 0.02), (2, -8, 0), (-6, 8, 4), (-8, 12, 6), (0, -12, 0)))
    lead |= pose(rig, {"LeftShoulder": (12, 10), "LeftUpperArm": (-80, 22, 46)})
    lead |= pose(rig, {"LeftLowerArm": -104, "LeftHand": (0, 0, 44)})
    lead |= pose(rig, {"RightUpperArm": (10, 40, 0), "RightLowerArm": 46})
    release = pose(
        rig, _body((-0.03, -0.07, 0.055), (10, -24, 0), (8, -10, -4), (6, -10, -6), (-8, 34, 0))
    )
    release |= pose(rig, {"LeftShoulder": (-12, 18), "LeftUpperArm": (-62, -30, 74)})
    release |= pose(rig, {"LeftLowerArm": -26, "LeftHand": (0, 0, -10)})
    release |= pose(rig, {"RightUpperArm": (10, -14, 20), "RightLowerArm": 82})
    follow = pose(
        rig, _body((-0.01, -0.11, 0.005), (22, -32, 0), (18, -14, 0), (10, -14, 0), (-24, 40, 0))
    )
    follow |= pose(rig, {"LeftShoulder": (-24, 0), "LeftUpperArm": (30, -62, -22)})
    follow |= pose(rig, {"LeftLowerArm": -34, "LeftHand": (0, 0, -40)})
    follow |= pose(rig, {"RightUpperArm": (6, -34, 26), "RightLowerArm": 56})
    back = pose(
        rig, _body((-0.005, -0.06, 0.005), (8, -8, 0), (6, -4, 0), (4, -4, 0), (-12, 12, 0))
    )
    back |= pose(rig, {"LeftUpperArm": (10, -24, -30), "LeftLowerArm": -34})
    poses = {0: first_pose(rig), 6: wind, 9: lead, 11: release, 15: follow, 19: back}
    poses[24] = first_pose(rig)
    grips = {"Left": {0: 0.0, 5: 0.6, 10: 0.6, 12: -0.4, 17: 0.1, 24: 0.0}}
    made = _clip(rig, "throw", poses, grips)
    back_foot = {0: Foot(), 6: Foot(), 9: Foot(pitch=14, yaw=0), 11: Foot(pitch=34, yaw=-10)}
    back_foot |= {15: Foot(pitch=44, yaw=-14), 19: Foot(pitch=18, yaw=-4), 23: Foot(), 24: Foot()}
    return _on_feet(rig, made, {0: Foot(), 24: Foot()}, back_foot)


def _body(at: Vector, hips: Vector, spine: Vector, chest: Vector, head: Vector) -> Written:
    return {"Hips.translate": at, "Hips": hips, "Spine": spine, "Chest": chest, "Head": head}


def _guard() -> Written:
    """Both fists before the chest."""
    return {
        "LeftUpperArm": (8, -22, -24),
        "LeftLowerArm": -104,
        "RightUpperArm": (12, 30, 20),
        "RightLowerArm": 104,
    }


def _clip(
    rig: Rig, name: str, poses: dict[int, Pose], grips: Mapping[str, Mapping[int, float]]
) -> Clip:
    """A one-shot from poses written for the left, mirrored; the right hand grips as the left."""
    whole = {frame: dict(posed) for frame, posed in poses.items()}
    for side, bends in grips.items():
        for frame, bend in bends.items():
            whole[frame] = whole.get(frame, {}) | fingers(rig, side, bend)
    lag = {"LeftHand": 1.0, "RightHand": 1.0}
    swapped = {frame: mirrored(posed) for frame, posed in whole.items()}
    return clip(rig, name, swapped, rate=RATE, lag=lag)


def _on_feet(rig: Rig, made: Clip, left: Mapping[int, Foot], right: Mapping[int, Foot]) -> Clip:
    all_of_it = [(0.0, made.duration * made.rate)]
    made = with_foot(rig, made, "Left", left, all_of_it)
    return with_foot(rig, made, "Right", right, all_of_it)


def punch_stage() -> Stage:
    """The left foot stays; the right one turns on its ball."""
    return _stage(PUNCH_FRAMES)


def throw_stage() -> Stage:
    """As for the punch."""
    return _stage(THROW_FRAMES)


def kick_stage() -> Stage:
    """The left foot stays; the right one leaves from its ball and lands on it."""
    spans = ((0.0, float(KICK_OFF)), (float(KICK_DOWN), float(KICK_FRAMES)))
    right = (ball_contact("Right", span, RATE) for span in spans)
    return Stage(constraints=(sole_contact("Left", (0.0, KICK_FRAMES), RATE), *right))


def _stage(frames: int) -> Stage:
    whole = (0.0, float(frames))
    left, right = sole_contact("Left", whole, RATE), ball_contact("Right", whole, RATE)
    return Stage(constraints=(left, right))
