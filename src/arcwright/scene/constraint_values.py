"""Constraints as plain values - numbers, texts, lists - as messages and gesture files hold them.

{"kind": "region", "point": {"joint": "LeftHand", "offset": [0, 0, 0], "character": ""},
 "start": 0, "end": 1, "region": {"shape": "sphere", "center": [0, 1, 0], "radius": 0.3}}
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from arcwright.arrays import frozen
from arcwright.errors import BadValue
from arcwright.scene.constraint import KINDS, Constraint
from arcwright.scene.point import Point
from arcwright.scene.quantity import Field, fields_of
from arcwright.scene.region import SHAPE_NAMES, SHAPES, Region

OWNERS = ("character", "take")
"""Quantities that are not among the values: they are stored beside them."""


_known: dict[type[Constraint], tuple[Field, ...]] = {}


def value_fields(kind: type[Constraint]) -> tuple[Field, ...]:
    """The fields of a kind that are among its plain values."""
    found = _known.get(kind)
    if found is None:
        own = (each for each in fields_of(kind) if each.quantity.kind not in OWNERS)
        found = _known[kind] = tuple(own)
    return found


def constraint_values(constraint: Constraint, character: str = "") -> dict[str, Any]:
    """A constraint as plain values; points that name no character are of `character`."""
    values: dict[str, Any] = {"kind": constraint.kind}
    for each in value_fields(type(constraint)):
        values[each.name] = _plain(getattr(constraint, each.name), character)
    return values


def constraint_from_values(
    values: Mapping[str, Any], where: str = "constraint", *, character: str = "", take: str = ""
) -> Constraint:
    """The constraint of plain values; `where` names their place for errors."""
    kind = values.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise BadValue(f"{where}.kind", f"any of {', '.join(KINDS)}", kind)
    own = {each.name: each for each in value_fields(KINDS[kind])}
    given = _mapping(values, where, {"kind", *own})
    found: dict[str, Any] = {"take": take}
    for name, field in own.items():
        if name in given:
            found[name] = _value(field, given[name], f"{where}.{name}", character)
        elif field.required:
            raise BadValue(where, name, ", ".join(given))
    if character and "character" in KINDS[kind].__dataclass_fields__:
        found["character"] = "" if found.get("point") is not None else character
    return KINDS[kind](**found)


def point_from_values(value: object, where: str, character: str = "") -> Point:
    """A point; of `character` where it names none."""
    given = _mapping(value, where, {"joint", "offset", "character"})
    if not isinstance(given.get("joint"), str):
        raise BadValue(f"{where}.joint", "the name of a joint", given.get("joint"))
    owner = given.get("character", "")
    if not isinstance(owner, str):
        raise BadValue(f"{where}.character", "text", type(owner).__name__)
    offset = frozen(given.get("offset", np.zeros(3)), f"{where}.offset", (3,))
    return Point(given["joint"], offset, owner or character)


def _value(field: Field, value: object, where: str, character: str) -> Any:
    if value is not None and field.quantity.kind == "point":
        return point_from_values(value, where, character)
    if value is not None and field.quantity.kind == "region":
        return _region(value, where)
    return field.checked(value, where)


def _region(value: object, where: str) -> Region:
    shape = value.get("shape") if isinstance(value, Mapping) else None
    if not isinstance(shape, str) or shape not in SHAPES:
        raise BadValue(f"{where}.shape", f"any of {', '.join(SHAPES)}", shape)
    own = {each.name: each for each in fields_of(SHAPES[shape])}
    given = _mapping(value, where, {"shape", *own})
    if given.keys() != {"shape", *own}:
        raise BadValue(where, ", ".join(own), ", ".join(given))
    made: Region = SHAPES[shape](
        **{name: each.checked(given[name], f"{where}.{name}") for name, each in own.items()}
    )
    return made


def _mapping(value: object, where: str, known: set[str]) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise BadValue(where, "a JSON object", type(value).__name__)
    for name in value:
        if name not in known:
            raise BadValue(where, f"any of {', '.join(sorted(known))}", name)
    return value


def _plain(value: Any, character: str) -> Any:
    if value is None or isinstance(value, float | bool | str):
        return value
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Point):
        offset, owner = value.offset.tolist(), value.character or character
        return {"joint": value.joint, "offset": offset, "character": owner}
    if isinstance(value, Region):
        fields = {
            each.name: _plain(getattr(value, each.name), "") for each in fields_of(type(value))
        }
        return {"shape": SHAPE_NAMES[type(value)], **fields}
    return value
