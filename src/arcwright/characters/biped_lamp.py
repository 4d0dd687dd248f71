"""The biped looks at what lies on a desk by the light of a lantern that its right hand carries."""

from __future__ import annotations

from functools import cache

import numpy as np

from arcwright.arrays import Floats
from arcwright.characters.biped_gaze import eyes, gazes
from arcwright.characters.biped_idle import first_pose
from arcwright.characters.biped_limbs import Foot, fingers, sole_contact, with_foot
from arcwright.characters.biped_reach import (
    Table,
    arm,
    directions,
    hand_at,
    hanging,
    held,
    in_world,
    on_track,
    trunk,
)
from arcwright.characters.lantern import GRIP, LIGHT, apple, book, chest, lantern, lantern_rig
from arcwright.characters.posing import Pose, clip, only, pose, pose_at
from arcwright.characters.recipe import Stage
from arcwright.characters.skeleton import Vector
from arcwright.scene.activity import Activity, ActivityEvent, ActivityObject, Effector, Pair
from arcwright.scene.clip import Clip
from arcwright.scene.constraint import Contact
from arcwright.scene.point import Point
from arcwright.scene.rig import Rig

RATE = 30.0
FRAMES = 216
TABLE = Table()
LANTERN_AT: Vector = (-0.17, TABLE.top, 0.42)
BOOK_AT: Vector = (-0.2, TABLE.top, 0.63)
APPLE_AT: Vector = (0.02, TABLE.top, 0.6)
CHEST_AT: Vector = (0.24, TABLE.top, 0.62)
GRAB, LIFT, DOWN, RELEASE = 34, 42, 166, 172
AT_BOOK, AT_APPLE, AT_CHEST = (64, 78), (94, 106), (122, 138)  # frames in which the light rests
YAW = {"book": -4.0, "apple": 14.0, "chest": 30.0}  # degrees of the lantern to the left
PITCH = 11.0  # degrees of the fingers, down
RIG = lantern_rig(LANTERN_AT)
NAMES = ("lamp follows hand", "hand follows lamp")


def lamp(rig: Rig) -> Clip:
    """Takes the lantern, holds it over a book, an apple and a chest, and puts it back."""
    body = {0: first_pose(rig)} | _trunk(rig) | {FRAMES: first_pose(rig)}
    base = clip(rig, "lamp", body, rate=RATE)
    grip = {0: 0.0, 20: -0.5, GRAB - 4: -0.2, GRAB + 2: 0.8}
    grip |= {RELEASE - 2: 0.8, RELEASE + 6: -0.3, FRAMES: 0.0}
    hands = {frame: fingers(rig, "Right", bend) for frame, bend in grip.items()}
    for row in (_gaze(rig, base), hands, _right_arm(rig, base), _left_arm(rig)):
        for frame, posed in row.items():
            body[frame] = body.get(frame, {}) | posed
    made = clip(rig, "lamp", body, rate=RATE)
    for side in ("Left", "Right"):
        made = with_foot(rig, made, side, {0: Foot(), FRAMES: Foot()}, [(0.0, FRAMES)])
    return on_track(rig, made, "Right", lambda f, p: carrying(rig, p, f), (GRAB, RELEASE))


def _trunk(rig: Rig) -> dict[int, Pose]:
    rows = {
        10: trunk((-0.008, -0.04, -0.01), (-1, -2, -1), (2, -2, 0), (0, -2, 0)),
        GRAB: trunk((-0.035, -0.046, 0.012), (4, -6, -1.5), (5, -5, 1), (5, -5, 1)),
        AT_BOOK[0]: trunk((-0.025, -0.046, 0.03), (7, -4, -1), (7, -4, 0), (8, -4, 1)),
        AT_BOOK[1]: trunk((-0.022, -0.048, 0.034), (8, -4, -1), (8, -4, 0), (8, -4, 1)),
        AT_APPLE[0]: trunk((0.004, -0.046, 0.034), (7, 2, 0), (7, 2, 0), (8, 3, 0)),
        AT_APPLE[1]: trunk((0.006, -0.048, 0.037), (8, 2, 0), (8, 2, 0), (8, 3, 0)),
        AT_CHEST[0]: trunk((0.035, -0.05, 0.036), (7, 10, 1), (8, 8, -1), (8, 9, -2)),
        AT_CHEST[1]: trunk((0.037, -0.052, 0.04), (8, 11, 1), (9, 8, -1), (8, 9, -2)),
        DOWN: trunk((-0.035, -0.046, 0.012), (4, -6, -1.5), (5, -5, 1), (5, -5, 1)),
        194: trunk((0.0, -0.036, -0.004), (0, 0, 0), (2, 0, 0), (-1, 0, 0)),
    }
    return {frame: pose(rig, row) for frame, row in rows.items()}


def _gaze(rig: Rig, body: Clip) -> dict[int, Pose]:
    """The eyes are at each place a little before the light."""
    above = np.array([0.0, 0.04, 0.0])
    first, *others = (np.array(at) + above for at in (LANTERN_AT, BOOK_AT, APPLE_AT, CHEST_AT))
    places: dict[int, Floats] = {14: first + 3 * above, LIFT: first + 3 * above}
    for place, (start, end) in zip(others, (AT_BOOK, AT_APPLE, AT_CHEST), strict=True):
        places |= {start - 6: place, end: place}
    places |= {154: first, RELEASE: first + 2 * above}
    return gazes(rig, body, places)


@cache
def carried() -> Clip:
    """The lantern's own clip."""
    rows: dict[int, tuple[Vector, float]] = dict.fromkeys((0, GRAB, LIFT), ((0, 0, 0), 0.0))
    rows[52] = ((0.0, 0.1, 0.0), -1.0)
    rows |= dict.fromkeys(AT_BOOK, ((0.0, 0.1, 0.05), YAW["book"]))
    rows |= dict.fromkeys(AT_APPLE, ((0.16, 0.12, 0.03), YAW["apple"]))
    rows |= dict.fromkeys(AT_CHEST, ((0.31, 0.15, 0.03), YAW["chest"]))
    rows[150] = ((0.13, 0.14, -0.01), 8.0)
    rows |= dict.fromkeys((DOWN, FRAMES), ((0, 0, 0), 0.0))
    poses = {
        frame: pose(RIG, {"Lantern.translate": slide, "Lantern": (0, yaw, 0)})
        for frame, (slide, yaw) in rows.items()
    }
    return clip(RIG, "lamp", poses, rate=RATE)


def _right_arm(rig: Rig, base: Clip) -> dict[int, Pose]:
    arms = {9: hanging(rig, "Right", 10, 34), 18: TABLE.over_edge(rig, base, "Right", 18)}
    guess = pose(rig, {"RightUpperArm": (10, 45, 10), "RightLowerArm": 55, "RightHand": (0, 0, 0)})
    for frame, aside in ((28, 0.05), (GRAB, 0.0), (52, 0.0), (AT_BOOK[0], 0.0), (AT_APPLE[0], 0.0),
                         (AT_CHEST[0], 0.0), (150, 0.0), (RELEASE, 0.0), (181, 0.05)):  # fmt: skip
        solved = carrying(rig, pose_at(rig, base, frame) | guess, frame, aside)
        arms[frame] = guess = only(solved, *arm("Right"))
    arms[190] = TABLE.over_edge(rig, base, "Right", 190)
    return arms | {199: hanging(rig, "Right", 30, 90), 207: hanging(rig, "Right", 10, 30)}


def _left_arm(rig: Rig) -> dict[int, Pose]:
    low = hanging(rig, "Left", 24, 30)
    return {30: low, AT_CHEST[1]: hanging(rig, "Left", 28, 34), DOWN: low}


def carrying(rig: Rig, posed: Pose, frame: float, aside: float = 0.0) -> Pose:
    """The right hand round the lantern's handle, or beside it."""
    world = in_world(RIG, carried(), frame)
    ahead, out = directions(0.0, PITCH, "Right")
    place = np.array(GRIP) + aside * (out - 0.6 * ahead + np.array([0.0, 0.3, 0.0]))
    turn = world[:3, :3]
    return hand_at(rig, posed, "Right", turn @ place + world[:3, 3], turn @ ahead, turn @ out)


def stage() -> Stage:
    """Desk, lantern and what it lights; the right hand on its handle, soles on the floor."""
    soles = (sole_contact(side, (0.0, FRAMES), RATE) for side in ("Left", "Right"))
    grip = Point("Lantern", np.array(GRIP), "Lantern")
    start, end = GRAB / RATE, RELEASE / RATE
    hold = Contact(held("Right"), start, end, orientation=True, relative_to=grip)
    props = (lantern(LANTERN_AT, carried()), book(BOOK_AT), apple(APPLE_AT), chest(CHEST_AT))
    activities = tuple(activity(name) for name in NAMES)
    return Stage((*props, TABLE.prop()), (*soles, hold), activities)


def activity(name: str) -> Activity:
    """What it is about: by name, the hand leads the lantern or the lantern the hand."""
    leads = "right hand" if name == NAMES[0] else "lamp"
    grip = Pair("lamp.grip", "right hand")
    pair = grip if leads == "right hand" else Pair(grip.constraining, grip.constrained)
    times = (
        (GRAB, "grab", "lamp"),
        (LIFT, "lift", "lamp"),
        *_examined(),
        (DOWN, "put down", "lamp"),
    )
    events = [
        ActivityEvent(frame / RATE, label, movable=(leads,), pairs=(pair,), look_at=seen)
        for frame, label, seen in (*times, (RELEASE, "release", "lamp"))
    ]
    lights = ActivityObject("lamp", "Lantern", ("grip", "light"), np.array([GRIP, LIGHT]))
    things = tuple(ActivityObject(each.lower(), each) for each in ("Book", "Apple", "Chest"))
    return Activity(
        name,
        take="lamp",
        objects=(lights, *things),
        effectors=(
            Effector("right hand", held("Right")),
            Effector("pelvis", Point("Hips")),
            Effector("head", eyes()),
        ),
        events=tuple(events),
    )


def _examined() -> list[tuple[int, str, str]]:
    spans = {"book": AT_BOOK, "apple": AT_APPLE, "chest": AT_CHEST}
    rows = []
    for name, (start, end) in spans.items():
        rows += [(start, f"examine {name}", name), (end, f"leave {name}", name)]
    return rows
