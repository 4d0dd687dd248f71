"""Edits of constraints: add, change and remove them."""

from __future__ import annotations

from dataclasses import replace

from arcwright.arrays import same
from arcwright.edits.ownership import frame_range, owner, with_owner_names
from arcwright.errors import BadValue
from arcwright.scene.constraint import Apart, Constraint, name_of
from arcwright.scene.edit import Change, Edit
from arcwright.scene.point import Point
from arcwright.scene.scene import Scene


def add_constraint(scene: Scene, constraint: Constraint) -> Edit:
    """Add a constraint; an identical one is not added twice."""
    new = _checked(scene, constraint)
    existing = scene.constraints
    label = f"Add {name_of(new)}, {frame_range(scene, new)}"
    if any(same(new, with_owner_names(scene, each)) for each in existing):
        return Edit(label)
    return Edit(label, (Change(("constraints",), existing, (*existing, new)),))


def change_constraint(scene: Scene, index: int, constraint: Constraint) -> Edit:
    """Replace the constraint at `index` of the scene's list."""
    before, after = _constraint_at(scene, index), _checked(scene, constraint)
    label = f"Change {name_of(after)}, {frame_range(scene, after)}"
    if same(with_owner_names(scene, before), after):
        return Edit(label)
    return Edit(label, (Change(("constraints", index), before, after),))


def remove_constraint(scene: Scene, index: int) -> Edit:
    """Remove the constraint at `index` of the scene's list."""
    removed, existing = _constraint_at(scene, index), scene.constraints
    change = Change(("constraints",), existing, (*existing[:index], *existing[index + 1 :]))
    return Edit(f"Remove {name_of(removed)}", (change,))


def _checked(scene: Scene, constraint: Constraint) -> Constraint:
    """The constraint with full names of its actors and take; raises where one does not exist."""
    actor = scene.actor(owner(scene, constraint))
    named = with_owner_names(scene, constraint)
    if isinstance(named, Apart) and named.other.character != actor.name:
        raise BadValue("Apart.other", f"a point of {actor.name}", named.other.character)
    for field in ("point", "other"):
        point = getattr(named, field, None)
        if isinstance(point, Point):
            actor.rig.joint(point.joint)
    if named.clip:
        named = replace(
            named, clip=actor.take(named.clip).name
        )  # a short name becomes the full one
    return named


def _constraint_at(scene: Scene, index: int) -> Constraint:
    existing = scene.constraints
    if not 0 <= index < len(existing):
        expected = f"0 to {len(existing) - 1}" if existing else "none; the scene has no constraints"
        raise BadValue("constraint", expected, index)
    return existing[index]
