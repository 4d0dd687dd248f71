"""Edits of constraints: add, change and remove one, of whatever kind."""

from __future__ import annotations

from dataclasses import replace

from arcwright.arrays import same
from arcwright.edits.ownership import frame_range, owner, with_owner_names
from arcwright.errors import BadValue
from arcwright.scene.constraint import Constraint, Contact
from arcwright.scene.edit import Change, Edit
from arcwright.scene.scene import Scene


def add_constraint(scene: Scene, constraint: Constraint) -> Edit:
    """Add a constraint; an identical one is not added twice."""
    new = _checked(scene, constraint)
    existing = scene.constraints
    label = f"Add {new.name}, {frame_range(scene, new)}"
    if any(same(new, with_owner_names(scene, each)) for each in existing):
        return Edit(label)
    return Edit(label, (Change(("constraints",), existing, (*existing, new)),))


def change_constraint(scene: Scene, index: int, constraint: Constraint) -> Edit:
    """Replace the constraint at `index` of the scene's list."""
    before, after = _constraint_at(scene, index), _checked(scene, constraint)
    label = f"Change {after.name}, {frame_range(scene, after)}"
    if same(with_owner_names(scene, before), after):
        return Edit(label)
    return Edit(label, (Change(("constraints", index), before, after),))


def remove_constraint(scene: Scene, index: int) -> Edit:
    """Remove the constraint at `index` of the scene's list."""
    removed, existing = _constraint_at(scene, index), scene.constraints
    change = Change(("constraints",), existing, (*existing[:index], *existing[index + 1 :]))
    return Edit(f"Remove {removed.name}", (change,))


def has_contact(scene: Scene, contact: Contact) -> bool:
    """Whether the scene has a contact of the same point that overlaps this one in time."""
    return any(
        each.point.joint == contact.point.joint
        and same(each.point.offset, contact.point.offset)
        and scene.actor(each.point.character).name == contact.point.character
        and each.take in ("", contact.take)
        and each.start <= contact.end
        and each.end >= contact.start
        for each in scene.contacts
    )


def _checked(scene: Scene, constraint: Constraint) -> Constraint:
    """The constraint with full names of its actors and take; raises where one does not exist."""
    actor = scene.actor(owner(scene, constraint))
    named = with_owner_names(scene, constraint)
    for field, point in named.points.items():
        if field in named.own_points and point.character != actor.name:
            where = f"{type(named).__name__}.{field}"
            raise BadValue(where, f"a point of {actor.name}", point.character)
        scene.actor(point.character).rig.joint(point.joint)
    if named.take:  # a short name becomes the full one
        named = replace(named, take=actor.take(named.take).name)
    return named


def _constraint_at(scene: Scene, index: int) -> Constraint:
    existing = scene.constraints
    if not 0 <= index < len(existing):
        expected = f"0 to {len(existing) - 1}" if existing else "none; the scene has no constraints"
        raise BadValue("constraint", expected, index)
    return existing[index]
