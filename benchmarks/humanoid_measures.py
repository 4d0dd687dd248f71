"""Measures of completed humanoid motions: places, rotations, NPSS and sliding feet."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.kinematics.rotation import quaternion_from_matrix
from arcwright.tools.autocomplete.body.captures import Captures
from arcwright.tools.autocomplete.body.key_slerp import Poses
from arcwright.tools.autocomplete.body.skeleton import world_poses
from arcwright.tools.autocomplete.train.body_batches import CONTEXT, Windows

FRAMES_A_SECOND = 30


@dataclass(frozen=True, eq=False)
class World:
    """Poses in the world, leg lengths."""

    turned: Floats  # (B, T, J, 4)
    places: Floats  # (B, T, J, 3)

    @classmethod
    def of(cls, captures: Captures, poses: Poses, offsets: Floats) -> World:
        """Of poses with bones of their own."""
        turned, places = world_poses(captures.skeleton, poses.rotations, poses.position, offsets)
        return cls(quaternion_from_matrix(turned), places)


@dataclass(frozen=True, eq=False)
class Normal:
    """Mean and deviation of places of training motions, as the published L2P is normalised."""

    mean: Floats  # (J, 3)
    deviation: Floats  # (J, 3)

    @classmethod
    def of(cls, captures: Captures, every: int = 7) -> Normal:
        """Every clip begins at the origin."""
        clip = np.repeat(np.arange(len(captures)), np.diff(captures.start))
        rows = np.arange(0, len(clip), every)
        position = captures.position[rows] - captures.position[captures.start[clip[rows]]] * [
            1,
            0,
            1,
        ]
        _, places = world_poses(
            captures.skeleton, captures.rotations[rows], position, captures.offsets[clip[rows]]
        )
        return cls(places.mean(axis=0), places.std(axis=0))


def measures(
    truth: World, found: World, windows: Windows, size: Floats, normal: Normal, feet: list[int]
) -> dict[str, float]:
    """Means over windows; `size` (B,) is the length of a leg, m."""
    gap = np.s_[:, CONTEXT:-1]
    off = (found.places - truth.places)[gap]
    centimetres = 100 * np.linalg.norm(off, axis=-1).mean(axis=(1, 2)) * size
    flat = (off / normal.deviation).reshape(*off.shape[:2], -1)
    return {
        "cm": float(centimetres.mean()),
        "L2P": float(np.linalg.norm(flat, axis=2).mean()),
        "L2Q": _rotations_off(truth.turned[gap], found.turned[gap]),
        "NPSS": npss(truth.turned[gap], found.turned[gap]),
        "slide": slide(found.places[:, :, feet], windows.planted, size),
    }


def _rotations_off(truth: Floats, found: Floats) -> float:
    sign = np.where((truth * found).sum(axis=-1, keepdims=True) < 0, -1.0, 1.0)
    off = (found * sign - truth).reshape(*truth.shape[:2], -1)
    return float(np.linalg.norm(off, axis=2).mean())


def npss(truth: Floats, found: Floats) -> float:
    """Normalised power spectrum similarity (Gopalakrishnan 2019) of quaternions (B, T, J, 4)."""
    flat = [_unwrapped(each).reshape(*each.shape[:2], -1) for each in (truth, found)]
    powers = [np.abs(np.fft.fft(each, axis=1)) ** 2 for each in flat]
    total = [each.sum(axis=1) for each in powers]
    shares = [
        power / np.where(each == 0, 1, each)[:, None]
        for power, each in zip(powers, total, strict=True)
    ]
    apart = np.abs(np.cumsum(shares[1], axis=1) - np.cumsum(shares[0], axis=1)).sum(axis=1)
    return float((apart * total[0]).sum() / total[0].sum())


def _unwrapped(turned: Floats) -> Floats:
    """Signs that do not jump from frame to frame; the first w is not below 0."""
    found = turned * np.where(turned[:, :1, :, :1] < 0, -1.0, 1.0)
    dots = (found[:, 1:] * found[:, :-1]).sum(axis=-1, keepdims=True)
    sign = np.concatenate([np.ones_like(dots[:, :1]), np.where(dots < 0, -1.0, 1.0)], axis=1)
    return found * np.cumprod(sign, axis=1)


def slide(toes: Floats, planted: Bools, size: Floats) -> float:
    """cm a frame by which toes move level while they stand in the capture, in the gap."""
    step = 100 * np.linalg.norm(np.diff(toes, axis=1)[..., [0, 2]], axis=-1) * size[:, None, None]
    stands = planted[:, 1:] & planted[:, :-1]
    inside = np.s_[:, CONTEXT - 1 :]
    return float(step[inside][stands[inside]].mean())
