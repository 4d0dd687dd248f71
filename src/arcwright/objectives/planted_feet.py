"""Planted feet: feet that stand at a time keep their position and orientation in a pose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from weakref import WeakKeyDictionary

import numpy as np

from arcwright.arrays import Bools, Ints
from arcwright.errors import BadValue
from arcwright.kinematics.columns import channels_moving
from arcwright.kinematics.contact import PLANTED, find_contacts, footplants
from arcwright.kinematics.feet import feet, planted_joints
from arcwright.kinematics.rig_analysis import analyse
from arcwright.objectives.active_constraints import ActiveConstraint
from arcwright.objectives.edited_clip import EditedClip
from arcwright.scene.constraint import Contact, Pin
from arcwright.scene.point import Point
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take

IN_PLACE = 0.5  # of the time that feet are low: with less stillness the ground goes by
ANY_SPEED = 1e9  # m/s


def planted_feet(
    scene: Scene, edited: EditedClip, points: Sequence[Point], time: float, rigid: Ints
) -> list[ActiveConstraint]:
    """The feet that stand at a time, without those whose leg one of the points belongs to.

    They stand where contacts of the take say so; in a take without contacts, where they are low
    and still. Channels in `rigid` are not counted among those that move them.
    """
    name, found = edited.actor.name, list[ActiveConstraint]()
    standing = footplant_spans(scene, edited, points)
    for foot, spans in standing.items():
        if any(start <= time <= end for start, end in spans):
            point = Point(edited.take.rig.names[foot], character=name)
            pin = Pin(point, time, time, orientation=True, take=edited.take.name)
            channels = np.setdiff1d(channels_moving(edited.take.rig, [point]), rigid)
            found.append(ActiveConstraint(pin, f"{point.joint} footplant", channels))
    return found


def footplant_spans(
    scene: Scene, edited: EditedClip, points: Sequence[Point]
) -> dict[int, list[tuple[float, float]]]:
    """When each foot stands, s, without feet whose leg one of the points belongs to.

    Feet are the ankle's joint where there is one, in order.
    """
    rig = edited.take.rig
    own = [each for each in scene.contacts if _belongs(scene, edited, each)]
    deforms, foot = analyse(edited.actor, edited.take).deforms, planted_joints(rig)
    found: dict[int, list[tuple[float, float]]] = {}
    for contact in own or _detected(edited.take):
        joint = rig.joint(contact.point.joint)
        if foot[joint] and deforms[joint]:
            while (parent := int(rig.parents[joint])) >= 0 and foot[parent]:
                joint = parent
            found.setdefault(joint, []).append((contact.start, contact.end))
    dragged = dragged_joints(scene, edited, points)
    return {
        joint: found[joint] for joint in sorted(found) if not leg_of(edited, joint)[dragged].any()
    }


_in_place: WeakKeyDictionary[Take, tuple[Contact, ...]] = WeakKeyDictionary()


def _detected(take: Take) -> tuple[Contact, ...]:
    """Footplants: of feet that are low and still or, where those hardly are, of all low ones.

    In a walk in place the ground goes by: no foot that stands is still.
    """
    still = footplants(take)
    try:
        count = len(feet(take.rig))
    except BadValue:
        return still
    if _length(still) >= IN_PLACE * count * take.duration:
        return still
    if take not in _in_place:
        rule = replace(PLANTED, shortest=min(PLANTED.shortest, take.duration), speed=ANY_SPEED)
        _in_place[take] = find_contacts(take, rule=rule)
    low = _in_place[take]
    return still if _length(still) >= IN_PLACE * _length(low) else low


def _length(contacts: Sequence[Contact]) -> float:
    """How long feet stand in all, s."""
    return sum(each.end - each.start for each in contacts)


def dragged_joints(scene: Scene, edited: EditedClip, points: Sequence[Point]) -> list[int]:
    """The joints of those points that belong to the edited actor."""
    name = edited.actor.name
    own = [point for point in points if scene.actor(point.character).name == name]
    return [edited.take.rig.joint(point.joint) for point in own]


def leg_of(edited: EditedClip, foot: int) -> Bools:
    """(J,) a foot, what hangs on it, and the joints above it that carry no other foot."""
    return _leg(edited.take.rig, foot, analyse(edited.actor, edited.take).root)


def _belongs(scene: Scene, edited: EditedClip, contact: Contact) -> bool:
    same = scene.actor(contact.point.character).name == edited.actor.name
    return same and contact.take in ("", edited.take.name)


def _leg(rig: Rig, foot: int, root: int) -> Bools:
    """(J,) a foot, what hangs on it, and the joints above it that carry no other foot."""
    leg = _below(rig, foot)
    others = planted_joints(rig) & ~leg
    joint = int(rig.parents[foot])
    while joint >= 0 and joint != root and not (_below(rig, joint) & others).any():
        leg[joint] = True
        joint = int(rig.parents[joint])
    return leg


def _below(rig: Rig, joint: int) -> Bools:
    """(J,) a joint and its descendants."""
    below = np.zeros(len(rig.names), bool)
    below[joint] = True
    for each in range(joint + 1, len(below)):
        below[each] = rig.parents[each] >= 0 and below[rig.parents[each]]
    return below
