"""Footplants detected in a take, and the edits that accept them as contacts."""

from __future__ import annotations

from dataclasses import replace

from arcwright.arrays import same
from arcwright.edits.edited_take import find_take, quantity
from arcwright.errors import BadValue
from arcwright.kinematics.detection import contacts_with_footplants
from arcwright.scene.constraint import Contact
from arcwright.scene.edit import Change, Edit
from arcwright.scene.scene import Scene
from arcwright.server import messages as m
from arcwright.server.messages.encoding import point_of


def detect_footplants(scene: Scene, character: str, take: str, *, heels: bool) -> list[Contact]:
    """Footplants that are not contacts of the scene yet; their points name the character."""
    held = find_take(scene, character, take)
    own = [
        each
        for each in scene.contacts
        if scene.actor(each.point.character).name == held.actor.name
        and each.take in ("", held.take.name)
    ]
    found = contacts_with_footplants(held.take, own, heels=heels)
    points = (replace(each.point, character=held.actor.name) for each in found)
    named = [replace(each, point=point) for each, point in zip(found, points, strict=True)]
    return named if not own else named[len(own) :]


def accept_all(scene: Scene, character: str, take: str, *, heels: bool) -> Edit:
    """The edit that makes contacts of all detected footplants; empty where there are none."""
    return _accept(scene, detect_footplants(scene, character, take, heels=heels))


def accept_footplants(scene: Scene, change: m.AcceptFootplants) -> Edit:
    """The edit of a message: accept all, and change or leave out the one that it names."""
    heels = change.include_heels
    found = detect_footplants(scene, change.character, change.take, heels=heels)
    if change.point is None:
        return _accept(scene, found)
    point = point_of(change.point, change.character)
    alike = [each for each in found if _same_point(each, point.joint, point.offset)]
    if not alike:
        raise BadValue("footplant", "one that was detected", f"{point.joint}, which has none")
    one = min(alike, key=lambda each: abs(each.start - change.was))
    joint = one.point.joint
    if change.without:
        if len(found) == 1:
            raise BadValue("footplants", "more than one; turn off auto-detection to have none", 1)
        others = [each for each in found if each is not one]
        return _accept(scene, others, f"Remove a footplant of {joint}")
    start = one.start if change.start is None else change.start
    end = one.end if change.end is None else change.end
    changed = [replace(one, start=start, end=end) if each is one else each for each in found]
    return _accept(scene, changed, f"Change a footplant of {joint}")


def _same_point(footplant: Contact, joint: str, offset: object) -> bool:
    return footplant.point.joint == joint and same(footplant.point.offset, offset)


def _accept(scene: Scene, footplants: list[Contact], label: str = "") -> Edit:
    label = label or f"Accept {quantity(len(footplants), 'footplant')}"
    if not footplants:
        return Edit(label)
    existing = scene.constraints
    return Edit(label, (Change(("constraints",), existing, (*existing, *footplants)),))
