"""Schedule: the terms of all constraints over the range, built once; drags only shift targets.

A term eases in before its constraint starts and out after it ends. Constraints of the same kind on
the same point share a term where they do not overlap. For contacts that slide in the original, the
schedule also holds the correction that brings them to a stop.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.curves.spline import band
from arcwright.solve.blocks import BlockFactor, Moments
from arcwright.tools.spacetime.constraints import CONTACT, DISTANCE, FLOOR, MEET, MotionConstraint
from arcwright.tools.spacetime.displacement import EditRange, smoothstep
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
HOLD_TOLERANCE = 0.3e-3  # m, of contacts on a prop or another character
HOLD_WEIGHT = 4.0  # times as heavy: between a hand and a prop the least slip is seen
INNER_WEIGHT = 0.15  # of their weight, with which footplants that skate act within the tolerance
SKATE_SPEED = 0.065, 0.085  # m/s in the mean: to stop slower footplants is seen more than they are
JITTER_SPACING = 2.0  # knot spacings: a preview does not follow what is quicker
MAX_RAMP = 0.35  # of the time between two contacts of a point


@dataclass(frozen=True)
class FootplantSettings:
    """How contacts are kept."""

    ramp: float  # s, over which they ease in and out
    floating: bool  # footplants may move elsewhere, without sliding


class Interval(NamedTuple):
    """The samples of a constraint in an entry of the schedule."""

    entry: int
    samples: slice


@dataclass(eq=False)
class ScheduledTerm:
    """A term without drags, and how its target changes where foot skate is fixed."""

    term: Term
    correction: Floats | float = 0.0  # (T, 3) or (T,) m, to where a contact comes to a stop
    smooth_correction: Floats | float = 0.0  # the same without jitter
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
    entries: list[ScheduledTerm] = field(default_factory=list)
    intervals: dict[int, list[Interval]] = field(default_factory=dict)  # of each constraint
    offset_count: int = 0  # free offsets of meetings and flights

    def __post_init__(self) -> None:
        for index in sorted(range(len(self.constraints)), key=self._start):
            self._schedule(index, self.constraints[index])

    @property
    def paths(self) -> Floats:
        """(T, P, 3) m, positions of the points in the original motion."""
        return self.original.position

    def _start(self, index: int) -> float:
        return self.constraints[index].start

    def _schedule(self, index: int, constraint: MotionConstraint) -> None:
        if constraint.source is not None:
            times, paths = self.range.times, self.paths
            terms, offsets = scene_terms(constraint, index, times, paths, self.offset_count)
            self.offset_count += offsets
            self.entries += [ScheduledTerm(term, end=len(times)) for term in terms]
        elif constraint.kind == MEET:
            self._schedule_meeting(index, constraint)
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

    def _schedule_interval(self, index: int, constraint: MotionConstraint) -> None:
        times, point = self.range.times, constraint.point_index
        ramps = _ramps(self.constraints, constraint, self.settings.ramp)
        first = int(np.searchsorted(times, constraint.start - ramps[0] - 1e-9))
        last = int(np.searchsorted(times, constraint.end + ramps[1] + 1e-9, "right"))
        if first >= last:
            return
        at = slice(first, last)
        weight = MOTION_CONSTRAINT_WEIGHT * _ease(times[at], constraint, *ramps)
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
        assert term.tolerance is not None
        assert term.inner_weight is not None
        on_floor = constraint.carrier is None and constraint.other_index == NONE
        if on_floor:
            term.tolerance[at] = FLOOR_TOLERANCE
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
        stop = (_stopped(constraint, path, frames, times) - path)[frames]
        exact = _interpolate(times[inside], times[frames], stop)
        smooth = without_jitter(times[inside], exact, JITTER_SPACING * self.range.spacing)
        nearest = np.clip(np.arange(len(path)), inside[0], inside[-1]) - inside[0]
        fade = self.range.end_fade(self.settings.ramp)[at][inside].min()
        _correct(entry, at, fade * exact[nearest], fade * smooth[nearest])
        if on_floor:
            term.inner_weight[at] = INNER_WEIGHT * _skate(path[inside], times[inside])

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


def _ramps(
    constraints: Sequence[MotionConstraint], constraint: MotionConstraint, ramp: float
) -> tuple[float, float]:
    """Seconds before and after a contact; shorter where the same point has another one soon."""
    if constraint.kind != CONTACT:
        return 0.0, 0.0
    before = after = ramp
    for other in constraints:
        same = other.kind == CONTACT and other.point_index == constraint.point_index
        if same and other is not constraint:
            if other.end <= constraint.start:
                before = min(before, MAX_RAMP * (constraint.start - other.end))
            elif other.start >= constraint.end:
                after = min(after, MAX_RAMP * (other.start - constraint.end))
    return before, after


def _ease(times: Floats, constraint: MotionConstraint, before: float, after: float) -> Floats:
    """(T,) 1 within a constraint; rises before it and falls after it."""
    early = np.maximum(constraint.start - times - 1e-9, 0.0) / max(before, 1e-9)
    late = np.maximum(times - constraint.end - 1e-9, 0.0) / max(after, 1e-9)
    return smoothstep(1 - np.maximum(early, late))


def _interpolate(times: Floats, frames: Floats, values: Floats) -> Floats:
    """(T, 3) values at frames (F, 3), between which a contact moves as it did."""
    return np.stack([np.interp(times, frames, axis) for axis in values.T], axis=1)


def without_jitter(times: Floats, values: Floats, spacing: float) -> Floats:
    """(T, A) the nearest cubic B-spline with knots so far apart (s)."""
    count = int(np.ceil((times[-1] - times[0]) / spacing)) + 3
    if len(times) <= count:
        return values
    spline = band(times[0], times[-1], count, times)
    basis = Moments(spline.first, spline.weight, count)
    squares = basis.squares(np.ones((len(times), 1, 1)))
    squares[:, :, 0] += 1e-9  # a control value that no sample touches
    fit = BlockFactor(squares).divide(basis.back(values)[:, None])
    return basis.at(fit[:, 0])


def _skate(path: Floats, times: Floats) -> float:
    """From 0 to 1: how quickly a footplant slides."""
    length = float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum())
    speed = length / max(float(times[-1] - times[0]), 1e-9)
    slow, quick = SKATE_SPEED
    return float(smoothstep(np.array((speed - slow) / (quick - slow))))


def _stopped(constraint: MotionConstraint, path: Floats, inside: Ints, times: Floats) -> Floats:
    """(N, 3) the mean position of a footplant; on a carrier, the first one."""
    if constraint.other_index != NONE:
        return np.zeros_like(path)
    if constraint.carrier is None:
        return np.broadcast_to(path[inside].mean(axis=0), path.shape)
    matrices = constraint.carrier.matrices(times)
    local = np.linalg.solve(matrices[inside[0]], np.append(path[inside[0]], 1.0))
    carried: Floats = (matrices @ local)[:, :3]
    return carried
