"""Small scenes for tests, made in a few lines."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from arcwright.scene.activity import Activity, ActivityEvent, ActivityObject, Effector, Pair
from arcwright.scene.clip import Clip
from arcwright.scene.constraint import (
    BalanceConstraint,
    CoincidentConstraint,
    Constraint,
    Contact,
    DistanceConstraint,
    FlightConstraint,
    FloorConstraint,
    OrientationConstraint,
    PathConstraint,
    Pin,
    RegionConstraint,
)
from arcwright.scene.curve import Curve, Extrapolation, Interpolation
from arcwright.scene.edit import Address, Change, value_at
from arcwright.scene.layer import Layer
from arcwright.scene.marker import Marker
from arcwright.scene.motion import Motion
from arcwright.scene.point import Point
from arcwright.scene.region import Box, Cylinder, HalfSpace, Sphere
from arcwright.scene.rig import EULER_MODES, MODES, ChannelTable, Kind, Rig
from arcwright.scene.scene import Character, Prop, Scene, Source
from arcwright.scene.shape import Image, Look, Part, Shape, Skin
from arcwright.scene.stored_pose import StoredPose
from arcwright.scene.take import Take

TRANSLATE = [Kind.TRANSLATE_X, Kind.TRANSLATE_Y, Kind.TRANSLATE_Z]
ROTATE = [Kind.ROTATE_X, Kind.ROTATE_Y, Kind.ROTATE_Z]
QUATERNION = [Kind.QUATERNION_W, Kind.QUATERNION_X, Kind.QUATERNION_Y, Kind.QUATERNION_Z]
SCALE = [Kind.SCALE_X, Kind.SCALE_Y, Kind.SCALE_Z]


def rig_of(
    parents: list[int], channels: list[tuple[int, list[Kind]]], modes: list[str] | None = None
) -> Rig:
    """A rig with bones of length 1 along y and the given channels."""
    count = len(parents)
    offset = np.zeros((count, 3))
    offset[1:, 1] = 1.0
    rest = np.zeros((count, 4))
    rest[:, 0] = 1.0
    table = ChannelTable.of(
        [joint for joint, kinds in channels for _ in kinds],
        [kind for _, kinds in channels for kind in kinds],
    )
    names = tuple(f"joint{index}" for index in range(count))
    return Rig(
        names=names,
        parents=np.array(parents),
        offset=offset,
        rest=rest,
        scale=np.ones((count, 3)),
        modes=tuple(modes or ["XYZ"] * count),
        channels=table,
    )


def arm_rig() -> Rig:
    """Two bones: a root that moves and turns, a hinge."""
    return rig_of([-1, 0, 1], [(0, TRANSLATE + ROTATE), (1, [Kind.ROTATE_Z])])


def arm_clip(name: str = "wave") -> Clip:
    """Keys that do not line up; one channel is not keyed."""
    curves: list[Curve | None] = [None] * 7
    for channel in (0, 1, 3, 4, 5):
        curves[channel] = Curve.of([0, 0.5, 1], [0, 0.1 * channel, 0.2])
    curves[6] = Curve.of([0, 0.25, 1], [0, 1, 0.5], interpolation=Interpolation.BEZIER)
    return Clip(name, tuple(curves), duration=1.0)


def arm_scene() -> Scene:
    """A character with a clip and a motion, a pin and a contact."""
    rig = arm_rig()
    samples = np.linspace(0, 1, 5)[:, None] * np.arange(7)
    takes = (
        Take(rig, arm_clip()),
        Take(rig, Motion("recorded", np.arange(5) / 24, samples)),
    )
    tip = Point("joint2", np.array([0, 1, 0]))
    return Scene(
        name="test",
        characters=(Character("arm", rig, takes),),
        constraints=(Pin(tip, 0, 1), Contact(Point("joint1"), 0, 0.5, relative_to=tip)),
    )


def arm_constraints() -> tuple[Constraint, ...]:
    """One of each kind, of the arm."""
    tip, root = Point("joint2", np.array([0, 1, 0])), Point("joint0", character="arm")
    regions = (
        HalfSpace([0, 0.1, 0], [0, 1, 3]),
        Box([-1, -1, -1], [0, 0, 0.5]),
        Sphere([0.1, 0.2, 0.3], 0.4),
        Cylinder([0, 0, 0], [0, 1, 0], 0.25),
    )
    return (
        DistanceConstraint(tip, root, 0.1, 0.9, 1.5, take="wave"),
        CoincidentConstraint(tip, 0.2, 0.7),
        PathConstraint(tip, [0, 0.5, 1], [[0, 1, 0], [0.1, 1, 0], [0, 1, 0.2]], take="wave"),
        OrientationConstraint(root, 0, 0.5, [0.6, 0, 0.8, 0]),
        *(RegionConstraint(tip, 0, 1, region, at % 2 == 0) for at, region in enumerate(regions)),
        FloorConstraint(0, 1, -0.5, tip),
        FloorConstraint(0.1, 0.2, None, None, "arm", take="recorded"),
        BalanceConstraint(0, 1, 0.2),
        FlightConstraint(0.25, 0.75, 9.81, "arm"),
    )


def full_scene() -> Scene:
    """Something of everything that a scene can hold."""
    rng = np.random.default_rng(2)
    scene = arm_scene()
    rig = random_rig(3, 4)
    curves = [
        Curve.of([0, 0.1, 0.7], rng.normal(size=3), interpolation=Interpolation(n % 3))
        for n in range(len(rig.channels))
    ]
    curves[0] = replace(curves[0], before=Extrapolation.CYCLE, after=Extrapolation.MIRROR)
    curves[1] = None
    clip = Clip("odd", tuple(curves), 0.7, rate=29.97, loops=True)
    layer = Layer("l", 0, 0.5, [1], rng.normal(size=(4, 1, 3)), [], np.zeros((4, 0)), muted=True)
    attributes = {
        "POSITION": rng.normal(size=(4, 3)).astype(np.float32),
        "JOINTS_0": np.zeros((4, 4), np.uint8),
        "WEIGHTS_0": np.tile(np.float32([1, 0, 0, 0]), (4, 1)),
    }
    part = Part(attributes, [0, 1, 2], morphs=({"POSITION": np.ones((4, 3))},))
    skin = Skin([0, 1], np.tile(np.eye(4), (2, 1, 1)))
    shape = Shape("s", 0, (part, part), skin, ("grin",), (0.1,))
    look = Look.of({"materials": [{"name": "é"}]}, (Image("i", "image/png", bytes(range(9))),))
    takes = (Take(rig, clip, (layer,), markers=(Marker("beat", 0.25),)),)
    extra = Character("two", rig, takes, (shape,), look)
    prop = Prop("thing", rig, (), (shape,), look)
    source = Source("bvh", 0.1, "Z", ("a warning",))
    return replace(
        scene,
        characters=(*scene.characters, extra),
        props=(prop,),
        constraints=(*scene.constraints, *arm_constraints()),
        activities=(thing_activity(),),
        poses=(StoredPose("fist", "two", {"joint1.rotate.x": 0.5}, "data:image/png;base64,"),),
        source=source,
        name="all \ud800",
    )


def thing_activity() -> Activity:
    """What the arm's clip is about in the full scene: it takes the thing and looks at it."""
    thing = ActivityObject("object", "thing", ("top",), [[0, 0.5, 0]])
    tip = Effector("tip", Point("joint2", np.array([0, 1, 0])))
    take = ActivityEvent(0.25, "take", ("tip",), ("object.top",), pairs=(Pair("tip", "object"),))
    show = ActivityEvent(0.75, scalable=("object",), replaceable=("object",), look_at="object.top")
    return Activity("handling", "arm", "wave", (thing,), (tip,), (take, show))


def random_rig(seed: int, joints: int = 6, *, scale: bool = True) -> Rig:
    """A random tree with all channel kinds, random modes, rest rotations and offsets."""
    random = np.random.default_rng(seed)
    parents = [-1] + [int(random.integers(-1 if j == 2 else 0, j)) for j in range(1, joints)]
    modes = [str(random.choice(MODES)) for _ in range(joints)]
    channels: list[tuple[int, list[Kind]]] = []
    for joint, mode in enumerate(modes):
        turning = ROTATE if mode in EULER_MODES else QUATERNION
        kinds = list(turning)
        if joint == 0 or random.random() < 0.4:
            kinds = TRANSLATE + kinds
        if scale and random.random() < 0.4:
            kinds = kinds + SCALE
        channels.append((joint, kinds))
    plain = rig_of(parents, channels, modes)
    rest = random.normal(size=(joints, 4))
    return Rig(
        names=plain.names,
        parents=plain.parents,
        offset=random.normal(size=(joints, 3)),
        rest=rest / np.linalg.norm(rest, axis=1, keepdims=True),
        scale=random.uniform(0.5, 1.5, (joints, 3)) if scale else np.ones((joints, 3)),
        modes=plain.modes,
        channels=plain.channels,
    )


def change_at(scene: Scene, address: Address, after: object) -> Change:
    """The change that puts `after` at `address` of this scene."""
    return Change(address, value_at(scene, address), after)
