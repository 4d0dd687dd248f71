"""The biped pours tea: right hand on the pot, left hand at the cup, eyes on what matters."""

from __future__ import annotations

from functools import cache

import numpy as np

from arcwright.arrays import Floats
from arcwright.characters.biped_gaze import gazes
from arcwright.characters.biped_idle import first_pose
from arcwright.characters.biped_limbs import Foot, fingers, with_foot
from arcwright.characters.biped_reach import (
    Table,
    arm,
    directions,
    hand_at,
    hanging,
    in_world,
    on_track,
    trunk,
)
from arcwright.characters.biped_steps import Written
from arcwright.characters.posing import Pose, clip, only, pose, pose_at, with_fitted_handles
from arcwright.characters.skeleton import Vector, vector
from arcwright.characters.tableware import Cup, Teapot, tableware_rig
from arcwright.kinematics.rotation import matrix_from_euler
from arcwright.scene.clip import Clip
from arcwright.scene.rig import Rig

RATE = 30.0
FRAMES = 222
TABLE = Table()
POT = Teapot()
CUP = Cup(height=0.085, handle_turn=-60.0)
POT_AT: Vector = (-0.16, TABLE.top, 0.43)
CUP_AT: Vector = (0.14, TABLE.top, 0.45)
REACH, GRAB, LIFT, POUR, POUR_END, DOWN, RELEASE = 14, 38, 46, 86, 132, 172, 178
STEADY, LEAVE = 64, 142  # of the left hand at the cup
ABOVE = 0.042  # m, of the spout's tip over the cup's rim while it pours
POUR_YAW = 20.0  # degrees of the pot about Y
TIPS = {POUR: -38.0, 109: -42.0, POUR_END: -44.0}  # degrees of the pot about Z
TOUCH: Vector = (0.155, -0.03, 0.0)  # m, of what the left hand touches, in it
GRIP_YAW, TOUCH_YAW = 0.0, -28.0  # degrees of the fingers, to the left of straight ahead
GRIP_PITCH, TOUCH_PITCH = 11.0, 28.0  # degrees of the fingers, down
RIG = tableware_rig("Pot", POT_AT)


def tea(rig: Rig) -> Clip:
    """Look, reach, lift, pour for a second and a half, set down, let go."""
    body = _trunk(rig)
    made = clip(rig, "tea", body, rate=RATE)
    body |= {frame: body.get(frame, {}) | p for frame, p in _gaze(rig, made).items()}
    for frame, bend in {0: 0.0, 24: -0.5, GRAB - 4: -0.2, GRAB + 2: 0.8}.items():
        body[frame] = body.get(frame, {}) | fingers(rig, "Right", bend)
    for frame, bend in {RELEASE - 2: 0.8, RELEASE + 6: -0.3, FRAMES: 0.0}.items():
        body[frame] = body.get(frame, {}) | fingers(rig, "Right", bend)
    for frame, bend in {0: 0.0, STEADY - 10: -0.4, STEADY: -0.1, LEAVE: -0.1, FRAMES: 0}.items():
        body[frame] = body.get(frame, {}) | fingers(rig, "Left", bend)
    base = clip(rig, "tea", body, rate=RATE)
    for frame, posed in (*_right_arm(rig, base).items(), *_left_arm(rig, base).items()):
        body[frame] = body.get(frame, {}) | posed
    made = clip(rig, "tea", body, rate=RATE)
    for side in ("Left", "Right"):
        made = with_foot(rig, made, side, {0: Foot(), FRAMES: Foot()}, [(0.0, FRAMES)])
    made = on_track(rig, made, "Right", lambda f, p: gripping(rig, p, f), (GRAB, RELEASE))
    return on_track(rig, made, "Left", lambda _, p: steadying(rig, p), (STEADY, LEAVE), TOUCH)


def _trunk(rig: Rig) -> dict[int, Pose]:
    """Weight and spine: they lean to where the hands go, a little before these."""
    first = first_pose(rig)
    rows: dict[int, Written] = {
        10: trunk((-0.01, -0.04, -0.012), (-1, -2, -1), (2, -2, 0), (0, -2, 0)),
        34: trunk((-0.035, -0.05, 0.02), (6, -6, -1.5), (7, -5, 1), (7, -5, 1)),
        LIFT: trunk((-0.03, -0.048, 0.018), (6, -5, -1.5), (7, -4, 1), (6, -4, 1)),
        64: trunk((-0.012, -0.04, 0.012), (4, -2, 0), (5, 0, 0), (4, 2, 0)),
        POUR: trunk((0.006, -0.04, 0.008), (2, 3, 1), (4, 3, -1), (5, 4, -2)),
        POUR_END: trunk((0.01, -0.042, 0.01), (3, 4, 1.5), (4, 4, -1.5), (6, 5, -2.5)),
        152: trunk((-0.01, -0.044, 0.016), (5, 0, 0), (5, 0, 0), (5, 0, 0)),
        DOWN: trunk((-0.032, -0.05, 0.02), (6, -5, -1.5), (7, -4, 1), (7, -4, 1)),
        RELEASE: trunk((-0.032, -0.05, 0.018), (6, -5, -1.5), (7, -4, 1), (6, -4, 1)),
        200: trunk((0.0, -0.036, -0.004), (0, 0, 0), (2, 0, 0), (-1, 0, 0)),
    }
    whole = {0: first} | {frame: pose(rig, row) for frame, row in rows.items()} | {FRAMES: first}
    shoulders = {0: 0.0, POUR: 8.0, POUR_END: 9.0, 160: 2.0, FRAMES: 0.0}
    for frame, lift in shoulders.items():
        whole[frame] = whole.get(frame, {}) | pose(rig, {"RightShoulder": (0, -lift)})
    return whole


def _gaze(rig: Rig, body: Clip) -> dict[int, Pose]:
    """The head turns to the pot, to the cup, back to the pot, and up again."""
    ahead = np.array([0.0, 1.3, 2.0])
    above = np.array([0.0, 0.08, 0.0])
    pot, cup = POT_AT + above, CUP_AT + above
    places = {14: pot, GRAB: pot, 52: 0.5 * (pot + cup), 66: cup, POUR: cup, POUR_END: cup}
    places |= {142: cup, 156: pot, RELEASE: pot, 190: 0.7 * pot + 0.3 * ahead}
    return gazes(rig, body, places)


@cache
def poured() -> Clip:
    """The pot's own clip."""
    at, spout = np.array(POT_AT), POT.anchors["spout"]
    rim = np.array(CUP_AT) + CUP.anchors["rim"] + [0.0, ABOVE, 0.0]
    still = (np.zeros(3), 0.0, 0.0)
    rows: dict[float, tuple[Floats, float, float]] = dict.fromkeys((0, GRAB, LIFT), still)
    rows[68] = (np.array([0.04, 0.13, -0.02]), 0.6 * POUR_YAW, -6.0)
    for frame in np.linspace(POUR, POUR_END, 5).tolist():
        tip = float(np.interp(frame, list(TIPS), list(TIPS.values())))
        rows[frame] = (rim - _turned(POUR_YAW, tip) @ spout - at, POUR_YAW, tip)
    rows[150] = (np.array([0.04, 0.12, -0.02]), 0.5 * POUR_YAW, -8.0)
    poses = {
        frame: pose(RIG, {"Pot.translate": vector(slide), "Pot": (0, yaw, tip)})
        for frame, (slide, yaw, tip) in (rows | dict.fromkeys((DOWN, FRAMES), still)).items()
    }
    return _with_still_spout(clip(RIG, "tea", poses, rate=RATE))


def _with_still_spout(made: Clip) -> Clip:
    """The clip with handles of the pot's way fitted so that the spout stays while it tips."""
    rim = np.array(CUP_AT) + CUP.anchors["rim"] + [0.0, ABOVE, 0.0]
    poses: dict[float, Pose] = {}
    for frame in np.arange(POUR + 0.5, POUR_END, 0.5).tolist():
        posed = pose_at(RIG, made, frame)
        yaw, tip = np.degrees([posed["Pot.rotate.y"], posed["Pot.rotate.z"]])
        slide = rim - _turned(yaw, tip) @ POT.anchors["spout"] - POT_AT
        poses[frame] = pose(RIG, {"Pot.translate": vector(slide)})
    return with_fitted_handles(RIG, made, poses)


def _turned(yaw: float, tip: float) -> Floats:
    """Degrees about Z, then about Y."""
    return matrix_from_euler(np.radians([yaw, tip, 0.0]), "YZX")


def _right_arm(rig: Rig, base: Clip) -> dict[int, Pose]:
    """Key poses of the arm before, at and after the grip; the grip itself is baked."""
    names = arm("Right")
    guess = pose(rig, {"RightUpperArm": (10, 45, 10), "RightLowerArm": 55, "RightHand": (0, 0, 0)})
    arms: dict[int, Pose] = {}
    arms[9] = hanging(rig, "Right", 10, 34)
    arms[19] = TABLE.over_edge(rig, base, "Right", 19)
    for frame, aside in ((30, 0.045), (GRAB, 0.0), (68, 0.0), (POUR, 0.0), (POUR_END, 0.0),
                         (150, 0.0), (RELEASE, 0.0), (188, 0.05)):  # fmt: skip
        posed = pose_at(rig, base, frame) | guess
        solved = gripping(rig, posed, frame, aside)
        arms[frame] = only(solved, *names)
        guess = arms[frame]
    arms[197] = TABLE.over_edge(rig, base, "Right", 197)
    arms[205] = hanging(rig, "Right", 30, 90)
    arms[213] = hanging(rig, "Right", 10, 30)
    return arms


def gripping(rig: Rig, posed: Pose, frame: float, aside: float = 0.0) -> Pose:
    """The right hand round the pot's handle, or beside it."""
    world = in_world(RIG, poured(), frame)
    ahead, out = directions(GRIP_YAW, GRIP_PITCH, "Right")
    place = POT.anchors["handle"] + aside * (out - 0.6 * ahead + np.array([0.0, 0.3, 0.0]))
    turn = world[:3, :3]
    at = turn @ place + world[:3, 3]
    return hand_at(rig, posed, "Right", at, turn @ ahead, turn @ out)


def _left_arm(rig: Rig, base: Clip) -> dict[int, Pose]:
    names = arm("Left")
    guess = pose(rig, {"LeftUpperArm": (-15, -40, -25), "LeftLowerArm": -50, "LeftHand": (0, 0, 0)})
    back, low = hanging(rig, "Left", 50, 112), hanging(rig, "Left", 14, 30)
    arms = {28: low, 37: back}
    arms[44] = TABLE.over_edge(rig, base, "Left", 44)
    for frame, aside in ((56, 0.06), (STEADY, 0.0), (LEAVE, 0.0), (152, 0.05)):
        solved = steadying(rig, pose_at(rig, base, frame) | guess, aside)
        arms[frame] = only(solved, *names)
        guess = arms[frame]
    arms[163] = TABLE.over_edge(rig, base, "Left", 163)
    arms |= {172: back, 182: low}
    return arms


def steadying(rig: Rig, posed: Pose, aside: float = 0.0) -> Pose:
    """The left fingers at the cup's side, or so far from it."""
    ahead, out = directions(TOUCH_YAW, TOUCH_PITCH, "Left")
    side = (0.9 * CUP.radius + aside) * out + np.array([0, 0.85 * CUP.height, 0])
    return hand_at(rig, posed, "Left", CUP_AT + side - aside * ahead, ahead, out, TOUCH)
