"""Offsets of an actor that moves during an animated shot: the same in the world as it turns.

A morph target comes before the skin, so what it adds turns with each joint, and a head that is
led upwards would swing about. Between keys the offset in the world is blended instead, and
taken back through the actor's pose at each frame: a sequence of targets.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.skinning import vertex_transforms
from arcwright.scene.scene import Actor
from arcwright.scene.shape import Shape
from arcwright.scene.take import Take
from arcwright.tools.flow.animated_flow import KeyOffsets, blend_weights

MOST_TARGETS = 97  # of a sequence: four seconds of 24 frames
_MOST_NUMBERS = 30_000_000  # vertices times targets


def followed(
    bare: Actor, take: Take, times: Sequence[float], offsets: KeyOffsets
) -> tuple[Floats, KeyOffsets] | None:
    """Times (S,), s, and offsets at each, which blend linearly; None for an actor that is still."""
    keys = np.asarray(times, float)
    at = _moments(keys, take.rate, sum(len(each[0]) for each in offsets.values()))
    every = values_at(take, np.concatenate([keys, at]))
    if len(keys) < 2 or np.abs(every - every[0]).max(initial=0.0) < 1e-9:
        return None
    worlds = forward(bare.rig, every)
    weights = blend_weights(keys, at)
    found = {
        (number, row): _turned_back(bare.shapes[number], row, worlds, own, weights)
        for (number, row), own in offsets.items()
    }
    return at, found


def _turned_back(
    shape: Shape, row: int, worlds: Floats, offsets: Sequence[Floats], weights: Floats
) -> list[Floats]:
    """Offsets of a part at each moment; `worlds` are those of the keys, then of the moments."""
    turned = [vertex_transforms(shape, shape.parts[row], each)[:, :3, :3] for each in worlds]
    keys = len(offsets)
    in_world = [
        (turn @ each[..., None])[..., 0] for turn, each in zip(turned[:keys], offsets, strict=True)
    ]
    return [
        (inverse_of(turn) @ _blended(in_world, weight)[..., None])[..., 0]
        for turn, weight in zip(turned[keys:], weights, strict=True)
    ]


def inverse_of(matrices: Floats) -> Floats:
    """Inverses of (..., 3, 3); of one that flattens, the pseudo-inverse."""
    flat = np.abs(np.linalg.det(matrices)) < 1e-12
    found = np.linalg.pinv(matrices) if flat.any() else np.linalg.inv(matrices)
    return np.asarray(found, float)


def _moments(keys: Floats, rate: float, vertices: int) -> Floats:
    """Every frame from the first key to the last, and the keys; fewer of a long shot."""
    most = int(np.clip(_MOST_NUMBERS // max(vertices, 1), len(keys), MOST_TARGETS))
    frames = np.arange(np.ceil(keys[0] * rate), keys[-1] * rate + 1e-6) / rate
    if len(frames) > most:
        frames = np.linspace(keys[0], keys[-1], most)
    apart = np.abs(frames[:, None] - keys).min(1) > 0.25 / rate
    return np.union1d(frames[apart], keys)


def _blended(offsets: Sequence[Floats], weights: Floats) -> Floats:
    found = np.zeros(offsets[0].shape)
    for each, weight in zip(offsets, weights.tolist(), strict=True):
        found += weight * each
    return found
