"""The biped with a box: it lifts it from a bench with both hands, steps aside and lowers it."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats
from arcwright.characters.assembly import Piece, assembled
from arcwright.characters.biped_steps import WIDE, at_ease, even, leg, stays, step
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
from arcwright.characters.skeleton import Vector, root, skeleton
from arcwright.characters.solids import Solid, box, joined
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rotation import euler_from_matrix
from arcwright.scene.clip import Clip
from arcwright.scene.constraint import Contact
from arcwright.scene.point import Point
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Prop
from arcwright.scene.take import Take

RATE = 24.0
ASIDE = 0.44  # m, how far the box goes
BENCH = 0.52  # m, its top
SIZE: Vector = (0.36, 0.24, 0.28)  # m, of the box
REST: Vector = (0.0, BENCH + SIZE[1] / 2, 0.42)
PALM = 0.075  # m, from the wrist to where a hand holds
HELD = (10, 54)  # frames
KEYS: dict[int, Vector] = {  # of the box, m from where it lies first
    0: (0, 0, 0),
    10: (0, 0, 0),
    20: (0, 0.36, -0.08),
    32: (ASIDE / 2, 0.36, -0.08),
    44: (ASIDE, 0.36, -0.08),
    54: (ASIDE, 0, 0),
}
ARMS = tuple(
    f"{side}{part}" for side in ("Left", "Right") for part in ("UpperArm", "LowerArm", "Hand")
)
PALETTE = {"card": ("#d9a868", 0.0, 0.8), "tape": ("#8a5a34", 0.0, 0.6)}
WOOD = {"wood": ("#c98f5a", 0.0, 0.7), "iron": ("#3a4048", 0.3, 0.5)}
RIG = skeleton([root("Box", REST)])


def carry(rig: Rig) -> Clip:
    """Seven key poses at most on a limb; both palms stay on the box from the second on."""
    body = {frame: _stance(rig, frame) for frame in KEYS}
    base = clip(rig, "carry", body, rate=RATE)
    poses: dict[int, Pose] = dict(body)
    poses[32] = {name: value for name, value in body[32].items() if name.split(".")[0] not in ARMS}
    for frame in (15, 49):
        poses[frame] = only(_holding(rig, pose_at(rig, base, frame), frame), *ARMS)
    for side, frame, aside in (("Left", 26, ASIDE / 2), ("Right", 38, ASIDE / 2)):
        lifted = _foot(rig, pose_at(rig, base, frame), side, aside, high=0.07)
        poses[frame] = only(lifted, *leg(side))
    made = clip(rig, "carry", poses, rate=RATE, lag={"Head": -1})
    for side, spans in (
        ("Left", ((0, 10, 0.0), (10, 20, 0.0), (32, 44, ASIDE), (44, 54, ASIDE))),
        ("Right", ((0, 10, 0.0), (10, 20, 0.0), (20, 32, 0.0), (44, 54, ASIDE))),
    ):
        for start, end, aside in spans:
            made = stays(rig, made, side, (start, end), 0.0, wide=_wide(side, aside))
    return _with_palms_on_box(rig, made)


def stage() -> Stage:
    """The box on its bench; hands on the box, feet on the floor between steps."""
    hold = Point("Box", character="Box")
    start, end = (frame / RATE for frame in HELD)
    hands = tuple(
        Contact(palm(side), start, end, orientation=True, relative_to=hold)
        for side in ("Left", "Right")
    )
    soles = (("Left", 0, 20), ("Left", 32, 54), ("Right", 0, 32), ("Right", 44, 54))
    planted = tuple(
        Contact(Point(f"{side}Foot"), first / RATE, last / RATE, orientation=True)
        for side, first, last in soles
    )
    return Stage((_box(), _bench()), (*planted, *hands))


def palm(side: str) -> Point:
    """Where a hand holds the box."""
    along = PALM if side == "Left" else -PALM
    return Point(f"{side}Hand", np.array([along, -0.02, 0.0]))


def lifted() -> Clip:
    """The box's own clip."""
    poses = {frame: pose(RIG, {"Box.translate": slide}) for frame, slide in KEYS.items()}
    return clip(RIG, "carry", poses, rate=RATE)


def _stance(rig: Rig, frame: int) -> Pose:
    """The body at a key of the box: bent over the bench, or upright and leaning back a little."""
    aside = {20: 0.0, 32: ASIDE / 2}.get(frame, KEYS[frame][0])
    left, right = {32: (ASIDE, 0.0)}.get(frame, (aside, aside))
    if frame == 0:
        return at_ease(rig) | pose(rig, {"Chest": (0, 0, 0), "Head": (0, 0, 0)})
    low = frame in HELD
    posed = even(rig, {"LeftUpperArm": (0, -40, -20), "LeftLowerArm": -50 if low else -85})
    bent = (34, 20, 14, -34) if low else (-4, 2, 0, 4)
    posed |= pose(
        rig,
        {
            "Hips.translate": (aside, -0.16 if low else -0.075, -0.06),
            "Hips": (bent[0], 0, 0),
            "Spine": (bent[1], 0, 0),
            "Chest": (bent[2], 0, 0),
            "Head": (bent[3], 0, 0),
        },
    )
    posed = _foot(rig, _foot(rig, posed, "Left", left), "Right", right)
    return _holding(rig, posed, frame)


def _wide(side: str, aside: float) -> float:
    return WIDE + aside if side == "Left" else WIDE - aside


def _foot(rig: Rig, posed: Pose, side: str, aside: float, high: float = 0.0) -> Pose:
    return step(rig, posed, side, 0.0, wide=_wide(side, aside), high=high)


def _holding(rig: Rig, posed: Pose, frame: float) -> Pose:
    """Both palms flat on the sides of the box, fingers ahead and down."""
    high = pose_at(RIG, lifted(), frame)["Box.translate.y"]
    world = forward(RIG, values_of(RIG, pose_at(RIG, lifted(), frame))[None])[0, 0]
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        hold = palm(side)
        place = world[:3, 3] + [sign * SIZE[0] / 2, 0.0, 0.0]
        ahead = np.array([-sign * 0.1, high - 0.5, 0.88])
        rotation = hand_rotation(rig, hold.joint, sign * ahead, np.array([sign, 0.0, 0.0]))
        x, y, z = hold.offset.tolist()
        posed = solve_ik(rig, posed, hold.joint, place.tolist(), rotation, point=(x, y, z))
    return posed


def hand_rotation(rig: Rig, hand: str, along: Floats, back: Floats) -> Vector:
    """Degrees from rest, for a hand with its x axis near `along` and its back facing `back`."""
    y = back / np.linalg.norm(back)
    x = along - y * (y @ along)
    x /= np.linalg.norm(x)
    turned = np.stack([x, y, np.cross(x, y)], axis=1)
    rest = forward(rig, rig.channels.default[None])[0, rig.joint(hand), :3, :3]
    about_z, about_y, about_x = np.degrees(euler_from_matrix(turned @ rest.T, "ZYX")).tolist()
    return about_x, about_y, about_z


def _with_palms_on_box(rig: Rig, made: Clip) -> Clip:
    """The clip with handles of the arms fitted so that the palms stay on the box between keys."""
    poses: dict[float, Pose] = {}
    for frame in np.arange(HELD[0] + 0.5, HELD[1], 0.5).tolist():
        poses[frame] = only(_holding(rig, pose_at(rig, made, frame), frame), *ARMS)
    return with_fitted_handles(rig, made, poses)


def _box() -> Prop:
    wide, high, deep = SIZE
    card = box(wide, high, deep, 0.008)
    tape = box(0.05, high + 0.003, deep + 0.003, 0.008)
    pieces = [Piece("Box", "card", card), Piece("Box", "tape", tape)]
    mesh = assembled(RIG, pieces)
    whole = (shape("Box", mesh, RIG),)
    return Prop("Box", RIG, (Take(RIG, lifted()),), whole, look(PALETTE, mesh.materials))


def _bench() -> Prop:
    rig = skeleton([root("Bench", (ASIDE / 2, BENCH, REST[2]))])
    legs: list[Solid] = [
        box(0.05, BENCH - 0.04, 0.05, 0.008).moved((x, -BENCH / 2 - 0.02, z))
        for x in (-0.4, 0.4)
        for z in (-0.13, 0.13)
    ]
    top = box(0.96, 0.04, 0.36, 0.012).moved((0, -0.02, 0))
    mesh = assembled(rig, [Piece("Bench", "wood", top), Piece("Bench", "iron", joined(*legs))])
    return Prop("Bench", rig, (), (shape("Bench", mesh, rig),), look(WOOD, mesh.materials))
