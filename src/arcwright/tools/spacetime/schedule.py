"""Schedule: the terms of all constraints over the range, built once; drags only shift targets.

A term eases in before its constraint starts and out after it ends. Constraints of the same kind on
the same point share a term where they do not overlap. For contacts that slide in the original, the
schedule also holds the correction that brings them to a stop.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from arcwright.arrays import Floats
from arcwright.tools.spacetime.contact_ease import contact_ramps, contact_weight
from arcwright.tools.spacetime.displacement import EditRange
from arcwright.tools.spacetime.foot_skate import interpolate, skate, stopped, without_jitter
from arcwright.tools.spacetime.motion_constraint import (
    BODY,
    CONTACT,
    DISTANCE,
    FLOOR,
    MEET,
    SOLE,
    MotionConstraint,
)
from arcwright.tools.spacetime.soles import (
    SOLE_MARGIN,
    SOLE_TOLERANCE,
    SOLE_WEIGHT,
    GroundLevel,
    ground_level,
    is_stance,
)
from arcwright.tools.spacetime.terms import (
    MOTION_CONSTRAINT_WEIGHT,
    MOTION_DRAG_WEIGHT,
    NONE,
    PointPoses,
    Term,
    TermKind,
    scene_terms,
)

TERM_TOLERANCE = {
    "position": 0.5e-3,
    "orientation": 1e-3,
    "distance": 0.2e-3,
    "height": 0.5e-3,
}  # m
FLOOR_TOLERANCE = 1.75e-3  # m, of footplants
HEEL_TOLERANCE = 4e-3  # m, of heels that follow their toes: captured feet are not quite rigid
HEEL_INTERVAL = 1 / 55  # s between samples of heels, at most
HOLD_TOLERANCE = 0.3e-3  # m, of contacts on a prop or another character
HOLD_WEIGHT = 1.0  # times the weight of other constraints
INNER_WEIGHT = 0.15  # of their weight, with which footplants that skate act within the tolerance
JITTER_SPACING = 2.0  # knot spacings: a preview does not follow what is quicker
BODY_WEIGHT = 4.0  # per m^2, with which the body follows the ground of each foot
UP = np.array([[0.0, 1.0, 0.0]])


@dataclass(frozen=True)
class FootplantSettings:
    """How contacts are kept."""

    ramp: float  # s, over which they ease in and out
    floating: bool  # footplants may move elsewhere, without sliding


class Interval(NamedTuple):
    """The samples of a constraint in an entry of the schedule."""

    entry: int
    samples: slice


class FootPass(NamedTuple):
    """Where the terms of a foot that passes a region are, and the ground that it passes between."""

    entries: slice
    ground: GroundLevel


@dataclass(eq=False)
class ScheduledTerm:
    """A term without drags, and how its target changes where foot skate is fixed."""

    term: Term
    correction: Floats | float = 0.0  # (T, 3) or (T,) m, to where a contact comes to a stop
    smooth_correction: Floats | float = 0.0  # the same without jitter
    ground: GroundLevel | None = None  # under a point of a sole
    end: int = 0  # the first sample after all of its constraints

    def has_room(self, kind: TermKind, point: int, other: int, samples: slice) -> bool:
        """Whether a constraint of this kind can use it at some samples."""
        own = self.term.kind, self.term.point, self.term.other
        return (
            own == (kind, point, other) and self.term.offset is None and self.end <= samples.start
        )


@dataclass(eq=False)
class Schedule:
    """The constraints on a range of a take, and their terms before any drag."""

    range: EditRange
    original: PointPoses  # of the original motion
    constraints: tuple[MotionConstraint, ...]  # those that overlap the range
    settings: FootplantSettings
    dragging: bool  # whether there is any drag
    stopped: Container[int]  # contacts that come to a stop where they slide in the original
    swings: Mapping[int, Sequence[float]] = field(default_factory=dict)  # s, of drags, by contact
    entries: list[ScheduledTerm] = field(default_factory=list)
    intervals: dict[int, list[Interval]] = field(default_factory=dict)  # of each constraint
    passes: dict[int, FootPass] = field(default_factory=dict)  # of each constraint
    body: list[ScheduledTerm] = field(default_factory=list)  # its height above each foot's ground
    offset_count: int = 0  # free offsets of meetings and flights

    def __post_init__(self) -> None:
        for index in self.order:
            self._schedule(index, self.constraints[index])

    @property
    def paths(self) -> Floats:
        """(T, P, 3) m, positions of the points in the original motion."""
        return self.original.position

    @property
    def _thinned(self) -> Floats:
        """(T,) factors that leave out samples closer than those of a heel: it moves with toes."""
        times = self.range.times
        every = max(1, int(HEEL_INTERVAL * (len(times) - 1) / max(times[-1] - times[0], 1e-9)))
        return np.where(np.arange(len(times)) % every == 0, float(every), 0.0)

    @property
    def order(self) -> list[int]:
        """Constraints by their start; what follows contacts of toes comes after them."""
        own = self.constraints
        return sorted(range(len(own)), key=lambda at: (bool(own[at].foot), own[at].start))

    def _schedule(self, index: int, constraint: MotionConstraint) -> None:
        if constraint.source is not None:
            times, paths = self.range.times, self.paths
            terms, offsets = scene_terms(constraint, index, times, paths, self.offset_count)
            self.offset_count += offsets
            if constraint.passes and constraint.foot:
                own = slice(len(self.entries), len(self.entries) + len(terms))
                ground = ground_level(constraint, self.constraints, times)
                self.passes[index] = FootPass(own, ground)
            self.entries += [ScheduledTerm(term, end=len(times)) for term in terms]
        elif constraint.kind == MEET:
            self._schedule_meeting(index, constraint)
        elif constraint.kind == SOLE:
            self._schedule_sole(index, constraint)
        elif constraint.kind == BODY:
            self._schedule_body(constraint)
        else:
            self._schedule_interval(index, constraint)

    def _schedule_meeting(self, index: int, constraint: MotionConstraint) -> None:
        """The same position at two times: both follow one free offset."""
        times, point = self.range.times, constraint.point_index
        both = [int(np.argmin(np.abs(times - time))) for time in (constraint.start, constraint.end)]
        at = np.zeros(len(times), bool)
        at[both] = True
        target = np.tile(self.paths[both, point].mean(axis=0), (len(times), 1))
        offset = np.where(at[:, None], self.offset_count + np.arange(3), NONE)
        self.offset_count += 3
        weight, owner = MOTION_DRAG_WEIGHT * at.astype(np.float64), np.where(at, index, NONE)
        term = Term("position", point, target, weight, owner)
        self.entries.append(ScheduledTerm(replace(term, offset=offset)))

    def _schedule_sole(self, index: int, constraint: MotionConstraint) -> None:
        """Above the lower of the ground and the original, at all samples."""
        ground = ground_level(constraint, self.constraints, self.range.times)
        entry = self._reserve(
            index, "height", constraint.point_index, NONE, slice(0, len(self.range.times))
        )
        height = self.paths[:, constraint.point_index, 1]
        entry.term.target[:, 1] = np.minimum(height, ground.height) - SOLE_MARGIN
        entry.term.weight[:] = SOLE_WEIGHT * MOTION_CONSTRAINT_WEIGHT
        assert entry.term.tolerance is not None
        entry.term.tolerance[:] = SOLE_TOLERANCE - SOLE_MARGIN
        entry.ground = ground

    def _schedule_body(self, constraint: MotionConstraint) -> None:
        """The height of the body, which follows the ground of a foot where that is moved."""
        count, point = len(self.range.times), constraint.point_index
        weight, owner = np.full(count, BODY_WEIGHT), np.full(count, NONE)
        term = Term("position", point, self.paths[:, point], weight, owner, axes=UP)
        ground = ground_level(constraint, self.constraints, self.range.times)
        self.body.append(ScheduledTerm(term, ground=ground))

    def _schedule_interval(self, index: int, constraint: MotionConstraint) -> None:
        times, point = self.range.times, constraint.point_index
        drags = self.swings.get(index, ())
        ramps = contact_ramps(self.constraints, constraint, self.settings.ramp, drags)
        first = int(np.searchsorted(times, constraint.start - ramps[0] - 1e-9))
        last = int(np.searchsorted(times, constraint.end + ramps[1] + 1e-9, "right"))
        if first >= last:
            return
        at = slice(first, last)
        weight = MOTION_CONSTRAINT_WEIGHT * contact_weight(times[at], constraint, *ramps)
        path = self.paths[at, point]
        if constraint.kind == FLOOR:
            term = self._reserve(index, "height", point, NONE, at).term
            term.target[at, 1] = path[:, 1].min()
            term.weight[at] = weight
        elif constraint.kind == DISTANCE:
            self._schedule_distance(index, constraint, at, weight)
        else:
            if constraint.position:
                self._schedule_position(index, constraint, at, weight)
            if constraint.orientation:
                term = self._reserve(index, "orientation", point, NONE, at).term
                term.target[at] = self.original.orientation[at, point]
                term.weight[at] = weight

    def _schedule_distance(
        self, index: int, constraint: MotionConstraint, at: slice, weight: Floats
    ) -> None:
        point, other = constraint.point_index, constraint.other_index
        entry = self._reserve(index, "distance", point, other, at)
        distance = np.linalg.norm(self.paths[at, point] - self.paths[at, other], axis=1)
        entry.term.target[at] = distance if constraint.distance is None else constraint.distance
        entry.term.weight[at] = weight
        if constraint.rest_distance is not None:
            entry.term.weight[at] *= HOLD_WEIGHT
            if index in self.stopped:
                correction = constraint.rest_distance - distance
                _correct(entry, at, correction, correction)

    def _schedule_position(
        self, index: int, constraint: MotionConstraint, at: slice, weight: Floats
    ) -> None:
        """The original path, and for contacts the correction of its sliding."""
        entry = self._reserve(index, "position", constraint.point_index, constraint.other_index, at)
        term, path = entry.term, self.paths[at, constraint.point_index]
        if constraint.other_index != NONE:
            path = path - self.paths[at, constraint.other_index]
        term.target[at], term.weight[at] = path, weight
        if constraint.kind != CONTACT:
            return
        if constraint.foot:
            term.weight[at] *= self._thinned[at]
        assert term.tolerance is not None
        assert term.inner_weight is not None
        on_floor = constraint.carrier is None and constraint.other_index == NONE
        if on_floor:
            term.tolerance[at] = HEEL_TOLERANCE if constraint.foot else FLOOR_TOLERANCE
        elif constraint.carrier is not None:
            term.weight[at] *= HOLD_WEIGHT
            term.tolerance[at] = HOLD_TOLERANCE
        times = self.range.times[at]
        inside = np.flatnonzero(
            (times >= constraint.start - 1e-9) & (times <= constraint.end + 1e-9)
        )
        frames = inside[self.range.on_frame[at][inside]]  # the same position however refined
        if index not in self.stopped or not len(frames):
            return
        if constraint.foot:
            self._follow(entry, constraint, at)
            return
        stop = (stopped(constraint, path, frames, times) - path)[frames]
        exact = interpolate(times[inside], times[frames], stop)
        smooth = without_jitter(times[inside], exact, JITTER_SPACING * self.range.preview_spacing)
        nearest = np.clip(np.arange(len(path)), inside[0], inside[-1]) - inside[0]
        fade = self.range.end_fade(self.settings.ramp)[at][inside].min()
        _correct(entry, at, fade * exact[nearest], fade * smooth[nearest])
        if on_floor:
            term.inner_weight[at] = INNER_WEIGHT * skate(path[inside], times[inside])

    def leader(self, heel: MotionConstraint) -> int | None:
        """The contact of toes that the contact of a heel follows."""
        middle = (heel.start + heel.end) / 2
        for index, each in enumerate(self.constraints):
            if heel.foot and is_stance(each, heel.foot) and each.start <= middle <= each.end:
                return index
        return None

    def _follow(self, entry: ScheduledTerm, heel: MotionConstraint, at: slice) -> None:
        """Correct a heel by as much as its toes, which are of one piece with it."""
        leader = self.leader(heel)
        for toes, _ in self.intervals.get(leader, []) if leader is not None else []:
            own = self.entries[toes]
            if own.term.kind == "position" and isinstance(own.correction, np.ndarray):
                assert isinstance(own.smooth_correction, np.ndarray)
                _correct(entry, at, own.correction[at], own.smooth_correction[at])

    def _reserve(
        self, index: int, kind: TermKind, point: int, other: int, samples: slice
    ) -> ScheduledTerm:
        """An entry with nothing at these samples, for a constraint."""
        count = len(self.range.times)
        fits = [each.has_room(kind, point, other, samples) for each in self.entries]
        at = fits.index(True) if True in fits else len(self.entries)
        if at == len(self.entries):
            shape = {"orientation": (count, 3, 3), "distance": (count,)}.get(kind, (count, 3))
            empty = np.zeros(shape), np.zeros(count), np.full(count, NONE)
            tolerance, inner = np.full(count, TERM_TOLERANCE[kind]), np.zeros(count)
            term = Term(kind, point, *empty, other, tolerance=tolerance, inner_weight=inner)
            self.entries.append(ScheduledTerm(term))
        entry = self.entries[at]
        entry.end = samples.stop
        entry.term.owner[samples] = index
        self.intervals.setdefault(index, []).append(Interval(at, samples))
        return entry


def _correct(entry: ScheduledTerm, samples: slice, exact: Floats, smooth: Floats) -> None:
    """Set the corrections of an entry at some samples."""
    entry.correction = entry.correction + np.zeros(entry.term.target.shape)
    entry.smooth_correction = entry.smooth_correction + np.zeros(entry.term.target.shape)
    entry.correction[samples], entry.smooth_correction[samples] = exact, smooth
