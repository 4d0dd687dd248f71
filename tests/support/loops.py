"""Loops to shape: built-in characters, a ball that flies in circles, layers of half a period."""

from dataclasses import replace
from functools import cache

import numpy as np

from arcwright import characters
from arcwright.curves.keys import keyed
from arcwright.kinematics.sample import values_at
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve, Extrapolation, Handle, Interpolation
from arcwright.scene.point import Point
from arcwright.scene.rig import ChannelTable, Kind
from arcwright.scene.scene import Prop, Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from builders import QUATERNION, ROTATE, SCALE, TRANSLATE, rig_of

BUILT_IN = (
    ("biped", "walk"),
    ("spider", "stride"),
    ("dinosaur", "punch"),
    ("robot", "flight"),
    ("lamp", "hop"),
)
BALL = Point("joint0", character="ball")


@cache
def looping(name, take):
    """A built-in take that loops, and its target."""
    scene = characters.built_in(name)
    character = scene.characters[0]
    takes = tuple(
        replace(each, base=replace(each.base, loops=True)) if each.name == take else each
        for each in character.takes
    )
    others = scene.characters[1:]
    scene = replace(scene, characters=(replace(character, takes=takes), *others))
    return scene, Target(name, take)


def ball_scene(*, loops=True, extrapolation=Extrapolation.HOLD, mode=Interpolation.BEZIER):
    """A ball on a closed path of 40 frames, which turns, with a scale and a weight."""
    slerps = mode == Interpolation.SLERP
    kinds = [*TRANSLATE, *(QUATERNION if slerps else ROTATE), *SCALE, Kind.WEIGHT]
    rig = rig_of([-1], [(0, kinds)], ["quaternion" if slerps else "XYZ"])
    label = ("",) * (len(kinds) - 1) + ("grin",)
    table = rig.channels
    rig = replace(rig, channels=ChannelTable(**{**vars(table), "label": label}))
    times = np.array([0, 10, 20, 30, 40]) / 24
    phase = 2 * np.pi * np.arange(5) / 4
    curves = []
    for channel, kind in enumerate(kinds):
        values = 0.3 * np.sin(phase + channel)
        if kind in QUATERNION:
            axis = QUATERNION.index(kind)
            turn = np.array([0, 0.5, 1.0, 0.5, 0])
            values = [np.cos(turn / 2), np.sin(turn / 2), 0 * turn, 0 * turn][axis]
        elif kind in SCALE:
            values = 1 + 0.2 * np.sin(phase + channel)
        own = mode if kind in QUATERNION or not slerps else Interpolation.BEZIER
        if own == Interpolation.BEZIER:
            made = keyed(times, values, Handle.AUTO, before=extrapolation, after=extrapolation)
        else:
            made = Curve.of(
                times, values, interpolation=own, before=extrapolation, after=extrapolation
            )
        curves.append(_closed(made))
    clip = Clip("circle", tuple(curves), 40 / 24, loops=loops)
    return Scene("ball", props=(Prop("ball", rig, (Take(rig, clip),)),)), Target("ball", "circle")


def _closed(curve):
    """The same slope at both ends."""
    tangent = np.array(curve.tangent)
    slope = 0.5 * (tangent[0, 1, 1] / tangent[0, 1, 0] + tangent[-1, 0, 1] / tangent[-1, 0, 0])
    tangent[[0, -1], :, 1] = slope * tangent[[0, -1], :, 0]
    kinds = np.array(curve.handles)
    kinds[[0, -1]] = Handle.ALIGNED
    return replace(curve, tangent=tangent, handles=kinds)


def take_of(scene, target):
    return scene.actor(target.character).take(target.take)


def seam(take):
    """Gap of values, and of slopes, between the end and the start of a take."""
    end, step = take.duration, 1e-6
    values = values_at(take, np.array([0, step, end - step, end]))
    slopes = (values[1] - values[0]) / step, (values[3] - values[2]) / step
    return values[3] - values[0], slopes[1] - slopes[0]
