"""Assembled rig: an actor whose attached joints hang on their limb, as an edit needs them.

A foot beside the body becomes a child of its leg; its keys are converted. Edits of the assembled
actor treat it as part of the leg, and are converted back: the foot goes where it went there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.curves.keys import kinds_that_stay
from arcwright.kinematics.assembled_skeleton import (
    AttachedJoint,
    assembled_skeleton,
    inverse_transform,
    place_attached,
    relative_values,
    shape_in_order,
)
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rig_analysis import analyse
from arcwright.kinematics.rotation import (
    unwrap_euler,
    unwrap_quaternion,
)
from arcwright.kinematics.sample import values_at
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve, Interpolation
from arcwright.scene.layer import Layer
from arcwright.scene.rig import QUATERNION, Rig
from arcwright.scene.scene import Actor
from arcwright.scene.take import Take

BESIDE = 1e-3  # of the time to the next key, over which slopes are measured


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
        shapes = tuple(shape_in_order(each, self.order) for each in self.actor.shapes)
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
        goes = after @ inverse_transform(before) @ was
        for index, each in enumerate(self.attached):
            values[:, each.channels] = original[:, each.channels]
            parent = int(self.actor.rig.parents[each.joint])
            local = goes[:, index]
            if parent >= 0:
                local = inverse_transform(forward(self.actor.rig, values, [parent])[:, 0]) @ local
            place_attached(self.actor.rig, each.joint, each, local, values)
        return values

    def _relative(self, attached: AttachedJoint, times: Floats) -> Floats:
        """(T, C) values with an attached joint in the frame of its limb."""
        values = values_at(self.take, times)
        return relative_values(self.actor.rig, self.rig, self.order, attached, values)

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

    def goes_on(self, clip: Clip, attached: AttachedJoint) -> bool:
        """Whether a curve that moves a joint repeats beyond its keys."""
        curves = [clip.curves[channel] for channel in self._channels_above(attached)]
        return any(curve is not None and curve.cyclic for curve in curves)

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
    analysis = analyse(actor, take)
    found = assembled_skeleton(actor.rig, analysis.attached_to, analysis.root)
    if found is None:
        return None
    return AssembledRig(actor, take, found.rig, found.order, found.attached)


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
