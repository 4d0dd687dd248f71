"""The biped's clips: key poses as an animator would set them; feet planted where they carry."""

from __future__ import annotations

from arcwright.characters.biped_carry import carry
from arcwright.characters.biped_gaits import crouch_walk, run
from arcwright.characters.biped_get_up import get_up_back, get_up_front
from arcwright.characters.biped_guitar import play
from arcwright.characters.biped_idle import crouch, idle
from arcwright.characters.biped_juggle import juggle
from arcwright.characters.biped_lamp import lamp
from arcwright.characters.biped_limbs import pointing_finger
from arcwright.characters.biped_mid_jump import mid_jump
from arcwright.characters.biped_point import point_right
from arcwright.characters.biped_stage import RATE, SEAT, TOWER
from arcwright.characters.biped_steps import (
    at_ease,
    both_stay,
    even,
    feet,
    leg,
    stays,
    step,
)
from arcwright.characters.biped_strikes import kick, punch, throw
from arcwright.characters.biped_tea import tea
from arcwright.characters.posing import Pose, clip, mirrored, only, pose, pose_at, solve_ik
from arcwright.scene.clip import Clip
from arcwright.scene.rig import Rig

STRIDE = 0.66  # m, a walking step


def clips(rig: Rig) -> list[Clip]:
    """Every clip of the biped."""
    first = [stand(rig), walk(rig), jump(rig), dive(rig), sit(rig), point(rig)]
    acts = [punch(rig), kick(rig), throw(rig), get_up_back(rig), get_up_front(rig)]
    moves = [idle(rig), run(rig), crouch(rig), crouch_walk(rig), mid_jump(rig)]
    return [*first, play(rig), carry(rig), juggle(rig), *moves, *acts]


def activity_clips(rig: Rig) -> list[Clip]:
    """The clips that have activities."""
    return [tea(rig), point_right(rig), lamp(rig)]


def stand(rig: Rig) -> Clip:
    """Two equal keys, knees a little bent, so that all movement is the animator's."""
    posed = at_ease(rig)
    return clip(rig, "stand", {0: posed, 24: posed}, rate=RATE, whole=True)


def walk(rig: Rig) -> Clip:
    """Two steps that go on for ever; each leg has its own key times, arms only the extremes."""
    left: dict[int, Pose] = {0: _contact(rig, 0), 6: _passing(rig, 6), 12: _contact(rig, 12)}
    left |= {18: _passing(rig, 18), 24: _contact(rig, 24)}
    body = clip(rig, "walk", left, rate=RATE, loops=True)
    poses = dict(left)
    for frame, ahead, high, pitch in (
        (0, 0.5, 0.0, -20.0),
        (3, 0.5, 0.0, 0.0),
        (12, 0.5, 0.0, 34.0),
        (18, 1.42, 0.045, 28.0),
        (24, 2.5, 0.0, -20.0),
    ):
        for side, late in (("Left", 0), ("Right", 12), ("Right", -12)):
            at = frame + late
            if 0 <= at <= 24:
                whole = pose_at(rig, body, at)
                where = STRIDE * (ahead + late / 12)
                placed = step(rig, whole, side, where, wide=0.07, high=high, pitch=pitch, yaw=4)
                poses[at] = poses.get(at, {}) | only(placed, *leg(side))
    lag = {"LeftLowerArm": 1.0, "RightLowerArm": 1.0, "LeftHand": 2.0, "RightHand": 2.0}
    made = clip(rig, "walk", poses, rate=RATE, loops=True, lag=lag)
    for side, late in (("Left", 0), ("Right", 12)):
        where = STRIDE * (0.5 + late / 12)
        for start, end, tips in ((0, 3, (-20.0, 0.0)), (3, 12, (0.0, 34.0))):
            span = (start + late, end + late)
            made = stays(rig, made, side, span, where, wide=0.07, pitch=tips, yaw=4)
    return made


def _contact(rig: Rig, frame: int) -> Pose:
    """The longest reach; at frame 12 in the mirror. Arms swing against the legs."""
    half = pose(
        rig,
        {
            "Hips.translate": (0, -0.043, STRIDE * frame / 12),
            "Hips": (5, -9, 0),
            "Spine": (3, 4, 0),
            "Chest": (2, 10, 0),
            "Head": (-6, -4, 0),
            "LeftUpperArm": (0, 30, -30),
            "LeftLowerArm": -14,
            "LeftHand": (0, 0, -14),
            "RightUpperArm": (0, 28, 31),
            "RightLowerArm": 36,
            "RightHand": (0, 0, -10),
        },
    )
    return mirrored(half) if frame == 12 else half


def _passing(rig: Rig, frame: int) -> Pose:
    """The highest place, weight over the standing foot (the left one at frame 6)."""
    sway = 1 if frame == 6 else -1
    return pose(
        rig,
        {
            "Hips.translate": (0.018 * sway, -0.006, STRIDE * frame / 12),
            "Hips.z": -3.5 * sway,
            "Spine.z": 4 * sway,
        },
    )


def jump(rig: Rig) -> Clip:
    """Crouch, spring from the toes, tuck, land on the heels, give way, stand."""
    ahead = 0.62
    crouch, off, air, touch, sink = _jumping(rig)
    still = pose(rig, {"Chest": (0, 0, 0), "Head": (0, 0, 0)})
    poses = {
        0: at_ease(rig) | still,
        9: feet(rig, crouch),
        14: feet(rig, off, pitch=52),
        20: air,
        26: feet(rig, touch, ahead, pitch=-14),
        30: feet(rig, sink, ahead),
        41: at_ease(rig, ahead) | still,
    }
    made = clip(rig, "jump", poses, rate=RATE, lag={"LeftHand": 2, "RightHand": 2, "Head": 1})
    made = both_stay(rig, both_stay(rig, made, (0, 9)), (9, 14), pitch=(0.0, 52.0))
    made = both_stay(rig, made, (26, 30), ahead, pitch=(-14.0, 0.0))
    return both_stay(rig, made, (30, 41), ahead)


def _jumping(rig: Rig) -> tuple[Pose, ...]:
    crouch = even(rig, {"LeftUpperArm": (0, 48, -28), "LeftLowerArm": -12, "LeftHand": (0, 0, 20)})
    crouch |= pose(
        rig, {"Hips.translate": (0, -0.34, -0.05), "Hips": (34, 0, 0), "Spine": (16, 0, 0)}
    )
    crouch |= pose(rig, {"Chest": (14, 0, 0), "Head": (-34, 0, 0)})
    off = even(rig, {"LeftUpperArm": (0, -42, 82), "LeftLowerArm": -14, "LeftHand": (0, 0, -16)})
    off |= pose(rig, {"Hips.translate": (0, 0.07, 0.15), "Hips": (12, 0, 0), "Spine": (-8, 0, 0)})
    off |= pose(rig, {"Chest": (-6, 0, 0), "Head": (-14, 0, 0)})
    air = even(
        rig, {"LeftUpperArm": (0, -36, 40), "LeftUpperLeg": (-74, 0, 7), "LeftLowerLeg": 104}
    )
    air |= even(rig, {"LeftFoot": (34, 0, 0), "LeftToes": 8})
    air |= pose(rig, {"Hips.translate": (0, 0.36, 0.36), "Hips": (16, 0, 0), "Spine": (8, 0, 0)})
    touch = even(rig, {"LeftUpperArm": (0, -62, 6), "LeftLowerArm": -24})
    touch |= pose(rig, {"Hips.translate": (0, -0.03, 0.52), "Hips": (4, 0, 0), "Spine": (6, 0, 0)})
    sink = even(rig, {"LeftUpperArm": (0, -30, -34), "LeftLowerArm": -34, "LeftHand": (0, 0, -24)})
    sink |= pose(rig, {"Hips.translate": (0, -0.37, 0.52), "Hips": (36, 0, 0), "Spine": (18, 0, 0)})
    sink |= pose(rig, {"Chest": (12, 0, 0), "Head": (-24, 0, 0)})
    return crouch, off, air, touch, sink


def dive(rig: Rig) -> Clip:
    """From the tower's edge: gather, spring, turn over, go in straight."""
    crouch = even(rig, {"LeftUpperArm": (0, 44, -26), "LeftLowerArm": -10})
    crouch |= pose(rig, {"Hips.translate": (0, TOWER - 0.3, -0.1), "Hips": (38, 0, 0)})
    crouch |= pose(rig, {"Spine": (18, 0, 0), "Chest": (10, 0, 0), "Head": (-26, 0, 0)})
    off = even(rig, {"LeftUpperArm": (0, -50, 84), "LeftLowerArm": -8})
    off |= pose(rig, {"Hips.translate": (0, TOWER - 0.06, 0.42), "Hips": (38, 0, 0)})
    off |= pose(rig, {"Spine": (-8, 0, 0), "Chest": (-8, 0, 0), "Head": (-20, 0, 0)})
    over = even(rig, {"LeftUpperArm": (0, -44, 96), "LeftUpperLeg": (-34, 0, 0), "LeftLowerLeg": 0})
    over |= even(rig, {"LeftFoot": (48, 0, 0), "LeftToes": 20})
    over |= pose(rig, {"Hips.translate": (0, TOWER + 0.38, 1.0), "Hips": (104, 0, 0)})
    over |= pose(rig, {"Spine": (20, 0, 0), "Chest": (12, 0, 0), "Head": (6, 0, 0)})
    entry = even(rig, {"LeftUpperArm": (0, -12, 124), "LeftLowerArm": 0, "LeftShoulder": (0, 28)})
    entry |= even(rig, {"LeftUpperLeg": (4, 0, 0), "LeftLowerLeg": 0, "LeftFoot": (56, 0, 0)})
    entry |= pose(rig, {"Hips.translate": (0, 0.16, 1.72), "Hips": (174, 0, 0)})
    entry |= pose(rig, {"Spine": (-4, 0, 0), "Chest": (-2, 0, 0), "Head": (14, 0, 0)})
    poses = {
        0: at_ease(rig, -0.02, TOWER) | pose(rig, {"Chest": (0, 0, 0), "Head": (0, 0, 0)}),
        9: feet(rig, crouch, -0.02, TOWER),
        15: feet(rig, off, -0.02, TOWER, pitch=58),
        22: over,
        36: entry,
    }
    made = clip(rig, "dive", poses, rate=RATE, lag={"LeftHand": 1, "RightHand": 1})
    made = both_stay(rig, made, (0, 9), -0.02, TOWER)
    return both_stay(rig, made, (9, 15), -0.02, TOWER, (0.0, 58.0))


def sit(rig: Rig) -> Clip:
    """Looks for the chair with the hips, lowers, lands, leans back."""
    low, back = SEAT - 0.825, -0.33  # m, of the hips on the seat
    fold = even(rig, {"LeftUpperArm": (0, -34, -30), "LeftLowerArm": -30})
    fold |= pose(
        rig, {"Hips.translate": (0, -0.17, -0.15), "Hips": (36, 0, 0), "Spine": (14, 0, 0)}
    )
    fold |= pose(rig, {"Chest": (8, 0, 0), "Head": (-26, 0, 0)})
    land = even(rig, {"LeftUpperArm": (0, -40, -25), "LeftLowerArm": -44})
    land |= pose(rig, {"Hips.translate": (0, low, back), "Hips": (22, 0, 0), "Spine": (16, 0, 0)})
    land |= pose(rig, {"Chest": (12, 0, 0), "Head": (-10, 0, 0)})
    rest = pose(rig, {"Hips.translate": (0, low, back), "Hips": (-8, 0, 0), "Spine": (2, 0, 0)})
    rest |= pose(rig, {"Chest": (2, 0, 0), "Head": (6, 0, 0)})
    rest |= even(rig, {"LeftUpperArm": (0, -26, -36), "LeftLowerArm": -50, "LeftHand": (0, 0, 12)})
    rest = solve_ik(
        rig, rest, "LeftHand", (0.13, 0.62, -0.06), chain=("LeftUpperArm", "LeftLowerArm")
    )
    rest |= mirrored(only(rest, "LeftUpperArm", "LeftLowerArm", "LeftHand"))
    poses = {
        0: at_ease(rig) | pose(rig, {"Chest": (0, 0, 0), "Head": (0, 0, 0)}),
        9: feet(rig, fold),
        20: feet(rig, land),
        32: feet(rig, rest),
    }
    return both_stay(rig, clip(rig, "sit", poses, rate=RATE, lag={"Head": 2}), (0, 32))


def point(rig: Rig) -> Clip:
    """Winds up away from the mark, then the whole body points: eyes first, finger last."""
    wind = pose(
        rig, {"Hips.translate": (-0.05, -0.07, -0.02), "Hips": (0, -10, 0), "Spine": (4, -8, 2)}
    )
    wind |= pose(rig, {"Chest": (6, -12, 4), "Head": (4, 12, 0), "LeftShoulder": (6, 8)})
    wind |= pose(
        rig, {"LeftUpperArm": (0, -62, -22), "LeftLowerArm": -118, "LeftHand": (0, 0, -20)}
    )
    shoot = pose(
        rig, {"Hips.translate": (0.06, -0.045, 0.085), "Hips": (4, 12, 0), "Spine": (4, 8, -4)}
    )
    shoot |= pose(rig, {"Chest": (4, 10, -4), "Head": (-4, 8, -4), "LeftShoulder": (-18, 14)})
    shoot |= pose(rig, {"LeftUpperArm": (0, -76, 56), "LeftLowerArm": -1, "LeftHand": (0, 0, 8)})
    hold = pose(rig, {"Hips.translate": (0.05, -0.05, 0.07), "LeftUpperArm": (0, -74, 50)})
    hold |= pose(rig, {"LeftLowerArm": -10, "Chest": (2, 8, -3)})
    wind |= pose(rig, {"RightUpperArm": (0, -12, 36)})
    shoot |= pose(rig, {"RightUpperArm": (0, -20, 26)})
    fist = pose(rig, pointing_finger())
    loose = dict.fromkeys(fist, 0.0)
    quiet = {name: 0.0 for name in shoot if "LowerArm" not in name and "UpperArm" not in name}
    body = {0: quiet | at_ease(rig) | loose, 8: wind | fist, 14: shoot, 20: hold}
    base = clip(rig, "point", body, rate=RATE)
    poses: dict[int, Pose] = dict(body)
    for frame in (8, 14, 20):
        planted = feet(rig, pose_at(rig, base, frame))
        poses[frame] = poses[frame] | only(planted, *leg("Left"), *leg("Right"))
    poses[36] = only(poses[20], "LeftUpperArm", "LeftLowerArm")
    made = clip(rig, "point", poses, rate=RATE, lag={"LeftHand": 2, "LeftLowerArm": 1, "Head": -2})
    return both_stay(rig, made, (0, 20))
