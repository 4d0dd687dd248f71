"""Scenes made by a seed: two characters, keys of every kind, quaternions, pins and contacts."""

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from arcwright.arrays import same
from arcwright.curves.handles import with_auto_handles
from arcwright.curves.pack import quaternion_channels
from arcwright.scene.activity import Activity, ActivityEvent, ActivityObject, Effector, Pair
from arcwright.scene.clip import Clip
from arcwright.scene.constraint import (
    BalanceConstraint,
    Contact,
    DistanceConstraint,
    FlightConstraint,
    PathConstraint,
    Pin,
)
from arcwright.scene.curve import Curve, Extrapolation, Handle, Interpolation
from arcwright.scene.layer import Layer
from arcwright.scene.motion import Motion
from arcwright.scene.point import Point
from arcwright.scene.scene import Character, Prop, Scene
from arcwright.scene.take import Take
from builders import random_rig

RATE = 24.0
seeds = st.integers(0, 2**32 - 1)


def random_scene(seed):
    rng = np.random.default_rng(seed)
    rig, other = random_rig(seed, 4), random_rig(seed + 1, 3)
    joints = np.array([0])
    layer = Layer("lift", 0.1, 0.9, joints, rng.normal(0, 0.1, (5, 1, 3)), [], np.zeros((5, 0)))
    takes = (
        Take(rig, random_clip(rng, rig, "walk"), (layer,)),
        Take(rig, random_clip(rng, rig, "run")),
        Take(rig, Motion("recorded", np.arange(9) / 24, rng.normal(size=(9, len(rig.channels))))),
    )
    return Scene(
        "random",
        (
            Character("one", rig, takes),
            Character("two", other, (Take(other, random_clip(rng, other, "walk")),)),
        ),
        (Prop("box", random_rig(seed + 2, 1)),),
        constraints=(
            Pin(Point("joint1"), 0.0, 1.0, take="walk"),
            Pin(Point("joint2"), 0.5, 0.5),
            Contact(Point("joint1", np.ones(3), "two"), 0.2, 0.7),
            Contact(Point("joint2"), 0.2, 0.7, relative_to=Point("joint0", character="box")),
            DistanceConstraint(Point("joint1"), Point("joint2"), 0.1, 0.9, take="walk"),
            PathConstraint(Point("joint1"), [0.25, 0.5], np.ones((2, 3)), take="walk"),
            BalanceConstraint(0.25, 0.5, character="two", take="walk"),
            FlightConstraint(0.25, 0.5),
        ),
        activities=(
            random_activity(rng, "carry", "walk"),
            random_activity(rng, "look", ""),
            Activity("stroll", "two", "walk", (ActivityObject("parcel", "box"),)),
        ),
    )


def random_activity(rng, name, take):
    """What a take of the first character is about, with two to five events within 1 s."""
    box = ActivityObject("box", "", ("lid", "side"), rng.normal(size=(2, 3)))
    hands = [Effector(f"hand{n}", Point(f"joint{n}", rng.normal(size=3))) for n in (1, 2)]
    times = rng.choice(24, int(rng.integers(2, 6)), replace=False) / RATE
    names = [each.name for each in hands]
    return Activity(
        name,
        take=take,
        objects=(box,),
        effectors=hands,
        events=[random_event(rng, float(time), f"{n}", names) for n, time in enumerate(times)],
    )


def random_event(rng, time, name, hands):
    pairs = [Pair(hand, str(rng.choice(["box", "box.lid", "box.side"]))) for hand in hands]
    return ActivityEvent(
        time,
        name if rng.random() < 0.7 else "",
        elements=[each for each in (*hands, "box") if rng.random() < 0.5],
        movable=[each for each in (*hands, "box", "box.lid") if rng.random() < 0.5],
        scalable=["box"] if rng.random() < 0.5 else [],
        replaceable=["box"] if rng.random() < 0.5 else [],
        pairs=[each for each in pairs if rng.random() < 0.5],
        look_at=str(rng.choice(["", "box", "box.lid", *hands])),
    )


def random_clip(rng, rig, name):
    curves = [None if rng.random() < 0.2 else random_keys(rng) for _ in rig.channels.joint]
    for four in quaternion_channels(rig):
        if rng.random() < 0.8:
            turns = rng.normal(size=(4, 5))
            turns /= np.linalg.norm(turns, axis=0)
            first = replace(random_keys(rng, 5), before=Extrapolation.HOLD)
            if rng.random() < 0.5:
                first = replace(first, interpolation=np.full(5, Interpolation.SLERP))
            for channel, own in zip(four, turns, strict=True):
                curves[channel] = replace(first, value=own)
    return Clip(name, tuple(curves), 2.0, RATE, loops=bool(rng.random() < 0.5))


def random_keys(rng, count=0):
    """Keys on whole frames, each handle of any kind, some not as they would be worked out."""
    count = count or int(rng.integers(1, 8))
    time = np.sort(rng.choice(48, count, replace=False)) / RATE
    curve = Curve.of(time, rng.normal(size=count))
    kinds = rng.choice([int(kind) for kind in Handle], (count, 2))
    curve = replace(
        curve,
        tangent=np.stack(
            [rng.uniform(0.01, 0.3, (count, 2)), rng.normal(0, 0.3, (count, 2))], axis=-1
        ),
        handles=kinds if rng.random() < 0.5 else np.full((count, 2), kinds[0, 0]),
        interpolation=rng.choice([0, 0, 0, 1, 2], count),
        before=Extrapolation(int(rng.integers(5))),
        after=Extrapolation(int(rng.integers(5))),
    )
    return with_auto_handles(curve) if rng.random() < 0.7 else curve


def random_keys_of(scene, rng, share=0.3):
    """A selection of the first character's keys in its first clip."""
    curves = scene.characters[0].takes[0].base.curves
    return [
        (channel, key)
        for channel, curve in enumerate(curves)
        if curve is not None
        for key in range(len(curve))
        if rng.random() < share
    ]


def assert_exact(scene, edit):
    """Applied and taken back, everything is as it was; parts not named are shared."""
    after = edit.apply(scene)
    assert same(edit.inverse().apply(after), scene)
    for mine, yours in zip(scene.characters, after.characters, strict=False):
        for shape, other in zip(mine.shapes, yours.shapes, strict=True):
            assert shape is other
    return after
