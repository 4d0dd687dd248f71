"""Places: points of one character as joint indices and offsets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from arcwright.arrays import Floats, Ints, frozen
from arcwright.errors import BadValue
from arcwright.scene.point import Point
from arcwright.scene.rig import Rig

Where: TypeAlias = Point | str | int | tuple[str | int, ArrayLike]
"""A point, a joint by name or index, or such a joint and an offset in its frame."""


@dataclass(frozen=True, eq=False)
class Places:
    """P points as joint indices and offsets."""

    joints: Ints  # (P,)
    offsets: Floats  # (P, 3) m, in the joint

    def __post_init__(self) -> None:
        joints = frozen(self.joints, "Places.joints", ("P",), np.int64)
        offsets = frozen(self.offsets, "Places.offsets", ("P", 3))
        if len(joints) != len(offsets):
            raise BadValue("Places.offsets", f"{len(joints)} rows, as in joints", len(offsets))
        object.__setattr__(self, "joints", joints)
        object.__setattr__(self, "offsets", offsets)

    def __len__(self) -> int:
        return len(self.joints)

    def joined(self, more: Places) -> Places:
        """These places, then more of them."""
        return Places(
            np.concatenate([self.joints, more.joints]),
            np.concatenate([self.offsets, more.offsets]),
        )


def places(rig: Rig, points: Places | Sequence[Where]) -> Places:
    """Find points on a rig; unknown joints raise and name near ones."""
    if isinstance(points, Places):
        return points
    found = [_place(rig, point) for point in points]
    offsets = np.array([offset for _, offset in found], float).reshape(-1, 3)
    return Places(np.array([joint for joint, _ in found], np.int64), offsets)


def _place(rig: Rig, point: Where) -> tuple[int, Floats]:
    if isinstance(point, Point):
        return rig.joint(point.joint), point.offset
    joint, offset = point if isinstance(point, tuple) else (point, (0.0, 0.0, 0.0))
    index = rig.joint(joint) if isinstance(joint, str) else int(joint)
    if not 0 <= index < len(rig.names):
        raise BadValue("joint", f"0 to {len(rig.names) - 1}", index)
    return index, frozen(offset, "offset", (3,))
