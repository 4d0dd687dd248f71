"""Prepared edit: everything about drags on a take that does not depend on where they lead."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.flights import Flight
from arcwright.kinematics.places import Places, places
from arcwright.kinematics.regions import pass_times
from arcwright.kinematics.sample import values_at
from arcwright.scene.motion import Motion
from arcwright.scene.point import Point
from arcwright.scene.take import Take
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.constraints import EditedCharacter
from arcwright.tools.spacetime.contact_ease import limb_swings
from arcwright.tools.spacetime.displacement import EditRange, edit_range, unknowns_of
from arcwright.tools.spacetime.flight_rise import edited_flights
from arcwright.tools.spacetime.held_point import HeldPoint, held_point
from arcwright.tools.spacetime.jacobians import PointKinematics
from arcwright.tools.spacetime.model import SpacetimeModel
from arcwright.tools.spacetime.motion_constraint import (
    BALANCE,
    BODY,
    CONTACT,
    FLIGHT,
    SOLE,
    MotionConstraint,
)
from arcwright.tools.spacetime.root_stretch import RootStretch, root_stretch, stretches_path
from arcwright.tools.spacetime.schedule import FootplantSettings, Schedule
from arcwright.tools.spacetime.stiffness import (
    CARRYING_WEIGHT,
    FAR_CARRYING_WEIGHT,
    TRUNK_WEIGHT,
    MassPoints,
    Stiffness,
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
    within_reach: Stiffness | None = None  # while hands reach the carried prop that is dragged

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
        drag_key(drag): held_point(
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

    def stiffness_of(mass: MassPoints, trunk_weight: float) -> Stiffness:
        return displacement_stiffness(
            rig,
            mass,
            span,
            times,
            start[frames],
            unknowns,
            smooth=smoothness_weight(options.smoothness),
            trunk_weight=trunk_weight ** (1 - follow),
            dragged=[rig.joint(point.joint) for point in led],
            feet_lead=feet_lead,
            hinges=character.hinges,
            upright=upright_joints(character, drags, overlapping),
        )

    mass = character.mass if drags else joints_as_mass(character.mass, rig)
    stiffness = stiffness_of(mass, FAR_CARRYING_WEIGHT if carrying else TRUNK_WEIGHT)
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
    if carrying:
        within_reach = stiffness_of(character.mass, CARRYING_WEIGHT)
        return replace(prepared, within_reach=within_reach)
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
