"""Actors: bring in the characters and props of another scene, or take one away."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from arcwright.arrays import same
from arcwright.edits.owned import GROUPS, Wish, everyone, owned, renamed
from arcwright.scene.edit import Change, Edit
from arcwright.scene.scene import Actor, Scene

_Actor = TypeVar("_Actor", bound=Actor)


def add_scene(scene: Scene, other: Scene) -> Edit:
    """Characters, props and wishes of another scene; names that are taken get a number."""
    own = {actor.name: actor.name for actor in everyone(scene)}
    names: dict[str, str] = {}
    for actor in everyone(other):
        names[actor.name] = unique_name(actor.name, {*own, *names.values()})
    # In a scene of props alone "" is the first prop; where a character comes in it gets its name.
    shifts = bool(other.characters) and not scene.characters
    wishes: dict[str, Any] = {}
    for group in GROUPS:
        known: tuple[Wish, ...] = getattr(scene, group)
        kept = renamed(scene, known, own) if shifts else known
        wishes[group] = (*kept, *renamed(other, getattr(other, group), names))
    after = replace(
        scene,
        characters=(*scene.characters, *_called(other.characters, names)),
        props=(*scene.props, *_called(other.props, names)),
        **wishes,
    )
    groups = ("characters", "props", *GROUPS)
    return Edit(
        f"Add {' and '.join(names.values()) or 'nothing'}", differences(scene, after, groups)
    )


def remove_actor(scene: Scene, name: str) -> Edit:
    """A character or prop taken away, with all wishes about it and those relative to it."""
    gone = scene.actor(name)
    rest = {actor.name for actor in everyone(scene) if actor is not gone}
    wishes: dict[str, Any] = {
        group: tuple(wish for wish in getattr(scene, group) if owned(scene, wish, rest))
        for group in GROUPS
    }
    after = replace(
        scene,
        characters=tuple(each for each in scene.characters if each is not gone),
        props=tuple(each for each in scene.props if each is not gone),
        **wishes,
    )
    # wishes first, so that none is ever about nobody
    groups = (*GROUPS, "characters", "props")
    return Edit(f"Remove {gone.name}", differences(scene, after, groups))


def wishes_changed(scene: Scene, change: Callable[[Wish], Sequence[Wish]]) -> tuple[Change, ...]:
    """What becomes of the scene's wishes when each is changed to none, one or more."""
    changes = []
    for group in GROUPS:
        before: tuple[Wish, ...] = getattr(scene, group)
        after = tuple(new for wish in before for new in change(wish))
        if not same(before, after):
            changes.append(Change((group,), before, after))
    return tuple(changes)


def differences(scene: Scene, after: Scene, groups: Sequence[str]) -> tuple[Change, ...]:
    """The changes from one scene to another, of the groups named."""
    pairs = [(group, getattr(scene, group), getattr(after, group)) for group in groups]
    return tuple(Change((group,), old, new) for group, old, new in pairs if not same(old, new))


def unique_name(name: str, taken: Collection[str]) -> str:
    """The name, or where it is taken "name 2", "name 3", ..."""
    stem = re.sub(r" \d+$", "", name)
    number = 2
    while name in taken:
        name = f"{stem} {number}"
        number += 1
    return name


def _called(actors: Sequence[_Actor], names: dict[str, str]) -> Iterator[_Actor]:
    for actor in actors:
        yield replace(actor, name=names[actor.name])
