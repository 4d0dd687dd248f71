"""The biped pours tea: right hand on the pot, left hand at the cup, eyes on what matters."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from arcwright.arrays import Floats
from arcwright.characters.assembly import Piece, assembled
from arcwright.characters.biped_carry import hand_rotation
from arcwright.characters.biped_gaze import eyes, gazes
from arcwright.characters.biped_idle import first_pose
from arcwright.characters.biped_limbs import Foot, fingers, sole_contact, with_foot
from arcwright.characters.biped_steps import Written
from arcwright.characters.ik_track import Limb, bake
from arcwright.characters.mesh import look, shape
from arcwright.characters.posing import (
    Pose,
    clip,
    only,
    pose,
    pose_at,
    solve_ik,
    values_of,
    with_fitted_handles,
)
from arcwright.characters.recipe import Stage
from arcwright.characters.skeleton import Vector, root, skeleton, vector
from arcwright.characters.solids import Solid, box, joined
from arcwright.characters.tableware import Cup, Teapot, tableware_rig
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rotation import matrix_from_euler
from arcwright.scene.activity import Activity, ActivityEvent, Effector, Pair
from arcwright.scene.clip import Clip
from arcwright.scene.constraint import Contact
from arcwright.scene.point import Point
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Prop

RATE = 30.0
FRAMES = 216
TABLE, TABLE_Z, DEEP = 0.82, 0.57, 0.52  # m: the table's top, its middle ahead, its depth
POT = Teapot()
CUP = Cup(height=0.085, handle_turn=-60.0)
POT_AT: Vector = (-0.16, TABLE, 0.43)
CUP_AT: Vector = (0.14, TABLE, 0.45)
REACH, GRAB, LIFT, POUR, POUR_END, DOWN, RELEASE = 14, 38, 46, 86, 132, 172, 178
STEADY, LET_GO = 64, 142  # of the left hand at the cup
ABOVE = 0.042  # m, of the spout's tip over the cup's rim while it pours
POUR_YAW = 20.0  # degrees of the pot about Y
TIPS = {POUR: -38.0, 109: -42.0, POUR_END: -44.0}  # degrees of the pot about Z
HOLD: Vector = (0.1, -0.036, 0.0)  # m, of a handle's middle in the left hand
TOUCH: Vector = (0.155, -0.03, 0.0)  # m, of what the left hand touches, in it
OVER_EDGE: Vector = (0.31, 0.19, -0.11)  # m, of a wrist from the middle of the front edge
GRIP_YAW, TOUCH_YAW = 0.0, -28.0  # degrees of the fingers, to the left of straight ahead
GRIP_PITCH, TOUCH_PITCH = 11.0, 28.0  # degrees of the fingers, down
WOOD = {"wood": ("#b98556", 0.0, 0.6), "dark": ("#6d4a30", 0.0, 0.7)}
ARM = ("UpperArm", "LowerArm", "Hand")
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
    for frame, bend in {0: 0.0, STEADY - 10: -0.4, STEADY: -0.1, LET_GO: -0.1, FRAMES: 0}.items():
        body[frame] = body.get(frame, {}) | fingers(rig, "Left", bend)
    base = clip(rig, "tea", body, rate=RATE)
    for frame, arm in (*_right_arm(rig, base).items(), *_left_arm(rig, base).items()):
        body[frame] = body.get(frame, {}) | arm
    made = clip(rig, "tea", body, rate=RATE)
    for side in ("Left", "Right"):
        made = with_foot(rig, made, side, {0: Foot(), FRAMES: Foot()}, [(0.0, FRAMES)])
    made = _holding(rig, made, "Right", HOLD, (GRAB, RELEASE))
    return _holding(rig, made, "Left", TOUCH, (STEADY, LET_GO))


def _trunk(rig: Rig) -> dict[int, Pose]:
    """Weight and spine: they lean to where the hands go, a little before these."""
    first = first_pose(rig)
    rows: dict[int, Written] = {
        10: _body((-0.01, -0.04, -0.012), (-1, -2, -1), (2, -2, 0), (0, -2, 0)),
        34: _body((-0.035, -0.05, 0.02), (6, -6, -1.5), (7, -5, 1), (7, -5, 1)),
        LIFT: _body((-0.03, -0.048, 0.018), (6, -5, -1.5), (7, -4, 1), (6, -4, 1)),
        64: _body((-0.012, -0.04, 0.012), (4, -2, 0), (5, 0, 0), (4, 2, 0)),
        POUR: _body((0.006, -0.04, 0.008), (2, 3, 1), (4, 3, -1), (5, 4, -2)),
        POUR_END: _body((0.01, -0.042, 0.01), (3, 4, 1.5), (4, 4, -1.5), (6, 5, -2.5)),
        152: _body((-0.01, -0.044, 0.016), (5, 0, 0), (5, 0, 0), (5, 0, 0)),
        DOWN: _body((-0.032, -0.05, 0.02), (6, -5, -1.5), (7, -4, 1), (7, -4, 1)),
        RELEASE: _body((-0.032, -0.05, 0.018), (6, -5, -1.5), (7, -4, 1), (6, -4, 1)),
        200: _body((0.0, -0.036, -0.004), (0, 0, 0), (2, 0, 0), (-1, 0, 0)),
    }
    whole = {0: first} | {frame: pose(rig, row) for frame, row in rows.items()} | {FRAMES: first}
    shoulders = {0: 0.0, POUR: 8.0, POUR_END: 9.0, 160: 2.0, FRAMES: 0.0}
    for frame, lift in shoulders.items():
        whole[frame] = whole.get(frame, {}) | pose(rig, {"RightShoulder": (0, -lift)})
    return whole


def _body(at: Vector, hips: Vector, spine: Vector, chest: Vector) -> Written:
    return {"Hips.translate": at, "Hips": hips, "Spine": spine, "Chest": chest}


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


def _pot_in_world(frame: float) -> Floats:
    whole: Floats = forward(RIG, values_of(RIG, pose_at(RIG, poured(), frame))[None])[0, 0]
    return whole


def _right_arm(rig: Rig, base: Clip) -> dict[int, Pose]:
    """Key poses of the arm before, at and after the grip; the grip itself is baked."""
    names = tuple(f"Right{part}" for part in ARM)
    guess = pose(rig, {"RightUpperArm": (10, 45, 10), "RightLowerArm": 55, "RightHand": (0, 0, 0)})
    arms: dict[int, Pose] = {}
    arms[9] = pose(rig, {"RightUpperArm": (-2, -10, 30), "RightLowerArm": 34})
    arms[19] = _over_edge(rig, base, "Right", 19)
    for frame, aside in ((30, 0.045), (GRAB, 0.0), (68, 0.0), (POUR, 0.0), (POUR_END, 0.0),
                         (150, 0.0), (RELEASE, 0.0), (188, 0.05)):  # fmt: skip
        posed = pose_at(rig, base, frame) | guess
        solved = gripping(rig, posed, frame, aside)
        arms[frame] = only(solved, *names)
        guess = arms[frame]
    arms[197] = _over_edge(rig, base, "Right", 197)
    arms[203] = pose(rig, {"RightUpperArm": (0, -22, 27), "RightLowerArm": 66})
    arms[209] = pose(rig, {"RightUpperArm": (-1, -10, 30), "RightLowerArm": 30})
    return arms


def _over_edge(rig: Rig, base: Clip, side: str, frame: int) -> Pose:
    """A bent arm with the hand above the table's front edge."""
    sign = 1 if side == "Left" else -1
    bent = pose(rig, {f"{side}UpperArm": (0, 12 * sign, -26 * sign), f"{side}LowerArm": -95 * sign})
    bent |= pose(rig, {f"{side}Hand": (0, 0, 12 * sign)})
    joints = tuple(f"{side}{part}" for part in ARM)
    posed = pose_at(rig, base, frame) | bent
    wrist = (sign * OVER_EDGE[0], TABLE + OVER_EDGE[1], TABLE_Z - DEEP / 2 + OVER_EDGE[2])
    return only(solve_ik(rig, posed, f"{side}Hand", wrist, chain=joints[:2]), *joints)


def gripping(rig: Rig, posed: Pose, frame: float, aside: float = 0.0) -> Pose:
    """The right hand round the pot's handle, or beside it."""
    world = _pot_in_world(frame)
    yaw, dip = np.radians((GRIP_YAW, GRIP_PITCH))
    out = np.array([-np.cos(yaw), 0, np.sin(yaw)])
    ahead = np.array([np.sin(yaw) * np.cos(dip), -np.sin(dip), np.cos(yaw) * np.cos(dip)])
    place = POT.anchors["handle"] + aside * (out - 0.6 * ahead) + [0.0, 0.3 * aside, 0.0]
    turn = world[:3, :3]
    rotation = hand_rotation(rig, "RightHand", turn @ -ahead, turn @ out)
    x, y, z = HOLD
    at = vector(turn @ place + world[:3, 3])
    return solve_ik(rig, posed, "RightHand", at, rotation, point=(-x, y, z))


def _left_arm(rig: Rig, base: Clip) -> dict[int, Pose]:
    names = tuple(f"Left{part}" for part in ARM)
    guess = pose(rig, {"LeftUpperArm": (-15, -40, -25), "LeftLowerArm": -50, "LeftHand": (0, 0, 0)})
    back = pose(rig, {"LeftUpperArm": (0, 26, -27), "LeftLowerArm": -72})
    low = pose(rig, {"LeftUpperArm": (0, 14, -29), "LeftLowerArm": -30})
    arms = {28: low, 37: back}
    arms[44] = _over_edge(rig, base, "Left", 44)
    for frame, aside in ((56, 0.06), (STEADY, 0.0), (LET_GO, 0.0), (152, 0.05)):
        solved = steadying(rig, pose_at(rig, base, frame) | guess, aside)
        arms[frame] = only(solved, *names)
        guess = arms[frame]
    arms[163] = _over_edge(rig, base, "Left", 163)
    arms |= {170: back, 178: low}
    return arms


def steadying(rig: Rig, posed: Pose, aside: float = 0.0) -> Pose:
    """The left fingers at the cup's side, or so far from it."""
    yaw, dip = np.radians((TOUCH_YAW, TOUCH_PITCH))
    out = np.array([np.cos(yaw), 0, -np.sin(yaw)])
    ahead = np.array([np.sin(yaw) * np.cos(dip), -np.sin(dip), np.cos(yaw) * np.cos(dip)])
    place = np.array(CUP_AT) + [0, 0.85 * CUP.height, 0] + (0.9 * CUP.radius + aside) * out
    rotation = hand_rotation(rig, "LeftHand", ahead, out)
    return solve_ik(rig, posed, "LeftHand", vector(place - aside * ahead), rotation, point=TOUCH)


def _holding(rig: Rig, made: Clip, side: str, held: Vector, span: tuple[int, int]) -> Clip:
    """The clip with one arm solved so that its hand stays on what it holds."""
    x, y, z = held
    point = (x if side == "Left" else -x, y, z)
    limb = Limb(tuple(f"{side}{part}" for part in ARM), f"{side}Hand", (point, (0.0, 0.0, 0.0)))

    def solve(frame: float, posed: Pose) -> Pose:
        return steadying(rig, posed) if side == "Left" else gripping(rig, posed, frame)

    whole = (float(span[0]), float(span[1]))
    return bake(rig, made, limb, solve, whole, planted=[whole])


def stage() -> Stage:
    """Table, pot and cup; soles on the floor, hands on what they hold; what it is about."""
    start, end = GRAB / RATE, RELEASE / RATE
    pot = Point("Pot", POT.anchors["handle"], "Pot")
    hold = Contact(held("Right"), start, end, True, relative_to=pot)
    cup = Point("Cup", character="Cup")
    touch = Contact(held("Left"), STEADY / RATE, LET_GO / RATE, True, relative_to=cup)
    soles = (sole_contact(side, (0.0, FRAMES), RATE) for side in ("Left", "Right"))
    props = (POT.prop("Pot", POT_AT, poured()), CUP.prop("Cup", CUP_AT), _table())
    return Stage(props, (*soles, hold, touch), (activity(),))


def activity() -> Activity:
    """What the pot, the cup, both hands and the eyes do, and when."""
    hold, touch = Pair("right hand", "pot.handle"), Pair("left hand", "cup")
    pouring = (hold, Pair("pot.spout", "cup.rim"), touch)
    both, cup = ("pot", "cup"), ("cup", "left hand")
    events = (
        _event(REACH, "reach", elements=("right hand", "pelvis"), look_at="pot"),
        _event(GRAB, "grab", (hold,), ("pot", "pelvis"), ("pot",), ("pot",), look_at="pot"),
        _event(LIFT, "lift", (hold,), ("pot",), ("pot",), ("pot",), look_at="pot"),
        _event(STEADY, "steady", (touch,), cup, ("cup",), ("cup",), look_at="cup"),
        _event(POUR, "pour", pouring, (*both, "pelvis"), both, both, look_at="cup"),
        _event(POUR_END, "pour end", pouring, (*both, "pelvis"), both, both, look_at="cup"),
        _event(LET_GO, "let go", (touch,), cup, ("cup",), ("cup",), look_at="cup"),
        _event(DOWN, "put down", (hold,), ("pot", "pelvis"), ("pot",), ("pot",), look_at="pot"),
        _event(RELEASE, "release", (hold,), ("pot",), ("pot",), ("pot",), look_at="pot"),
    )
    return Activity(
        "tea",
        take="tea",
        objects=(POT.object("pot", "Pot"), CUP.object("cup", "Cup")),
        effectors=(
            Effector("right hand", held("Right")),
            Effector("left hand", held("Left")),
            Effector("pelvis", Point("Hips")),
            Effector("head", eyes()),
        ),
        events=events,
    )


def _event(
    frame: int,
    name: str,
    pairs: tuple[Pair, ...] = (),
    movable: tuple[str, ...] = (),
    scalable: tuple[str, ...] = (),
    replaceable: tuple[str, ...] = (),
    **more: Any,
) -> ActivityEvent:
    return ActivityEvent(
        frame / RATE,
        name,
        movable=movable,
        scalable=scalable,
        replaceable=replaceable,
        pairs=pairs,
        **more,
    )


def held(side: str) -> Point:
    """Where the right hand holds the pot, or the left one touches the cup."""
    if side == "Left":
        return Point("LeftHand", np.array(TOUCH))
    x, y, z = HOLD
    return Point("RightHand", np.array([-x, y, z]))


def _table() -> Prop:
    rig = skeleton([root("Table", (0.0, TABLE, TABLE_Z))])
    legs: list[Solid] = [
        box(0.055, TABLE - 0.03, 0.055, 0.008).moved((x, -TABLE / 2 - 0.015, z))
        for x in (-0.52, 0.52)
        for z in (-0.2, 0.2)
    ]
    rails = [box(1.0, 0.07, 0.025, 0.006).moved((0, -0.065, z)) for z in (-0.2, 0.2)]
    top = box(1.2, 0.035, DEEP, 0.01).moved((0, -0.0175, 0))
    parts = [Piece("Table", "wood", top), Piece("Table", "dark", joined(*legs, *rails))]
    mesh = assembled(rig, parts)
    return Prop("Table", rig, (), (shape("Table", mesh, rig),), look(WOOD, mesh.materials))
