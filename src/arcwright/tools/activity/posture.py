"""Posture: a body that bends or squats for its hands straightens where they are led higher.

Poses solved for the hands alone keep the trunk as it was: an arm that reached the floor would
bend, and the back stay low. So poses begin with a trunk that is raised about the pelvis by as much
as the hands are, up to how it stands; and where hands were below the knees, with a pelvis that is
raised by the rest. A pelvis that is an element itself stays at its own events.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.errors import BadValue
from arcwright.kinematics.effectors import effector_joint
from arcwright.kinematics.forward import forward
from arcwright.kinematics.legs import rest_places
from arcwright.kinematics.rig_analysis import ancestors
from arcwright.objectives.pose_sequence import PointPath, PoseSequence, Waypoints
from arcwright.objectives.smooth_sequence import smoothed
from arcwright.scene.activity import Effector
from arcwright.scene.point import Point
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Actor
from arcwright.tools.activity.clearance import point_places
from arcwright.tools.activity.element_paths import ElementPath
from arcwright.tools.activity.reach import limb_of
from arcwright.tools.activity.tracks import Knots
from arcwright.tools.activity.trajectory import ease

LEANS = 0.15, 0.4  # of the trunk's length that its top is lower than it stands: from a bow on, all
KNEE = 0.28  # of the body's size above the ground
BELOW = 0.12  # of the body's size below its knees: hands for which a body squats
EVEN = 0.15  # s, of the Gaussian over which a trunk is raised
LEAST = 1e-3  # m, less is not raised


@dataclass(frozen=True, eq=False)
class Posture:
    """The trunk of a body over T frames, and who stays where."""

    actor: Actor
    size: float  # m, of the body
    rate: float
    values: Floats  # (T, C)
    effectors: Mapping[str, Effector]
    free: Mapping[str, Floats]  # (T,) of each effector, as `free_frames` has it
    make: Callable[[Sequence[Point]], PoseSequence]

    @property
    def rig(self) -> Rig:
        """Of the body."""
        return self.actor.rig

    @cached_property
    def trunk(self) -> tuple[Point, Point] | None:
        """Its lower and upper end."""
        return trunk_ends(self.actor)

    @cached_property
    def _places(self) -> tuple[Floats, Floats, Floats]:
        """(T, 3) m of both ends of the trunk, and (T,) m, the height of the lowest joint."""
        assert self.trunk is not None
        low, high = (point_places(self.rig, each, self.values) for each in self.trunk)
        return low, high, forward(self.rig, self.values)[..., 1, 3].min(axis=1)

    @cached_property
    def _standing(self) -> tuple[float, float]:
        """m: heights of the trunk's lower end above the ground, and of its upper end above that."""
        assert self.trunk is not None
        rest = self.rig.channels.default[None]
        low, high = (float(point_places(self.rig, each, rest)[0, 1]) for each in self.trunk)
        return low - float(rest_places(self.rig)[:, 1].min()), high - low

    @cached_property
    def _below(self) -> set[int]:
        """The joint at the lower end of the trunk, and those above it in the rig."""
        assert self.trunk is not None
        joint = self.rig.joint(self.trunk[0].joint)
        return {joint, *np.flatnonzero(ancestors(self.rig, joint)).tolist()}

    @cached_property
    def _arms(self) -> list[str]:
        """Effectors whose limbs begin above the lower end of the trunk."""
        limbs = {name: limb_of(self.rig, each.point) for name, each in self.effectors.items()}
        roots = {name: int(self.rig.parents[limb[0]]) for name, limb in limbs.items() if limb}
        return [name for name, root in roots.items() if root not in self._below]

    @cached_property
    def _pelvis(self) -> list[str]:
        """Effectors at the lower end of the trunk."""
        joints = {name: self.rig.joint(e.point.joint) for name, e in self.effectors.items()}
        return [name for name, joint in joints.items() if joint in self._below]

    @cached_property
    def _ends(self) -> tuple[Point, ...]:
        """Both ends of the trunk; its upper one where the lower one is an element."""
        assert self.trunk is not None
        return self.trunk[1:] if self._pelvis else self.trunk

    @cached_property
    def _sequence(self) -> PoseSequence:
        others = [each.point for name, each in self.effectors.items() if name not in self._arms]
        return self.make([*others, *self._ends])

    def _raised(self, paths: Mapping[str, ElementPath]) -> tuple[Floats, Floats] | None:
        """(T, 3) m by which both ends of the trunk are raised; None where they stay."""
        if self.trunk is None or not self._arms:
            return None
        arms = [paths[name] for name in self._arms]
        wanted = np.max([each.move[:, 1] for each in arms], axis=0).clip(0.0)
        for each in arms:  # a hand that holds on to what stays keeps the trunk down
            wanted[each.held & (np.abs(each.move).max(axis=1) < LEAST)] = 0.0
        if wanted.max(initial=0.0) < LEAST:
            return None
        low, high, ground = self._places
        along = high - low
        turned = _straightened(along, wanted, self._standing[1]) - along
        hands = np.min([each.track.position[:, 1] for each in arms], axis=0) - ground
        below = ease(np.clip((KNEE - hands / self.size) / BELOW, 0.0, 1.0))
        room = below * np.maximum(self._standing[0] - (low[:, 1] - ground), 0.0)
        rise = np.zeros_like(low)
        rise[:, 1] = _at_most(wanted - turned[:, 1], room)
        rise, turned = (smoothed(each, EVEN * self.rate, closed=False) for each in (rise, turned))
        for name in self._pelvis:
            rise = rise * self._may_go(name, paths)
        most = max(float(np.abs(turned).max()), float(rise.max()))
        return None if most < LEAST else (rise, rise + turned)

    def _may_go(self, name: str, paths: Mapping[str, ElementPath]) -> Floats:
        """(T, 1) how far an effector may go along with the trunk."""
        return np.where(paths[name].held, 0.0, self.free[name])[:, None]

    def poses(
        self,
        paths: Mapping[str, ElementPath],
        frames: Ints,
        start: Floats,
        waypoints: Waypoints,
    ) -> tuple[Floats, Mapping[str, ElementPath]]:
        """Poses (T, C) to begin with in some frames, and the paths of a body that straightens.

        A pelvis goes along away from its own events, and so do arms that are led nowhere.
        """
        raised = self._raised(paths)
        if raised is None:
            return start, paths
        low, high = raised
        found = dict(paths)
        for name in self._pelvis:
            found[name] = _displaced(paths[name], low)
        for name in self._arms:
            if paths[name].unchanged:
                found[name] = _displaced(paths[name], high * self._may_go(name, paths))
        others = [
            PointPath(each.point, found[name].position)
            for name, each in self.effectors.items()
            if name not in self._arms
        ]
        places = [self._places[0] + low, self._places[1] + high][-len(self._ends) :]
        ends = [PointPath(end, place) for end, place in zip(self._ends, places, strict=True)]
        solved = self._sequence.solve([*others, *ends], frames, start, waypoints=waypoints)
        return solved.values, found


def trunk_ends(actor: Actor) -> tuple[Point, Point] | None:
    """The pelvis, and the middle between the shoulders; None of a body without them."""
    names = "Pelvis", "LeftShoulder", "RightShoulder"
    try:
        pelvis, *shoulders = (effector_joint(actor, name) for name in names)
    except BadValue:
        return None
    rig = actor.rig
    left, right = (ancestors(rig, joint) for joint in shoulders)
    shared = np.flatnonzero(left & right)
    if not len(shared):
        return None
    chest = int(shared[-1])
    world = forward(rig, rig.channels.default[None])[0]
    middle = world[shoulders, :, 3].mean(axis=0)
    offset = (np.linalg.inv(world[chest]) @ middle)[:3]
    return Point(rig.names[pelvis]), Point(rig.names[chest], offset)


def free_frames(knots: Knots, count: int, width: float) -> Floats:
    """(T,) 1 in frames far from the events of an element, 0 near them and while it rests."""
    away = np.full(count, np.inf)
    frames = np.arange(count)
    for frame, event in zip(knots.frames, knots.events, strict=True):
        if event >= 0:
            away = np.minimum(away, np.abs(frames - frame))
    pairs = zip(pairwise(knots.frames), pairwise(knots.groups), strict=True)
    for (first, last), (before, after) in pairs:
        if before == after:
            away[first : last + 1] = 0.0
    return ease(np.clip(away / width, 0.0, 1.0))


def _displaced(path: ElementPath, by: Floats) -> ElementPath:
    return replace(path, move=path.move + by)


def _straightened(along: Floats, by: Floats, standing: float) -> Floats:
    """(T, 3) trunks, turned up about their lower ends by (T,) m at most, up to a height."""
    length = np.maximum(np.linalg.norm(along, axis=1), 1e-9)
    lower = np.maximum(standing - along[:, 1], 0.0)
    leans = ease(np.clip((lower / length - LEANS[0]) / (LEANS[1] - LEANS[0]), 0.0, 1.0))
    height = along[:, 1] + _at_most(by, leans * lower)
    level = along * [1.0, 0.0, 1.0]
    across = np.sqrt(np.maximum(length**2 - height**2, 0.0))
    found: Floats = level * (across / np.maximum(np.linalg.norm(level, axis=1), 1e-9))[:, None]
    found[:, 1] = height
    return found


def _at_most(wanted: Floats, room: Floats) -> Floats:
    """(T,) what is wanted, 0 or more, or nearly all of the room if that is less; smooth between."""
    ratio = np.maximum(wanted, 0.0) / np.maximum(room, 1e-9)
    found: Floats = np.minimum(room * ratio / (1 + ratio**4) ** 0.25, room)
    return found
