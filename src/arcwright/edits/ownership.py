"""Ownership: which characters and props constraints refer to, by name."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from arcwright.arrays import Floats
from arcwright.scene.constraint import Constraint
from arcwright.scene.point import Point
from arcwright.scene.quantity import fields_of
from arcwright.scene.scene import Scene

_C = TypeVar("_C", bound=Constraint)


def owner(scene: Scene, constraint: Constraint) -> str:
    """The name of the character or prop that a constraint applies to."""
    return next(iter(_owner_names(scene, constraint).values()))


def is_owned_by(scene: Scene, constraint: Constraint, names: Collection[str]) -> bool:
    """Whether every actor that a constraint refers to has one of these names."""
    return all(owner_name in names for owner_name in _owner_names(scene, constraint).values())


def with_renamed_owners(
    scene: Scene, constraints: Sequence[_C], names: Mapping[str, str]
) -> Iterator[_C]:
    """Constraints with actors renamed; those that refer to an actor outside `names` are dropped."""
    for constraint in constraints:
        if is_owned_by(scene, constraint, names):
            yield with_owner_names(scene, constraint, names)


def with_owner_names(scene: Scene, constraint: _C, names: Mapping[str, str] | None = None) -> _C:
    """A constraint with its actors named in full: "" becomes the name of the first actor."""
    found: dict[str, Any] = {}
    for field, owner_name in _owner_names(scene, constraint).items():
        name = owner_name if names is None else names[owner_name]
        point = getattr(constraint, field)
        found[field] = replace(point, character=name) if isinstance(point, Point) else name
    return replace(constraint, **found)


def scale_times(constraint: _C, scale: float) -> _C:
    """A constraint with all its times multiplied by `scale`."""
    return map_times(constraint, lambda times: times * scale)


def map_times(constraint: _C, new_times: Callable[[Floats], Floats]) -> _C:
    """A constraint with all its times mapped to new ones."""
    times: dict[str, Any] = {}
    for each in fields_of(type(constraint)):
        if each.quantity.kind in ("time", "times"):
            new = new_times(np.asarray(getattr(constraint, each.name), np.float64))
            times[each.name] = new if each.quantity.kind == "times" else float(new)
    return replace(constraint, **times)


def frame_range(scene: Scene, constraint: Constraint) -> str:
    """The range of a constraint as text, "frames 0-24", at the frame rate of its take."""
    actor = scene.actor(owner(scene, constraint))
    takes = [take for take in actor.takes if constraint.take in ("", take.name)]
    rate = takes[0].rate if takes else 24.0
    first, last = (f"{round(time * rate, 1):g}" for time in (constraint.start, constraint.end))
    return f"frame {first}" if first == last else f"frames {first}-{last}"


def _owner_names(scene: Scene, constraint: Constraint) -> dict[str, str]:
    """The actor that each field refers to: the fields that are points, or else `character`."""
    first = next((actor.name for actor in scene.actors), "")
    points = {field: point.character or first for field, point in constraint.points.items()}
    return points or {"character": getattr(constraint, "character", "") or first}
