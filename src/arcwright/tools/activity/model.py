"""Model: poses of a body whose effectors follow the paths of an activity.

Every frame is solved on its own from its original pose, with the weights of posing: so elbows and
knees keep their direction, and joints their limits. Rotations of the gaze come first, and once more
for the head alone when the body has moved.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, partial

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rotation import matrix_from_quaternion, vector_from_matrix
from arcwright.kinematics.swivel import bent_limbs
from arcwright.objectives.edited_clip import EditedClip
from arcwright.objectives.pose_sequence import (
    COARSE,
    FINE,
    PointPath,
    PoseSequence,
    SolvedPoses,
)
from arcwright.scene.activity import Effector
from arcwright.scene.point import Point
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Scene
from arcwright.tools.activity.body_walk import Walk, Walker
from arcwright.tools.activity.calm_limbs import solve_calmly, with_calm_limbs
from arcwright.tools.activity.clearance import Clearance
from arcwright.tools.activity.element_paths import ElementPath
from arcwright.tools.activity.look_at import Gaze, find_gaze, turned_gaze, with_gaze
from arcwright.tools.activity.posture import Posture
from arcwright.tools.activity.refined_poses import (
    smooth_in_time,
    solve_places_first,
    with_neighbours,
)
from arcwright.tools.activity.solved_body import Missed, SolvedBody, spread_frames

CHANGED = 1e-7  # m or rad; less is no change
CLEARANCES = 2  # times that arms are led out of things, calm in between
SHORT = 50  # frames; changes of no more are previewed as they will be


class BodyModel:
    """The body of an activity, prepared for any paths of its effectors."""

    def __init__(
        self,
        scene: Scene,
        edited: EditedClip,
        times: Floats,
        effectors: Sequence[Effector],
        body_follows: float,
        walker: Walker | None = None,
        guards: Sequence[Point] = (),
        free: Mapping[str, Floats] | None = None,
    ) -> None:
        self.effectors = {each.name: each for each in effectors}
        points = [each.point for each in effectors]
        if walker is not None:
            points += walker.points
        make = partial(
            PoseSequence,
            *(scene, edited, times),
            body_follows=body_follows,
            plant_feet=walker is None,
        )
        self.sequence = make(points)
        self._rate = edited.take.rate
        self._bent = bent_limbs(edited.actor, edited.take)
        led = set(self.rig.channels.joint[self.sequence.channels].tolist())
        self._free = [
            each for each in self._bent if each.root not in led
        ]  # limbs that take no part
        self._make_guarded = partial(make, [*points, *guards])
        self._posture: Posture | None = None
        if walker is None and free is not None:
            body = edited.actor, self.size, self.sequence.values
            self._posture = Posture(*body, self.effectors, free, make)
        self.gaze: Gaze | None = find_gaze(self.rig)
        self._head = np.zeros((len(times), 3))
        if self.gaze is not None:
            self._head = self._head_place(self.sequence.values)

    @cached_property
    def _guarded(self) -> PoseSequence:
        """The same with points of limbs that stay out of things."""
        return self._make_guarded()

    @property
    def rig(self) -> Rig:
        """Of the take."""
        return self.sequence.rig

    @property
    def size(self) -> float:
        """m, of the body."""
        return self.sequence.size

    def _head_place(self, values: Floats) -> Floats:
        assert self.gaze is not None
        place: Floats = forward(self.rig, values, [self.gaze.head])[:, 0, :3, 3]
        return place

    def solve(
        self,
        paths: Mapping[str, ElementPath],
        looks: Mapping[str, Floats],
        *,
        events: Sequence[int] = (),
        walk: Walk | None = None,
        clearance: Clearance | None = None,
        preview: bool = False,
    ) -> SolvedBody:
        """The poses for all paths; a preview solves some frames, `events` among them."""
        start, head = self.sequence.values, self._head
        if walk is not None:
            start, head = walk.carried(start), self._head + walk.travel
        gaze = self._gaze_turn(paths, looks, head)
        if self.gaze is not None and gaze.any():
            start = with_gaze(self.rig, self.gaze, start, gaze)
        changed = self._changed(paths, start)
        wider = with_neighbours(changed, self._rate)
        preview = preview and wider.sum() > SHORT
        changed = changed if preview else wider
        frames = np.flatnonzero(changed)
        if preview:
            frames = spread_frames(frames, [each for each in events if changed[each]])
        if not len(frames):
            return self._unchanged()
        waypoints = COARSE if preview else FINE
        if self._posture is not None:
            start, paths = self._posture.poses(paths, frames, start, waypoints)
        rate, walked = self._rate, [] if walk is None else walk.paths
        led = {self.sequence.index(each.point) for each in walked}
        limbs = [
            each for each in self._point_paths(paths) if self.sequence.index(each.point) not in led
        ]
        about = self.sequence, limbs, walked, frames, start, rate
        solved, wanted = solve_places_first(*about, waypoints=waypoints)
        if not preview:
            solved = smooth_in_time(self.sequence, wanted, frames, start, solved, rate)
            solved, wanted = self._calm(wanted, frames, solved)
        for _ in range(1 if preview else CLEARANCES):
            arms = [] if clearance is None else self._arms(clearance, solved, paths)
            if not arms:
                break
            solved = self._guarded.solve(
                [*wanted, *arms], frames, solved.values, waypoints=waypoints
            )
            if not preview:
                solved, wanted = self._calm(wanted, frames, solved)
        values = self._with_free_channels(solved.values, start, frames)
        if not preview:
            values = with_calm_limbs(self.sequence, self._free, values, frames, self._rate)
        values = self._aimed(values, gaze, head, paths, looks, frames)
        missed = partial(self._missed, limbs, solved)
        return SolvedBody(self.rig, self.sequence.values, values, frames, changed, missed)

    def _calm(
        self, paths: list[PointPath], frames: Ints, solved: SolvedPoses
    ) -> tuple[SolvedPoses, list[PointPath]]:
        return solve_calmly(self._guarded, self._bent, paths, frames, solved, self._rate)

    def _arms(
        self, clearance: Clearance, solved: SolvedPoses, paths: Mapping[str, ElementPath]
    ) -> list[PointPath]:
        return clearance.arm_paths(solved.values, paths)

    def _missed(self, paths: Sequence[PointPath], solved: SolvedPoses) -> Missed:
        """(T,) m and (T,) rad that effectors on paths are from their targets; 0 for others."""
        zero = np.zeros(len(solved.values))
        away, turned = dict.fromkeys(self.effectors, zero), dict.fromkeys(self.effectors, zero)
        own = {self.sequence.index(each.point): each for each in paths}
        for name, effector in self.effectors.items():
            index = self.sequence.index(effector.point)
            if index in own:
                goal = own[index].position
                assert goal is not None
                away[name] = np.linalg.norm(goal - solved.position[:, index], axis=1)
                if own[index].orientation is not None:
                    turned[name] = _turned(self.rig, own[index], solved.values)
        return Missed(away, turned)

    def _with_free_channels(self, values: Floats, start: Floats, frames: Ints) -> Floats:
        """The poses with channels that move no effector as they were given, such as the neck's."""
        free = np.setdiff1d(np.arange(values.shape[1]), self.sequence.channels)
        found = values.copy()
        found[np.ix_(frames, free)] = start[np.ix_(frames, free)]
        return found

    def _unchanged(self) -> SolvedBody:
        values = self.sequence.values
        zero = np.zeros(len(values))
        none = dict.fromkeys(self.effectors, zero)
        frames, changed = np.zeros(0, np.int64), zero.astype(bool)
        return SolvedBody(self.rig, values, values, frames, changed, lambda: Missed(none, none))

    def _changed(self, paths: Mapping[str, ElementPath], start: Floats) -> Bools:
        """(T,) frames in which an effector is displaced or the gaze turns."""
        own = [paths[name] for name in self.effectors]
        moves = [np.abs(np.concatenate([each.move, each.turn], axis=1)).max(axis=1) for each in own]
        turned = np.abs(start - self.sequence.values).max(axis=1, initial=0.0)
        found: Bools = np.max([turned, *moves], axis=0) > CHANGED
        return found

    def _gaze_turn(
        self, paths: Mapping[str, ElementPath], looks: Mapping[str, Floats], head: Floats
    ) -> Floats:
        """(T, 3) rotation of the gaze with the head at (T, 3)."""
        if self.gaze is None:
            return np.zeros((len(head), 3))
        return turned_gaze(looks, paths, self._head, head)

    def _aimed(
        self,
        values: Floats,
        turned: Floats,
        head: Floats,
        paths: Mapping[str, ElementPath],
        looks: Mapping[str, Floats],
        frames: Ints,
    ) -> Floats:
        """The poses with the head turned by what the body's displacement has changed."""
        if self.gaze is None or not looks:
            return values
        head = head.copy()
        head[frames] = self._head_place(values[frames])
        more = (self._gaze_turn(paths, looks, head) - turned)[frames]
        alone = Gaze(self.gaze.head, (self.gaze.head,), (1.0,))
        found = values.copy()
        found[frames] = with_gaze(self.rig, alone, values[frames], more)
        return found

    def _point_paths(self, paths: Mapping[str, ElementPath]) -> list[PointPath]:
        found = []
        for name, effector in self.effectors.items():
            path = paths[name]
            oriented = path.held.any() or np.any(path.turn)
            orientation = path.orientation if oriented else None
            found.append(PointPath(effector.point, path.position, orientation))
        return found


def _turned(rig: Rig, path: PointPath, values: Floats) -> Floats:
    """(T,) rad between the orientation of a path and that of its joint in poses (T, C)."""
    assert path.orientation is not None
    axes = forward(rig, values, [rig.joint(path.point.joint)])[:, 0, :3, :3]
    axes = axes / np.linalg.norm(axes, axis=-2, keepdims=True)
    off = matrix_from_quaternion(path.orientation).swapaxes(-1, -2) @ axes
    found: Floats = np.linalg.norm(vector_from_matrix(off), axis=-1)
    return found
