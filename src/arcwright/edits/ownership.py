"""Ownership: which characters and props pins, contacts and constraints refer to, by name."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias, TypeVar

from arcwright.scene.constraint import Constraint, Follow
from arcwright.scene.point import Contact, Pin, Point
from arcwright.scene.scene import Scene

AnyConstraint: TypeAlias = Pin | Contact | Constraint
_C = TypeVar("_C", bound=AnyConstraint)

CONSTRAINT_FIELDS = ("pins", "contacts", "constraints")
"""The fields of a scene that hold pins, contacts and constraints."""


def owner(scene: Scene, constraint: AnyConstraint) -> str:
    """The name of the character or prop that a constraint applies to."""
    return next(iter(_owner_names(scene, constraint).values()))


def is_owned_by(scene: Scene, constraint: AnyConstraint, names: Collection[str]) -> bool:
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
    times: dict[str, Any] = {"start": constraint.start * scale, "end": constraint.end * scale}
    if isinstance(constraint, Follow):
        times = {"times": constraint.times * scale}
    return replace(constraint, **times)


def frame_range(scene: Scene, constraint: AnyConstraint) -> str:
    """The range of a constraint as text, "frames 0-24", at the frame rate of its take."""
    actor = scene.actor(owner(scene, constraint))
    takes = [take for take in actor.takes if constraint.clip in ("", take.name)]
    rate = takes[0].rate if takes else 24.0
    first, last = (f"{round(time * rate, 1):g}" for time in (constraint.start, constraint.end))
    return f"frame {first}" if first == last else f"frames {first}-{last}"


def _owner_names(scene: Scene, constraint: AnyConstraint) -> dict[str, str]:
    """The actor that each field refers to: the fields that are points, or else `character`."""
    first = next((actor.name for actor in scene.actors), "")
    points = {
        field: point.character or first
        for field in ("point", "other", "relative_to")
        if isinstance(point := getattr(constraint, field, None), Point)
    }
    return points or {"character": getattr(constraint, "character", "") or first}
