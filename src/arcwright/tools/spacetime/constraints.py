"""Wishes: what a motion keeps while it is edited: plants, paths, distances, a floor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.errors import BadValue
from arcwright.kinematics.detection import plants_of
from arcwright.kinematics.feet import feet, without_side
from arcwright.kinematics.forward import forward
from arcwright.kinematics.mass import body_mass
from arcwright.kinematics.regions import Pass, passes
from arcwright.kinematics.rig_analysis import analyse
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.constraint import (
    Apart,
    Balance,
    Constraint,
    Floor,
    Follow,
    Meet,
    Stay,
    Turned,
    name_of,
)
from arcwright.scene.edit import Address
from arcwright.scene.point import Contact, Pin, Point
from arcwright.scene.scene import Actor, Scene
from arcwright.scene.take import Take
from arcwright.tools.hold import held_take
from arcwright.tools.tool import Target

if TYPE_CHECKING:
    from arcwright.tools.spacetime.tool import SpacetimeOptions

PLANT, PATH, APART, FLOOR, MEET = "plant", "path", "apart", "floor", "meet"
STAY, BALANCE, FLIGHT = "stay", "balance", "flight"


@dataclass(frozen=True, eq=False)
class Carrier:
    """A joint of another actor that a point is held against."""

    actor: Actor
    take: Take | None
    joint: int

    def matrices(self, times: Floats) -> Floats:
        """(T, 4, 4) world_from_joint."""
        rig = self.actor.rig
        values = np.tile(rig.channels.default, (len(times), 1))
        if self.take is not None:
            values = values_at(self.take, times)
        return forward(rig, values, [self.joint])[:, 0]


@dataclass(frozen=True, eq=False)
class Wish:
    """Something that is kept from start to end; "meet" is about these two moments only."""

    name: str  # for notes: "LeftFoot contact"
    kind: str
    point: Point
    start: float = -np.inf  # s
    end: float = np.inf  # s
    position: bool = True
    orientation: bool = False
    other_point: Point | None = None  # of the same character: held against it, or apart from it
    carrier: Carrier | None = None
    size: float | None = None  # m, the distance to keep; None for the one there is
    rests: float | None = None  # m, the distance that comes to rest with plants that slide
    asked: Constraint | None = None  # what it was made from, if not a pin or a contact
    found: bool = False  # a footplant that nobody noted
    group: tuple[Point, ...] = ()  # whose weighted mean it is about
    shares: Floats | None = None  # (G,) their weights
    passes: tuple[Pass, ...] = ()  # through the region it should stay out of
    place: int = field(default=-1)  # where its points stand among those of a grip
    other: int = field(default=-1)
    members: tuple[int, ...] = ()

    def within(self, start: float, end: float) -> Wish | None:
        """This wish if it bears on a range of time."""
        inside = self.start <= end and self.end >= start
        if self.kind == MEET:
            inside = self.start >= start and self.end <= end
        return self if inside else None


def wishes_of(
    scene: Scene,
    actor: Actor,
    take: Take,
    more: Sequence[Constraint],
    *,
    plants: bool,
    heels: bool = False,
) -> tuple[Wish, ...]:
    """The pins, contacts and constraints of a take, and more; footplants are found."""
    pins = [pin for pin in scene.pins if _own(scene, actor, take, pin)]
    contacts = [each for each in scene.contacts if _own(scene, actor, take, each)]
    noted = set(map(id, contacts))
    if plants:
        contacts = plants_of(take, contacts, heels=heels)
    found = [
        Wish(f"{pin.point.joint} pin", PATH, pin.point, pin.start, pin.end, pin.position,
             pin.orientation)
        for pin in pins
    ]  # fmt: skip
    stands = [
        replace(_plant(scene, actor, take, each), found=id(each) not in noted) for each in contacts
    ]
    found += [*stands, *_both_hands(take, stands)]
    for each in (*_constraints(scene, actor, take), *more):
        found += _constrained(actor, take, _checked(actor, each))
    return tuple(found)


def _constraints(scene: Scene, actor: Actor, take: Take) -> Iterator[Constraint]:
    for each in scene.constraints:
        point = getattr(each, "point", None)
        whose = point.character if point is not None else getattr(each, "character", "")
        if scene.actor(whose).name == actor.name and each.clip in ("", take.name):
            yield each


def _checked(actor: Actor, constraint: Constraint) -> Constraint:
    """What is asked of the actor itself."""
    for name in ("point", "other", "character"):
        whose = getattr(constraint, name, None)
        whose = whose.character if isinstance(whose, Point) else whose
        if whose not in (None, "", actor.name):
            raise BadValue(f"{type(constraint).__name__}.{name}", f"of {actor.name}", whose)
    return constraint


def _constrained(actor: Actor, take: Take, asked: Constraint) -> list[Wish]:
    """A wish; of a floor, one for each foot."""
    name, span = name_of(asked), (asked.start, asked.end)
    match asked:
        case Apart(point, other, size=size):
            return [Wish(name, APART, point, *span, other_point=other, size=size)]
        case Meet(point):
            return [Wish(name, MEET, point, *span)]
        case Follow(point):
            return [Wish(name, PATH, point, *span, asked=asked)]
        case Turned(point):
            return [Wish(name, PATH, point, *span, False, True, asked=asked)]
        case Stay(point):
            return [Wish(name, STAY, point, *span, asked=asked, passes=passes(take, asked))]
        case Floor(point=None):
            return [
                replace(each, start=span[0], end=span[1], asked=asked)
                for each in floor_wishes(take)
            ]
        case Floor(point=Point() as point):
            return [Wish(name, FLOOR, point, *span, asked=asked)]
    kind = BALANCE if isinstance(asked, Balance) else FLIGHT
    mass = body_mass(actor.rig, actor.shapes)
    group, shares = mass.points(actor.rig), mass.share
    wish = Wish(name, kind, group[0], *span, asked=asked)
    return [replace(wish, group=tuple(group), shares=shares)]


def _both_hands(take: Take, plants: Sequence[Wish]) -> list[Wish]:
    """Left and right on one thing keep their distance, besides their places on it.

    Where it changes, hands slide on it; with their places it comes to rest as they first lie there.
    """
    found = []
    for a, b in combinations([each for each in plants if each.carrier is not None], 2):
        assert a.carrier is not None
        assert b.carrier is not None
        start, end = max(a.start, b.start), min(a.end, b.end)
        alike = without_side(a.point) == without_side(b.point) and a.point.joint != b.point.joint
        one = a.carrier.actor is b.carrier.actor and a.carrier.joint == b.carrier.joint
        if one and alike and start < end:
            name = f"{a.point.joint} to {b.point.joint} distance"
            apart = _first_place(take, a, start) - _first_place(take, b, start)
            rests = float(np.linalg.norm(apart))
            found.append(Wish(name, APART, a.point, start, end, other_point=b.point, rests=rests))
    return found


def _first_place(take: Take, plant: Wish, time: float) -> Floats:
    """(3,) m, where a point is at a time if it stays where it first lies on what carries it."""
    assert plant.carrier is not None
    first, then = plant.carrier.matrices(np.array([plant.start, time]))
    place = np.append(trail(take, plant.point, [plant.start]).position[0], 1.0)
    carried: Floats = (then @ np.linalg.solve(first, place))[:3]
    return carried


def floor_wishes(take: Take) -> tuple[Wish, ...]:
    """Feet that never go lower than they do."""
    try:
        return tuple(Wish(f"{each.joint} floor", FLOOR, each) for each in feet(take.rig))
    except BadValue:
        return ()


def _own(scene: Scene, actor: Actor, take: Take, wish: Pin | Contact) -> bool:
    owner = scene.actor(wish.point.character)
    return owner.name == actor.name and wish.clip in ("", take.name)


def _plant(scene: Scene, actor: Actor, take: Take, contact: Contact) -> Wish:
    wish = Wish(
        f"{contact.point.joint} contact",
        PLANT,
        contact.point,
        contact.start,
        contact.end,
        contact.position,
        contact.orientation,
    )
    held = contact.relative_to
    if held is None:
        return wish
    holder = scene.actor(held.character)
    joint = holder.rig.joint(held.joint)
    if holder.name != actor.name:
        played = holder.takes[0] if holder.takes else None
        return replace(wish, carrier=Carrier(holder, played, joint))
    place = trail(take, contact.point, [contact.start]).position[0]
    values = values_at(take, np.array([contact.start]))
    frame = forward(take.rig, values, [joint])[0, 0]
    local = (np.linalg.inv(frame) @ np.append(place, 1.0))[:3]
    return replace(wish, other_point=Point(held.joint, local, held.character))


@dataclass(frozen=True, eq=False)
class Part:
    """A take that changes."""

    name: str  # of the character
    take: Take
    address: Address
    wishes: tuple[Wish, ...]
    rigid: Ints  # channels that stay, so that bones keep their length


def part_of(
    scene: Scene, target: Target, options: SpacetimeOptions, more: Sequence[Constraint] = ()
) -> Part:
    """A character of a scene with its wishes."""
    actor, take, address = held_take(scene, target)
    wishes = wishes_of(scene, actor, take, more, plants=options.find_plants, heels=options.heels)
    if options.floor:
        wishes += floor_wishes(take)
    return Part(actor.name, take, address, wishes, analyse(actor, take).rigid(take.rig))


def holders(scene: Scene, thing: str) -> Iterator[Target]:
    """The characters that hold a thing at some time, and the clips in which they do."""
    seen = set()
    for each in scene.contacts:
        if each.relative_to is None or each.relative_to.character != thing:
            continue
        actor = scene.actor(each.point.character)
        if actor in scene.characters and actor.takes and actor.name not in seen:
            seen.add(actor.name)
            yield Target(actor.name, each.clip)
