"""Puppet rig: the rig on which a puppet is played, and its poses on the character's own rig.

Attached feet hang on their legs, and joints above the root stand still: what they do in a take is
done by the root instead. So legs and root of any export are moved in the same way.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.errors import BadValue
from arcwright.kinematics.assembled_skeleton import (
    AssembledSkeleton,
    assembled_skeleton,
    shape_in_order,
)
from arcwright.kinematics.forward import forward, orientation
from arcwright.kinematics.rig_analysis import analyse, ancestors
from arcwright.kinematics.root_path import RootPath, root_path
from arcwright.kinematics.sample import values_at
from arcwright.scene.motion import Motion
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Actor
from arcwright.scene.take import Take
from arcwright.tools.puppet.locomotion.gait_clip import aligned_values

RATE = 60.0  # poses a second of converted takes, at least
STILL = 1e-6  # channels above the root that differ less stand still


@dataclass(frozen=True, eq=False)
class PuppetRig:
    """A character's own rig, and the one on which it is played; channels are in the same order."""

    own: Rig
    rig: Rig
    path: RootPath  # of the root when joints above it stand still
    deforms: Bools  # (J,) joints that deform a mesh
    size: float  # m, of the body
    joints: Ints  # (J,) own joints in the order of the played rig
    above: Ints  # channels of joints above the root
    rest: Floats  # (C,) values of the channels above the root when they stand still
    skeleton: AssembledSkeleton | None  # with attached joints

    @property
    def root(self) -> int:
        """The joint that carries the body."""
        return self.path.joint

    def played_values(self, values: Floats) -> Floats:
        """(T, C) poses of the character's own rig on the played one."""
        if self.skeleton is not None:
            values = self.skeleton.assembled_values(values)
        if np.abs(values[:, self.above] - self.rest[self.above]).max(initial=0.0) <= STILL:
            return values
        position = forward(self.rig, values, [self.root])[:, 0, :3, 3]
        turned = orientation(self.rig, values, [self.root])[:, 0]
        found = values.copy()
        found[:, self.above] = self.rest[self.above]
        return self.path.written(found, position, turned)

    def played_take(self, take: Take) -> Take:
        """A take of the character on the played rig."""
        often = np.ceil(RATE / take.rate)  # so that all frames are among them
        count = round(take.duration * take.rate * often)
        times = np.linspace(0.0, take.duration, count + 1)
        values = values_at(take, times)
        played = self.played_values(values)
        if played is values:
            return take
        smooth = aligned_values(self.rig, played, played[0])
        return Take(self.rig, Motion(take.name, times, smooth, take.rate))

    def played_actor(self, actor: Actor) -> Actor:
        """The character on the played rig."""
        takes = tuple(self.played_take(take) for take in actor.takes)
        return replace(self.played_body(actor), takes=takes)

    def played_body(self, actor: Actor) -> Actor:
        """The character on the played rig, without its takes."""
        shapes = tuple(shape_in_order(shape, self.joints) for shape in actor.shapes)
        return replace(actor, rig=self.rig, takes=(), shapes=shapes)

    def own_values(self, values: Floats, near: Floats) -> Floats:
        """(C,) a played pose on the character's own rig; angles as near as can be to `near`."""
        if self.skeleton is None:
            return values
        return np.asarray(self.skeleton.original_values(values[None], near[None])[0])


def puppet_rig(actor: Actor, like: Floats) -> PuppetRig:
    """The rig of a character; joints above its root stand as they do in the pose `like` (C,).

    A root that cannot be moved and rotated freely raises `BadValue`.
    """
    analysis, own = analyse(actor), actor.rig
    skeleton = assembled_skeleton(own, analysis.attached_to, analysis.root)
    rig, order = own, np.arange(len(own.names))
    if skeleton is not None:
        rig, order = skeleton.rig, skeleton.order
    root = int(np.flatnonzero(order == analysis.root)[0])
    above = np.flatnonzero(ancestors(rig, root)[rig.channels.joint])
    rest = np.array(rig.channels.default)
    rest[above] = like[above]
    path = root_path(rig, root, rest[None])
    if path is None:
        expected = "a character whose root can be moved and rotated freely"
        raise BadValue(f"puppet {actor.name!r}", expected, "one that cannot")
    deforms = analysis.deforms[order]
    return PuppetRig(own, rig, path, deforms, analysis.size, order, above, rest, skeleton)
