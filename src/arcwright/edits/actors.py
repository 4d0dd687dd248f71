"""Actors: bring in the characters and props of another scene, or take one away."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from arcwright.arrays import same
from arcwright.scene.edit import Change, Edit
from arcwright.scene.point import Contact, Pin, Point
from arcwright.scene.scene import Actor, Scene

_Wish = TypeVar("_Wish", Pin, Contact)
_Actor = TypeVar("_Actor", bound=Actor)


def add_scene(scene: Scene, other: Scene) -> Edit:
    """Characters, props, pins and contacts of another scene; names that are taken get a number."""
    own = {actor.name: actor.name for actor in _everyone(scene)}
    names: dict[str, str] = {}
    for actor in _everyone(other):
        names[actor.name] = unique_name(actor.name, {*own, *names.values()})
    # In a scene of props alone "" is the first prop; where a character comes in it gets its name.
    shifts = bool(other.characters) and not scene.characters
    pins = _renamed(scene, scene.pins, own) if shifts else scene.pins
    contacts = _renamed(scene, scene.contacts, own) if shifts else scene.contacts
    after = replace(
        scene,
        characters=(*scene.characters, *_called(other.characters, names)),
        props=(*scene.props, *_called(other.props, names)),
        pins=(*pins, *_renamed(other, other.pins, names)),
        contacts=(*contacts, *_renamed(other, other.contacts, names)),
    )
    groups = ("characters", "props", "pins", "contacts")
    return Edit(
        f"Add {' and '.join(names.values()) or 'nothing'}", differences(scene, after, groups)
    )


def remove_actor(scene: Scene, name: str) -> Edit:
    """A character or prop taken away, with its pins, its contacts and those relative to it."""
    gone = scene.actor(name)
    rest = {actor.name: actor.name for actor in _everyone(scene) if actor is not gone}
    after = replace(
        scene,
        characters=tuple(each for each in scene.characters if each is not gone),
        props=tuple(each for each in scene.props if each is not gone),
        pins=tuple(wish for wish in scene.pins if _owned(scene, wish, rest)),
        contacts=tuple(wish for wish in scene.contacts if _owned(scene, wish, rest)),
    )
    # wishes first, so that none is ever about nobody
    groups = ("pins", "contacts", "characters", "props")
    return Edit(f"Remove {gone.name}", differences(scene, after, groups))


def owner(scene: Scene, point: Point) -> str:
    """The name of the character or prop that a point is on."""
    return point.character or next((actor.name for actor in _everyone(scene)), "")


def wishes_changed(
    scene: Scene, change: Callable[[Pin | Contact], Sequence[Pin | Contact]]
) -> tuple[Change, ...]:
    """What becomes of the scene's pins and contacts when each is changed to none, one or more."""
    changes = []
    for group in ("pins", "contacts"):
        before: tuple[Pin | Contact, ...] = getattr(scene, group)
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


def _everyone(scene: Scene) -> tuple[Actor, ...]:
    return (*scene.characters, *scene.props)


def _called(actors: Sequence[_Actor], names: dict[str, str]) -> Iterator[_Actor]:
    for actor in actors:
        yield replace(actor, name=names[actor.name])


def _renamed(scene: Scene, wishes: Sequence[_Wish], names: dict[str, str]) -> Iterator[_Wish]:
    """Wishes about points of actors by their new names; those about nobody are left out."""
    for wish in wishes:
        if _owned(scene, wish, names):
            points: dict[str, Any] = {
                place: replace(point, character=names[owner(scene, point)])
                for place, point in _points(wish).items()
            }
            yield replace(wish, **points)


def _owned(scene: Scene, wish: Pin | Contact, names: Collection[str]) -> bool:
    """Whether all points of a wish are on actors of these names."""
    return all(owner(scene, point) in names for point in _points(wish).values())


def _points(wish: Pin | Contact) -> dict[str, Point]:
    """The points of a wish by the names of its fields."""
    other = wish.relative_to if isinstance(wish, Contact) else None
    return {"point": wish.point} if other is None else {"point": wish.point, "relative_to": other}
