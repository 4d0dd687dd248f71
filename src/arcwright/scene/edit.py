"""Edit: a labelled set of changes that can be applied, inverted, sent and stored."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass, replace
from itertools import groupby

from arcwright.arrays import same
from arcwright.errors import BadValue, StaleEdit
from arcwright.scene.edit_summary import edit_lines
from arcwright.scene.scene import Scene

Address = tuple[str | int, ...]
"""A path from the scene: field names and indices, as in `("characters", 0, "rig")`."""


@dataclass(frozen=True, eq=False)
class Change:
    """At `address`, `before` becomes `after`; both are whole values of the scene's types."""

    address: Address
    before: object
    after: object


@dataclass(frozen=True, eq=False)
class Edit:
    """One undo step."""

    label: str
    changes: tuple[Change, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "changes", tuple(self.changes))

    def __repr__(self) -> str:
        return f"<Edit {'; '.join(edit_lines(self))}>"

    def summary(self, scene: Scene | None = None) -> str:
        """What it changes, in a line for each take; with a scene, by the names in it."""
        return "\n  ".join(edit_lines(self, scene))

    @property
    def empty(self) -> bool:
        """Whether the edit changes nothing."""
        return not self.changes

    def apply(self, scene: Scene) -> Scene:
        """The scene after the edit. A scene it was not made for raises `StaleEdit`."""
        for _, group in groupby(self.changes, key=_siblings_key):
            changed = _changed(scene, list(group), self.label)
            assert isinstance(changed, Scene)
            scene = changed
        return scene

    def inverse(self) -> Edit:
        """The edit that undoes this one, bit for bit."""
        back = tuple(
            Change(change.address, change.after, change.before) for change in self.changes[::-1]
        )
        return Edit(self.label, back)


def value_at(scene: Scene, address: Address) -> object:
    """The value at an address."""
    value: object = scene
    for depth in range(len(address)):
        value = _step(value, address, depth)
    return value


def _step(value: object, address: Address, depth: int) -> object:
    step = address[depth]
    if isinstance(step, int) and isinstance(value, tuple) and 0 <= step < len(value):
        return value[step]
    if isinstance(step, str) and step in _field_names(value):
        return getattr(value, step)
    where = "/".join(str(each) for each in address[: depth + 1])
    raise BadValue("Change.address", f"a path in {type(value).__name__}", where)


def _field_names(value: object) -> set[str]:
    return {field.name for field in fields(value)} if is_dataclass(value) else set()


def _siblings_key(change: Change) -> tuple[bool, Address]:
    """Grouping key: changes of the same parent are applied at once."""
    return bool(change.address), change.address[:-1]


def _changed(value: object, group: list[Change], label: str, depth: int = 0) -> object:
    """The value with all changes of a group of siblings, whose parent is `depth` steps down."""
    address = group[0].address
    if depth < len(address) - 1:
        inner = _changed(_step(value, address, depth), group, label, depth + 1)
        return _replaced(value, {address[depth]: inner})
    if not address:
        for change in group:
            value = _checked(value, change, label)
        return value
    replacements: dict[str | int, object] = {}
    for change in group:
        last = change.address[depth]
        now = replacements[last] if last in replacements else _step(value, change.address, depth)
        replacements[last] = _checked(now, change, label)
    return _replaced(value, replacements)


def _checked(now: object, change: Change, label: str) -> object:
    if not same(now, change.before):
        raise StaleEdit(label, change.address)
    return change.after


def _replaced(value: object, replacements: dict[str | int, object]) -> object:
    """A tuple with other items, or a dataclass with other fields."""
    if isinstance(value, tuple):
        items = list(value)
        for index, item in replacements.items():
            items[int(index)] = item
        return tuple(items)
    return replace(value, **replacements)  # type: ignore[type-var, arg-type]
