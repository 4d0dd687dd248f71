"""Rigs and values made by a seed, for laws that must hold on every rig."""

import numpy as np

from arcwright.kinematics.rotation import quaternion_normalise
from arcwright.scene.rig import MODES, QUATERNION, ChannelTable, Kind, Rig

TRANSLATES = (Kind.TRANSLATE_X, Kind.TRANSLATE_Y, Kind.TRANSLATE_Z)
ROTATES = (Kind.ROTATE_X, Kind.ROTATE_Y, Kind.ROTATE_Z)
QUATERNIONS = (Kind.QUATERNION_W, Kind.QUATERNION_X, Kind.QUATERNION_Y, Kind.QUATERNION_Z)
SCALES = (Kind.SCALE_X, Kind.SCALE_Y, Kind.SCALE_Z)


def random_rig(seed, joints=9, *, modes=MODES, scaled=True, rest=True):
    """Several roots, every mode, some channels missing, channels in no particular order."""
    rng = np.random.default_rng(seed)
    chosen = [str(rng.choice(modes)) for _ in range(joints)]
    rows = [
        (joint, kind) for joint, mode in enumerate(chosen) for kind in _kinds(rng, mode, scaled)
    ]
    rows = [rows[i] for i in rng.permutation(len(rows))]
    still = np.tile([1.0, 0.0, 0.0, 0.0], (joints, 1))
    return Rig(
        names=tuple(f"joint{joint}" for joint in range(joints)),
        parents=[-1]
        + [int(rng.integers(-1 if rng.random() < 0.1 else 0, j)) for j in range(1, joints)],
        offset=rng.normal(size=(joints, 3)),
        rest=quaternion_normalise(rng.normal(size=(joints, 4))) if rest else still,
        scale=rng.uniform(0.5, 1.5, (joints, 3)) if scaled else np.ones((joints, 3)),
        modes=tuple(chosen),
        channels=ChannelTable.of(
            [joint for joint, _ in rows],
            [kind for _, kind in rows],
            label=["smile" if kind in (Kind.WEIGHT, Kind.CUSTOM) else "" for _, kind in rows],
        ),
    )


def _kinds(rng, mode, scaled):
    kinds = list(QUATERNIONS) if mode == QUATERNION else [k for k in ROTATES if rng.random() < 0.8]
    kinds += TRANSLATES if rng.random() < 0.3 else ()
    kinds += [k for k in SCALES if scaled and rng.random() < 0.3]
    kinds += [k for k in (Kind.WEIGHT, Kind.CUSTOM) if rng.random() < 0.1]
    return kinds


def random_values(rig, seed, times=3):
    """(T, C), quaternions of any length, scales of any sign."""
    return np.random.default_rng(seed).normal(size=(times, len(rig.channels)))


def chain_rig(joints=3, mode="ZYX"):
    """A straight arm along X with joints a metre apart, the root free to move."""
    turns = QUATERNIONS if mode == QUATERNION else ROTATES
    rows = [(0, kind) for kind in TRANSLATES]
    rows += [(joint, kind) for joint in range(joints) for kind in turns]
    return Rig(
        names=tuple(f"joint{joint}" for joint in range(joints)),
        parents=np.arange(joints) - 1,
        offset=[[0.0, 0, 0]] + [[1.0, 0, 0]] * (joints - 1),
        rest=np.tile([1.0, 0.0, 0.0, 0.0], (joints, 1)),
        scale=np.ones((joints, 3)),
        modes=(mode,) * joints,
        channels=ChannelTable.of([joint for joint, _ in rows], [kind for _, kind in rows]),
    )
