"""Edits of actors: add the characters and props of another scene, remove one."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from arcwright.arrays import same
from arcwright.edits.ownership import (
    CONSTRAINT_FIELDS,
    AnyConstraint,
    is_owned_by,
    with_renamed_owners,
)
from arcwright.scene.edit import Change, Edit
from arcwright.scene.scene import Actor, Scene

_Actor = TypeVar("_Actor", bound=Actor)


def add_scene(scene: Scene, other: Scene) -> Edit:
    """Add the characters, props and constraints of another scene; duplicate names get a number."""
    own = {actor.name: actor.name for actor in scene.actors}
    names: dict[str, str] = {}
    for actor in other.actors:
        names[actor.name] = unique_name(actor.name, {*own, *names.values()})
    # In a scene without characters "" names the first prop; once one is added it needs its name.
    shifts = bool(other.characters) and not scene.characters
    constraints: dict[str, Any] = {}
    for group in CONSTRAINT_FIELDS:
        known: tuple[AnyConstraint, ...] = getattr(scene, group)
        kept = with_renamed_owners(scene, known, own) if shifts else known
        constraints[group] = (*kept, *with_renamed_owners(other, getattr(other, group), names))
    after = replace(
        scene,
        characters=(*scene.characters, *_with_names(other.characters, names)),
        props=(*scene.props, *_with_names(other.props, names)),
        **constraints,
    )
    groups = ("characters", "props", *CONSTRAINT_FIELDS)
    return Edit(
        f"Add {' and '.join(names.values()) or 'nothing'}", field_changes(scene, after, groups)
    )


def remove_actor(scene: Scene, name: str) -> Edit:
    """Remove a character or prop, with all constraints on it or relative to it."""
    removed = scene.actor(name)
    remaining = {actor.name for actor in scene.actors if actor is not removed}
    constraints: dict[str, Any] = {
        group: tuple(
            constraint
            for constraint in getattr(scene, group)
            if is_owned_by(scene, constraint, remaining)
        )
        for group in CONSTRAINT_FIELDS
    }
    after = replace(
        scene,
        characters=tuple(each for each in scene.characters if each is not removed),
        props=tuple(each for each in scene.props if each is not removed),
        **constraints,
    )
    # constraints first, so that none ever refers to a missing actor
    groups = (*CONSTRAINT_FIELDS, "characters", "props")
    return Edit(f"Remove {removed.name}", field_changes(scene, after, groups))


def constraint_changes(
    scene: Scene, change: Callable[[AnyConstraint], Sequence[AnyConstraint]]
) -> tuple[Change, ...]:
    """The changes that replace each constraint of the scene by none, one or more."""
    changes = []
    for group in CONSTRAINT_FIELDS:
        before: tuple[AnyConstraint, ...] = getattr(scene, group)
        after = tuple(new for constraint in before for new in change(constraint))
        if not same(before, after):
            changes.append(Change((group,), before, after))
    return tuple(changes)


def field_changes(scene: Scene, after: Scene, groups: Sequence[str]) -> tuple[Change, ...]:
    """The changes from one scene to another in the given fields."""
    pairs = [(group, getattr(scene, group), getattr(after, group)) for group in groups]
    return tuple(Change((group,), old, new) for group, old, new in pairs if not same(old, new))


def unique_name(name: str, taken: Collection[str]) -> str:
    """The name, or the first free one of "name 2", "name 3", ..."""
    stem = re.sub(r" \d+$", "", name)
    number = 2
    while name in taken:
        name = f"{stem} {number}"
        number += 1
    return name


def _with_names(actors: Sequence[_Actor], names: dict[str, str]) -> Iterator[_Actor]:
    for actor in actors:
        yield replace(actor, name=names[actor.name])
