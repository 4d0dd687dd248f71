"""Found: the contacts that a motion seems to keep, added to the scene for people to change."""

from __future__ import annotations

from dataclasses import replace

from arcwright.edits.held import counted, hold
from arcwright.edits.wishes import covered
from arcwright.kinematics.contact import footplants
from arcwright.kinematics.holds import find_holds
from arcwright.scene.edit import Change, Edit
from arcwright.scene.scene import Scene


def found_contacts(
    scene: Scene, character: str = "", take: str = "", *, heels: bool = False, holds: bool = True
) -> Edit:
    """Footplants and handholds; where a point has a contact at that time it stays as it is."""
    held = hold(scene, character, take)
    found = footplants(held.take, heels=heels)
    if holds:
        found += find_holds(scene, held.actor, held.take)
    named = [replace(each, point=replace(each.point, character=held.actor.name)) for each in found]
    new = [each for each in named if not covered(scene, each)]
    label = f"Find {counted(len(new), 'contact')}"
    if not new:
        return Edit(label)
    return Edit(label, (Change(("contacts",), scene.contacts, (*scene.contacts, *new)),))
