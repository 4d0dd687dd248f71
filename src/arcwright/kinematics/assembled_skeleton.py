"""Assembled skeleton: a rig whose attached joints are children of their limbs, and its poses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.attachment import SINGULAR
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rotation import (
    euler_from_matrix,
    matrix_from_quaternion,
    quaternion_from_matrix,
)
from arcwright.scene.rig import QUATERNION, Kind, Rig
from arcwright.scene.shape import Shape, Skin


class AttachedJoint(NamedTuple):
    """A joint of the original rig and of the assembled one, with the channels that place it."""

    joint: int  # in the original rig
    there: int  # in the assembled rig
    translate: Ints  # (0 to 3,) channels, the same in both rigs
    rotate: Ints  # (3 or 4,) channels of its angles or its quaternion, or (0,)

    @property
    def channels(self) -> list[int]:
        """All of them."""
        return [*self.translate.tolist(), *self.rotate.tolist()]


@dataclass(frozen=True, eq=False)
class AssembledSkeleton:
    """A rig, and the same with attached joints on their limbs; channels are in the same order."""

    original: Rig
    rig: Rig
    order: Ints  # (J,) original joints in the order of the assembled rig
    attached: tuple[AttachedJoint, ...]

    def assembled_values(self, values: Floats) -> Floats:
        """(T, C) poses of the original rig on the assembled one."""
        found = np.array(values)
        for each in self.attached:
            made = relative_values(self.original, self.rig, self.order, each, values)
            found[:, each.channels] = made[:, each.channels]
        return found

    def original_values(self, assembled: Floats, near: Floats) -> Floats:
        """(T, C) poses of the assembled rig on the original one, all joints where they are there.

        Angles and quaternions of attached joints are those nearest to `near` (T, C).
        """
        values = np.array(assembled)
        goes = forward(self.rig, assembled, [each.there for each in self.attached])
        for index, each in enumerate(self.attached):
            values[:, each.channels] = near[:, each.channels]
            parent = int(self.original.parents[each.joint])
            local = goes[:, index]
            if parent >= 0:
                local = inverse_transform(forward(self.original, values, [parent])[:, 0]) @ local
            place_attached(self.original, each.joint, each, local, values)
        return values


def shape_in_order(shape: Shape, order: Ints) -> Shape:
    """A shape on a rig whose joints are those of its own in another order (J,)."""
    place, skin = np.argsort(order), shape.skin
    if skin is not None:
        skin = Skin(place[skin.joints], skin.inverse_bind)
    return replace(shape, joint=int(place[shape.joint]), skin=skin)


def assembled_skeleton(rig: Rig, attached_to: Ints, root: int) -> AssembledSkeleton | None:
    """The rig with attached joints on the limbs (J,) they follow; None where there are none."""
    if not (attached_to >= 0).any():
        return None
    parents, own = np.array(rig.parents), list[int]()
    for joint, limb in enumerate(attached_to.tolist()):
        if limb >= 0 and not _is_below(parents, limb, joint):
            parents[joint] = limb
            own.append(joint)
    order = _parents_first(parents)
    place = np.argsort(order)
    attached = tuple(_attached_joint(rig, joint, int(place[joint])) for joint in own)
    return AssembledSkeleton(rig, _assembled(rig, parents, order, attached, root), order, attached)


def _attached_joint(rig: Rig, joint: int, there: int) -> AttachedJoint:
    table = rig.channels
    own = np.flatnonzero(table.joint == joint)
    own = own[np.argsort(table.kind[own], kind="stable")]
    rotate = own[(table.kind[own] >= Kind.ROTATE_X) & (table.kind[own] <= Kind.QUATERNION_Z)]
    if len(rotate) == 3:  # in the order of the letters of its mode
        rotate = rotate[["XYZ".index(letter) for letter in rig.modes[joint]]]
    whole = len(rotate) == (4 if rig.modes[joint] == QUATERNION else 3)
    slides = own[table.kind[own] <= Kind.TRANSLATE_Z]
    return AttachedJoint(joint, there, slides, rotate if whole else rotate[:0])


def _assembled(
    rig: Rig, parents: Ints, order: Ints, attached: Sequence[AttachedJoint], root: int
) -> Rig:
    """The rig with other parents; attached joints have no offset, and keep their length."""
    place = np.argsort(order)
    offset, rest, scale = np.array(rig.offset), np.array(rig.rest), np.array(rig.scale)
    lengths = list(rig.lengths or ("",) * len(rig.names))
    world = forward(rig, rig.channels.default[None])[0]
    size = np.cbrt(np.abs(np.linalg.det(world[:, :3, :3])))
    for each in attached:
        joint, above = each.joint, int(rig.parents[each.joint])
        offset[joint], rest[joint] = 0.0, (1.0, 0.0, 0.0, 0.0)
        scale[joint] *= (size[above] if above >= 0 else 1.0) / size[parents[joint]]
        lengths[joint] = lengths[joint] or "locked"
    table = rig.channels
    moved = np.where(parents[order] >= 0, place[np.maximum(parents[order], 0)], -1)
    found = Rig(
        names=tuple(rig.names[joint] for joint in order),
        parents=moved,
        offset=offset[order],
        rest=rest[order],
        scale=scale[order],
        modes=tuple(rig.modes[joint] for joint in order),
        channels=replace(table, joint=place[table.joint]),
        lengths=tuple(lengths[joint] for joint in order),
        root=int(place[root]),
        attached_to=tuple(range(len(order))),  # none: they are children
    )
    default = table.default[None]
    for each in attached:
        default = relative_values(rig, found, order, each, default)
    return replace(found, channels=replace(found.channels, default=default[0]))


def relative_values(
    rig: Rig, assembled: Rig, order: Ints, attached: AttachedJoint, values: Floats
) -> Floats:
    """(T, C) values of the original rig, with one attached joint in the frame of its limb."""
    limb = int(order[assembled.parents[attached.there]])
    world = forward(rig, values, [limb, attached.joint])
    local = inverse_transform(world[:, 0]) @ world[:, 1]
    found = np.array(values)
    place_attached(assembled, attached.there, attached, local, found)
    return found


def inverse_transform(matrix: Floats) -> Floats:
    """Inverse transforms; of joints that are scaled to nothing, the nearest there is."""
    flat = np.abs(np.linalg.det(matrix[..., :3, :3])) < SINGULAR
    return np.asarray(np.linalg.pinv(matrix) if flat.any() else np.linalg.inv(matrix), np.float64)


def place_attached(
    rig: Rig, joint: int, attached: AttachedJoint, local: Floats, values: Floats
) -> None:
    """Write a transform (T, 4, 4) of a joint in its parent into its channels of values (T, C)."""
    table = rig.channels
    back = matrix_from_quaternion(rig.rest[joint]).T
    shift = (local[:, :3, 3] - rig.offset[joint]) @ back.T
    values[:, attached.translate] = shift[:, table.kind[attached.translate]]
    if not len(attached.rotate):
        return
    scale = np.tile(rig.scale[joint], (len(values), 1))
    for channel in np.flatnonzero(table.joint == joint):
        if Kind.SCALE_X <= table.kind[channel] <= Kind.SCALE_Z:
            scale[:, table.kind[channel] - Kind.SCALE_X] *= values[:, channel]
    turn = local[:, :3, :3] / np.where(scale == 0, 1.0, scale)[:, None, :]
    turn = turn / np.linalg.norm(turn, axis=1, keepdims=True)
    near = values[:, attached.rotate]
    if rig.modes[joint] == QUATERNION:
        found = quaternion_from_matrix(back @ turn)
        found = np.where((found * near).sum(axis=-1, keepdims=True) < 0, -found, found)
    else:
        found = euler_from_matrix(back @ turn, rig.modes[joint], near)
    values[:, attached.rotate] = found


def _parents_first(parents: Ints) -> Ints:
    """(J,) joints in an order with parents before children, else as they were."""
    order, placed, waiting = list[int](), np.zeros(len(parents), bool), list(range(len(parents)))
    while waiting:
        ready = [joint for joint in waiting if parents[joint] < 0 or placed[parents[joint]]]
        order.append(ready[0])
        placed[ready[0]] = True
        waiting.remove(ready[0])
    return np.array(order, np.int64)


def _is_below(parents: Ints, joint: int, top: int) -> bool:
    while joint >= 0 and joint != top:
        joint = int(parents[joint])
    return joint == top
