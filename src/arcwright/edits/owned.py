"""Owned: whom pins, contacts and constraints are about, by name."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias, TypeVar

from arcwright.scene.constraint import Constraint, Follow
from arcwright.scene.point import Contact, Pin, Point
from arcwright.scene.scene import Actor, Scene

Wish: TypeAlias = Pin | Contact | Constraint
_W = TypeVar("_W", bound=Wish)

GROUPS = ("pins", "contacts", "constraints")
"""The fields of a scene that hold wishes."""


def everyone(scene: Scene) -> tuple[Actor, ...]:
    """Characters, then props."""
    return (*scene.characters, *scene.props)


def owner(scene: Scene, wish: Wish) -> str:
    """The name of the character or prop that a wish is about."""
    return next(iter(_owners(scene, wish).values()))


def owned(scene: Scene, wish: Wish, names: Collection[str]) -> bool:
    """Whether all that a wish is about are actors of these names."""
    return all(whose in names for whose in _owners(scene, wish).values())


def renamed(scene: Scene, wishes: Sequence[_W], names: Mapping[str, str]) -> Iterator[_W]:
    """Wishes about actors by their new names; those about nobody are left out."""
    for wish in wishes:
        if owned(scene, wish, names):
            yield named(scene, wish, names)


def named(scene: Scene, wish: _W, names: Mapping[str, str] | None = None) -> _W:
    """A wish that says whom it is about, also where that is the first character."""
    found: dict[str, Any] = {}
    for field, whose in _owners(scene, wish).items():
        name = whose if names is None else names[whose]
        point = getattr(wish, field)
        found[field] = replace(point, character=name) if isinstance(point, Point) else name
    return replace(wish, **found)


def later(wish: _W, scale: float) -> _W:
    """A wish whose times are so many times as late."""
    times: dict[str, Any] = {"start": wish.start * scale, "end": wish.end * scale}
    if isinstance(wish, Follow):
        times = {"times": wish.times * scale}
    return replace(wish, **times)


def frames_of(scene: Scene, wish: Wish) -> str:
    """As in "frames 0-24", by the rate of the take that a wish is about."""
    actor = scene.actor(owner(scene, wish))
    takes = [take for take in actor.takes if wish.clip in ("", take.name)]
    rate = takes[0].rate if takes else 24.0
    first, last = (f"{round(time * rate, 1):g}" for time in (wish.start, wish.end))
    return f"frame {first}" if first == last else f"frames {first}-{last}"


def _owners(scene: Scene, wish: Wish) -> dict[str, str]:
    """Whom the fields of a wish are about: those of its points, or else its character's."""
    first = next((actor.name for actor in everyone(scene)), "")
    points = {
        field: point.character or first
        for field in ("point", "other", "relative_to")
        if isinstance(point := getattr(wish, field, None), Point)
    }
    return points or {"character": getattr(wish, "character", "") or first}
