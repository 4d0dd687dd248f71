"""Addresses of journals in which pins and contacts were lists of their own, as they are now.

Scenes of such journals are read with pins, then contacts, then other constraints in one tuple, and
their steps keep that order. So a step on one of the three lists is a step on a part of the tuple.
"""

from __future__ import annotations

from arcwright.errors import BadValue
from arcwright.files.values import LOST
from arcwright.scene.constraint import Constraint, Contact, Pin
from arcwright.scene.edit import Address
from arcwright.scene.scene import Scene

Changes = list[tuple[Address, object]]  # address and value after; LOST where it cannot be read
_Groups = dict[str, tuple[Constraint, ...]]


def with_current_addresses(changes: Changes, scene: Scene) -> Changes:
    """The changes of one step, made to `scene`, one after the other."""
    groups = _groups_of(scene.constraints)
    found: Changes = []
    for address, after in changes:
        match address:
            case () if isinstance(after, Scene):
                groups = _groups_of(after.constraints)
                found.append((address, after))
            case ("pins" | "contacts" | "constraints" as group,):
                if after is not LOST:
                    groups[group] = _checked(after)
                    after = _joined(groups)
                found.append((("constraints",), after))
            case ("pins" | "contacts" | "constraints" as group, int(index), *rest):
                if not 0 <= index < len(groups[group]):
                    raise BadValue("address", f"an index of {group}", index)
                if not rest and isinstance(after, Constraint):
                    own = groups[group]
                    groups[group] = (*own[:index], after, *own[index + 1 :])
                found.append((("constraints", _offset(groups, group) + index, *rest), after))
            case _:
                found.append((address, after))
    return found


def _groups_of(constraints: tuple[Constraint, ...]) -> _Groups:
    return {
        "pins": tuple(each for each in constraints if isinstance(each, Pin)),
        "contacts": tuple(each for each in constraints if isinstance(each, Contact)),
        "constraints": tuple(each for each in constraints if not isinstance(each, Pin | Contact)),
    }


def _joined(groups: _Groups) -> tuple[Constraint, ...]:
    return tuple(each for group in groups.values() for each in group)


def _offset(groups: _Groups, group: str) -> int:
    names = list(groups)
    return sum(len(groups[before]) for before in names[: names.index(group)])


def _checked(after: object) -> tuple[Constraint, ...]:
    if not isinstance(after, tuple) or not all(isinstance(each, Constraint) for each in after):
        raise BadValue("step", "constraints", type(after).__name__)
    return after
