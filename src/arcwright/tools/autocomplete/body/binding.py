"""Binding: the poses of a rig as a body model sees them, and turns of its joints back on the rig.

A rig whose joints are the model's own is bound by name. Others are bound by the roles of their
joints, as retargeting does it: joints of a role turn alike in the world.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.errors import BadValue, MissingJoints
from arcwright.kinematics.carried_rotations import (
    Side,
    alignments,
    both_sides,
    carried_orientations,
    carried_turns,
    heights,
    leg_tops,
    limb_bends,
    moving_root,
)
from arcwright.kinematics.forward import forward, orientation
from arcwright.kinematics.joint_roles import corresponding_joints
from arcwright.kinematics.legs import rest_places
from arcwright.kinematics.oriented_pose import moved_joint, oriented_values
from arcwright.kinematics.rotation import (
    matrix_from_quaternion,
    quaternion_conjugate,
    quaternion_from_vector,
    quaternion_multiply,
)
from arcwright.scene.rig import ChannelTable, Kind, Rig
from arcwright.scene.scene import Actor
from arcwright.scene.take import Take
from arcwright.tools.autocomplete.body.body_file import BodyFile
from arcwright.tools.autocomplete.body.key_slerp import Poses

TINY = 1e-9
LEGS = ("LeftUpLeg", "RightUpLeg")


@dataclass(frozen=True, eq=False)
class BoundBody(ABC):
    """A rig seen by a model; `anchor` is the point of the model's root whose place counts."""

    rig: Rig
    parents: tuple[int, ...]  # of the model's joints
    joints: Mapping[int, tuple[int, ...]]  # of the rig, by joint of the model
    offsets: Floats  # (J, 3) leg lengths
    anchor: Floats  # (3,) leg lengths, from the root in its frame
    size: float  # m of the rig for 1 of the model

    def poses(self, values: Floats) -> Poses:
        """Rotations (T, J, 4) and the root's places (T, 3) of values (T, C)."""
        world = self._world(values)
        above = world[:, np.maximum(self.parents, 0)]
        above[:, 0] = [1.0, 0.0, 0.0, 0.0]
        local = quaternion_multiply(quaternion_conjugate(above), world)
        at = self._anchored(values)
        return Poses(local, at - matrix_from_quaternion(world[:, 0]) @ self.anchor)

    def turned(self, values: Floats, turns: Floats, shift: Floats) -> Floats:
        """Values (T, C) with joints turned in the world by vectors (T, J, 3) of the model's joints.

        The anchor moves by `shift` (T, 3) leg lengths.
        """
        goal = self._point(values) + self.size * shift
        found = self._turned(values, quaternion_from_vector(turns))
        return moved_joint(self.rig, self._root, found, goal - self._point(found))

    def known(self, known: Bools) -> Bools:
        """(K, J + 1) which joints of the model keys (K, C) give, and last the root's place."""
        columns = [
            known[:, own].all(axis=1) if len(own) else known.any(axis=1) for own in self._channels
        ]
        return np.stack(columns, axis=1)

    @cached_property
    def _channels(self) -> list[Ints]:
        """Of each joint of the model the channels that turn it, and last those of the place."""
        table = self.rig.channels
        turning = (table.kind >= Kind.ROTATE_X) & (table.kind <= Kind.QUATERNION_Z)
        moving = (table.joint == self._root) & (table.kind <= Kind.TRANSLATE_Z)
        own = [
            np.flatnonzero(turning & np.isin(table.joint, self.joints.get(joint, ())))
            for joint in range(len(self.parents))
        ]
        return [*own, np.flatnonzero(moving)]

    def standing(self, poses: Floats) -> BoundBody:
        """The same, with the ground where the lowest of some poses (K, C) stands."""
        del poses
        return self

    @abstractmethod
    def _world(self, values: Floats) -> Floats:
        """Rotations of the model's joints in the world."""

    @abstractmethod
    def _turned(self, values: Floats, turns: Floats) -> Floats:
        """Channel values after turns of the model's joints."""

    @abstractmethod
    def _point(self, values: Floats) -> Floats:
        """(T, 3) m, the rig's point that goes where the anchor goes."""

    @abstractmethod
    def _anchored(self, values: Floats) -> Floats:
        """(T, 3) leg lengths, where the anchor is."""

    @property
    @abstractmethod
    def _root(self) -> int:
        """The joint that carries the body through the world."""


@dataclass(frozen=True, eq=False)
class BoundByName(BoundBody):
    """A rig that has the joints of the model."""

    @classmethod
    def of(cls, rig: Rig, model: BodyFile) -> BoundByName:
        """Raises `BadValue` where a joint is missing or hangs elsewhere."""
        names, parents = model.skeleton.names, tuple(model.skeleton.parents.tolist())
        missing = [name for name in names if name not in rig.names]
        if missing:
            raise BadValue("rig", "the joints of the model", f"no {_listed(missing)}")
        own = [rig.joint(name) for name in names]
        for joint, parent in enumerate(parents):
            if parent >= 0 and not rig.is_below(own[joint], own[parent]):
                expected = f"{names[joint]} below {names[parent]}, as in the model"
                raise BadValue("rig", expected, "another skeleton")
        offsets = canonical_offsets(rig, own, parents)
        size = _bones(offsets) / max(_bones(model.skeleton.offsets), TINY)
        if not size > TINY:
            raise BadValue("rig", "bones", "none")
        joints = {joint: (each,) for joint, each in enumerate(own)}
        return cls(rig, parents, joints, offsets / size, np.zeros(3), size)

    @cached_property
    def _own(self) -> list[int]:
        return [self.joints[joint][0] for joint in range(len(self.parents))]

    @cached_property
    def _rest(self) -> Floats:
        rest: Floats = orientation(self.rig, self.rig.channels.default[None])[:, self._own]
        return quaternion_conjugate(rest)

    def _world(self, values: Floats) -> Floats:
        return quaternion_multiply(orientation(self.rig, values)[:, self._own], self._rest)

    def _turned(self, values: Floats, turns: Floats) -> Floats:
        before = orientation(self.rig, values)
        wanted = {
            joint: quaternion_multiply(turns[:, at], before[:, joint])
            for at, joint in enumerate(self._own)
        }
        return oriented_values(self.rig, values, wanted)

    def _point(self, values: Floats) -> Floats:
        return forward(self.rig, values, [self._root])[:, 0, :3, 3]

    def _anchored(self, values: Floats) -> Floats:
        return self._point(values) / self.size

    @property
    def _root(self) -> int:
        return self._own[0]


@dataclass(frozen=True, eq=False)
class BoundByRole(BoundBody):
    """Any body with legs or arms, by the roles of its joints."""

    sides: tuple[Side, Side]  # the rig, and the model
    scale: float  # model / rig
    low: float  # m, at which the rig's ankles stand; without a mesh, `standing` sets it
    high: float  # m, at which the model's do

    @classmethod
    def of(cls, actor: Actor, take: Take, model: BodyFile) -> BoundByRole:
        """Raises `MissingJoints` where limbs do not correspond."""
        puppet = model_actor(model)
        sides = both_sides(take, actor, puppet, corresponding_joints(actor, puppet))
        scale, low, high = heights(take, *sides)
        moving_root(sides[0])
        skeleton = model.skeleton
        anchor = np.mean([_tops(model, name) for name in LEGS], axis=0)
        joints: dict[int, tuple[int, ...]] = {}
        for role, chain in sides[1].chains.items():
            joints |= dict.fromkeys(chain, tuple(sides[0].chains[role]))
        return cls(
            *(actor.rig, tuple(skeleton.parents.tolist()), joints, skeleton.offsets, anchor),
            *(model.size / scale, sides, scale, low, high),
        )

    @cached_property
    def _aligned(self) -> Mapping[str, Floats]:
        return alignments(*self.sides)

    def standing(self, poses: Floats) -> BoundByRole:
        """A rig without a mesh stands where the ball of a foot is lowest."""
        own = self.sides[0]
        balls = [
            own.chains.get(f"{side}_toes", own.chains.get(f"{side}_foot"))
            for side in ("left", "right")
        ]
        joints = [chain[0] for chain in balls if chain]
        if own.reference.ball_height is not None or not joints:
            return self
        height = forward(self.rig, poses, joints)[..., 1, 3].min()
        return replace(self, low=float(height) + own.reference.rise)

    def _world(self, values: Floats) -> Floats:
        found = carried_orientations(*self.sides, values, self._aligned)
        world = np.zeros((len(values), len(self.parents), 4))
        world[:, 0, 0] = 1.0
        for joint, parent in enumerate(self.parents):
            if joint in found:
                world[:, joint] = found[joint]
            elif parent >= 0:
                world[:, joint] = world[:, parent]
        return world

    def _turned(self, values: Floats, turns: Floats) -> Floats:
        rig = self.sides[0]
        before = orientation(self.rig, values)
        wanted = {
            joint: quaternion_multiply(turned, before[:, joint])
            for joint, (_, turned) in carried_turns(self.sides[1], rig, turns).items()
        }
        return oriented_values(self.rig, values, wanted, limb_bends(rig))

    def _point(self, values: Floats) -> Floats:
        return leg_tops(self.sides[0], values)

    def _anchored(self, values: Floats) -> Floats:
        place = self.scale * (self._point(values) - [0.0, self.low, 0.0]) + [0.0, self.high, 0.0]
        return np.asarray(place / (self.size * self.scale))

    @cached_property
    def _root(self) -> int:
        return moving_root(self.sides[0])


def bound(actor: Actor, take: Take, model: BodyFile) -> BoundBody:
    """By name where the rig has the model's joints, else by role; raises where neither fits."""
    try:
        return BoundByName.of(take.rig, model)
    except BadValue:
        if not model.roles:
            raise
    try:
        return BoundByRole.of(actor, take, model)
    except MissingJoints as error:
        raise BadValue("rig", "a body with legs or arms as the model has", str(error)) from error


def model_actor(model: BodyFile) -> Actor:
    """The body that a model knows."""
    skeleton, count = model.skeleton, len(model.skeleton.names)
    joint = [0, 0, 0, *(each for each in range(count) for _ in range(3))]
    slides = [Kind.TRANSLATE_X, Kind.TRANSLATE_Y, Kind.TRANSLATE_Z]
    turns = [Kind.ROTATE_Z, Kind.ROTATE_Y, Kind.ROTATE_X]
    rig = Rig(
        *(skeleton.names, skeleton.parents, model.size * skeleton.offsets),
        *(np.tile([1.0, 0.0, 0.0, 0.0], (count, 1)), np.ones((count, 3)), ("ZYX",) * count),
        ChannelTable.of(joint, [*slides, *turns * count]),
    )
    return Actor("model", rig)


def canonical_offsets(rig: Rig, own: list[int], parents: tuple[int, ...]) -> Floats:
    """(J, 3) m, of joints of a rig at rest, in the axes of the world."""
    place = rest_places(rig)[own]
    return np.array([place[j] - place[p] if p >= 0 else np.zeros(3) for j, p in enumerate(parents)])


def _bones(offsets: Floats) -> float:
    """The length of all bones together."""
    return float(np.linalg.norm(offsets, axis=1).sum())


def _tops(model: BodyFile, name: str) -> Floats:
    skeleton = model.skeleton
    return np.asarray(skeleton.offsets[skeleton.names.index(name)])


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(names[:3]) + more
