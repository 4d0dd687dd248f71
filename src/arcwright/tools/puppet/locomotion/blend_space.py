"""Blend space: clips at points of an N-dimensional space, blended by where a puppet is in it.

Inside, the clips at the corners of a Delaunay simplex are weighed by barycentric coordinates;
outside, those of the nearest place of the border. Gaits are played at one common phase.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.kinematics.rotation import quaternion_multiply
from arcwright.kinematics.sample import quaternion_channels
from arcwright.scene.rig import Rig
from arcwright.tools.puppet.locomotion.gait_clip import PHASES, GaitClip, aligned_values
from arcwright.tools.puppet.locomotion.periodic_spline import control_values, spline_weights
from arcwright.tools.puppet.locomotion.simplices import Simplices, delaunay

BARELY = 0.02  # weight of all gaits: with less, every foot stands


@dataclass(frozen=True, eq=False)
class BlendedPose:
    """A pose in the puppet's frame."""

    values: Floats  # (C,) channel values but for those of the root
    root: Floats  # (7,) position, m, and rotation, wxyz, of the root


class BlendSpace:
    """Clips at points of [0, 1]^N."""

    def __init__(self, rig: Rig, clips: Sequence[GaitClip], points: Floats) -> None:
        self.clips, self.points = tuple(clips), np.asarray(points, float)
        self.moves: Bools = np.array([clip.moves for clip in clips])
        self._used = np.flatnonzero(np.ptp(self.points, axis=0) > 0)  # dimensions with an extent
        self._simplices = self._made_simplices()
        channels = clips[0].values.shape[1]
        like = clips[0].values[0]
        self._table = np.empty((len(clips), PHASES + 3, channels + 7))  # of spline controls
        for row, clip in zip(self._table, clips, strict=True):
            same = clip.root[0, 3:] @ clips[0].root[0, 3:] >= 0
            root = clip.root * np.array([1.0] * 3 + [1.0 if same else -1.0] * 4)
            poses = np.concatenate([aligned_values(rig, clip.values, like), root], axis=1)
            row[:] = control_values(poses).take(np.arange(-1, PHASES + 2), axis=0, mode="wrap")
        self._channels = channels
        self._four = np.concatenate(
            [quaternion_channels(rig), np.arange(channels + 3, channels + 7)[None]]
        )
        self._planted = np.array([clip.planted for clip in clips], float)  # (K, PHASES, F)
        self._heels = np.array([clip.heels for clip in clips], float)  # (K, PHASES, F)
        self.frequency = np.array([1.0 / clip.period for clip in clips])  # (K,) cycles a second

    def _made_simplices(self) -> Simplices | None:
        """None for clips of one point; else over the dimensions in which they differ."""
        used = self.points[:, self._used]
        return delaunay(used) if len(self._used) else None

    @property
    def edges(self) -> tuple[tuple[int, int], ...]:
        """Pairs of clips between which it blends directly."""
        if self._simplices is None:
            return ()
        members = (sorted(each) for each in self._simplices.members.tolist())
        return tuple(sorted({pair for each in members for pair in combinations(each, 2)}))

    def weights(self, point: Floats) -> Floats:
        """(K,) of each clip at a point, of the nearest place for one outside."""
        weights = np.zeros(len(self.clips))
        if self._simplices is None:
            weights[0] = 1.0
            return weights
        members, share, _ = self._simplices.locate(np.asarray(point)[self._used])
        weights[members] = share
        return weights

    def cycles_per_second(self, weights: Floats) -> float:
        """How fast the common phase of the gaits goes on."""
        moving = weights * self.moves
        total = float(moving.sum())
        return float(moving @ self.frequency) / total if total > 0 else 0.0

    def planted(self, weights: Floats, phase: float | Floats) -> Floats:
        """(..., F) 0 to 1: how much each foot carries by its toes; all of it where no gait does."""
        moving = weights * self.moves
        total = float(moving.sum())
        at = (np.asarray(phase) * PHASES).astype(np.int64) % PHASES
        if total <= BARELY:
            return np.ones((*at.shape, self._planted.shape[2]))
        return np.asarray(np.tensordot(moving, self._planted[:, at], 1)) / total

    def heels(self, weights: Floats, phase: float) -> Floats:
        """(F,) 0 to 1: how much each foot carries by its heel."""
        moving = weights * self.moves
        total = float(moving.sum())
        at = int(phase * PHASES) % PHASES
        return np.asarray(moving @ self._heels[:, at]) / (total or 1.0)

    def pose(self, weights: Floats, phase: float, times: Floats) -> BlendedPose:
        """The blended pose: gaits at a common phase, other clips at their own times (K,) s."""
        used = np.flatnonzero(weights > 1e-6)
        at = np.where(self.moves[used], phase, times[used] * self.frequency[used])
        return self._normalised(self._blended(weights[used], used, at))

    def _blended(self, weights: Floats, used: Ints, at: Floats) -> Floats:
        """(..., C + 7) values and root of clips `used`, each at its own phase `at` (..., K)."""
        frame = at * PHASES
        before = np.floor(frame).astype(np.int64)
        shares = weights[:, None] * spline_weights(frame - before)
        members = before[..., None] % PHASES + np.arange(4)
        rows = self._table[used[:, None], members]
        lead, terms = at.shape[:-1], 4 * len(used)
        blended = shares.reshape(*lead, 1, terms) @ rows.reshape(*lead, terms, -1)
        return np.asarray(blended[..., 0, :])

    def offset(self, pose: BlendedPose, values: Floats, root: Floats) -> BlendedPose:
        """A pose with values (C,) added and its root (7,) moved and rotated."""
        turned = quaternion_multiply(root[3:], pose.root[3:])
        whole = np.concatenate([pose.values + values, pose.root[:3] + root[:3], turned])
        return self._normalised(whole)

    def _normalised(self, whole: Floats) -> BlendedPose:
        four = whole[..., self._four]
        whole[..., self._four] = four / np.linalg.norm(four, axis=-1, keepdims=True)
        return BlendedPose(whole[..., : self._channels], whole[..., self._channels :])

    def poses(self, weights: Floats, phases: Floats) -> tuple[Floats, Floats]:
        """(T, C) values and (T, 7) roots over a cycle, for measuring; still clips at time 0."""
        used = np.flatnonzero(weights > 1e-6)
        at = np.where(self.moves[used], phases[:, None], 0.0)
        made = self._normalised(self._blended(weights[used], used, at))
        return made.values, made.root
