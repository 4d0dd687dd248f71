"""Constraints of a take: pins, contacts, scene constraints and detected footplants, compiled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.errors import BadValue
from arcwright.kinematics.detection import contacts_with_footplants
from arcwright.kinematics.feet import feet, without_side
from arcwright.kinematics.forward import forward
from arcwright.kinematics.hinges import Hinge
from arcwright.kinematics.mass import body_mass
from arcwright.kinematics.regions import region_passes
from arcwright.kinematics.rig_analysis import analyse
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.objectives.edited_clip import find_take
from arcwright.scene.constraint import (
    BalanceConstraint,
    CoincidentConstraint,
    Constraint,
    Contact,
    DistanceConstraint,
    FlightConstraint,
    FloorConstraint,
    HingeConstraint,
    OrientationConstraint,
    PathConstraint,
    Pin,
    RegionConstraint,
)
from arcwright.scene.edit import Address
from arcwright.scene.point import Point
from arcwright.scene.scene import Actor, Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.spacetime.foot_volume import with_foot_volumes
from arcwright.tools.spacetime.hinge_limits import character_hinges
from arcwright.tools.spacetime.motion_constraint import (
    BALANCE,
    CONTACT,
    DISTANCE,
    FLIGHT,
    FLOOR,
    MEET,
    PATH,
    REGION,
    Carrier,
    MotionConstraint,
)
from arcwright.tools.spacetime.soles import sole_constraints
from arcwright.tools.spacetime.stiffness import MassPoints, mass_points

if TYPE_CHECKING:
    from arcwright.tools.spacetime.tool import SpacetimeOptions

SOLVED = (
    *(Pin, Contact, DistanceConstraint, CoincidentConstraint, PathConstraint),
    *(OrientationConstraint, RegionConstraint, FloorConstraint),
    *(BalanceConstraint, FlightConstraint, HingeConstraint),
)
"""The kinds that have rows here; `_compile` makes them of all but pins and contacts."""


@dataclass(frozen=True, eq=False)
class EditedCharacter:
    """A character whose take changes, and the constraints on it."""

    name: str
    take: Take
    address: Address
    constraints: tuple[MotionConstraint, ...]
    unsolved: tuple[Constraint, ...]  # of kinds that this tool has no rows for
    rigid: Ints  # channels that stay, so that bones keep their length
    mass: MassPoints
    hinges: tuple[Hinge, ...]  # knees and elbows that bend one way only
    root: int  # the joint whose translation carries the body


def edited_character(
    scene: Scene, target: Target, options: SpacetimeOptions, more: Sequence[Constraint] = ()
) -> EditedCharacter:
    """A character of the scene with its compiled constraints."""
    actor, take, address = find_take(scene, target)
    constraints = compile_constraints(
        scene, actor, take, more, footplants=options.detect_footplants, heels=options.include_heels
    )
    if options.plant_soles:
        constraints += tuple(sole_constraints(actor, take, constraints))
    constraints = with_foot_volumes(actor, take, constraints)
    if options.floor_limit:
        constraints += floor_constraints(take)
    own = (*constraints_of(scene, actor, take), *more)
    bending, lost = character_hinges(actor, take, own, guess=options.guess_limits)
    unsolved = (*(each for each in own if not isinstance(each, SOLVED)), *lost)
    analysis, mass = analyse(actor, take), mass_points(actor, take)
    return EditedCharacter(
        actor.name,
        take,
        address,
        constraints,
        unsolved,
        analysis.rigid(take.rig),
        mass,
        bending,
        analysis.root,
    )


def holding_characters(scene: Scene, prop: str) -> Iterator[Target]:
    """The characters with a contact on a prop, and the takes in which they have it."""
    seen = set()
    for each in scene.contacts:
        if each.relative_to is None or each.relative_to.character != prop:
            continue
        actor = scene.actor(each.point.character)
        if actor in scene.characters and actor.takes and actor.name not in seen:
            seen.add(actor.name)
            yield Target(actor.name, each.take)


def compile_constraints(
    scene: Scene,
    actor: Actor,
    take: Take,
    more: Sequence[Constraint],
    *,
    footplants: bool,
    heels: bool = False,
) -> tuple[MotionConstraint, ...]:
    """The constraints of a take, `more`, and detected footplants."""
    own = [*constraints_of(scene, actor, take), *(_checked(actor, each) for each in more)]
    pins = [each for each in own if isinstance(each, Pin)]
    contacts = [each for each in own if isinstance(each, Contact)]
    noted = set(map(id, contacts))
    if footplants:
        contacts = contacts_with_footplants(take, contacts, heels=heels)
    found = [
        MotionConstraint(f"{pin.point.joint} pin", PATH, pin.point, pin.start, pin.end,
                         pin.position, pin.orientation)
        for pin in pins
    ]  # fmt: skip
    compiled = [
        replace(_compile_contact(scene, actor, take, each), detected=id(each) not in noted)
        for each in contacts
    ]
    found += [*compiled, *_hand_distances(take, compiled)]
    for each in own:
        if not isinstance(each, Pin | Contact):
            found += _compile(actor, take, _checked(actor, each))
    return tuple(found)


def floor_constraints(take: Take) -> tuple[MotionConstraint, ...]:
    """Feet stay above their lowest position."""
    try:
        return tuple(
            MotionConstraint(f"{each.joint} floor", FLOOR, each) for each in feet(take.rig)
        )
    except BadValue:
        return ()


def constraints_of(scene: Scene, actor: Actor, take: Take) -> Iterator[Constraint]:
    """The constraints of the scene on a take of an actor."""
    for each in scene.constraints:
        point = next(iter(each.points.values()), None)
        owner = point.character if point is not None else getattr(each, "character", "")
        if scene.actor(owner).name == actor.name and each.take in ("", take.name):
            yield each


def _checked(actor: Actor, constraint: Constraint) -> Constraint:
    """The constraint, if it and the points that it needs belong to the actor."""
    owners = {name: point.character for name, point in constraint.own_points.items()}
    for name, owner in {"character": getattr(constraint, "character", ""), **owners}.items():
        if owner not in ("", actor.name):
            raise BadValue(f"{type(constraint).__name__}.{name}", f"of {actor.name}", owner)
    return constraint


def _compile(actor: Actor, take: Take, source: Constraint) -> list[MotionConstraint]:
    """One constraint; for a floor without a point, one for each foot; none of an unsolved kind."""
    name, span = source.name, (source.start, source.end)
    match source:
        case DistanceConstraint(point, other, distance=distance):
            return [
                MotionConstraint(name, DISTANCE, point, *span, other_point=other, distance=distance)
            ]
        case CoincidentConstraint(point):
            return [MotionConstraint(name, MEET, point, *span)]
        case PathConstraint(point):
            return [MotionConstraint(name, PATH, point, *span, source=source)]
        case OrientationConstraint(point):
            return [MotionConstraint(name, PATH, point, *span, False, True, source=source)]
        case RegionConstraint(point):
            passes = region_passes(take, source)
            return [MotionConstraint(name, REGION, point, *span, source=source, passes=passes)]
        case FloorConstraint(point=None):
            return [
                replace(each, start=span[0], end=span[1], source=source)
                for each in floor_constraints(take)
            ]
        case FloorConstraint(point=Point() as point):
            return [MotionConstraint(name, FLOOR, point, *span, source=source)]
        case BalanceConstraint() | FlightConstraint():
            kind = BALANCE if isinstance(source, BalanceConstraint) else FLIGHT
            mass = body_mass(actor.rig, actor.shapes)
            group, shares = mass.points(actor.rig), mass.share
            constraint = MotionConstraint(name, kind, group[0], *span, source=source)
            return [replace(constraint, group=tuple(group), shares=shares)]
    return []


def _compile_contact(scene: Scene, actor: Actor, take: Take, contact: Contact) -> MotionConstraint:
    constraint = MotionConstraint(
        f"{contact.point.joint} contact",
        CONTACT,
        contact.point,
        contact.start,
        contact.end,
        contact.position,
        contact.orientation,
    )
    against = contact.relative_to
    if against is None:
        return constraint
    holder = scene.actor(against.character)
    joint = holder.rig.joint(against.joint)
    if holder.name != actor.name:
        played = holder.takes[0] if holder.takes else None
        return replace(constraint, carrier=Carrier(holder, played, joint))
    position = trail(take, contact.point, [contact.start]).position[0]
    values = values_at(take, np.array([contact.start]))
    world_from_joint = forward(take.rig, values, [joint])[0, 0]
    local = (np.linalg.inv(world_from_joint) @ np.append(position, 1.0))[:3]
    return replace(constraint, other_point=Point(against.joint, local, against.character))


def _hand_distances(take: Take, contacts: Sequence[MotionConstraint]) -> list[MotionConstraint]:
    """Left and right points on one prop keep their distance, besides their positions on it.

    Where hands slide on the prop, the distance becomes that of their first positions on it.
    """
    found = []
    for a, b in combinations([each for each in contacts if each.carrier is not None], 2):
        assert a.carrier is not None
        assert b.carrier is not None
        start, end = max(a.start, b.start), min(a.end, b.end)
        alike = without_side(a.point) == without_side(b.point) and a.point.joint != b.point.joint
        one = a.carrier.actor is b.carrier.actor and a.carrier.joint == b.carrier.joint
        if one and alike and start < end:
            name = f"{a.point.joint} to {b.point.joint} distance"
            between = _first_position(take, a, start) - _first_position(take, b, start)
            rest = float(np.linalg.norm(between))
            found.append(
                MotionConstraint(
                    name, DISTANCE, a.point, start, end, other_point=b.point, rest_distance=rest
                )
            )
    return found


def _first_position(take: Take, contact: MotionConstraint, time: float) -> Floats:
    """(3,) m, a point at a time if it stays where its contact begins on its carrier."""
    assert contact.carrier is not None
    first, then = contact.carrier.matrices(np.array([contact.start, time]))
    position = np.append(trail(take, contact.point, [contact.start]).position[0], 1.0)
    carried: Floats = (then @ np.linalg.solve(first, position))[:3]
    return carried
