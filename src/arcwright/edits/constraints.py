"""Constraints: add, change and remove what else is wished of a motion."""

from __future__ import annotations

from dataclasses import replace

from arcwright.arrays import same
from arcwright.edits.owned import frames_of, named, owner
from arcwright.errors import BadValue
from arcwright.scene.constraint import Apart, Constraint, name_of
from arcwright.scene.edit import Change, Edit
from arcwright.scene.point import Point
from arcwright.scene.scene import Scene


def add_constraint(scene: Scene, constraint: Constraint) -> Edit:
    """A constraint more; one that is there already is not added twice."""
    new = _known(scene, constraint)
    known = scene.constraints
    label = f"Add {name_of(new)}, {frames_of(scene, new)}"
    if any(same(new, named(scene, each)) for each in known):
        return Edit(label)
    return Edit(label, (Change(("constraints",), known, (*known, new)),))


def change_constraint(scene: Scene, index: int, constraint: Constraint) -> Edit:
    """Another one in place of a constraint, by its place in the scene's list."""
    before, after = _at(scene, index), _known(scene, constraint)
    label = f"Change {name_of(after)}, {frames_of(scene, after)}"
    if same(named(scene, before), after):
        return Edit(label)
    return Edit(label, (Change(("constraints", index), before, after),))


def remove_constraint(scene: Scene, index: int) -> Edit:
    """A constraint taken away."""
    gone, known = _at(scene, index), scene.constraints
    change = Change(("constraints",), known, (*known[:index], *known[index + 1 :]))
    return Edit(f"Remove {name_of(gone)}", (change,))


def _known(scene: Scene, constraint: Constraint) -> Constraint:
    """A constraint about joints and a take that are there, with the names these have."""
    actor = scene.actor(owner(scene, constraint))
    whole = named(scene, constraint)
    if isinstance(whole, Apart) and whole.other.character != actor.name:
        raise BadValue("Apart.other", f"of {actor.name}, as point is", whole.other.character)
    for field in ("point", "other"):
        point = getattr(whole, field, None)
        if isinstance(point, Point):
            actor.rig.joint(point.joint)
    if whole.clip:
        whole = replace(whole, clip=actor.take(whole.clip).name)  # which may be longer
    return whole


def _at(scene: Scene, index: int) -> Constraint:
    known = scene.constraints
    if not 0 <= index < len(known):
        there = f"0 to {len(known) - 1}" if known else "none, as the scene has none"
        raise BadValue("constraint", there, index)
    return known[index]
