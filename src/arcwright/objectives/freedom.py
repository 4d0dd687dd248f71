"""Freedom: which channels a drag may change, and how readily each of them moves.

A channel weighs as much as the mass it moves, so the limb that is dragged moves before the trunk
and the trunk before the whole body.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol
from weakref import WeakKeyDictionary

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.columns import channels_moving
from arcwright.kinematics.jacobian import point_jacobian
from arcwright.kinematics.mass import body_mass
from arcwright.kinematics.places import Places
from arcwright.kinematics.rig_analysis import PERSON, RigAnalysis, analyse, ancestors
from arcwright.kinematics.sample import values_at
from arcwright.objectives.edited_clip import EditedClip
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve
from arcwright.scene.point import Point
from arcwright.scene.rig import Kind, Rig
from arcwright.scene.scene import Actor
from arcwright.scene.take import Take

GAIN = 70.0  # weight of moving all mass by the body's size in one ordinary step
CONTRAST = 1.65  # above 1, heavy parts wait longer than their mass alone would make them
TRAVEL = 2.5  # translating the whole body costs so much more than rotating as much of its mass
UPRIGHT = 30.0  # rotating a root that is to stay upright costs so much more, about any axis
LEVEL = 6.0  # the same where its own joint is dragged along motion curves: legs may need a tilt
LIGHTEST = 2e-4  # of a channel that moves no mass: smaller ones make the problem ill-conditioned
# Of an ordinary step: m, rad, plain numbers.
_STEPS = {"translate": 0.2, "rotate": 0.5, "quaternion": 0.25, "scale": 0.2}
_OTHER = 0.5  # weights and custom channels


@dataclass(frozen=True)
class Freedom:
    """What a drag on one take of an actor may change."""

    actor: Actor
    take: Take
    follow: float = 0.0  # 0 weighs channels by the mass they move, 1 all alike
    chain: int = 0  # joints above the dragged one that may rotate; 0 for all
    stretch: bool = False  # whether bones may change their length
    upright: float = 1.0  # times that rotating the root costs what it would

    @property
    def analysis(self) -> RigAnalysis:
        """What the joints are for."""
        return analyse(self.actor, self.take)

    def prepare(self) -> None:
        """Compute and cache what every drag needs, so that the first move does not wait for it."""
        values_at(self.take, np.zeros(1))  # packs the curves
        mass_particles(self.actor, self.analysis)

    @property
    def rigid(self) -> Ints:
        """Channels that stay as they are wherever the drag is."""
        return np.zeros(0, np.int64) if self.stretch else self.analysis.rigid(self.take.rig)

    def fixed(self, points: Sequence[Point]) -> Ints:
        """Channels that a drag of these points leaves alone.

        Besides rigid ones, those above the root that keys do not move, such as an armature's: a
        drag of the body is no reason to animate them.
        """
        rig, base = self.take.rig, self.take.base
        above = ancestors(rig, self.analysis.root)
        if not isinstance(base, Clip) or any(above[rig.joint(point.joint)] for point in points):
            return self.rigid
        still = [c for c in np.flatnonzero(above[rig.channels.joint]) if _is_still(base.curves[c])]
        return np.union1d(self.rigid, np.array(still, np.int64))

    def channels(self, points: Sequence[Point]) -> Ints:
        """The channels that may change to move any of the dragged points."""
        moving = np.setdiff1d(channels_moving(self.take.rig, points), self.fixed(points))
        return moving if not self.chain else moving[self._near(points, moving)]

    def _near(self, points: Sequence[Point], channels: Ints) -> np.ndarray[Any, Any]:
        """Whether each channel belongs to one of the first joints above a point that have any.

        A joint whose own place is dragged does not count: no rotation of it moves that.
        """
        rig = self.take.rig
        owners = rig.channels.joint[channels]
        near: set[int] = set()
        for point in points:
            joint, left = rig.joint(point.joint), self.chain
            if not point.offset.any():
                near.add(joint)
                joint = int(rig.parents[joint])
            while joint >= 0 and left:
                left -= joint in owners
                near.add(joint)
                joint = int(rig.parents[joint])
        return np.isin(owners, sorted(near))

    def steps(self, channels: Ints) -> Floats:
        """(N,) how far each channel goes in an ordinary step, so that unlike ones compare."""
        table = self.take.rig.channels
        groups = [Kind(kind).group for kind in table.kind[channels]]
        steps = np.array([_STEPS.get(group, _OTHER) for group in groups])
        slides = table.kind[channels] <= Kind.TRANSLATE_Z
        steps[slides] /= self.analysis.metres[table.joint[channels][slides]]
        return steps

    def weights(self, channels: Ints, values: Floats) -> Floats:
        """(N,) what an ordinary step of each channel costs in the poses (T, C), about 1 on average.

        The cost of a step is the mass it moves times the squared distance.
        """
        if self.follow >= 1.0 or not len(channels):
            return np.ones(len(channels))
        moved = self._mass_moved(channels, values).mean(axis=0)
        return self._weights(channels, moved, (values[:, channels] ** 2).mean(axis=0))

    def weights_by_pose(self, channels: Ints, values: Floats) -> Floats:
        """(T, N) the same of each pose (T, C) on its own."""
        if self.follow >= 1.0 or not len(channels):
            return np.ones((len(values), len(channels)))
        moved, squares = self._mass_moved(channels, values), values[:, channels] ** 2
        found = [self._weights(channels, *each) for each in zip(moved, squares, strict=True)]
        return np.array(found).reshape(len(values), len(channels))

    def _weights(self, channels: Ints, moved: Floats, squares: Floats) -> Floats:
        """(N,) weights, from the mass moved and the squared values (N,) of the channels."""
        rig = self.take.rig
        weights = LIGHTEST + (GAIN * moved) ** CONTRAST
        slides = rig.channels.kind[channels] <= Kind.TRANSLATE_Z
        weights[slides] *= TRAVEL * self.analysis.size / PERSON  # steps are as long for any body
        if self.upright > 1.0:
            above = ancestors(rig, self.analysis.root)
            above[self.analysis.root] = True
            rotates = ~slides & above[rig.channels.joint[channels]]
            weights[rotates] = self.upright * weights[rotates].max(initial=0.0)
        weights += _shrinking(rig, channels, squares, weights)
        return np.asarray(weights ** (1.0 - self.follow))

    def _mass_moved(self, channels: Ints, values: Floats) -> Floats:
        """(T, N) squared distance, in parts of the body's size, that a step moves the mass."""
        points, share = mass_particles(self.actor, self.analysis)
        found = point_jacobian(self.take.rig, values, points, channels.tolist())
        column = np.searchsorted(channels, found.channels)
        moved = np.zeros((len(values), len(channels)))
        squares = np.einsum("tpcn,tpcn,p->tn", found.linear, found.linear, share, optimize=False)
        moved[:, column] = squares * np.square(self.steps(channels)[column] / self.analysis.size)
        return moved


def _is_still(curve: Curve | None) -> bool:
    """Whether no key moves a channel; fitted clips have a key for each of theirs."""
    if curve is None or len(curve) == 1:
        return True
    return not np.ptp(curve.value) and not curve.tangent[..., 1].any()


class BodyOptions(Protocol):
    """Options of a tool that drags points of a body."""

    @property
    def body_follows(self) -> float:
        """How much the body follows."""
        ...

    @property
    def chain_length(self) -> int:
        """Joints above the dragged one that may move."""
        ...

    @property
    def stretch_bones(self) -> bool:
        """Whether bones may change their length."""
        ...


class Dragged(Protocol):
    """A drag of a point, maybe to an orientation."""

    @property
    def point(self) -> Point:
        """What is dragged."""
        ...

    @property
    def orientation(self) -> Floats | None:
        """(4,) where it is to be rotated to."""
        ...


def freedom_of(
    edited: EditedClip, options: BodyOptions, drags: Sequence[Dragged] = (), joint: float = 1.0
) -> Freedom:
    """What a tool's options leave drags to change.

    `joint` is how much dearer rotations of the root get where its own joint is dragged.
    """
    free = Freedom(
        edited.actor, edited.take, options.body_follows, options.chain_length, options.stretch_bones
    )
    return replace(free, upright=root_weight(free, drags, joint))


def root_weight(free: Freedom, drags: Sequence[Dragged], joint: float = 1.0) -> float:
    """How much dearer rotations of the root are: `UPRIGHT` where a point of it is dragged."""
    if not drags or not _drags_only(free, drags):
        return 1.0
    return UPRIGHT if drags[0].point.offset.any() else joint


def _drags_only(free: Freedom, drags: Sequence[Dragged]) -> bool:
    """Whether a single point of the root is dragged, to no orientation."""
    points = {(drag.point.joint, drag.point.offset.tobytes()) for drag in drags}
    root = free.take.rig.names[free.analysis.root]
    return (
        len(points) == 1
        and all(drag.orientation is None for drag in drags)
        and drags[0].point.joint == root
    )


def _shrinking(rig: Rig, channels: Ints, squares: Floats, weights: Floats) -> Floats:
    """(N,) what parts of quaternions cost besides: along itself, as much as its dearest rotation.

    A change of its length moves nothing, but a shorter quaternion turns more for the same step.
    """
    table, found = rig.channels, np.zeros(len(channels))
    turns = (table.kind[channels] >= Kind.QUATERNION_W) & (
        table.kind[channels] <= Kind.QUATERNION_Z
    )
    for joint in np.unique(table.joint[channels[turns]]):
        own = np.flatnonzero(turns & (table.joint[channels] == joint))
        length = squares[own].sum()
        if length > 0:
            found[own] = squares[own] / length * weights[own].max()
    return found


_known: WeakKeyDictionary[RigAnalysis, tuple[Places, Floats]] = WeakKeyDictionary()


def mass_particles(actor: Actor, analysis: RigAnalysis) -> tuple[Places, Floats]:
    """Points that stand for the mass of a body, and their shares of it; remembered."""
    found = _known.get(analysis)
    if found is None:
        mass = body_mass(actor.rig, actor.shapes, analysis.body)
        found = _known[analysis] = mass.particles()
    return found
