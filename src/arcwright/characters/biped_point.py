"""The biped points at a ball on a stand: eyes first, then the whole arm, and back."""

from __future__ import annotations

import numpy as np

from arcwright.characters.assembly import Piece, assembled
from arcwright.characters.biped_gaze import eyes, gazes
from arcwright.characters.biped_idle import first_pose
from arcwright.characters.biped_limbs import Foot, pointing_finger, sole_contact, with_foot
from arcwright.characters.biped_reach import arm, hand_at, hanging, trunk
from arcwright.characters.biped_steps import Written
from arcwright.characters.mesh import look, shape
from arcwright.characters.posing import Pose, clip, mirrored, only, point_position, pose, pose_at
from arcwright.characters.recipe import Stage
from arcwright.characters.skeleton import Vector, root, skeleton
from arcwright.characters.solids import ball, drum, joined, rod
from arcwright.scene.activity import Activity, ActivityEvent, ActivityObject, Effector
from arcwright.scene.clip import Clip
from arcwright.scene.point import Point
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Prop

RATE = 30.0
FRAMES = 84
SHOOT, POINT, HOLD_END = 27, 35, 43  # the arm is out, in the middle of its rest, and leaves
TARGET: Vector = (-0.85, 1.36, 0.95)  # m
RADIUS = 0.07  # m, of the ball there
FAR = 0.605  # m, from the shoulder to the knuckles
KNUCKLE: Vector = (0.112, 0.002, 0.043)  # m, of the left index, in the hand
PAINT = {"ball": ("#e5484d", 0.0, 0.5), "stand": ("#4a5058", 0.3, 0.5)}


def point_right(rig: Rig) -> Clip:
    """Looks, draws the hand up, points, holds for half a second, and comes back."""
    body = {0: first_pose(rig)} | {frame: pose(rig, row) for frame, row in _trunk().items()}
    body[FRAMES] = first_pose(rig)
    base = clip(rig, "point_right", body, rate=RATE)
    places = dict.fromkeys((10, 20, HOLD_END + 4), TARGET) | {62: (-0.2, 1.4, 3.0)}
    hand = mirrored(pose(rig, pointing_finger()))
    loose = dict.fromkeys(hand, 0.0)
    fingers = {0: loose, 12: loose, 20: hand, HOLD_END + 2: hand, 60: loose}
    rows = (gazes(rig, base, places), fingers, _arms(rig, base))
    for row in rows:
        for frame, posed in row.items():
            body[frame] = body.get(frame, {}) | posed
    lag = {"RightLowerArm": 1.0, "LeftLowerArm": 2.0, "LeftHand": 3.0}
    made = clip(rig, "point_right", body, rate=RATE, lag=lag)
    for side in ("Left", "Right"):
        made = with_foot(rig, made, side, {0: Foot(), FRAMES: Foot()}, [(0.0, FRAMES)])
    return made


def _trunk() -> dict[int, Written]:
    """Away from the target, then towards it, and a little further while the arm rests."""
    aim = trunk((-0.045, -0.042, 0.035), (2, -12, -1), (1, -8, 1), (1, -10, 1))
    settled = trunk((-0.05, -0.045, 0.04), (2, -13, -1), (2, -8, 1), (1, -11, 1))
    return {
        14: trunk((0.022, -0.052, -0.018), (2, 5, 1), (3, 3, -1), (3, 4, -1)),
        SHOOT: aim,
        HOLD_END: settled,
        68: trunk((0.006, -0.037, -0.002), (0, 1, 0), (2, 0, 0), (0, 1, 0)),
    }


def _arms(rig: Rig, base: Clip) -> dict[int, Pose]:
    names = arm("Right")
    drawn: Written = {"RightUpperArm": (-10, 34, 26), "RightLowerArm": 112}
    arms = {15: pose(rig, drawn | {"RightHand": (0, 0, 12)})}
    guess = pose(rig, {"RightUpperArm": (0, 60, -30), "RightLowerArm": 20, "RightHand": (0, 0, 0)})
    for frame, share in ((SHOOT, 1.0), (POINT, 0.985), (HOLD_END, 0.985)):
        posed = pose_at(rig, base, frame) | guess
        arms[frame] = only(pointing(rig, posed, share * FAR), *names)
    arms[56] = pose(rig, {"RightUpperArm": (-4, 24, 14), "RightLowerArm": 58})
    arms[70] = hanging(rig, "Right", -10, 16)
    left = {SHOOT: hanging(rig, "Left", 16, 24), HOLD_END + 4: hanging(rig, "Left", 13, 22)}
    for frame, posed in left.items():
        arms[frame] = arms.get(frame, {}) | posed
    return arms


def pointing(rig: Rig, posed: Pose, far: float) -> Pose:
    """The right index aimed at the target from the shoulder, the back of the hand up and out."""
    shoulder = point_position(rig, posed, "RightUpperArm")
    way = np.array(TARGET) - shoulder
    way /= np.linalg.norm(way)
    out = np.array([-0.6, 0.8, 0.0])
    return hand_at(rig, posed, "Right", shoulder + far * way, way, out, KNUCKLE)


def stage() -> Stage:
    """The ball on its stand; both soles on the floor."""
    soles = tuple(sole_contact(side, (0.0, FRAMES), RATE) for side in ("Left", "Right"))
    return Stage((_target(),), soles, (activity(),))


def activity() -> Activity:
    """The right hand points at the target."""
    event = ActivityEvent(
        POINT / RATE,
        "point",
        elements=("target",),
        movable=("right hand", "target"),
        look_at="target",
    )
    return Activity(
        "point",
        take="point_right",
        objects=(ActivityObject("target", "Target", ("centre",), np.zeros((1, 3))),),
        effectors=(
            Effector("right hand", Point("RightHand", np.array([-KNUCKLE[0], *KNUCKLE[1:]]))),
            Effector("pelvis", Point("Hips")),
            Effector("head", eyes()),
        ),
        events=(event,),
    )


def _target() -> Prop:
    rig = skeleton([root("Target", TARGET)])
    foot = drum(0.14, 0.03, 0.01).moved((0, 0.015 - TARGET[1], 0))
    stand = joined(foot, rod((0, 0.02 - TARGET[1], 0), (0, -RADIUS, 0), 0.012))
    parts = [Piece("Target", "ball", ball(RADIUS, RADIUS, RADIUS)), Piece("Target", "stand", stand)]
    mesh = assembled(rig, parts)
    return Prop("Target", rig, (), (shape("Target", mesh, rig),), look(PAINT, mesh.materials))
