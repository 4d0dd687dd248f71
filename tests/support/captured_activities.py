"""Captures with activities: props stand and move where the hands of the capture have them.

Times of events were read off strips of the captures; each function gives a scene at 30 fps.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from arcwright import files
from arcwright.arrays import Floats
from arcwright.characters.skeleton import Vector, root, skeleton, vector
from arcwright.characters.snowman import snowball
from arcwright.characters.tableware import Cup
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rotation import euler_from_matrix
from arcwright.kinematics.sample import sample, values_at
from arcwright.scene.activity import Activity, ActivityEvent, ActivityObject, Effector, Pair
from arcwright.scene.constraint import Contact
from arcwright.scene.motion import Motion
from arcwright.scene.point import Point
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Character, Prop, Scene
from arcwright.scene.take import Take
from data import DATA

RATE = 30.0
FURNITURE = DATA / "scenes" / "kaykit-furniture"
SEAT = 0.09  # m, of the hips' joint above what it sits on
SETTLE = 0.2  # s, in which a prop that is let go of comes to stand
ASIDE = 0.27  # m, of a table's middle beyond what stands on it
PALM: Vector = (0.0, -0.03, 0.0)  # m, of what a hand holds, from the knuckles, in the world


@dataclass(frozen=True)
class Carried:
    """From when until when a hand carries a prop; without an end, to the end of the take."""

    hand: str
    grab: float  # s
    release: float = np.inf  # s


def captured_sit(scene: Scene | None = None) -> Scene:
    """Sits down on a stool and gets up; the hands go to the knees, which follow the pelvis."""
    given = _capture("75_17_medium_sit") if scene is None else scene
    person = given.characters[0]
    x, y, z = _place(person, "Hips", 1.34)
    stool = furniture("chair_stool", "Chair", (x, 0.0, z), (0.42, y - SEAT, 0.42))
    hands = tuple(Pair(f"{side} hand", "pelvis") for side in ("left", "right"))
    events = (
        ActivityEvent(0.37, "bend", elements=("pelvis",), look_at="chair"),
        ActivityEvent(0.8, "sit", movable=("pelvis", "chair"), scalable=("chair",), pairs=hands),
        ActivityEvent(1.24, "hands on knees", movable=("pelvis",), pairs=hands),
        ActivityEvent(1.87, "hands leave", movable=("pelvis",), pairs=hands),
        ActivityEvent(2.13, "rise", movable=("pelvis", "chair"), scalable=("chair",), pairs=hands),
        ActivityEvent(2.5, "stand", elements=("pelvis",)),
    )
    seat = ActivityObject("chair", "Chair", ("seat",), np.array([[0.0, y - SEAT, 0.0]]))
    about = Activity("sit", objects=(seat,), effectors=_effectors(), events=events)
    soles = tuple(Contact(Point(f"{side}Foot"), 0.3, 2.5) for side in ("Left", "Right"))
    return replace(given, props=(stool,), constraints=soles, activities=(about,))


def captured_pick_up() -> Scene:
    """Walks to a box, squats, picks it up, carries it off, squats and sets it down."""
    given = _capture("69_70_pickup_setdown")
    box = _held_prop(given, _box, Carried("Right", 3.1, 7.26))
    hold, left = Pair("right hand", "box"), Pair("left hand", "box")
    events = (
        ActivityEvent(2.3, "reach", elements=("right hand", "pelvis"), look_at="box"),
        ActivityEvent(3.1, "pick up", movable=("box",), pairs=(hold,), look_at="box"),
        ActivityEvent(3.28, "lift", movable=("box",), pairs=(hold,), look_at="box"),
        ActivityEvent(4.3, "both hands", elements=("box",), pairs=(hold, left)),
        ActivityEvent(6.2, "left hand leaves", elements=("box",), pairs=(hold, left)),
        ActivityEvent(7.26, "set down", movable=("box",), pairs=(hold,), look_at="box"),
        ActivityEvent(8.0, "stand", elements=("pelvis",)),
    )
    return _about(given, "pick up and set down", (box,), ("box",), events)


def captured_mug() -> Scene:
    """Walks up to a mug, takes it from a table, drinks, and keeps it in the hand."""
    given = _capture("137_26_coffee_mug")
    mug = _held_prop(given, _mug, Carried("Right", 6.16))
    table = _under(mug, _place(given.characters[0], "Hips", 6.16))
    hold = Pair("right hand", "mug")
    events = (
        ActivityEvent(5.2, "reach", elements=("right hand",), look_at="mug"),
        _held(6.16, "grab", "mug", hold, look_at="mug"),
        _held(6.4, "lift", "mug", hold, look_at="mug"),
        _held(8.1, "drink", "mug", hold),
        _held(9.1, "drink end", "mug", hold),
        _held(10.3, "lower", "mug", hold),
    )
    return _about(given, "coffee", (mug, table), ("mug",), events)


def captured_drink() -> Scene:
    """Takes a glass from a table, drinks it up, and puts it back a little aside."""
    given = _capture("79_38_drink_water")
    glass = _held_prop(given, _glass, Carried("Right", 1.05, 3.83))
    table = _under(glass, _place(given.characters[0], "Hips", 1.05))
    hold = Pair("right hand", "glass")
    events = (
        ActivityEvent(0.72, "reach", elements=("right hand",), look_at="glass"),
        _held(1.05, "grab", "glass", hold, look_at="glass"),
        _held(1.63, "drink", "glass", hold),
        _held(2.97, "drink end", "glass", hold),
        _held(3.83, "put down", "glass", hold, look_at="glass"),
        ActivityEvent(4.2, "rest", elements=("right hand",)),
    )
    return _about(given, "drink", (glass, table), ("glass",), events)


def captured_point() -> Scene:
    """The left arm points aside; two arm lengths on hangs a ball. The first 6 s of the capture."""
    given = _capture("14_24_traffic_wave_point", end=6.0)
    target = _target(given, "Left", 4.0)
    event = ActivityEvent(4.0, "point", movable=("left hand", "target"), look_at="target")
    return _about(given, "point", (target,), ("target",), (event,))


def captured_directions() -> Scene:
    """Gives directions: the left hand points back, then the right one ahead."""
    given = _capture("139_25_giving_directions")
    back, ahead = _target(given, "Left", 2.6, "Back"), _target(given, "Right", 4.6, "Ahead")
    events = (
        ActivityEvent(2.6, "point back", movable=("left hand", "back"), look_at="back"),
        ActivityEvent(4.6, "point ahead", movable=("right hand", "ahead"), look_at="ahead"),
    )
    return _about(given, "directions", (back, ahead), ("back", "ahead"), events)


SCENES: dict[str, Callable[[], Scene]] = {
    "sit": captured_sit,
    "pick up": captured_pick_up,
    "mug": captured_mug,
    "drink": captured_drink,
    "point": captured_point,
    "directions": captured_directions,
}


def furniture(file: str, name: str, at: Vector, size: Vector) -> Prop:
    """A piece of furniture fitted into a size, with its foot at a place; its root can move."""
    actor = files.read(FURNITURE / f"{file}.gltf").actors[0]
    shape = actor.shapes[0]
    every = np.concatenate([part.attributes["POSITION"] for part in shape.parts])
    scale = np.array(size) / np.ptp(every, axis=0)
    foot = np.array([every[:, 0].mean(), every[:, 1].min(), every[:, 2].mean()])
    parts = []
    for part in shape.parts:
        moved = ((part.attributes["POSITION"] - foot) * scale).astype(np.float32)
        normal = part.attributes["NORMAL"] / scale
        normal /= np.linalg.norm(normal, axis=1, keepdims=True)
        fitted = {**part.attributes, "POSITION": moved, "NORMAL": normal.astype(np.float32)}
        parts.append(replace(part, attributes=fitted))
    rig = skeleton([root(name, at)])
    return Prop(name, rig, (), (replace(shape, joint=0, parts=tuple(parts)),), actor.look)


def _capture(name: str, end: float = np.inf) -> Scene:
    """A capture of one person, sampled anew at 30 fps, up to a time."""
    given = files.read(DATA / "bvh" / "cmu" / f"{name}.bvh")
    person = given.characters[0]
    take = person.takes[0]
    times = np.arange(0.0, min(end, take.duration), 1 / RATE)
    values = sample(take, times).values
    motion = Motion(take.name, times, values, RATE)
    return replace(given, characters=(replace(person, takes=(Take(person.rig, motion),)),))


def _world(person: Character, joint: str, times: Floats) -> Floats:
    """(T, 4, 4) of a joint."""
    take = person.takes[0]
    found: Floats = forward(take.rig, values_at(take, times), [take.rig.joint(joint)])[:, 0]
    return found


def _place(person: Character, joint: str, time: float) -> Vector:
    return vector(_world(person, joint, np.array([time]))[0, :3, 3])


def _knuckles(side: str) -> Point:
    return Point(f"{side}HandIndex1")


def _effectors() -> tuple[Effector, ...]:
    hands = tuple(Effector(f"{side.lower()} hand", _knuckles(side)) for side in ("Left", "Right"))
    return (*hands, Effector("pelvis", Point("Hips")), Effector("head", Point("Head")))


def _held(time: float, name: str, held: str, pair: Pair, look_at: str = "") -> ActivityEvent:
    """An event at which a hand holds something that may be moved and swapped."""
    one = (held,)
    return ActivityEvent(
        time, name, movable=one, scalable=one, replaceable=one, pairs=(pair,), look_at=look_at
    )


def _about(
    given: Scene,
    name: str,
    props: tuple[Prop, ...],
    objects: tuple[str, ...],
    events: tuple[ActivityEvent, ...],
) -> Scene:
    about = Activity(
        name,
        objects=tuple(ActivityObject(each, each.capitalize()) for each in objects),
        effectors=_effectors(),
        events=events,
    )
    return replace(given, props=props, activities=(about,))


def _held_prop(given: Scene, make: Callable[[Vector], Prop], held: Carried) -> Prop:
    """A prop with a take: it rests where the hand takes it, goes with it, and rests again."""
    person = given.characters[0]
    take = person.takes[0]
    times = np.arange(take.frame_count) / RATE
    rigid = np.clip(times, held.grab, min(held.release, float(times[-1])))
    hand = _world(person, f"{held.hand}HandIndex1", rigid)
    first = np.eye(4)
    first[:3, 3] = hand[0, :3, 3] + PALM
    prop = make(vector(first[:3, 3]))
    first[:3, 3] = forward(prop.rig, prop.rig.channels.default[None])[0, 0, :3, 3]
    world = hand @ np.linalg.inv(hand[0]) @ first
    share = np.clip((times - held.release) / SETTLE, 0, 1)
    motion = _follows(prop.rig, world, share**2 * (3 - 2 * share), times)
    return replace(prop, takes=(Take(prop.rig, motion),))


def _follows(rig: Rig, world: Floats, level: Floats, times: Floats) -> Motion:
    """The motion (T,) of a root that is at `world` (T, 4, 4), or upright at its first height."""
    rest = forward(rig, rig.channels.default[None])[0, 0]
    turned = np.unwrap(euler_from_matrix(world[:, :3, :3] @ rest[:3, :3].T, "YZX"), axis=0)
    values = np.tile(rig.channels.default, (len(times), 1))
    slide = world[:, :3, 3] - rest[:3, 3]
    turned[:, 1:] *= 1 - level[:, None]
    slide[:, 1] *= 1 - level
    columns = {"translate.x": slide[:, 0], "translate.y": slide[:, 1], "translate.z": slide[:, 2]}
    columns |= {f"rotate.{axis}": turned[:, at] for at, axis in enumerate("yzx")}
    for name, column in columns.items():
        values[:, rig.channel(f"{rig.names[0]}.{name}")] = column
    return Motion("carried", times, values, RATE)


def _mug(at: Vector) -> Prop:
    x, y, z = at
    return Cup(0.04, 0.09, handle_turn=90.0).prop("Mug", (x, y - 0.045, z))


def _glass(at: Vector) -> Prop:
    x, y, z = at
    return Cup(0.034, 0.12, handle=False, colour="#b9d4f0").prop("Glass", (x, y - 0.06, z))


def _box(at: Vector) -> Prop:
    """A low crate under the hand, on the ground."""
    x, y, z = at
    return furniture("cabinet_medium", "Box", (x, 0.0, z), (0.26, max(y, 0.06), 0.2))


def _under(prop: Prop, person: Vector) -> Prop:
    """A table under a prop, away from a person."""
    place = forward(prop.rig, prop.rig.channels.default[None])[0, 0, :3, 3]
    way = (place - person) * [1, 0, 1]
    x, y, z = (place + ASIDE * way / np.linalg.norm(way)).tolist()
    return furniture("table_small", "Table", (x, 0.0, z), (0.7, y, 0.7))


def _target(given: Scene, side: str, time: float, name: str = "Target") -> Prop:
    """A ball where a hand points to, twice as far from the shoulder."""
    person = given.characters[0]
    shoulder, hand = (np.array(_place(person, f"{side}{part}", time)) for part in ("Arm", "Hand"))
    x, y, z = vector(shoulder + 2 * (hand - shoulder))
    ball = snowball(name, 0.06, x, z)
    rig = replace(ball.rig, offset=np.array([[x, y, z]]))
    return replace(ball, rig=rig)
