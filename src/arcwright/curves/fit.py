"""Fit: the result of fitting keys to samples, and the steps before and after fitting."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats
from arcwright.curves.keyed_spline import Spline
from arcwright.curves.pack import quaternion_channels
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve, Handle, Interpolation
from arcwright.scene.motion import Motion
from arcwright.scene.rig import Kind, Rig


@dataclass(frozen=True, eq=False)
class Fit:
    """A fitted clip and its error at the samples."""

    clip: Clip
    error: Floats  # (C,) largest difference at the samples, as measured on the clip
    keys_before: int  # samples times channels
    keys_after: int
    position_error: float | None = None  # m, largest of any joint, if measured
    deviation: float | None = None  # m, as position_error, also of points a little off the joints

    @property
    def key_poses(self) -> int:
        """The number of times at which any channel has a key."""
        times = [curve.time for curve in self.clip.curves if curve is not None]
        return len(np.unique(np.concatenate(times))) if times else 0


def continuous(motion: Motion, rig: Rig) -> Floats:
    """(C, T) values without jumps of 2 pi, of equivalent Euler triples or of quaternion signs."""
    values = np.array(motion.values.T, order="C")
    kind = rig.channels.kind
    angles = (kind >= Kind.ROTATE_X) & (kind <= Kind.ROTATE_Z)
    for triple in euler_triples(rig):
        values[triple] = _unflipped(values[triple])
    values[angles] = np.unwrap(values[angles], axis=1)
    four = quaternion_channels(rig)
    if len(four):
        rotations = values[four]  # (Q, 4, T)
        away = (rotations[:, :, 1:] * rotations[:, :, :-1]).sum(axis=1) < 0
        sign = np.where(np.cumsum(away, axis=1) % 2 == 1, -1.0, 1.0)
        rotations[:, :, 1:] *= sign[:, None]
        values[four] = rotations
    return values


def euler_triples(rig: Rig) -> list[list[int]]:
    """The three rotation channels of every joint that has three, in the order of its mode."""
    found: dict[int, dict[int, int]] = {}
    for channel, (joint, kind) in enumerate(
        zip(rig.channels.joint.tolist(), rig.channels.kind.tolist(), strict=True)
    ):
        if Kind.ROTATE_X <= kind <= Kind.ROTATE_Z:
            found.setdefault(joint, {})[kind - Kind.ROTATE_X] = channel
    return [
        [axes["XYZ".index(letter)] for letter in rig.modes[joint]]
        for joint, axes in found.items()
        if len(axes) == 3
    ]


def _unflipped(angles: Floats) -> Floats:
    """Euler angles (3, T), those of a sample replaced by the equal (a + pi, pi - b, c + pi)
    where that is nearer to the sample before."""
    other = np.stack([angles[0] + np.pi, np.pi - angles[1], angles[2] + np.pi])
    near = _apart(angles[:, :-1], angles[:, 1:])
    swap = _apart(angles[:, :-1], other[:, 1:]) < near - 1e-6
    flipped = np.concatenate([[False], np.cumsum(swap) % 2 == 1])
    return np.where(flipped, other, angles)


def _apart(a: Floats, b: Floats) -> Floats:
    """(T,) sum of the angles between, the short way round."""
    step = b - a
    return np.asarray(abs(step - 2 * np.pi * np.round(step / (2 * np.pi))).sum(axis=0))


def spline_curves(spline: Spline) -> list[Curve]:
    """A curve for each moving channel of a spline; handle times are one third."""
    target, keys = spline.target, spline.keys
    time, nodes = target.time[keys], spline.nodes[keys]
    if len(keys) < 2:
        return [
            Curve.of([time[0]], [value], interpolation=Interpolation.BEZIER)
            for value in nodes[0, 0].tolist()
        ]
    gap = np.diff(time) / 3
    run = np.stack([np.append(gap[:1], gap), np.append(gap, gap[-1:])], axis=-1)  # (K, 2)
    made = []
    for own in range(len(target.moving)):
        kinds = np.where(target.broken[keys, own], Handle.FREE, Handle.ALIGNED)
        curve = Curve(
            time=time,
            value=nodes[:, 0, own],
            tangent=np.stack([run, run * nodes[:, 1:, own]], axis=-1),
            handles=np.stack([kinds, kinds], axis=-1),
            interpolation=np.full(len(keys), Interpolation.BEZIER),
        )
        made.append(curve)
    return made
