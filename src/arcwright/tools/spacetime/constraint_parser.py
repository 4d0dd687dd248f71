"""Constraint parser: constraints of a gesture file, in frames, metres and radians.

{"kind": "apart", "point": P, "other": P, "frames": [a, b], "size": m}     size may be left out
{"kind": "meet", "point": P, "frames": [a, b]}
{"kind": "path", "point": P, "frames": [a, ...], "places": [[x, y, z], ...]}
{"kind": "turn", "point": P, "frames": [a, b], "turn": [x, y, z]}          a rotation vector
{"kind": "stay", "point": P, "frames": [a, b], "inside": false, and one of
     "half_space": {"place": [x, y, z], "normal": [x, y, z]}               what lies behind it
     "box": {"low": [x, y, z], "high": [x, y, z]}
     "ball": {"middle": [x, y, z], "radius": m}
     "cylinder": {"start": [x, y, z], "end": [x, y, z], "radius": m}}
{"kind": "floor", "frames": [a, b], "height": m, "point": P}    without a point, the feet; without
                                                             a height, the lowest they have
{"kind": "balance", "frames": [a, b], "around": m}                         around may be left out
{"kind": "flight", "frames": [a, b], "gravity": 9.81}                          gravity likewise
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np

from arcwright.arrays import Floats, frozen
from arcwright.errors import BadValue
from arcwright.kinematics.rotation import quaternion_from_vector
from arcwright.scene.constraint import (
    SUPPORT_MARGIN,
    Apart,
    Balance,
    Constraint,
    Flight,
    Floor,
    Follow,
    Meet,
    Stay,
    Turned,
)
from arcwright.scene.region import Ball, Box, Cylinder, HalfSpace, Region
from arcwright.tools.replay.json_values import mapping_in, number_in, point_in

_FIELDS = {
    "flight": {"frames", "gravity"},
    "apart": {"point", "other", "frames", "size"},
    "meet": {"point", "frames"},
    "path": {"point", "frames", "places"},
    "turn": {"point", "frames", "turn"},
    "stay": {"point", "frames", "inside", "half_space", "box", "ball", "cylinder"},
    "floor": {"frames", "height", "point"},
    "balance": {"frames", "around"},
}
_REGIONS: dict[str, tuple[type[Any], set[str]]] = {
    "half_space": (HalfSpace, {"place", "normal"}),
    "box": (Box, {"low", "high"}),
    "ball": (Ball, {"middle", "radius"}),
    "cylinder": (Cylinder, {"start", "end", "radius"}),
}
_Default = TypeVar("_Default", float, None)


def parse_constraint(given: Mapping[str, Any], rate: float, where: str) -> Constraint:
    """A constraint from parsed JSON; `where` names its place in the file for errors."""
    kind = given.get("kind")
    if not isinstance(kind, str) or kind not in _FIELDS:
        raise BadValue(f"{where}.kind", f"any of {', '.join(_FIELDS)}", kind)
    values = mapping_in(given, where, {"kind", *_FIELDS[kind]})
    times = _row(values, "frames", ("K",), where) / rate
    if not len(times) or (kind != "path" and len(times) != 2):
        raise BadValue(f"{where}.frames", "first and last", times * rate)
    start, end = float(times[0]), float(times[-1])
    if kind == "balance":
        return Balance(start, end, _number(values, "around", where, SUPPORT_MARGIN))
    if kind == "flight":
        return Flight(start, end, _number(values, "gravity", where, None))
    if kind == "floor":
        own = point_in(values["point"], f"{where}.point") if "point" in values else None
        return Floor(start, end, _number(values, "height", where, None), own)
    point = point_in(values.get("point"), f"{where}.point")
    if kind == "apart":
        other = point_in(values.get("other"), f"{where}.other")
        return Apart(point, other, start, end, _number(values, "size", where, None))
    if kind == "meet":
        return Meet(point, min(start, end), max(start, end))
    if kind == "path":
        return Follow(point, times, _row(values, "places", ("K", 3), where))
    if kind == "turn":
        rotation = quaternion_from_vector(_row(values, "turn", (3,), where))
        return Turned(point, start, end, rotation)
    inside = values.get("inside", False)
    if not isinstance(inside, bool):
        raise BadValue(f"{where}.inside", "true or false", inside)
    return Stay(point, start, end, _region(values, where), inside)


def _region(values: Mapping[str, Any], where: str) -> Region:
    named = [name for name in _REGIONS if name in values]
    if len(named) != 1:
        raise BadValue(where, f"one of {', '.join(_REGIONS)}", named or "none")
    kind, fields = _REGIONS[named[0]]
    there = f"{where}.{named[0]}"
    given = mapping_in(values[named[0]], there, fields)
    if set(given) != fields:
        raise BadValue(there, ", ".join(sorted(fields)), sorted(given))
    made: Region = kind(
        **{
            name: _number(given, name, there, 0.0)
            if name == "radius"
            else _row(given, name, (3,), there)
            for name in given
        }
    )
    return made


def _row(values: Mapping[str, Any], name: str, shape: tuple[Any, ...], where: str) -> Floats:
    if name not in values:
        raise BadValue(where, name, sorted(values))
    row: Floats = np.asarray(frozen(values[name], f"{where}.{name}", shape))
    return row


def _number(
    values: Mapping[str, Any], name: str, where: str, default: _Default
) -> float | _Default:
    return number_in(values[name], f"{where}.{name}") if name in values else default
