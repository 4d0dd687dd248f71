"""Terms of the cost: weighted residuals of a point, or of several, at the samples of a range."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, Protocol, TypeAlias

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.path import path_through
from arcwright.kinematics.regions import RegionDistance, exit_directions, exit_planes
from arcwright.kinematics.rotation import matrix_from_quaternion, vector_from_matrix
from arcwright.scene.constraint import (
    FlightConstraint,
    FloorConstraint,
    OrientationConstraint,
    PathConstraint,
    RegionConstraint,
)
from arcwright.tools.spacetime.motion_constraint import MotionConstraint

ORIENTATION_SCALE = 0.3  # what a radian counts in the cost
MOTION_DRAG_WEIGHT = 1e6  # per m^2, where moving the whole body 1 m at one frame costs 1
MOTION_CONSTRAINT_WEIGHT = 5e4  # per m^2
ACTIVE = 0.5  # of its full weight; below, a constraint only eases in or out
PATH_HUBER = 0.05  # m, Huber threshold of given paths and orientations: contacts win over them
CLEARANCE = 0.025  # m between a swinging foot and a region that it stays out of
CLEARANCE_EASE = 0.12  # s before and after a stance, over which a foot begins to swing
LEVEL_WEIGHT = 0.3  # of the weight of a constraint: a foot passes over a region when it did,
LEVEL_HUBER = 0.03  # m: unless it is led elsewhere
GRAVITY_WEIGHT = 0.1  # of the weight of a constraint: few motions are near such a fall
MIN_FLIGHT_SAMPLES = 3  # every parabola goes through two samples
NONE = -1
TermKind: TypeAlias = Literal[
    "position",  # of a point
    "orientation",  # of its joint
    "distance",  # to another point
    "height",  # at least
    "region",  # inside or outside
    "plane",  # beyond
    "support",  # mean of points over it
    "flight",  # mean of points on a parabola
    "rise",  # height of a point, raised by a free multiple of a profile
]
ONE_SIDED = ("height", "region", "plane", "support")  # inequalities: count only where violated
_angles = np.arange(16) * (np.pi / 8)
LEVEL = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
COMPASS = np.stack([np.cos(_angles), np.zeros(16), np.sin(_angles)], axis=1)  # along the floor


@dataclass(frozen=True, eq=False)
class Term:
    """Target and weight of a point at T samples; where the weight is 0, nothing counts."""

    kind: TermKind
    point: int
    target: Floats  # (T, 3) m in the world, or from `other`; "orientation" (T, 3, 3);
    # "distance" (T,) m; "support" (T, K) m, extent of the support along COMPASS
    weight: Floats  # (T,)
    owner: Ints  # (T,) index of the constraint it belongs to, NONE for a drag
    other: int = NONE  # the point that a position or a distance is from
    axes: Floats | None = None  # (A, 3) directions of a position that count; None for all
    huber: float = np.inf  # m, Huber threshold
    tolerance: Floats | None = None  # (T,) m, residual that counts as met
    inner_weight: Floats | None = None  # (T,) share of the weight that is active within it
    offset: Ints | None = None  # (T, 3), of a rise (T, 1): free offsets that move the target
    elapsed: Floats | None = None  # (T,) s, for which it moves with the free velocity behind that
    region: RegionDistance | None = None
    inside: bool = False  # stays inside the region, or outside
    exits: Floats | None = (
        None  # (T, 3) exit directions, or normals of planes; None for the nearest
    )
    group: Ints | None = None  # (G,) points of a weighted mean
    shares: Floats | None = None  # (G,) weights of the mean
    profile: Floats | None = None  # (T,) share of its free offset that moves the target of a rise

    @property
    def width(self) -> int:
        """Number of residuals at a sample."""
        if self.kind in ("distance", "rise", *ONE_SIDED):
            return 1
        return 3 if self.axes is None else len(self.axes)


class PointPoses(Protocol):
    """Positions and orientations of P points at T samples."""

    @property
    def position(self) -> Floats:
        """(T, P, 3) m."""

    @property
    def orientation(self) -> Floats:
        """(T, P, 3, 3)."""


def residual(term: Term, poses: PointPoses, offsets: Floats) -> Floats:
    """(T, 3) or (T, 1) m, target minus measured; orientations in metres by ORIENTATION_SCALE."""
    if term.kind == "orientation":
        inverse = poses.orientation[:, term.point].swapaxes(-1, -2)
        return vector_from_matrix(term.target @ inverse) * ORIENTATION_SCALE
    at = measured(term, poses)
    if term.kind == "distance":
        distance: Floats = term.target[:, None] - np.linalg.norm(at, axis=-1, keepdims=True)
        return distance
    if term.kind == "height":
        return term.target[:, 1:2] - at[:, 1:2]
    if term.kind == "rise":
        return _rise_residual(term, at, offsets)
    return _position_residual(term, at, offsets)


def _rise_residual(term: Term, at: Floats, offsets: Floats) -> Floats:
    """(T, 1) m."""
    away = term.target[:, 1:2] - at[:, 1:2]
    if term.offset is not None and term.profile is not None and len(offsets):
        away = (
            away + np.where(term.offset == NONE, 0.0, offsets[term.offset]) * term.profile[:, None]
        )
    return away


def _position_residual(term: Term, at: Floats, offsets: Floats) -> Floats:
    """(T, 3) m."""
    away: Floats = term.target - at
    if term.offset is not None and len(offsets):
        away = away + np.where(term.offset == NONE, 0.0, offsets[term.offset])
        if term.elapsed is not None:
            velocity = np.where(term.offset == NONE, 0.0, offsets[velocity_index(term.offset)])
            away = away + term.elapsed[:, None] * velocity
    return away


def measured(term: Term, poses: PointPoses) -> Floats:
    """(T, 3) m, a point, a weighted mean, or the vector from another point."""
    if term.group is not None and term.shares is not None:
        mean: Floats = np.tensordot(term.shares, poses.position[:, term.group], (0, 1))
        return mean
    at = poses.position[:, term.point]
    return at if term.other == NONE else at - poses.position[:, term.other]


def velocity_index(offset: Ints) -> Ints:
    """(T, 3) the free velocities that stand behind free offsets."""
    return np.where(offset == NONE, NONE, offset + 3)


def scene_terms(
    constraint: MotionConstraint, index: int, times: Floats, paths: Floats, offset: int
) -> tuple[list[Term], int]:
    """Terms of a path, orientation, region, floor or flight, and how many free offsets they take.

    `index` is the constraint's own, `offset` the first free offset. Balance has no term here: it
    needs those of the footplants.
    """
    inside = (times >= constraint.start - 1e-9) & (times <= constraint.end + 1e-9)
    weight = MOTION_CONSTRAINT_WEIGHT * inside.astype(np.float64)
    owner, point = np.where(inside, index, NONE), constraint.point_index
    match constraint.source:
        case PathConstraint(times=key_times, positions=positions):
            path = path_through(key_times, positions, times)
            return [Term("position", point, path, weight, owner, huber=PATH_HUBER)], 0
        case OrientationConstraint(orientation=orientation):
            target = np.tile(matrix_from_quaternion(orientation), (len(times), 1, 1))
            return [Term("orientation", point, target, weight, owner, huber=PATH_HUBER)], 0
        case RegionConstraint() as stay:
            return _region_terms(constraint, stay, times, paths[:, point], weight, owner), 0
        case FloorConstraint(height=height):
            return [_floor_term(point, height, paths[:, point], weight, owner)], 0
        case FlightConstraint() as flight if inside.sum() >= MIN_FLIGHT_SAMPLES:
            return [_flight_term(constraint, flight, times, paths, weight, owner, offset)], 6
    return [], 0


def _floor_term(
    point: int, height: float | None, path: Floats, weight: Floats, owner: Ints
) -> Term:
    """Above a given height, or above the lowest position."""
    low = path[weight > 0, 1].min(initial=np.inf) if height is None else height
    target = np.zeros(path.shape)
    target[weight > 0, 1] = low
    return Term("height", point, target, weight, owner)


def _flight_term(
    constraint: MotionConstraint,
    flight: FlightConstraint,
    times: Floats,
    paths: Floats,
    weight: Floats,
    owner: Ints,
    offset: int,
) -> Term:
    """The original path of the centre of mass, or a fall; position and velocity are free."""
    on = weight > 0
    elapsed = np.where(on, times - times[on].mean(), 0.0)
    group = np.array(constraint.group_indices)
    assert constraint.shares is not None
    path: Floats = np.tensordot(constraint.shares, paths[:, group], (0, 1))
    if flight.gravity is not None:
        fall = np.outer(-0.5 * flight.gravity * elapsed**2, [0.0, 1.0, 0.0])
        straight = np.stack([np.ones(len(times)), elapsed], axis=1)
        path = fall + straight @ (np.linalg.pinv(straight[on]) @ (path - fall)[on])
        weight = GRAVITY_WEIGHT * weight
    offsets = np.where(on[:, None], offset + np.arange(3), NONE)
    point = constraint.point_index
    term = Term("flight", point, path, weight, owner, offset=offsets, elapsed=elapsed)
    return replace(term, group=group, shares=constraint.shares)


def swing_share(constraint: MotionConstraint, times: Floats) -> Floats:
    """(T,) 0 where a foot stands, 1 where it swings."""
    away = np.full(len(times), np.inf)
    for stance in constraint.ground:
        away = np.minimum(away, np.maximum(stance.start - times, times - stance.end))
    share = np.clip(away / CLEARANCE_EASE, 0.0, 1.0)
    eased: Floats = share * share * (3 - 2 * share)
    return eased


def _region_terms(
    constraint: MotionConstraint,
    stay: RegionConstraint,
    times: Floats,
    path: Floats,
    weight: Floats,
    owner: Ints,
) -> list[Term]:
    """The region itself and, where the motion passes through it, the exit planes."""
    region, point, passes = RegionDistance(stay.region), constraint.point_index, constraint.passes
    term = Term(
        "region",
        point,
        np.zeros((len(times), 1)),
        weight,
        owner,
        region=region,
        inside=stay.inside,
        exits=exit_directions(passes, times) if passes else None,
    )
    if not passes:
        return [term]
    within, place, normal = exit_planes(passes, region, times, path)
    plane = Term("plane", point, place, weight * within, owner, exits=normal)
    if not constraint.foot:
        return [term, plane]
    swings = swing_share(constraint, times)
    above = place + CLEARANCE * swings[:, None] * normal
    nobody = np.full(len(times), NONE)  # to come nearer is no violation
    on_its_way = LEVEL_WEIGHT * weight * within * swings  # contacts lead a foot that stands
    level = Term("position", point, path, on_its_way, nobody, axes=LEVEL)
    clear = replace(plane, target=above, owner=nobody)
    return [term, plane, clear, replace(level, huber=LEVEL_HUBER)]
