"""Distance to the examples of a body model: how unlike pairs of keys are to what it was shown."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.rotation import quaternion_from_vector, vector_from_quaternion
from arcwright.tools.autocomplete.body.body_file import BodyFile
from arcwright.tools.autocomplete.body.key_slerp import Poses, headed
from arcwright.tools.autocomplete.body.skeleton import Skeleton, world_poses


@dataclass(frozen=True, eq=False)
class Examples:
    """Poses of examples as they are compared: where joints are, seen from the root."""

    skeleton: Skeleton
    around: Floats  # (N, T, J, 3)
    root: Floats  # (N, T, 3)
    facing: Floats  # (N, T, 4) orientation of the root
    time: float  # s between poses

    @classmethod
    def of(cls, file: BodyFile) -> Examples:
        """Those of a model."""
        poses = unpacked_examples(file)
        around = around_root(file.skeleton, poses)
        return cls(
            *(file.skeleton, around, poses.position, poses.rotations[:, :, 0]), file.example_time
        )

    def distance(self, poses: Poses, times: Floats, rows: Ints) -> float:
        """The rms over pairs of keys that follow each other of the distance to the nearest pair.

        A pair is laid over every example at every moment. Its distance is the rms of how far
        joints are off at both ends, and of how far the root comes between them, leg lengths.
        """
        own = around_root(self.skeleton, poses)
        squares = [self._pair(own, poses, times, one, two) for one, two in pairwise(rows.tolist())]
        return float(np.sqrt(np.mean(squares))) if squares else 0.0

    def _pair(self, own: Floats, poses: Poses, times: Floats, one: int, two: int) -> float:
        longest = self.around.shape[1] - 1
        gap = int(np.clip(round((times[two] - times[one]) / self.time), 1, longest))
        start = _mean_square(self.around[:, :-gap] - own[one])
        end = _mean_square(self.around[:, gap:] - own[two])
        moved = headed(self.facing[:, :-gap], self.root[:, gap:] - self.root[:, :-gap], back=True)
        step = poses.position[two] - poses.position[one]
        step = headed(poses.rotations[one, 0], step, back=True)
        way = np.square(moved - step).sum(axis=-1)
        return float((start + end + way).min()) / 3


def around_root(skeleton: Skeleton, poses: Poses) -> Floats:
    """(..., J, 3) places of joints, seen from the root along its heading, and its height."""
    _, places = world_poses(skeleton, poses.rotations, poses.position)
    away = places - poses.position[..., None, :]
    seen = headed(poses.rotations[..., :1, :], away, back=True)
    seen[..., 0, 1] = poses.position[..., 1]
    return seen


def unpacked_examples(file: BodyFile) -> Poses:
    """The poses of examples (N, T)."""
    stored = file.examples.astype(np.float64)
    vectors = stored[..., :-3].reshape(*stored.shape[:2], -1, 3)
    return Poses(quaternion_from_vector(vectors), stored[..., -3:])


def packed_examples(rotations: Floats, position: Floats) -> Floats:
    """(..., 3 J + 3) rotation vectors, and places of the root."""
    vectors = vector_from_quaternion(rotations)
    return np.concatenate([vectors.reshape(*vectors.shape[:-2], -1), position], axis=-1)


def _mean_square(away: Floats) -> Floats:
    return np.asarray(np.square(away).sum(axis=-1).mean(axis=-1))
