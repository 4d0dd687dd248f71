"""Body walk: the paths of hips and feet of a body that goes to its stations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.forward import forward
from arcwright.kinematics.legs import legs
from arcwright.kinematics.rig_analysis import analyse
from arcwright.kinematics.root_path import RootPath, root_path
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import Trail, trail
from arcwright.objectives.edited_clip import EditedClip
from arcwright.objectives.planted_feet import footplant_spans
from arcwright.objectives.pose_sequence import PointPath
from arcwright.scene.point import Point
from arcwright.scene.scene import Scene
from arcwright.tools.activity.reach import limb_of
from arcwright.tools.activity.steps import Leg, foot_paths, sunken
from arcwright.tools.activity.walk import Footing, Way, travel


@dataclass(frozen=True, eq=False)
class Walk:
    """A walk to all stations."""

    travel: Floats  # (T, 3) m, of the body on the ground
    sink: Floats  # (T,) m
    paths: list[PointPath]  # of hips and feet
    root: RootPath
    ways: tuple[Way, ...]

    def carried(self, values: Floats) -> Floats:
        """Poses (T, C) with the root where it walks."""
        place = self.root.position + self.travel - self.sink[:, None] * [0.0, 1.0, 0.0]
        return self.root.written(values, place, self.root.rotation)


class Walker:
    """A body with two or more legs, as it stands and walks in the original."""

    def __init__(self, scene: Scene, edited: EditedClip, times: Floats, size: float) -> None:
        self._rate, self._size = edited.take.rate, size
        rig = edited.take.rig
        values = values_at(edited.take, times)
        root = root_path(rig, analyse(edited.actor, edited.take).root, values)
        assert root is not None
        self._root = root
        stands = footplant_spans(scene, edited, [])
        name = edited.actor.name
        self._feet: dict[str, Trail] = {}
        self._legs: list[Leg] = []
        for leg in legs(rig):
            foot = Point(rig.names[leg.foot[0]], character=name)
            limb = limb_of(rig, foot)
            line = forward(rig, values, limb)[..., :3, 3]
            bones = np.linalg.norm(np.diff(line, axis=1), axis=-1).sum(axis=1)
            spans = stands.get(leg.foot[0], [])
            length = float(np.median(bones))
            self._legs.append(Leg(foot.joint, line[:, -1], line[:, 0], length, spans))
            self._feet[foot.joint] = trail(edited.take, foot, times)
        self._hips = Point(rig.names[root.joint], character=name)

    @staticmethod
    def of(scene: Scene, edited: EditedClip, times: Floats, size: float) -> Walker | None:
        """The body as a walker; None for one without legs, or whose root cannot go anywhere."""
        rig = edited.take.rig
        ankles = [Point(rig.names[leg.foot[0]]) for leg in legs(rig)]
        if len(ankles) < 2 or not all(limb_of(rig, ankle) for ankle in ankles):
            return None
        root = root_path(
            rig, analyse(edited.actor, edited.take).root, values_at(edited.take, times)
        )
        return None if root is None else Walker(scene, edited, times, size)

    @cached_property
    def footing(self) -> Footing:
        """When the feet stand and come down."""
        frames = np.arange(len(self._root.position)) / self._rate
        standing = np.ones(len(frames), bool)
        lands = []
        for leg in self._legs:
            own = [(frames >= start) & (frames <= end) for start, end in leg.stands]
            standing &= np.any(own, axis=0) if own else False
            lands.append([round(start * self._rate) for start, _ in leg.stands if start > 0])
        return Footing(standing, lands)

    @property
    def points(self) -> list[Point]:
        """Hips and feet."""
        name = self._hips.character
        return [self._hips, *(Point(foot, character=name) for foot in self._feet)]

    def walk(self, ways: list[Way]) -> Walk:
        """The walk along all ways."""
        carried = travel(ways, len(self._root.position))
        displaced = foot_paths(self._legs, ways, carried, self._rate, self._size)
        sink = sunken(self._legs, displaced, carried, self._rate)
        place = self._root.position + carried - sink[:, None] * [0.0, 1.0, 0.0]
        paths = [PointPath(self._hips, place)]
        paths += [self._foot_path(name, displaced) for name in self._feet]
        return Walk(carried, sink, paths, self._root, tuple(ways))

    def _foot_path(self, name: str, displaced: Mapping[str, Floats]) -> PointPath:
        was = self._feet[name]
        point = Point(name, character=self._hips.character)
        return PointPath(point, was.position + displaced[name], was.orientation)
