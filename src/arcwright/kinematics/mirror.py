"""Mirror poses: which joint is the counterpart of which, and a pose in the mirror.

Joints are paired by name (Left and Right, L and R), the others by the rest pose: a joint without a
side in its name is its own counterpart where it lies in the mirror's plane.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.forward import forward, orientation
from arcwright.kinematics.layout import ZERO, layout
from arcwright.kinematics.rotation import (
    euler_from_quaternion,
    quaternion_conjugate,
    quaternion_multiply,
    quaternion_rotate,
    unwrap_euler,
)
from arcwright.scene.rig import QUATERNION, Kind, Rig

NEAR = 0.05  # of the rig's size: so near to its mirror image a joint is paired by its place
MIDDLE = 0.002  # of the rig's size: so near to its mirror image a joint is in the middle
_SIDE = re.compile(r"(?i:left|right)|(?<![A-Za-z])[lrLR](?![a-z])|(?<=[a-z])[LR]$")
_OTHER = {"left": "right", "right": "left", "l": "r", "r": "l"}


@dataclass(frozen=True, eq=False)
class Mirror:
    """The plane of symmetry of a rig's rest pose, and the counterpart of each joint."""

    rig: Rig
    counterpart: Ints  # (J,) the joint on the other side; itself in the middle
    normal: Floats  # (3,) of the plane, in the rest pose
    origin: Floats  # (3,) m, a point of the plane

    @cached_property
    def asymmetry(self) -> float:
        """How far joints of the rest pose are from the images of their counterparts, rms, in units
        of the rig's size. Mirrored poses are no mirror images where this is more than a few %."""
        place = forward(self.rig, self.rig.channels.default[None])[0, :, :3, 3]
        image = self.origin + _reflected(place - self.origin, self.normal)
        apart = np.linalg.norm(image - place[self.counterpart], axis=1)
        size = float(np.ptp(place, axis=0).max())
        return float(np.sqrt(np.square(apart).mean())) / max(size, 1e-30)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Names of joints that are each other's counterparts, once each."""
        names = self.rig.names
        found = enumerate(self.counterpart.tolist())
        return [(names[one], names[other]) for one, other in found if one < other]

    def mirrored(
        self, values: Floats, root: int = 0, heading: float = 0.0, centre: Floats | None = None
    ) -> Floats:
        """Channel values (T, C) in the mirror.

        The character heads `heading` radians about the vertical axis away from its rest pose. The
        `root` is mirrored in place and at `centre`, m; joints that bones hold in theirs.
        """
        turn = np.array([np.cos(heading / 2), 0.0, np.sin(heading / 2), 0.0])
        normal = quaternion_rotate(turn, self.normal)
        result = self._swapped(values)
        self._translate(result, values, root, normal, self.origin if centre is None else centre)
        self._rotate(result, values, turn, normal)
        return result

    @cached_property
    def _rest(self) -> Floats:
        """(J, 4) world orientation of the rest pose."""
        rest: Floats = orientation(self.rig, self.rig.channels.default[None])[0]
        return rest

    @cached_property
    def _frames(self) -> Floats:
        """(J, 4) world orientation of the frames in which channels act, in the rest pose."""
        parents = self.rig.parents
        above = np.where((parents >= 0)[:, None], self._rest[parents], [1.0, 0.0, 0.0, 0.0])
        return quaternion_multiply(above, self.rig.rest)

    def _swapped(self, values: Floats) -> Floats:
        """Scales, weights and custom channels of the other side; angles as in the mirror."""
        table, result = self.rig.channels, values.copy()
        index = {
            (joint, kind, label): channel
            for channel, (joint, kind, label) in enumerate(
                zip(table.joint.tolist(), table.kind.tolist(), table.label, strict=True)
            )
        }
        for (joint, kind, label), channel in index.items():
            other = int(self.counterpart[joint])
            source = index.get((other, kind, other_side(label)), index.get((other, kind, label)))
            if source is not None:
                sign = self._angle_sign(joint, kind)
                result[:, channel] = sign * values[:, source]
        return result

    def _angle_sign(self, joint: int, kind: int) -> float:
        """Whether a single angle of the other side turns the same way (1) or the other (-1)."""
        if not Kind.ROTATE_X <= kind <= Kind.ROTATE_Z:
            return 1.0
        axis = np.eye(3)[kind - Kind.ROTATE_X]
        other = quaternion_rotate(self._frames[self.counterpart[joint]], axis)
        own = quaternion_rotate(self._frames[joint], axis)
        image = 2 * (other @ self.normal) * self.normal - other  # of an axis of rotation
        return 1.0 if own @ image >= 0 else -1.0

    def _translate(
        self, result: Floats, values: Floats, root: int, normal: Floats, centre: Floats
    ) -> None:
        plan, default = layout(self.rig), self.rig.channels.default
        for joint, other in enumerate(self.counterpart.tolist()):
            own, source = plan.translate[plan.wanted[joint]], plan.translate[plan.wanted[other]]
            if (own == ZERO).any() or (source == ZERO).any():
                continue
            if joint == root:
                place = forward(self.rig, values, [joint])[:, 0, :3, 3] - centre
                place = centre + _reflected(place, normal)
                result[:, own] = self._local(joint, place, values)
            else:
                moved = quaternion_rotate(self._frames[other], values[:, source] - default[source])
                back = quaternion_conjugate(self._frames[joint])
                result[:, own] = default[own] + quaternion_rotate(
                    back, _reflected(moved, self.normal)
                )

    def _local(self, joint: int, place: Floats, values: Floats) -> Floats:
        """(T, 3) translation channels that put a joint at places in the world."""
        above = int(self.rig.parents[joint])
        if above >= 0:
            world = forward(self.rig, values, [above])[:, 0]
            local = np.linalg.inv(world[:, :3, :3]) @ (place - world[:, :3, 3])[..., None]
            place = local[..., 0]
        back = quaternion_conjugate(self.rig.rest[joint])
        return quaternion_rotate(back, place - self.rig.offset[joint])

    def _rotate(self, result: Floats, values: Floats, turn: Floats, normal: Floats) -> None:
        plan, world = layout(self.rig), orientation(self.rig, values)
        rest = quaternion_multiply(turn, self._rest)
        away = quaternion_multiply(world, quaternion_conjugate(rest))
        axis = _reflected(away[..., 1:], normal)  # an axis of rotation turns the other way, too
        mirror = np.concatenate([away[..., :1], -axis], axis=-1)[:, self.counterpart]
        made = quaternion_multiply(mirror, rest)
        for joint, above in enumerate(self.rig.parents.tolist()):
            own = int(plan.wanted[joint])
            mode = self.rig.modes[joint]
            channels = plan.quaternion[own] if mode == QUATERNION else plan.rotate[own]
            if (channels == ZERO).any():
                continue
            parent = made[:, above] if above >= 0 else np.array([1.0, 0.0, 0.0, 0.0])
            frame = quaternion_multiply(parent, self.rig.rest[joint])
            local = quaternion_multiply(quaternion_conjugate(frame), made[:, joint])
            if mode == QUATERNION:
                result[:, channels] = local
            else:
                angles = euler_from_quaternion(local, mode, near=np.zeros(3))
                result[:, channels] = unwrap_euler(angles)


def mirror_of(rig: Rig) -> Mirror:
    """The mirror of a rig, from the names of its joints and its rest pose."""
    place = forward(rig, rig.channels.default[None])[0, :, :3, 3]
    index = {name: joint for joint, name in enumerate(rig.names)}
    named = [index.get(other_side(name), -1) for name in rig.names]
    sides = [(one, other) for one, other in enumerate(named) if other >= 0 and other != one]
    normal, origin = np.array([1.0, 0.0, 0.0]), place[0] if len(place) else np.zeros(3)
    if sides:
        one, other = np.array(sides).T
        apart = place[one] - place[other]
        axis = np.linalg.eigh(apart.T @ apart)[1][:, -1]
        normal = np.eye(3)[0] if abs(axis[0]) > 0.99 else axis
        origin = 0.5 * (place[one] + place[other]).mean(axis=0)
    return Mirror(rig, _counterparts(rig, place, named, normal, origin), normal, origin)


def other_side(name: str) -> str:
    """A name with left for right, and right for left, in the same case."""

    def swapped(match: re.Match[str]) -> str:
        word = match.group()
        other = _OTHER[word.lower()]
        if word.isupper():
            return other.upper()
        return other.capitalize() if word[0].isupper() else other

    return _SIDE.sub(swapped, name)


def _counterparts(
    rig: Rig, place: Floats, named: list[int], normal: Floats, origin: Floats
) -> Ints:
    """(J,) by name, else the nearest joint to the mirror image whose parent is the counterpart."""
    found = np.arange(len(named))
    size = float(np.ptp(place, axis=0).max()) if len(place) else 0.0
    image = origin + _reflected(place - origin, normal)
    for joint, other in enumerate(named):
        if other >= 0 and other != joint:
            found[joint] = other
        elif (own := float(np.linalg.norm(image[joint] - place[joint]))) > MIDDLE * size:
            above = int(rig.parents[joint])
            parent = int(found[above]) if above >= 0 else -1
            same = [
                each
                for each in np.flatnonzero(rig.parents == parent).tolist()
                if named[each] in (-1, each) and each != joint
            ]
            apart = [float(np.linalg.norm(image[joint] - place[each])) for each in same]
            if same and min(apart) <= min(NEAR * size, 0.5 * own):
                found[joint] = same[int(np.argmin(apart))]
    lonely = found[found] != np.arange(len(found))
    return np.where(lonely, np.arange(len(found)), found)


def _reflected(vectors: Floats, normal: Floats) -> Floats:
    """Vectors (..., 3) in a mirror with this normal."""
    reflected: Floats = vectors - 2 * (vectors @ normal)[..., None] * normal
    return reflected
