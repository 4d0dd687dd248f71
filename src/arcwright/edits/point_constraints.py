"""Edits of pins and contacts: add, change and remove them."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from arcwright.arrays import same
from arcwright.edits.ownership import frame_range
from arcwright.errors import BadValue
from arcwright.scene.edit import Change, Edit
from arcwright.scene.point import Contact, Pin
from arcwright.scene.scene import Scene

Kind = Literal["pin", "contact"]


def add_point_constraint(scene: Scene, constraint: Pin | Contact) -> Edit:
    """Add a pin or contact; an identical one is not added twice."""
    actor = scene.actor(constraint.point.character)
    actor.rig.joint(constraint.point.joint)
    if constraint.clip:
        constraint = replace(
            constraint, clip=actor.take(constraint.clip).name
        )  # a short name becomes the full one
    if isinstance(constraint, Contact) and constraint.relative_to is not None:
        scene.actor(constraint.relative_to.character).rig.joint(constraint.relative_to.joint)
    kind: Kind = "pin" if isinstance(constraint, Pin) else "contact"
    existing = _constraints_of_kind(scene, kind)
    label = f"{kind.capitalize()} {constraint.point.joint}, {frame_range(scene, constraint)}"
    if any(same(constraint, each) for each in existing):
        return Edit(label)
    return Edit(label, (Change((f"{kind}s",), existing, (*existing, constraint)),))


def change_point_constraint(
    scene: Scene,
    kind: Kind,
    index: int,
    *,
    start: float | None = None,
    end: float | None = None,
    position: bool | None = None,
    orientation: bool | None = None,
) -> Edit:
    """Change the range (s) or the constrained degrees of freedom of a pin or contact."""
    before = _constraint_at(scene, kind, index)
    after = replace(
        before,
        start=before.start if start is None else start,
        end=before.end if end is None else end,
        position=before.position if position is None else position,
        orientation=before.orientation if orientation is None else orientation,
    )
    label = f"Change {before.point.joint} {kind}, {frame_range(scene, after)}"
    if same(before, after):
        return Edit(label)
    return Edit(label, (Change((f"{kind}s", index), before, after),))


def remove_point_constraint(scene: Scene, kind: Kind, index: int) -> Edit:
    """Remove the pin or contact at `index` of the scene's list."""
    removed = _constraint_at(scene, kind, index)
    existing = _constraints_of_kind(scene, kind)
    change = Change((f"{kind}s",), existing, (*existing[:index], *existing[index + 1 :]))
    return Edit(f"Remove {removed.point.joint} {kind}", (change,))


def _constraints_of_kind(scene: Scene, kind: Kind) -> tuple[Pin | Contact, ...]:
    if kind not in ("pin", "contact"):
        raise BadValue("kind", "pin or contact", repr(kind))
    return scene.pins if kind == "pin" else scene.contacts


def _constraint_at(scene: Scene, kind: Kind, index: int) -> Pin | Contact:
    existing = _constraints_of_kind(scene, kind)
    if not 0 <= index < len(existing):
        there = f"0 to {len(existing) - 1}" if existing else f"none; the scene has no {kind}s"
        raise BadValue(kind, there, index)
    return existing[index]


def has_contact(scene: Scene, contact: Contact) -> bool:
    """Whether the scene has a contact of the same point that overlaps this one in time."""
    return any(
        each.point.joint == contact.point.joint
        and same(each.point.offset, contact.point.offset)
        and scene.actor(each.point.character).name == contact.point.character
        and each.clip in ("", contact.clip)
        and each.start <= contact.end
        and each.end >= contact.start
        for each in scene.contacts
    )
