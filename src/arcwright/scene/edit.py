"""Edit: a labelled set of changes; a value that can be applied, inverted, sent and stored."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass, replace

from arcwright.arrays import same
from arcwright.errors import BadValue, StaleEdit
from arcwright.scene.scene import Scene

Address = tuple[str | int, ...]
"""A way down from the scene: field names and indices, as in `("characters", 0, "rig")`."""


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

    @property
    def empty(self) -> bool:
        """Whether the edit changes nothing."""
        return not self.changes

    def apply(self, scene: Scene) -> Scene:
        """The scene after the edit. A scene it was not made for raises `StaleEdit`."""
        for change in self.changes:
            changed = _changed(scene, change.address, change, self.label)
            assert isinstance(changed, Scene)
            scene = changed
        return scene

    def inverse(self) -> Edit:
        """The edit that takes this one back, bit for bit."""
        back = tuple(
            Change(change.address, change.after, change.before) for change in self.changes[::-1]
        )
        return Edit(self.label, back)


def value_at(scene: Scene, address: Address) -> object:
    """What stands at an address."""
    value: object = scene
    for depth in range(len(address)):
        value = _step(value, address, depth)
    return value


def change_at(scene: Scene, address: Address, after: object) -> Change:
    """The change that puts `after` at `address` of this scene."""
    return Change(address, value_at(scene, address), after)


def _step(value: object, address: Address, depth: int) -> object:
    step = address[depth]
    if isinstance(step, int) and isinstance(value, tuple) and 0 <= step < len(value):
        return value[step]
    if isinstance(step, str) and step in _field_names(value):
        return getattr(value, step)
    where = "/".join(str(each) for each in address[: depth + 1])
    raise BadValue("Change.address", f"a place in {type(value).__name__}", where)


def _field_names(value: object) -> set[str]:
    return {field.name for field in fields(value)} if is_dataclass(value) else set()


def _changed(value: object, rest: Address, change: Change, label: str) -> object:
    if not rest:
        if not same(value, change.before):
            raise StaleEdit(label, change.address)
        return change.after
    depth = len(change.address) - len(rest)
    inner = _changed(_step(value, change.address, depth), rest[1:], change, label)
    step = rest[0]
    if isinstance(value, tuple) and isinstance(step, int):
        return (*value[:step], inner, *value[step + 1 :])
    return replace(value, **{str(step): inner})  # type: ignore[type-var]
