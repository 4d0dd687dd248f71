"""Skeleton: the joints that a body model knows, with forward kinematics for many poses at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from arcwright.arrays import Floats, Ints, frozen
from arcwright.errors import BadValue
from arcwright.kinematics.rotation import matrix_from_quaternion

MOST_JOINTS = 200


@dataclass(frozen=True, eq=False)
class Skeleton:
    """Joints with a rotation each; the first one is the root, which has a position, too."""

    names: tuple[str, ...]  # (J,)
    parents: Ints  # (J,) parents before children, -1 for the root alone
    offsets: Floats  # (J, 3) from the parent, in its frame; the length of a leg is 1

    def __post_init__(self) -> None:
        count = len(self.names)
        if not 1 <= count <= MOST_JOINTS or len(set(self.names)) != count:
            raise BadValue("names", f"1 to {MOST_JOINTS} different joints", count)
        parents = frozen(self.parents, "parents", (count,), np.int64)
        below = parents[1:]
        if parents[0] != -1 or (below < 0).any() or (below >= np.arange(1, count)).any():
            raise BadValue("parents", "one root, and parents before children", parents.tolist())
        object.__setattr__(self, "parents", parents)
        object.__setattr__(self, "offsets", frozen(self.offsets, "offsets", (count, 3)))

    @cached_property
    def levels(self) -> tuple[Ints, ...]:
        """Joints by how many joints there are above them, without the root."""
        depth = np.zeros(len(self.names), np.int64)
        for joint, parent in enumerate(self.parents[1:].tolist(), 1):
            depth[joint] = depth[parent] + 1
        return tuple(np.flatnonzero(depth == level) for level in range(1, depth.max() + 1))


def world_poses(
    skeleton: Skeleton, rotations: Floats, position: Floats, offsets: Floats | None = None
) -> tuple[Floats, Floats]:
    """Orientations (..., J, 3, 3) and places (..., J, 3) of rotations (..., J, 4) and the root.

    `offsets` (..., J, 3) are those of other bodies with the same joints.
    """
    away = skeleton.offsets if offsets is None else offsets
    turned = matrix_from_quaternion(rotations)
    places = np.empty(turned.shape[:-1])
    places[..., 0, :] = position
    for joints in skeleton.levels:
        above = skeleton.parents[joints]
        frame = turned[..., above, :, :]
        step = (frame @ away[..., joints, :, None])[..., 0]
        places[..., joints, :] = places[..., above, :] + step
        turned[..., joints, :, :] = frame @ turned[..., joints, :, :]
    return turned, places


def heading(orientation: Floats) -> Floats:
    """(...) rad about the vertical, of unit quaternions (..., 4)."""
    return 2 * np.arctan2(orientation[..., 2], orientation[..., 0])
