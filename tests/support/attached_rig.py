"""A walker whose feet hang on the top of the rig and follow the legs only by their own keys."""

import numpy as np

from arcwright.curves.keys import keyed
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rotation import (
    euler_from_matrix,
    quaternion_from_vector,
)
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve, Interpolation
from arcwright.scene.rig import ChannelTable, Kind, Rig
from arcwright.scene.scene import Character, Scene
from arcwright.scene.take import Take

NAMES = ("Top", "FootL", "Body", "ThighL", "ShinL", "ThighR", "ShinR", "Chest", "FootR")
PARENTS = (-1, 0, 0, 2, 3, 2, 5, 2, 0)
OFFSETS = {"ThighL": (0.1, 0, 0), "ThighR": (-0.1, 0, 0), "Chest": (0, 0.5, 0)}
OFFSETS |= {"ShinL": (0, -0.45, 0), "ShinR": (0, -0.45, 0)}
LIMBS = {"FootL": "ShinL", "FootR": "ShinR"}
SHIN = (0.0, -0.45, 0.0)
SLIDES = [Kind.TRANSLATE_X, Kind.TRANSLATE_Y, Kind.TRANSLATE_Z]
TURNS = [Kind.QUATERNION_W, Kind.QUATERNION_X, Kind.QUATERNION_Y, Kind.QUATERNION_Z]
ANGLES = [Kind.ROTATE_X, Kind.ROTATE_Y, Kind.ROTATE_Z]
FRAMES = 25


def walker_rig(euler=False):
    """The rig; its feet turn by quaternions, or by angles in the order YXZ."""
    foot = ANGLES if euler else TURNS
    joints, kinds = [], []
    for joint, name in enumerate(NAMES[1:], 1):
        own = (SLIDES if name in (*LIMBS, "Body") else []) + (foot if name in LIMBS else TURNS)
        joints += [joint] * len(own)
        kinds += own
    modes = ["quaternion" if not (euler and name in LIMBS) else "YXZ" for name in NAMES]
    return Rig(
        names=NAMES,
        parents=np.array(PARENTS),
        offset=np.array([OFFSETS.get(name, (0.0, 0.0, 0.0)) for name in NAMES]),
        rest=np.tile([1.0, 0, 0, 0], (len(NAMES), 1)),
        scale=np.ones((len(NAMES), 3)),
        modes=tuple(modes),
        channels=ChannelTable.of(joints, kinds),
    )


def channels(rig, name, kinds):
    """Channels of a joint of these kinds, in their order."""
    own = np.flatnonzero(rig.channels.joint == rig.names.index(name))
    return [int(c) for kind in kinds for c in own if rig.channels.kind[c] == kind]


def walk_values(rig, times):
    """(T, C) a walk on the spot: legs swing, the body bobs, feet are where the shins end."""
    values = np.tile(rig.channels.default, (len(times), 1))
    phase = 2 * np.pi * times
    values[:, channels(rig, "Body", SLIDES)] = np.stack(
        [0 * phase, 0.85 + 0.03 * np.cos(2 * phase), 0 * phase], axis=-1
    )
    for side, turn in (("L", 0.0), ("R", np.pi)):
        swing = 0.4 * np.sin(phase + turn)
        bend = 0.5 + 0.3 * np.cos(phase + turn)
        for name, angle in (("Thigh", swing - bend / 2), ("Shin", bend)):
            vector = np.stack([angle, 0 * angle, 0 * angle], axis=-1)
            values[:, channels(rig, name + side, TURNS)] = quaternion_from_vector(vector)
    for foot, shin in LIMBS.items():
        world = forward(rig, values, [rig.names.index(shin)])[:, 0]
        place = world[:, :3, :3] @ np.array(SHIN) + world[:, :3, 3]
        values[:, channels(rig, foot, SLIDES)] = place
        level = 0.3 * np.sin(phase)
        turns = quaternion_from_vector(np.stack([level, 0 * level, 0.1 + 0 * level], axis=-1))
        if "quaternion" in rig.modes[rig.names.index(foot)]:
            values[:, channels(rig, foot, TURNS)] = turns
        else:
            turned = np.tile(np.eye(3), (len(times), 1, 1))
            kinds = [ANGLES[i] for i in (1, 0, 2)]
            values[:, channels(rig, foot, kinds)] = euler_from_matrix(turned, "YXZ")
    return values


def walker(baked=True, euler=False):
    """A character that walks on the spot, with a key on every frame or thirteen key poses."""
    rig = walker_rig(euler)
    times = np.linspace(0, 1, FRAMES if baked else 13)
    values, curves = walk_values(rig, times), []
    for channel, kind in enumerate(rig.channels.kind):
        turning = Kind.QUATERNION_W <= kind <= Kind.QUATERNION_Z
        way = Interpolation.SLERP if turning else Interpolation.LINEAR
        made = Curve.of(times, values[:, channel], interpolation=way)
        curves.append(made if baked else keyed(times, values[:, channel]))
    clip = Clip("walk", tuple(curves), 1.0, rate=FRAMES - 1)
    return Character("walker", rig, (Take(rig, clip),))


def walker_scene(**ways):
    """A scene of the walker alone."""
    return Scene(characters=(walker(**ways),))


def apart(rig, before, after):
    """(T, 2) m, how far each foot left its place on the shin, from one pose (T, C) to another."""
    found = []
    for foot, shin in LIMBS.items():
        pair = [rig.names.index(shin), rig.names.index(foot)]
        local = []
        for values in (before, after):
            world = forward(rig, values, pair)
            local.append((np.linalg.inv(world[:, 0]) @ world[:, 1])[:, :3, 3])
        found.append(np.linalg.norm(local[1] - local[0], axis=1))
    return np.stack(found, axis=-1)
