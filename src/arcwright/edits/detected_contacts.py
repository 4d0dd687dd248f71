"""Detect footplants and handholds of a take and add them to the scene as contacts."""

from __future__ import annotations

from dataclasses import replace

from arcwright.edits.edited_take import find_take, quantity
from arcwright.edits.point_constraints import has_contact
from arcwright.kinematics.contact import footplants
from arcwright.kinematics.handholds import find_handholds
from arcwright.scene.edit import Change, Edit
from arcwright.scene.scene import Scene


def detect_contacts(
    scene: Scene, character: str = "", take: str = "", *, heels: bool = False, holds: bool = True
) -> Edit:
    """Add detected contacts; a point that has one at an overlapping time keeps it unchanged."""
    edited = find_take(scene, character, take)
    found = footplants(edited.take, heels=heels)
    if holds:
        found += find_handholds(scene, edited.actor, edited.take)
    with_names = [
        replace(each, point=replace(each.point, character=edited.actor.name)) for each in found
    ]
    new = [each for each in with_names if not has_contact(scene, each)]
    label = f"Detect {quantity(len(new), 'contact')}"
    if not new:
        return Edit(label)
    return Edit(label, (Change(("contacts",), scene.contacts, (*scene.contacts, *new)),))
