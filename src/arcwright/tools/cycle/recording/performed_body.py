"""A performed point of a body: the pose solver moves the limbs that carry it."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.columns import channels_moving
from arcwright.kinematics.jacobian import point_jacobian
from arcwright.kinematics.places import places
from arcwright.kinematics.sample import values_at
from arcwright.objectives.edited_clip import EditedClip
from arcwright.objectives.pose_sequence import PointPath, PoseSequence
from arcwright.objectives.smooth_sequence import solve_smoothly
from arcwright.scene.clip import Clip
from arcwright.scene.edit import Edit
from arcwright.scene.point import Point
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.tools.cycle.options import CycleOptions
from arcwright.tools.cycle.recording.carrier import Carrier, limb_parent
from arcwright.tools.cycle.recording.loop_constraints import repeated_constraints
from arcwright.tools.cycle.recording.performed_item import (
    ORIENTATION,
    POSITION,
    InTurn,
    ItemPoses,
    PerformedPoint,
)
from arcwright.tools.cycle.recording.take_loop import TakeLoop

KEPT = 2  # sequences: of the take's own frames, and of the layer's


class PerformedBody(PerformedPoint):
    """A point of a body; its limbs follow first, then the trunk."""

    solves = True

    def __init__(
        self,
        scene: Scene,
        edited: EditedClip,
        loop: TakeLoop,
        point: Point,
        size: float,
        options: CycleOptions,
    ) -> None:
        super().__init__(loop, point, size)
        self._scene, self._edited, self._options = scene, edited, options
        if options.space == "body" or (options.space == "auto" and not self._loop.loops):
            self._carrier = Carrier(self._loop, limb_parent(edited.actor, self._loop, self.joint))
        self._sequences: dict[tuple[int, bytes], tuple[Take, PoseSequence]] = {}

    @property
    def point(self) -> Point:
        """The point that is performed."""
        return self._point

    def poses(
        self,
        columns: Floats,
        parts: tuple[str, ...],
        take: Take,
        times: Floats,
        in_turn: InTurn | None = None,
    ) -> ItemPoses:
        """The take with its body solved at all times."""
        if "position" not in parts:
            return super().poses(columns, parts, take, times)
        sequence, path = self._sequence(take, times), self._path(columns, parts, times)
        if in_turn is None:
            solved = sequence.solve([path])
        else:
            solved = solve_smoothly(sequence, path, *in_turn)
        return ItemPoses(solved.values, solved.remaining[:, 0])

    def pose(self, columns: Floats, parts: tuple[str, ...], time: float) -> Floats:
        """(C,) the pose of the take at the frame nearest to a time."""
        if "position" not in parts:
            return super().pose(columns, parts, time)
        times = self.take.frame_times()
        sequence = self._sequence(self.take, times)
        frame = min(round(time * self.take.rate), len(times) - 1)
        rows = np.repeat(columns[None], len(times), axis=0)
        path = self._path(rows, parts, times)
        return np.array(sequence.solve([path], frames=np.array([frame])).values[frame])

    def _path(self, columns: Floats, parts: tuple[str, ...], times: Floats) -> PointPath:
        place = self._carrier.carried(columns[:, POSITION], times)
        turned = self._carrier.turned(columns[:, ORIENTATION], times)
        return PointPath(self._point, place, turned if "orientation" in parts else None)

    def _sequence(self, take: Take, times: Floats) -> PoseSequence:
        key = id(take.base), times.tobytes()
        if key in self._sequences:
            return self._sequences[key][1]
        assert isinstance(take.base, Clip)
        options = self._options
        held = repeated_constraints(self._scene, self._edited.actor, self.take, take.duration)
        sequence = PoseSequence(
            Edit("", held).apply(self._scene),
            replace(self._edited, take=take, clip=take.base),
            times,
            [self._point],
            body_follows=options.body_follows,
            chain_length=options.chain_length,
            plant_feet=options.plant_feet,
        )
        while len(self._sequences) >= KEPT:
            del self._sequences[list(self._sequences)[-1]]
        self._sequences[key] = take, sequence
        return sequence

    def channels(self, parts: tuple[str, ...]) -> Ints:
        """Those that the solver may change."""
        if "position" not in parts:
            return super().channels(parts)
        return self._sequence(self.take, self.take.frame_times()).channels

    def repeats_alone(self, parts: tuple[str, ...]) -> bool:
        """Where nothing in the take moves: poses are solved from those that it has."""
        if "position" not in parts:
            return super().repeats_alone(parts)
        return self._still_besides(np.zeros(0, np.int64))

    def refusal(self, parts: tuple[str, ...]) -> str:
        """Of a joint that nothing of the body moves, such as the node of a skinned mesh."""
        if "position" not in parts:
            return super().refusal(parts)
        return "" if self._can_move else f"{self._point.joint} is moved by no joint of the body"

    @cached_property
    def _can_move(self) -> bool:
        """Whether any channel that may change moves the point."""
        take, point = self.take, [self._point]
        channels = np.intersect1d(self.channels(("position",)), channels_moving(take.rig, point))
        values, place = values_at(take, np.zeros(1)), places(take.rig, point)
        return bool(point_jacobian(take.rig, values, place, channels.tolist()).linear.any())
