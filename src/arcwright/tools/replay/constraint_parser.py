"""Constraint parser: constraints of a gesture file, in frames, metres and radians.

{"kind": "distance", "point": P, "other": P, "frames": [a, b], "distance": m}

The other fields are those of the kind, with the same names as in Python; those that have a default
may be left out. `frames` are the first and the last one, or one for each position of a path.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arcwright.arrays import frozen
from arcwright.errors import BadValue
from arcwright.kinematics.rotation import quaternion_from_vector
from arcwright.scene.constraint import KINDS, Constraint
from arcwright.scene.constraint_values import constraint_from_values
from arcwright.scene.quantity import fields_of

_OLD_KINDS = {"apart": "distance", "meet": "coincident", "turn": "orientation", "stay": "region"}
_OLD_FIELDS = {
    "distance": {"size": "distance"},
    "path": {"places": "positions"},
    "balance": {"around": "margin"},
}
_OLD_SHAPES = {"half_space": "half_space", "box": "box", "ball": "sphere", "cylinder": "cylinder"}
_OLD_SHAPE_FIELDS = {"half_space": {"place": "position"}, "ball": {"middle": "center"}}


def parse_constraint(
    given: Mapping[str, Any], rate: float, where: str, take: str = ""
) -> Constraint:
    """A constraint from parsed JSON; `where` names its place in the file for errors."""
    values = with_current_names(given, where)
    kind = values.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise BadValue(f"{where}.kind", f"any of {', '.join(KINDS)}", kind)
    if "frames" not in values:
        raise BadValue(where, "frames", ", ".join(values))
    times = frozen(values.pop("frames"), f"{where}.frames", ("K",)) / rate
    if any(each.quantity.kind == "times" for each in fields_of(KINDS[kind])):
        values["times"] = times.tolist()
    elif len(times) == 2:
        values["start"], values["end"] = times.tolist()
    else:
        raise BadValue(f"{where}.frames", "first and last", times * rate)
    return constraint_from_values(values, where, take=take)


def with_current_names(given: Mapping[str, Any], where: str) -> dict[str, Any]:
    """The values with the names of now in place of those of earlier versions."""
    old = given.get("kind")
    kind = _OLD_KINDS.get(old, old) if isinstance(old, str) else old
    fields = _OLD_FIELDS.get(kind, {}) if isinstance(kind, str) else {}
    values = {fields.get(name, name): value for name, value in given.items()} | {"kind": kind}
    if old == "meet" and isinstance(values.get("frames"), list):
        values["frames"] = sorted(values["frames"])
    if old == "turn" and "turn" in values:
        turn = frozen(values.pop("turn"), f"{where}.turn", (3,))
        values["orientation"] = quaternion_from_vector(turn)
    if old == "stay":
        named = [name for name in _OLD_SHAPES if name in values]
        if len(named) != 1:
            raise BadValue(where, f"one of {', '.join(_OLD_SHAPES)}", named or "none")
        region, renamed = values.pop(named[0]), _OLD_SHAPE_FIELDS.get(named[0], {})
        if isinstance(region, Mapping):
            region = {renamed.get(name, name): value for name, value in region.items()}
            values["region"] = region | {"shape": _OLD_SHAPES[named[0]]}
    return values
