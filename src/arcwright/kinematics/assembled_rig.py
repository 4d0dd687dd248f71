"""Assembled rig: an actor whose attached joints hang on their limb, as an edit needs them.

A foot beside the body becomes a child of its leg; its keys are converted. Edits of the assembled
actor treat it as part of the leg, and are converted back: the foot goes where it went there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.curves.keys import kinds_that_stay
from arcwright.kinematics.attachment import SINGULAR
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rig_analysis import analyse
from arcwright.kinematics.rotation import (
    euler_from_matrix,
    matrix_from_quaternion,
    quaternion_from_matrix,
    unwrap_euler,
    unwrap_quaternion,
)
from arcwright.kinematics.sample import values_at
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve, Interpolation
from arcwright.scene.layer import Layer
from arcwright.scene.rig import QUATERNION, Kind, Rig
from arcwright.scene.scene import Actor
from arcwright.scene.shape import Shape, Skin
from arcwright.scene.take import Take

BESIDE = 1e-3  # of the time to the next key, over which slopes are measured


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
class AssembledRig:
    """A take of an actor, and the same with attached joints on their limbs."""

    actor: Actor  # as it is
    take: Take
    rig: Rig  # assembled; its channels are in the same order
    order: Ints  # (J,) original joints in the order of the assembled rig
    attached: tuple[AttachedJoint, ...]

    @cached_property
    def assembled_actor(self) -> Actor:
        """The actor on the assembled rig; of its takes, only the edited one moves as it did."""
        takes = [replace(each, rig=self.rig, layers=()) for each in self.actor.takes]
        takes[self.actor.takes.index(self.take)] = self.assembled_take
        shapes = tuple(self._shape(each) for each in self.actor.shapes)
        return replace(self.actor, rig=self.rig, takes=tuple(takes), shapes=shapes)

    @cached_property
    def assembled_take(self) -> Take:
        """The take on the assembled rig."""
        base, layers = self.take.base, tuple(map(self._layer, self.take.layers))
        if not isinstance(base, Clip):
            values = np.array(base.values)
            for each in self.attached:
                found = self._relative(each, base.time)
                values[:, each.channels] = found[:, each.channels]
            return replace(
                self.take, rig=self.rig, base=replace(base, values=values), layers=layers
            )
        curves = list(base.curves)
        for each in self.attached:
            times = self.key_times(base, each)
            if len(times):
                made = self._assembled_curves(each, times, straight=self.is_straight(base, each))
                for channel, curve in zip(each.channels, made, strict=True):
                    curves[channel] = curve
            else:
                for channel in each.channels:
                    curves[channel] = None
        return replace(
            self.take, rig=self.rig, base=replace(base, curves=tuple(curves)), layers=layers
        )

    def _assembled_curves(
        self, attached: AttachedJoint, times: Floats, *, straight: bool
    ) -> list[Curve]:
        """Curves of an attached joint with keys at times; where they bend, with the true slopes."""
        mode = self.rig.modes[attached.there]
        if straight or len(times) < 2:
            found = self._relative(attached, times)[:, attached.channels]
            return _straight_curves(mode, attached, times, found)
        gap = np.diff(times)
        beside = np.stack([times[:-1] + BESIDE * gap, times[1:] - BESIDE * gap])  # (2, K - 1)
        every = np.concatenate([times[:1], np.stack([*beside, times[1:]], axis=-1).ravel()])
        found = self._relative(attached, every)[:, attached.channels]
        found = _unwrapped(mode, attached, found)
        keys, after, before = found[::3], found[1::3], found[2::3]  # K, K - 1, K - 1
        tangent = np.zeros((len(attached.channels), len(times), 2, 2))
        tangent[:, :-1, 1, 0] = tangent[:, 1:, 0, 0] = gap / 3
        tangent[:, :-1, 1, 1] = (after - keys[:-1]).T / (3 * BESIDE)
        tangent[:, 1:, 0, 1] = (keys[1:] - before).T / (3 * BESIDE)
        plain = [Curve.of(times, v, interpolation=Interpolation.BEZIER) for v in keys.T]
        made = [replace(c, tangent=t) for c, t in zip(plain, tangent, strict=True)]
        return [replace(c, handles=kinds_that_stay(c, np.arange(len(c)))) for c in made]

    def key_times(self, clip: Clip, attached: AttachedJoint) -> Floats:
        """Times of keys that move a joint, in either rig."""
        times = [
            curve.time
            for channel in self._channels_above(attached)
            if (curve := clip.curves[channel]) is not None
        ]
        return np.unique(np.concatenate(times)) if times else np.zeros(0)

    def pose(self, time: float, joint: int) -> Floats:
        """(4, 4) world_from_joint of a joint in the take."""
        world = forward(self.actor.rig, values_at(self.take, np.array([time])), [joint])
        return np.asarray(world[0, 0])

    def assembled_pose(self, time: float, joint: int) -> Floats:
        """(4, 4) the same in the assembled take."""
        there = int(np.argsort(self.order)[joint])
        world = forward(self.rig, values_at(self.assembled_take, np.array([time])), [there])
        return np.asarray(world[0, 0])

    def detached_values(self, times: Floats, assembled: Floats) -> Floats:
        """(T, C) channel values of the original rig in poses of the assembled one at given times.

        Attached joints move as far from where they are in the take as the edit moves them.
        """
        values = np.array(assembled)
        joints = [each.there for each in self.attached]
        before = forward(self.rig, values_at(self.assembled_take, times), joints)
        after = forward(self.rig, assembled, joints)
        own = [each.joint for each in self.attached]
        original = values_at(self.take, times)
        was = forward(self.actor.rig, original, own)
        goes = after @ _inverse(before) @ was
        for index, each in enumerate(self.attached):
            values[:, each.channels] = original[:, each.channels]
            parent = int(self.actor.rig.parents[each.joint])
            local = goes[:, index]
            if parent >= 0:
                local = _inverse(forward(self.actor.rig, values, [parent])[:, 0]) @ local
            _place(self.actor.rig, each.joint, each, local, values)
        return values

    def _relative(self, attached: AttachedJoint, times: Floats) -> Floats:
        """(T, C) values with an attached joint in the frame of its limb."""
        values = values_at(self.take, times)
        return _relative(self.actor.rig, self.rig, self.order, attached, values)

    def _channels_above(self, attached: AttachedJoint) -> list[int]:
        """Channels of a joint and of those above it, in either rig."""
        joints = set[int]()
        above = attached.joint
        while above >= 0:
            joints.add(above)
            above = int(self.actor.rig.parents[above])
        above = attached.there
        while above >= 0:
            joints.add(int(self.order[above]))
            above = int(self.rig.parents[above])
        owner = self.actor.rig.channels.joint
        return np.flatnonzero(np.isin(owner, sorted(joints))).tolist()

    def is_straight(self, clip: Clip, attached: AttachedJoint) -> bool:
        """Whether no curve that moves a joint has handles."""
        curves = [clip.curves[channel] for channel in self._channels_above(attached)]
        kinds = [curve.interpolation for curve in curves if curve is not None]
        return not any((kind == Interpolation.BEZIER).any() for kind in kinds)

    def _shape(self, shape: Shape) -> Shape:
        place = np.argsort(self.order)
        skin = shape.skin
        if skin is not None:
            skin = Skin(place[skin.joints], skin.inverse_bind)
        return replace(shape, joint=int(place[shape.joint]), skin=skin)

    def _layer(self, layer: Layer) -> Layer:
        """A layer without attached joints: what it does to them is part of their base."""
        own = [each.joint for each in self.attached]
        turned = ~np.isin(layer.joints, own)
        added = ~np.isin(layer.channels, [c for each in self.attached for c in each.channels])
        return replace(
            layer,
            joints=np.argsort(self.order)[layer.joints[turned]],
            turn=layer.turn[:, turned],
            channels=layer.channels[added],
            add=layer.add[:, added],
        )


def assemble(actor: Actor, take: Take) -> AssembledRig | None:
    """The take with attached joints on their limbs; None where there are none."""
    analysis, rig = analyse(actor, take), actor.rig
    if not (analysis.attached_to >= 0).any():
        return None
    parents, own = np.array(rig.parents), list[int]()
    for joint, limb in enumerate(analysis.attached_to.tolist()):
        if limb >= 0 and not _is_below(parents, limb, joint):
            parents[joint] = limb
            own.append(joint)
    order = _parents_first(parents)
    place = np.argsort(order)
    attached = tuple(_attached_joint(rig, joint, int(place[joint])) for joint in own)
    assembled = _assembled(rig, parents, order, attached, analysis.root)
    return AssembledRig(actor, take, assembled, order, attached)


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
        default = _relative(rig, found, order, each, default)
    return replace(found, channels=replace(found.channels, default=default[0]))


def _relative(
    rig: Rig, assembled: Rig, order: Ints, attached: AttachedJoint, values: Floats
) -> Floats:
    """(T, C) values of the original rig, with one attached joint in the frame of its limb."""
    limb = int(order[assembled.parents[attached.there]])
    world = forward(rig, values, [limb, attached.joint])
    local = _inverse(world[:, 0]) @ world[:, 1]
    found = np.array(values)
    _place(assembled, attached.there, attached, local, found)
    return found


def _inverse(matrix: Floats) -> Floats:
    """Inverse transforms; of joints that are scaled to nothing, the nearest there is."""
    flat = np.abs(np.linalg.det(matrix[..., :3, :3])) < SINGULAR
    return np.asarray(np.linalg.pinv(matrix) if flat.any() else np.linalg.inv(matrix), np.float64)


def _place(rig: Rig, joint: int, attached: AttachedJoint, local: Floats, values: Floats) -> None:
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


def _straight_curves(
    mode: str, attached: AttachedJoint, times: Floats, values: Floats
) -> list[Curve]:
    """Curves of the channels of a joint through values (T, N), straight between."""
    turning = Interpolation.SLERP if mode == QUATERNION else Interpolation.LINEAR
    kinds = [Interpolation.LINEAR] * len(attached.translate) + [turning] * len(attached.rotate)
    columns = zip(_unwrapped(mode, attached, values).T, kinds, strict=True)
    return [Curve.of(times, column, interpolation=kind) for column, kind in columns]


def _unwrapped(mode: str, attached: AttachedJoint, values: Floats) -> Floats:
    """Values (T, N) of the channels of a joint, without jumps of its rotation."""
    values, first = np.array(values), len(attached.translate)
    if len(attached.rotate):
        unwrap = unwrap_quaternion if mode == QUATERNION else unwrap_euler
        values[:, first:] = unwrap(values[:, first:])
    return values


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
