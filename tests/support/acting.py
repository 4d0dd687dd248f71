"""Device samples of acted movements, for tests: circles, waves of an axis, rotations."""

import numpy as np

from arcwright.kinematics.rotation import quaternion_from_vector
from arcwright.scene.clip import Clip
from arcwright.scene.scene import Prop, Scene
from arcwright.scene.take import Take
from arcwright.tools.catalogue import tool
from arcwright.tools.gesture import Performance
from arcwright.tools.interaction import Interaction
from arcwright.tools.options import options_from
from builders import ROTATE, SCALE, TRANSLATE, rig_of

RATE = 60.0


def times(seconds, rate=RATE, start=0.0):
    return start + np.arange(round(seconds * rate)) / rate


def poses(position, rotation=None):
    """(N, 1, 7) of positions (N, 3) and rotation vectors (N, 3)."""
    turned = np.zeros_like(position) if rotation is None else rotation
    return np.concatenate([position, quaternion_from_vector(turned)], axis=1)[:, None]


def circles(period=1.0, cycles=5.0, radius=0.1, noise=0.0, start=0.0, drift=0.0, seed=0):
    """A device that goes round in the view plane, noisily."""
    time = times(period * cycles, start=start)
    angle = 2 * np.pi * (time - start) / period
    place = radius * np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)
    place += np.random.default_rng(seed).normal(0, 1, place.shape) * noise
    place[:, 2] += drift * (time - start)
    return Performance(time, poses(place))


def spins(period=1.0, cycles=4.0, angle=0.5, start=0.0):
    """A device that stays and turns to and fro about y."""
    time = times(period * cycles, start=start)
    turn = np.zeros((len(time), 3))
    turn[:, 1] = angle * np.sin(2 * np.pi * (time - start) / period)
    return Performance(time, poses(np.zeros_like(turn), turn))


def triggers(period=0.7, cycles=6.0, start=0.0):
    """A trigger that goes from 0 to 1 and back."""
    time = times(period * cycles, start=start)
    axis = 0.5 - 0.5 * np.cos(2 * np.pi * (time - start) / period)
    return Performance(time, axes=axis[:, None], axis_names=("trigger",), device="gamepad")


def begun(scene, target, **options):
    cycle = tool("cycle")
    return Interaction(cycle, scene, target, options_from(cycle.Options, options))


def performed(scene, target, performance, **options):
    """The scene after a performance, and the interaction."""
    interaction = begun(scene, target, **options)
    interaction.update(performance)
    return interaction.finish().apply(scene), interaction


def ball_scene(duration=1.0, loops=True, takes=True):
    """A prop that stands still, and can be moved, turned and scaled."""
    rig = rig_of([-1], [(0, TRANSLATE + ROTATE + SCALE)])
    clip = Clip("loop", (None,) * len(rig.channels), duration, loops=loops)
    own = (Take(rig, clip),) if takes else ()
    return Scene("ball", (), (Prop("Ball", rig, own),))
