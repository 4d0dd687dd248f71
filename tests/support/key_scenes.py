"""Small scenes for edits of keys: an arm with given curves, a joint that turns."""

import numpy as np

from arcwright.curves.keys import keyed
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve, Interpolation
from arcwright.scene.scene import Character, Scene
from arcwright.scene.take import Take
from builders import QUATERNION, arm_rig, rig_of


def scene_with(*curves):
    """An arm whose first channels have these curves."""
    rig = arm_rig()
    rest = [None] * (len(rig.channels) - len(curves))
    take = Take(rig, Clip("wave", (*curves, *rest), 2.0))
    return Scene(characters=(Character("arm", rig, (take,)),))


def turning(interpolation=Interpolation.SLERP, seed=0):
    """One joint that turns by quaternion, keys lining up at 0, 0.5, 1 and 1.5 s."""
    rig = rig_of([-1], [(0, QUATERNION)], ["quaternion"])
    turns = np.random.default_rng(seed).normal(size=(4, 4))
    turns /= np.linalg.norm(turns, axis=0)
    curves = tuple(Curve.of([0, 0.5, 1, 1.5], own, interpolation=interpolation) for own in turns)
    return Scene(characters=(Character("top", rig, (Take(rig, Clip("spin", curves, 2.0)),)),))


def curve_of(scene, channel=0):
    return scene.characters[0].takes[0].base.curves[channel]


BOUNCE = keyed([0, 0.5, 1, 1.5], [0, 1, 0, 2])
