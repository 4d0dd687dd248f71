"""Chains of four bones, in motion and standing still, and where their points are."""

from dataclasses import replace

import numpy as np

from arcwright.curves.keys import keyed
from arcwright.kinematics.trail import trail
from arcwright.scene.clip import Clip
from arcwright.scene.point import Point
from arcwright.scene.rig import Kind
from arcwright.scene.scene import Character, Scene
from arcwright.scene.take import Take
from builders import rig_of

SPIN = [Kind.ROTATE_X, Kind.ROTATE_Y, Kind.ROTATE_Z]
MOVE = [Kind.TRANSLATE_X, Kind.TRANSLATE_Y, Kind.TRANSLATE_Z]
TIP = Point("joint3", np.array([0.0, 1.0, 0.0]))


def chain_scene(**constraints):
    """Four bones; every channel has keys at 0, 1 and 2 s, some have one more."""
    rig = rig_of([-1, 0, 1, 2], [(0, MOVE + SPIN), (1, SPIN), (2, SPIN), (3, SPIN)])
    random = np.random.default_rng(3)
    curves = []
    for channel in range(len(rig.channels)):
        times = [0.0, 1.0, 2.0] if channel % 4 else [0.0, 0.6, 1.0, 2.0]
        curves.append(keyed(times, random.normal(0, 0.4, len(times))))
    take = Take(rig, Clip("swing", tuple(curves), 2.0))
    return Scene("chain", (Character("chain", rig, (take,)),), **constraints)


def place(scene, point, times):
    return trail(scene.characters[0].takes[0], point, np.atleast_1d(times)).position


def still_scene(**constraints):
    """The chain bent and standing still, with three equal keys."""
    rig = chain_scene().characters[0].rig
    curves = tuple(keyed([0, 1, 2], [v, v, v]) for v in np.linspace(-0.4, 0.4, len(rig.channels)))
    take = Take(rig, Clip("still", curves, 2.0))
    return Scene("still", (Character("chain", rig, (take,)),), **constraints)


def scene_of(rig, seed=0, size=0.3):
    """A second with keys at its ends on every channel, near the defaults."""
    random = np.random.default_rng(seed)
    default = rig.channels.default
    curves = tuple(
        keyed([0, 1], default[c] + random.normal(0, size, 2)) for c in range(len(default))
    )
    return Scene("any", (Character("any", rig, (Take(rig, Clip("any", curves, 1.0)),)),))


def with_single_keys(scene, channels):
    """The chain with only the first key of some channels."""
    actor, take = scene.characters[0], take_of(scene)
    curves = list(take.base.curves)
    for channel in channels:
        curves[channel] = keyed([0.0], curves[channel].value[:1])
    take = replace(take, base=replace(take.base, curves=tuple(curves)))
    return replace(scene, characters=(replace(actor, takes=(take,)),))


def take_of(scene):
    return scene.characters[0].takes[0]
