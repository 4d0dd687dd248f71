"""Prepared edit: everything about drags on a take that does not depend on where they lead."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.feet import foot_joints
from arcwright.kinematics.flights import Flight
from arcwright.kinematics.places import Places, places
from arcwright.kinematics.regions import pass_times
from arcwright.kinematics.sample import values_at
from arcwright.scene.motion import Motion
from arcwright.scene.point import Point
from arcwright.scene.rig import Rig
from arcwright.scene.take import Take
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.constraints import EditedCharacter
from arcwright.tools.spacetime.contact_ease import limb_swings
from arcwright.tools.spacetime.displacement import EditRange, edit_range, unknowns_of
from arcwright.tools.spacetime.flight_rise import edited_flights
from arcwright.tools.spacetime.jacobians import PointKinematics
from arcwright.tools.spacetime.model import SpacetimeModel
from arcwright.tools.spacetime.motion_constraint import (
    BALANCE,
    BODY,
    CONTACT,
    FLIGHT,
    SOLE,
    MotionConstraint,
    is_footplant,
)
from arcwright.tools.spacetime.root_stretch import RootStretch, root_stretch, stretches_path
from arcwright.tools.spacetime.schedule import FootplantSettings, Schedule
from arcwright.tools.spacetime.stiffness import (
    CARRYING_TRUNK_WEIGHT,
    TRUNK_WEIGHT,
    displacement_stiffness,
    influence_time,
    joints_as_mass,
    smoothness_weight,
)
from arcwright.tools.spacetime.terms import NONE
from arcwright.tools.spacetime.upright import upright_joints

if TYPE_CHECKING:
    from arcwright.tools.spacetime.tool import SpacetimeOptions

DragKey: TypeAlias = tuple[str, str, bytes, float]

UNTIMED = (BALANCE, FLIGHT, SOLE, BODY)  # kinds that begin and end nowhere
LIMIT_WEIGHT = 5e5  # per m^2, of joint limits


class HeldPoint(NamedTuple):
    """The point that a drag moves."""

    point: int  # among the points
    sample: int  # among the sample times
    footplant: int | None  # among the constraints: the one of this very point
    footplants: frozenset[int]  # those that move along


@dataclass(frozen=True, eq=False)
class PreparedEdit:
    """A range of a take, its points and constraints, and the model for them."""

    held: Mapping[DragKey, HeldPoint]
    take: Take
    schedule: Schedule
    model: SpacetimeModel
    influence: float  # s before and after a drag, in which it is meant to change the motion
    exact: bool  # whether contacts that come to a stop lose their jitter on release
    flights: tuple[Flight, ...] = ()  # whose height may change
    body: int = NONE  # the point that carries the body, where it is needed
    stretch: RootStretch | None = None  # where the drag stretches the path of the body

    @property
    def range(self) -> EditRange:
        """The range that changes."""
        return self.schedule.range

    @property
    def constraints(self) -> tuple[MotionConstraint, ...]:
        """Those that overlap the range."""
        return self.schedule.constraints

    def held_point(self, drag: Drag) -> HeldPoint:
        """The point that a drag moves, and the sample at which it does."""
        return self.held[drag_key(drag)]

    def original_position(self, drag: Drag) -> Floats:
        """(3,) m, of the held point."""
        held = self.held_point(drag)
        position: Floats = self.schedule.paths[held.sample, held.point]
        return position

    def drag_distance(self, drag: Drag) -> float:
        """Distance from the original position to the target of a drag, m, along its axes."""
        return float(np.linalg.norm(self.drag_displacement(drag)))

    def drag_displacement(self, drag: Drag) -> Floats:
        """(3,) m, from the original position to the target of a drag, along its axes."""
        if drag.position is None:
            return np.zeros(3)
        away: Floats = drag.position - self.original_position(drag)
        return away if drag.axes is None else np.linalg.pinv(drag.axes) @ (drag.axes @ away)

    def reference(self, drags: Sequence[Drag]) -> Floats | float:
        """What a displacement is a deviation from: 0, or (N, D) the stretched path of the body."""
        if self.stretch is None:
            return 0.0
        by = self.drag_displacement(drags[0])
        return self.stretch.reference(by, self.model.unknowns.count)


def drag_key(drag: Drag) -> DragKey:
    """The point and time of a drag: two drags with the same key are updates of one."""
    return drag.point.character, drag.point.joint, drag.point.offset.tobytes(), drag.time


def prepare(
    character: EditedCharacter,
    drags: Sequence[Drag],
    options: SpacetimeOptions,
    drag_times: Sequence[float] = (),
    refinement: int = 0,
) -> PreparedEdit:
    """Prepare drags on the take of a character.

    `drag_times` (s) are those of drags on other actors.
    """
    take, constraints = character.take, character.constraints
    rig = take.rig
    extra = extra_times(constraints, take.rate, ends=refinement > 0)
    all_times = (*(drag.time for drag in drags), *drag_times)
    span = edit_range(take, options, all_times, extra, refinement)
    overlapping = [
        each
        for each in constraints
        if each.overlaps(span.start, span.end) and not _is_freed(each, drags, options)
    ]
    start, frames = values_at(take, span.times), np.flatnonzero(span.on_frame)
    times = span.times[frames]
    flights = edited_flights(rig, character.mass, times, start[frames], drags, overlapping, options)
    stretches = stretches_path(span, drags, take.rate, options)
    body = [Point(rig.names[character.root])] if flights or stretches else []
    held_points = [*(drag.point for drag in drags), *body]
    points, picked, indexed = index_points(take, held_points, overlapping)
    unknowns = unknowns_of(
        rig,
        None if options.whole_body else points.joints,
        start,
        captured=isinstance(take.base, Motion),
        rigid=character.rigid,
    )
    kinematics = PointKinematics(rig, points, unknowns)
    held = {
        drag_key(drag): _held_point(
            take, span, indexed, drag, point, feet=options.drag_moves_footplant
        )
        for drag, point in zip(drags, picked, strict=False)
    }
    original = kinematics.poses(start)
    carrying = bool(drag_times) and not drags
    carried = [each.point for each in overlapping if each.carrier is not None]
    led = carried if carrying else [drag.point for drag in drags]
    feet_lead = any(held[drag_key(drag)].footplants for drag in drags if drag.position is not None)
    follow = 1.0 if feet_lead or flights or stretches else options.body_follows
    stiffness = displacement_stiffness(
        rig,
        character.mass if drags else joints_as_mass(character.mass, rig),
        span,
        times,
        start[frames],
        unknowns,
        smooth=smoothness_weight(options.smoothness),
        trunk_weight=(CARRYING_TRUNK_WEIGHT if carrying else TRUNK_WEIGHT) ** (1 - follow),
        dragged=[rig.joint(point.joint) for point in led],
        feet_lead=feet_lead,
        hinges=character.hinges,
        upright=upright_joints(character, drags, overlapping),
    )
    model = SpacetimeModel(rig, span, start, kinematics, stiffness, LIMIT_WEIGHT, character.hinges)
    dragging = bool(drags or drag_times)
    stopped: Container[int] = range(len(indexed))
    exact = not drags or bool(drag_times) or options.fix_foot_skate
    if not exact:
        stopped = {index for each in held.values() for index in each.footplants}
    settings = FootplantSettings(options.contact_ease, options.floating_footplants)
    swinging = [drag for drag in drags if not held[drag_key(drag)].footplants]
    swings = limb_swings(rig, indexed, swinging)
    schedule = Schedule(span, original, indexed, settings, dragging, stopped, swings)
    influence = influence_time(options.smoothness)
    carrier = picked[-1] if body else NONE
    prepared = PreparedEdit(held, take, schedule, model, influence, exact, flights, carrier)
    if not stretches or held[drag_key(drags[0])].footplants:
        return prepared
    path, at_start = original.position[:, carrier], np.zeros((1, unknowns.count))
    jacobian = kinematics.evaluate(start[:1], at_start).linear[0, carrier]
    stretch = root_stretch(rig, span, unknowns, character.root, path, jacobian, drags[0])
    return replace(prepared, stretch=stretch)


def extra_times(constraints: Sequence[MotionConstraint], rate: float, *, ends: bool) -> list[float]:
    """Sample times besides the frames, s: in passes, and where constraints start and end."""
    found = [time for each in constraints for time in pass_times(each.passes, rate)]
    if ends:
        lasting = [each for each in constraints if each.kind not in UNTIMED]
        found += [time for each in lasting for time in (each.start, each.end)]
    return found


def index_points(
    take: Take, held: Sequence[Point], constraints: Sequence[MotionConstraint]
) -> tuple[Places, list[int], tuple[MotionConstraint, ...]]:
    """All points once, the indices of the held ones, and the constraints with theirs."""
    known: dict[tuple[str, bytes], int] = {}
    points: list[Point] = []

    def index(point: Point) -> int:
        key = point.joint, point.offset.tobytes()
        if key not in known:
            known[key] = len(points)
            points.append(point)
        return known[key]

    picked = [index(point) for point in held]
    indexed = tuple(
        replace(
            each,
            point_index=index(each.point),
            other_index=NONE if each.other_point is None else index(each.other_point),
            group_indices=tuple(index(point) for point in each.group),
        )
        for each in constraints
    )
    return places(take.rig, points), picked, indexed


def _is_freed(
    constraint: MotionConstraint, drags: Sequence[Drag], options: SpacetimeOptions
) -> bool:
    """Whether a heel gives way to a drag that poses its foot: toes alone stand then."""
    return constraint.kind == CONTACT and any(
        drag.point.joint in constraint.foot
        and (drag.orientation is not None or not options.drag_moves_footplant)
        and constraint.overlaps(drag.time, drag.time)
        for drag in drags
    )


def _held_point(
    take: Take,
    span: EditRange,
    constraints: Sequence[MotionConstraint],
    drag: Drag,
    point: int,
    *,
    feet: bool,
) -> HeldPoint:
    sample = int(np.argmin(np.abs(span.times - drag.time)))
    own = next(
        (
            index
            for index, each in enumerate(constraints)
            if is_footplant(each)
            and each.point_index == point
            and each.start <= drag.time <= each.end
        ),
        None,
    )
    moved = _dragged_footplants(take, span, constraints, drag, own, feet=feet)
    return HeldPoint(point, sample, own, moved)


def _dragged_footplants(
    take: Take,
    span: EditRange,
    constraints: Sequence[MotionConstraint],
    drag: Drag,
    own: int | None,
    *,
    feet: bool,
) -> frozenset[int]:
    """The footplants that a drag moves: its `own`, and at the same time those of adjacent joints.

    With `feet`, a drag of any joint of a foot moves the footplants of that foot.
    """
    rig = take.rig
    held = set() if own is None else {own}
    if feet:
        held |= {
            index
            for index, each in enumerate(constraints)
            if is_footplant(each)
            and each.start <= drag.time <= each.end
            and _same_foot(rig, each.point.joint, drag.point.joint)
        }
    held_footplants = [constraints[index] for index in held]
    found = {
        index for index, each in enumerate(constraints) if _is_beside(rig, each, held_footplants)
    }
    if span.loops:
        near = 1.5 / take.rate
        found |= {at for each in found for at in _across_loop(span, constraints, each, near)}
    return frozenset(found)


def _across_loop(
    span: EditRange, constraints: Sequence[MotionConstraint], which: int, near: float
) -> list[int]:
    """The footplants in which one continues across the start or the end of a loop."""
    own = constraints[which]
    starts = own.start <= span.start + near
    ends = own.end >= span.end - near
    return [
        index
        for index, other in enumerate(constraints)
        if is_footplant(other)
        and other.point_index == own.point_index
        and (
            (starts and other.end >= span.end - near) or (ends and other.start <= span.start + near)
        )
    ]


def _same_foot(rig: Rig, a: str, b: str) -> bool:
    foot = foot_joints(rig)
    return a == b or bool(foot[rig.joint(a)] and foot[rig.joint(b)] and _adjacent(rig, a, b))


def _adjacent(rig: Rig, a: str, b: str) -> bool:
    first, second = rig.joint(a), rig.joint(b)
    return first == second or rig.parents[first] == second or rig.parents[second] == first


def _is_beside(rig: Rig, constraint: MotionConstraint, held: Sequence[MotionConstraint]) -> bool:
    """Whether a footplant overlaps one of those held, on a joint next to it."""
    return is_footplant(constraint) and any(
        _adjacent(rig, constraint.point.joint, other.point.joint)
        and constraint.start <= other.end
        and constraint.end >= other.start
        for other in held
    )
