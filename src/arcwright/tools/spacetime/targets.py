"""Targets: the terms of all constraints and drags for the current drag positions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.rig_analysis import ancestors
from arcwright.kinematics.rotation import matrix_from_quaternion
from arcwright.scene.constraint import BalanceConstraint
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.displacement import smoothstep
from arcwright.tools.spacetime.flight_rise import carried_feet, rise_terms
from arcwright.tools.spacetime.motion_constraint import (
    BALANCE,
    CONTACT,
    PATH,
    MotionConstraint,
    is_footplant,
)
from arcwright.tools.spacetime.overshoot import overshoot_terms
from arcwright.tools.spacetime.prepared_edit import PreparedEdit
from arcwright.tools.spacetime.props import MovedProp
from arcwright.tools.spacetime.root_stretch import stance_times
from arcwright.tools.spacetime.schedule import UP, Schedule
from arcwright.tools.spacetime.soles import with_loose_heels
from arcwright.tools.spacetime.terms import (
    ACTIVE,
    COMPASS,
    MOTION_CONSTRAINT_WEIGHT,
    MOTION_DRAG_WEIGHT,
    NONE,
    Term,
    scene_terms,
)

NO_SHIFTS: Mapping[int, Floats] = MappingProxyType({})
DRAG_HUBER = 0.0015  # m, Huber threshold of drags: constraints win over them
PASS_SHIFT = 0.2  # s, by which moved footplants may make a foot pass a region earlier or later
CLEAN_DISTANCE = 0.05  # m of a drag, over which contacts that slide come to a stop


def build_terms(
    prepared: PreparedEdit,
    drags: Sequence[Drag],
    carried: Mapping[int, Floats] = NO_SHIFTS,
    *,
    exact: bool = False,
) -> tuple[list[Term], int]:
    """All terms, and how many free offsets they have.

    `carried` are constraints that move with what they are fixed to: for each how far, (T, 3) m.
    Unless `exact`, contacts that slide and jitter keep their jitter.
    """
    share = _clean_share(prepared, drags, carried)
    shifts: dict[int, Floats] = {
        **_stretched_footplants(prepared, drags),
        **_footplant_shifts(prepared, drags, share),
        **carried,
    }
    terms, offset_count = constraint_terms(prepared.schedule, share, shifts, exact=exact)
    if _pull_up(prepared, drags):
        terms = with_loose_heels(terms, prepared.constraints)
    schedule, flights = prepared.schedule, prepared.flights
    rises = rise_terms(flights, prepared.body, schedule.range.times, schedule.paths, offset_count)
    feet = sorted({each.point_index for each in prepared.constraints if is_footplant(each)})
    carried_legs = carried_feet(flights, prepared.body, feet, schedule.range.times, schedule.paths)
    held = [term for drag in drags for term in _drag_terms(prepared, drag)]
    bounds = [term for drag in drags for term in overshoot_terms(prepared, drag)]
    return [*held, *bounds, *terms, *carried_legs, *rises], offset_count + len(rises)


def _pull_up(prepared: PreparedEdit, drags: Sequence[Drag]) -> bool:
    """Whether a drag leads up, and is none of a footplant: heels may rise then."""
    return any(
        prepared.drag_displacement(drag)[1] > 0 and not prepared.held_point(drag).footplants
        for drag in drags
    )


def constraint_terms(
    schedule: Schedule,
    share: float = 1.0,
    shifts: Mapping[int, Floats] = NO_SHIFTS,
    *,
    exact: bool,
) -> tuple[list[Term], int]:
    """The terms of constraints, and how many free offsets they have.

    Contacts that slide are brought to a stop by a `share`; `shifts` are constraints whose target
    moves: how far, (3,) or (T, 3) m.
    """
    entries = schedule.entries
    targets = [
        each.term.target + share * (each.correction if exact else each.smooth_correction)
        for each in entries
    ]
    fade = schedule.range.end_fade(schedule.settings.ramp)[:, None]
    for index, shift in shifts.items():
        for at, samples in schedule.intervals.get(index, []):
            if entries[at].term.kind == "position":
                targets[at][samples] += fade[samples] * shift if shift.ndim == 1 else shift[samples]
    for each, target in zip(entries, targets, strict=True):
        if each.ground is not None:
            target[:, 1] += fade[:, 0] * each.ground.moved(shifts)
    if not schedule.dragging:
        _raise_to_floors(schedule, targets)
    floats = schedule.settings.floating and not shifts
    offsets, offset_count = _floating_offsets(schedule) if floats else ({}, schedule.offset_count)
    terms = [
        replace(each.term, target=target, offset=offsets.get(at, each.term.offset))
        for at, (each, target) in enumerate(zip(entries, targets, strict=True))
    ]
    for index, passed in schedule.passes.items():
        moved = fade * passed.ground.displacement(shifts)
        if moved.any():
            terms[passed.entries] = _moved_pass(schedule, index, moved)
    balances = [at for at, each in enumerate(schedule.constraints) if each.kind == BALANCE]
    terms += [_balance_term(schedule, index, terms) for index in balances]
    return [*terms, *_body_terms(schedule, shifts)], offset_count


def _moved_pass(schedule: Schedule, index: int, moved: Floats) -> list[Term]:
    """The terms of a foot that passes a region, along its path moved (T, 3) by its footplants."""
    own, times = schedule.constraints[index], schedule.range.times
    longer = np.array([-PASS_SHIFT, PASS_SHIFT])
    passes = tuple(each._replace(times=each.times[[0, -1]] + longer) for each in own.passes)
    paths = schedule.paths + moved[:, None]
    return scene_terms(replace(own, passes=passes), index, times, paths, 0)[0]


def _body_terms(schedule: Schedule, shifts: Mapping[int, Floats]) -> Iterator[Term]:
    """The height of the body, where footplants are raised or lowered."""
    for each in schedule.body:
        assert each.ground is not None
        raised = each.ground.moved(shifts)
        if raised.any():
            fade = schedule.range.end_fade(schedule.settings.ramp)
            target = each.term.target + np.outer(fade * raised, UP[0])
            yield replace(each.term, target=target)


def carried_shifts(prepared: PreparedEdit, moved: Sequence[MovedProp]) -> dict[int, Floats]:
    """The constraints that move with moved props: for each how far, (T, 3) m."""
    found = {}
    for index, constraint in enumerate(prepared.constraints):
        for each in moved:
            if constraint.carrier is not None and constraint.carrier.actor is each.source.prop:
                path = prepared.schedule.paths[:, constraint.point_index]
                times, joint = prepared.range.times, constraint.carrier.joint
                found[index] = each.displacement(joint, times, path)
    return found


def _clean_share(
    prepared: PreparedEdit, drags: Sequence[Drag], carried: Mapping[int, Floats]
) -> float:
    """How far contacts that slide are brought to a stop, 0 to 1."""
    if not prepared.schedule.dragging:
        return 1.0
    far = [float(np.linalg.norm(each, axis=1).max(initial=0.0)) for each in carried.values()]
    far += [prepared.drag_distance(drag) for drag in drags]
    return float(smoothstep(np.array(max(far, default=0.0) / CLEAN_DISTANCE)))


def _raise_to_floors(schedule: Schedule, targets: Sequence[Floats]) -> None:
    """Raise the targets of footplants to floors above them."""
    terms = [each.term for each in schedule.entries]
    for floor in (term for term in terms if term.kind == "height"):
        on = floor.weight > 0
        for term, target in zip(terms, targets, strict=True):
            if term.kind == "position" and (term.point, term.other) == (floor.point, NONE):
                target[on, 1] = np.maximum(target[on, 1], floor.target[on, 1])


def _floating_offsets(schedule: Schedule) -> tuple[dict[int, Ints], int]:
    """The free offsets (T, 3) of floating footplants, by entry, and how many there are in all.

    A heel floats with the toes that it follows.
    """
    span, count = schedule.range, len(schedule.range.times)
    found: dict[int, Ints] = {}
    own: dict[int, int] = {}  # the first free offset of each footplant
    offset_count = schedule.offset_count
    for index in schedule.order:
        constraint = schedule.constraints[index]
        at_start = span.free.start > 0 and constraint.start <= span.start
        at_end = span.free.stop < span.count and constraint.end >= span.end
        intervals = schedule.intervals.get(index, [])
        if not is_footplant(constraint) or at_start or at_end or not intervals:
            continue
        leader = schedule.leader(constraint)
        if leader is not None and leader not in own:
            continue
        own[index] = offset_count if leader is None else own[leader]
        offset_count += 2 if leader is None else 0
        for at, samples in intervals:
            if schedule.entries[at].term.kind == "position":
                offset = found.setdefault(at, np.full((count, 3), NONE))
                offset[samples] = [own[index], NONE, own[index] + 1]
    return found, offset_count


def _drag_terms(prepared: PreparedEdit, drag: Drag) -> list[Term]:
    count = len(prepared.range.times)
    held = prepared.held_point(drag)
    weight = np.zeros(count)
    weight[held.sample] = MOTION_DRAG_WEIGHT
    owner = np.full(count, NONE)
    found = []
    position = drag.position
    if position is None and not _is_held_below(prepared, drag):
        position = prepared.original_position(drag)  # a joint is rotated in place
    if position is not None:
        target = np.broadcast_to(position, (count, 3))
        found.append(
            Term("position", held.point, target, weight, owner, axes=drag.axes, huber=DRAG_HUBER)
        )
    if drag.orientation is not None:
        target = np.broadcast_to(matrix_from_quaternion(drag.orientation), (count, 3, 3))
        found.append(Term("orientation", held.point, target, weight, owner, huber=DRAG_HUBER))
    return found


def _is_held_below(prepared: PreparedEdit, drag: Drag) -> bool:
    """Whether a pin or contact holds the dragged joint or one below it, such as planted toes."""
    rig = prepared.take.rig
    joint = rig.joint(drag.point.joint)
    held = {
        rig.joint(each.point.joint)
        for each in prepared.constraints
        if each.kind in (CONTACT, PATH) and each.position and each.overlaps(drag.time, drag.time)
    }
    return any(each == joint or ancestors(rig, each)[joint] for each in held)


def _footplant_shifts(
    prepared: PreparedEdit, drags: Sequence[Drag], share: float
) -> dict[int, Floats]:
    """How far each dragged footplant moves, (3,) m; of two drags on one the first counts."""
    found: dict[int, Floats] = {}
    for drag in drags:
        if drag.position is not None:
            footplants = prepared.held_point(drag).footplants
            shift = _footplant_shift(prepared, drag, drag.position, share)
            found = dict.fromkeys(footplants, shift) | found
    return found


def _stretched_footplants(prepared: PreparedEdit, drags: Sequence[Drag]) -> dict[int, Floats]:
    """How far each footplant moves with the stretched path of the body, (3,) m."""
    stretch, constraints = prepared.stretch, prepared.constraints
    if stretch is None:
        return {}
    by = prepared.drag_displacement(drags[0])
    return {
        index: stretch.displacement(by, time)
        for index, time in stance_times(prepared.take.rig, constraints).items()
        if is_footplant(constraints[index])
    }


def _footplant_shift(prepared: PreparedEdit, drag: Drag, position: Floats, share: float) -> Floats:
    """How far footplants move, so that the held one reaches the drag once it has come to a stop.

    While it jitters, it is off by that much: a footplant is in the same place before and after the
    release.
    """
    held = prepared.held_point(drag)
    own, at = held.footplant, prepared.original_position(drag)
    for index, _ in prepared.schedule.intervals.get(own, []) if own is not None else []:
        entry = prepared.schedule.entries[index]
        if entry.term.kind == "position" and isinstance(entry.correction, np.ndarray):
            at = at + share * entry.correction[held.sample]
    shift: Floats = position - at
    if drag.axes is not None:
        along = np.linalg.pinv(drag.axes) @ drag.axes
        shift = along @ shift
    return shift


def _balance_term(schedule: Schedule, index: int, terms: Sequence[Term]) -> Term:
    """The centre of mass over the support: the footplants of other terms.

    During a drag, or no further off than in the original: a step is no fall that a drag should fix.
    """
    constraint, times = schedule.constraints[index], schedule.range.times
    assert isinstance(constraint.source, BalanceConstraint)
    assert constraint.shares is not None
    group = np.array(constraint.group_indices)
    centre = np.tensordot(constraint.shares, schedule.paths[:, group], (0, 1))
    extent = np.full((len(times), len(COMPASS)), -np.inf)
    for term in terms:
        if term.kind == "position" and _supports(schedule, term):
            on = term.weight >= ACTIVE * MOTION_CONSTRAINT_WEIGHT
            reach = term.target[on] @ COMPASS.T + constraint.source.margin
            extent[on] = np.maximum(extent[on], reach)
    stands = np.isfinite(extent).all(axis=1)
    inside = stands & (times >= constraint.start - 1e-9) & (times <= constraint.end + 1e-9)
    extent = np.where(stands[:, None], extent, 0.0)
    if schedule.dragging:
        extent = np.maximum(extent, centre @ COMPASS.T)
    weight = MOTION_CONSTRAINT_WEIGHT * inside.astype(np.float64)
    term = Term("support", constraint.point_index, extent, weight, np.where(inside, index, NONE))
    return replace(term, group=group, shares=constraint.shares)


def _supports(schedule: Schedule, term: Term) -> bool:
    owners = set(term.owner.tolist()) - {NONE}
    return bool(owners) and all(_stands(schedule.constraints[each]) for each in owners)


def _stands(constraint: MotionConstraint) -> bool:
    """Whether a constraint is a contact on the floor or on a prop that never moves."""
    at_rest = constraint.carrier is None or constraint.carrier.take is None
    return constraint.kind == CONTACT and constraint.other_index == NONE and at_rest
