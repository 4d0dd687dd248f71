"""Pose sequence: poses of all frames of a take, for points of a body that follow paths.

Each frame is solved on its own, with the weights of posing: its point is led from where it was
to where it should be, in small steps, each the smallest change that follows. So a frame depends
on no other, and where paths and the take are smooth, so are the poses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from arcwright.arrays import Floats, Ints, frozen
from arcwright.compiled import library as compiled
from arcwright.errors import BadValue
from arcwright.kinematics.jacobian import point_jacobian
from arcwright.kinematics.places import places
from arcwright.kinematics.rotation import quaternion_normalise
from arcwright.kinematics.sample import quaternion_channels, values_at
from arcwright.objectives.compiled_sequence import CompiledSequence, FramePose
from arcwright.objectives.edited_clip import EditedClip
from arcwright.objectives.freedom import UPRIGHT, Freedom, root_weight
from arcwright.objectives.held_points import HeldPoint, held_points
from arcwright.objectives.path_targets import PathPart, PathTargets
from arcwright.objectives.point_tasks import PointTask, TaskList
from arcwright.objectives.pose_model import PoseModel, PreparedPose, in_play
from arcwright.objectives.short_ends import short_end_weights
from arcwright.objectives.solve_pose import solve_along
from arcwright.scene.point import Point
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Scene
from arcwright.solve.descent import StoppingCriteria
from arcwright.solve.threads import on_one_thread

LONGEST = 0.2  # that an unknown goes towards one waypoint
OUT_OF_REACH = 1e-4  # m from its target, where a point misses it
CRITERIA = StoppingCriteria(max_iterations=30, cost_tolerance=1e-5, target_tolerance=1e-5)
_ONE = np.zeros(1, np.int64)


@dataclass(frozen=True)
class Waypoints:
    """How finely points are led from where they were to their targets."""

    spacing: float = 0.0075  # of the body's size
    fewest: int = 16
    most: int = 64  # and of frames that miss their targets by fewer


FINE = Waypoints()
NEAR = Waypoints(fewest=4)  # from poses that are near their targets
COARSE = Waypoints(fewest=8)  # for previews


@dataclass(frozen=True, eq=False)
class PointPath:
    """Where a point should be at each frame, and how rotated its joint."""

    point: Point
    position: Floats | None = None  # (T, 3) m, world
    orientation: Floats | None = None  # (T, 4) wxyz, world
    weight: Floats | None = None  # (T,) factor of the weight of the position, 1 by default
    firmness: Floats | None = None  # (T,) the same of the orientation


@dataclass(frozen=True, eq=False)
class SolvedPoses:
    """Poses of all frames, and how near their points come."""

    values: Floats  # (T, C)
    position: Floats  # (T, P, 3) m, where the points are then
    remaining: Floats  # (T, P) m from where they should be, 0.1 m for a radian


class PoseSequence:
    """Poses of all frames of a take, solved at once for points that follow paths."""

    values: Floats  # (T, C) channel values of the take at these times
    channels: Ints  # (F,) channels that may change

    def __init__(
        self,
        scene: Scene,
        edited: EditedClip,
        times: Floats,
        points: Sequence[Point],
        *,
        body_follows: float = 0.0,
        chain_length: int = 0,
        plant_feet: bool = True,
        stretch_bones: bool = False,
    ) -> None:
        self.times: Floats = np.asarray(frozen(times, "times", ("T",)))
        self.points = _own_points(scene, edited, points)
        take = edited.take
        self._free = Freedom(edited.actor, take, body_follows, chain_length, stretch_bones)
        self.values = values_at(take, self.times)
        fixed = self._free.fixed(self.points)
        found = held_points(scene, edited, self.points, self.times, fixed, plant_feet=plant_feet)
        channels, held = in_play(self._free.channels(self.points), found)
        self.held: tuple[HeldPoint, ...] = tuple(held)
        self.channels = np.array(channels, np.int64)
        self._rig = take.rig
        self._places = places(take.rig, [*self.points, *(each.point for each in held)])
        there = point_jacobian(take.rig, self.values, self._places, [])
        self._position, self._orientation = there.position, there.orientation
        self._step = self._free.steps(self.channels)
        self._compiled: dict[tuple[tuple[int, ...], tuple[int, ...]], CompiledSequence] = {}
        self._weights: dict[bool, Floats] = {}
        self._regularisation(upright=False)

    @property
    def rig(self) -> Rig:
        """Of the take."""
        return self._rig

    @property
    def size(self) -> float:
        """m, of the body."""
        return max(self._free.analysis.size, 1e-9)

    def index(self, point: Point) -> int:
        """The place of a point among those of the sequence."""
        names = [_key(each) for each in self.points]
        if _key(point) not in names:
            known = ", ".join(each.joint for each in self.points)
            raise BadValue("paths", f"points of the sequence: {known}", point.joint)
        return names.index(_key(point))

    def _begin(self, start: Floats | None) -> _Poses:
        """The poses to begin with."""
        four = quaternion_channels(self._rig)
        if start is None:
            return _Poses(self.values, self._position, self._orientation, four)
        values = np.asarray(frozen(start, "start", self.values.shape))
        there = point_jacobian(self._rig, values, self._places, [])
        return _Poses(values, there.position, there.orientation, four)

    def _regularisation(self, *, upright: bool, oriented: bool = False) -> Floats:
        """(T, F) stiffness of the unknowns; computed once.

        Short ends are stiff, unless orientations are asked for.
        """
        if upright not in self._weights:
            stiffness = self._rig.channels.stiffness[self.channels] ** 2
            free = replace(self._free, upright=UPRIGHT if upright else 1.0)
            weights = free.weights_by_pose(self.channels, self.values)
            self._weights[upright] = weights * stiffness
        weights = self._weights[upright]
        return weights if oriented else weights * self._short_ends

    @cached_property
    def _short_ends(self) -> Floats:
        """(F,) factors of weights."""
        return short_end_weights(self._rig, self.points, self.channels)

    @cached_property
    def _box(self) -> tuple[Floats, Floats]:
        """(T, F) each: joint limits; a pose that already breaks them may stay where it is."""
        table, start = self._rig.channels, self.values[:, self.channels]
        low = np.minimum((table.low[self.channels] - start) / self._step, 0.0)
        return low, np.maximum((table.high[self.channels] - start) / self._step, 0.0)

    @cached_property
    def _held_tasks(self) -> list[tuple[PointTask, ...]]:
        """Of each frame: what stays where it is."""
        return [tuple(self._holding(frame)) for frame in range(len(self.times))]

    def _holding(self, frame: int) -> list[PointTask]:
        found = []
        for place, held in enumerate(self.held, len(self.points)):
            if weight := float(held.weight[frame]):
                at = slice(frame, frame + 1), place
                position = self._position[at] if held.position else None
                orientation = self._orientation[at] if held.orientation else None
                found.append(PointTask(held.name, place, _ONE, position, orientation, weight))
        return found

    @on_one_thread
    def solve(
        self,
        paths: Sequence[PointPath],
        frames: Ints | None = None,
        start: Floats | None = None,
        *,
        waypoints: Waypoints = FINE,
    ) -> SolvedPoses:
        """Poses in which the points are on their paths, or as near as they can be.

        Frames that are not among `frames` keep their pose. `start` (T, C) are other poses to begin
        with; the result then depends on them, too, and not on paths and take alone.
        """
        targets = self._targets(paths)
        chosen = np.arange(len(self.times)) if frames is None else np.asarray(frames, np.int64)
        begin = self._begin(start)
        upright, found = root_weight(self._free, paths) > 1.0, begin.copy()
        places = (each[chosen] for each in begin.places)
        away = targets.only(chosen).remaining(*places).max(axis=1, initial=0.0)
        apart, most = waypoints.spacing * self.size, waypoints.most
        ways = np.full(len(self.times), most)
        ways[chosen] = np.ceil(np.clip(away / apart, waypoints.fewest, most))
        self._lead(found, chosen, begin, targets, ways, upright)
        remaining = targets.remaining(*found.places)
        far = remaining.max(axis=1, initial=0.0) > OUT_OF_REACH
        missed = chosen[(far & (ways < most))[chosen]]
        if len(missed):
            self._lead(found, missed, begin, targets, np.full_like(ways, most), upright)
            remaining = targets.remaining(*found.places)
        count = len(self.points)
        return SolvedPoses(found.values, found.position[:, :count], remaining[:, :count])

    def _targets(self, paths: Sequence[PointPath]) -> PathTargets:
        parts = [
            PathPart(
                *(self.index(path.point), path.position, path.orientation),
                *(path.weight, path.firmness),
            )
            for path in paths
        ]
        return PathTargets.of(parts, len(self.times))

    def _lead(
        self,
        found: _Poses,
        frames: Ints,
        begin: _Poses,
        targets: PathTargets,
        ways: Ints,
        upright: bool,
    ) -> None:
        """Lead the points of some frames from where they are in `begin` to their targets.

        `ways` (T,) has the number of waypoints of each frame.
        """
        own = targets.only(frames)
        position, orientation = (each[frames] for each in begin.places)
        counts = ways[frames]
        rows = own.waypoints(position, orientation, counts)
        away = (begin.values - self.values)[frames][:, self.channels] / self._step
        low, high = (each[frames] for each in self._box)
        weights = self._regularisation(upright=upright, oriented=len(own.rotated) > 0)[frames]
        bounds = np.stack([weights, away, low, high, away], axis=1)
        for index, frame in enumerate(frames.tolist()):
            way = rows[index, : counts[index]]
            pose = self._solve_frame(frame, targets, way, bounds[index])
            found.set(frame, pose)

    def _solve_frame(
        self, frame: int, targets: PathTargets, rows: Floats, bounds: Floats
    ) -> FramePose:
        start = bounds[4].copy()
        if compiled.library is not None:
            pose = self._compiled_for(targets, rows).solve(frame, rows, LONGEST, bounds)
            if pose is not None:
                return pose
        model = self._model(frame, bounds[0])
        parts = [TaskList(targets.tasks(each), model.constraint_tasks) for each in rows]
        x = solve_along(model, start, parts, LONGEST, CRITERIA).x
        there = model.places_at(x)
        return FramePose(model.values(x), there.position[0], there.orientation[0])

    def _compiled_for(self, targets: PathTargets, rows: Floats) -> CompiledSequence:
        """The frames as the library reads them, laid out once for the same points."""
        if targets.key not in self._compiled:
            self._compiled[targets.key] = CompiledSequence(
                *(self._rig, self._places, self.values, self.channels, self._step),
                *(self._held_tasks, targets.tasks(rows[-1]), CRITERIA),
            )
        return self._compiled[targets.key]

    def _model(self, frame: int, regularisation: Floats) -> PoseModel:
        """One frame for NumPy."""
        prepared = PreparedPose(
            *(float(self.times[frame]), self._places, self.values[frame], self.channels),
            *(self._step, np.ones(len(self.channels)), self._held_tasks[frame]),
        )
        model = PoseModel(self._rig, prepared, ())
        model.regularisation = regularisation
        return model


@dataclass(eq=False)
class _Poses:
    """Poses that are being solved, and where their points are."""

    values: Floats  # (T, C)
    position: Floats  # (T, P, 3) m
    orientation: Floats  # (T, P, 3, 3)
    quaternions: Ints  # (Q, 4)

    @property
    def places(self) -> tuple[Floats, Floats]:
        return self.position, self.orientation

    def copy(self) -> _Poses:
        return _Poses(
            self.values.copy(), self.position.copy(), self.orientation.copy(), self.quaternions
        )

    def set(self, frame: int, pose: FramePose) -> None:
        self.values[frame] = pose.values
        four = self.quaternions
        if len(four):
            self.values[frame, four] = quaternion_normalise(pose.values[four])
        self.position[frame], self.orientation[frame] = pose.position, pose.orientation


def _own_points(scene: Scene, edited: EditedClip, points: Sequence[Point]) -> tuple[Point, ...]:
    """The points, each once; a point of another actor raises."""
    found: dict[tuple[str, bytes], Point] = {}
    for point in points:
        name = scene.actor(point.character).name
        if name != edited.actor.name:
            raise BadValue("points", f"points of {edited.actor.name!r}", f"one of {name!r}")
        found.setdefault(_key(point), point)
    return tuple(found.values())


def _key(point: Point) -> tuple[str, bytes]:
    return point.joint, point.offset.tobytes()
