"""Edits of detected footplants from messages."""

from __future__ import annotations

from dataclasses import replace

from arcwright.arrays import same
from arcwright.edits.footplants import accept, detect_footplants
from arcwright.errors import BadValue
from arcwright.scene.constraint import Contact
from arcwright.scene.edit import Edit
from arcwright.scene.scene import Scene
from arcwright.server import messages as m
from arcwright.server.messages.encoding import point_of


def accept_footplants(scene: Scene, change: m.AcceptFootplants) -> Edit:
    """The edit of a message: accept all, and change or leave out the one that it names."""
    heels = change.include_heels
    found = detect_footplants(scene, change.character, change.take, heels=heels)
    if change.point is None:
        return accept(scene, found)
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
        return accept(scene, others, f"Remove a footplant of {joint}")
    start = one.start if change.start is None else change.start
    end = one.end if change.end is None else change.end
    changed = [replace(one, start=start, end=end) if each is one else each for each in found]
    return accept(scene, changed, f"Change a footplant of {joint}")


def _same_point(footplant: Contact, joint: str, offset: object) -> bool:
    return footplant.point.joint == joint and same(footplant.point.offset, offset)
