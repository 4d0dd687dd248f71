"""Edits that make constraints of the hinges that are guessed, so that they can be changed."""

from __future__ import annotations

from arcwright.edits.edited_take import quantity
from arcwright.edits.ownership import owner
from arcwright.kinematics.hinges import hinges
from arcwright.scene.constraint import HingeConstraint
from arcwright.scene.edit import Change, Edit
from arcwright.scene.point import Point
from arcwright.scene.scene import Scene


def accept_hinges(scene: Scene, character: str = "", take: str = "") -> Edit:
    """Add a hinge constraint for each guessed knee and elbow that has none, over the whole take."""
    actor = scene.actor(character)
    played = actor.take(take) if take else actor.takes[0]
    known = {
        each.point.joint
        for each in scene.constraints
        if isinstance(each, HingeConstraint) and owner(scene, each) == actor.name
    }
    found = [
        HingeConstraint(
            Point(actor.rig.names[each.joint], character=actor.name),
            0.0,
            played.duration,
            each.axis,
            each.low,
            each.high,
            take=played.name,
        )
        for each in hinges(actor, played)
        if actor.rig.names[each.joint] not in known
    ]
    label = f"Limit {quantity(len(found), 'hinge')}"
    if not found:
        return Edit(label)
    after = (*scene.constraints, *found)
    return Edit(label, (Change(("constraints",), scene.constraints, after),))
