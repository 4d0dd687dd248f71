"""Detect footplants and handholds of a take and add them to the scene as contacts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from arcwright.edits.constraints import has_contact
from arcwright.edits.edited_take import find_take, quantity
from arcwright.kinematics.contact import footplants
from arcwright.kinematics.handholds import find_handholds
from arcwright.scene.constraint import Contact
from arcwright.scene.edit import Change, Edit
from arcwright.scene.scene import Scene


def detect_contacts(
    scene: Scene, character: str = "", take: str = "", *, heels: bool = False, holds: bool = True
) -> Edit:
    """Add detected contacts; a point that has one at an overlapping time keeps it unchanged."""
    return add_contacts(scene, detected_contacts(scene, character, take, heels=heels, holds=holds))


def detected_contacts(
    scene: Scene, character: str = "", take: str = "", *, heels: bool = False, holds: bool = True
) -> list[Contact]:
    """The footplants and handholds of a take; their points name the character."""
    edited = find_take(scene, character, take)
    found = footplants(edited.take, heels=heels)
    if holds:
        found += find_handholds(scene, edited.actor, edited.take)
    return [replace(each, point=replace(each.point, character=edited.actor.name)) for each in found]


def add_contacts(scene: Scene, detected: Sequence[Contact]) -> Edit:
    """Add contacts that overlap none of the same point in the scene."""
    new = [each for each in detected if not has_contact(scene, each)]
    label, existing = f"Detect {quantity(len(new), 'contact')}", scene.constraints
    return Edit(label, (Change(("constraints",), existing, (*existing, *new)),) if new else ())
