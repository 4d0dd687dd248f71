"""Footplants detected in a take, and the edit that accepts them as contacts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from arcwright.edits.edited_take import find_take, quantity
from arcwright.kinematics.detection import contacts_with_footplants
from arcwright.scene.constraint import Contact
from arcwright.scene.edit import Change, Edit
from arcwright.scene.scene import Scene


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
    return accept(scene, detect_footplants(scene, character, take, heels=heels))


def accept(scene: Scene, footplants: Sequence[Contact], label: str = "") -> Edit:
    """The edit that adds footplants to the contacts."""
    label = label or f"Accept {quantity(len(footplants), 'footplant')}"
    if not footplants:
        return Edit(label)
    existing = scene.constraints
    return Edit(label, (Change(("constraints",), existing, (*existing, *footplants)),))
