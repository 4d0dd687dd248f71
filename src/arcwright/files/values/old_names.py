"""Names that earlier versions stored, as the types and fields that there are now."""

from __future__ import annotations

from typing import Any

_TYPES = {
    "Apart": "DistanceConstraint",
    "Meet": "CoincidentConstraint",
    "Follow": "PathConstraint",
    "Turned": "OrientationConstraint",
    "Stay": "RegionConstraint",
    "Floor": "FloorConstraint",
    "Balance": "BalanceConstraint",
    "Flight": "FlightConstraint",
    "Ball": "Sphere",
}
_FIELDS = {
    "DistanceConstraint": {"size": "distance"},
    "PathConstraint": {"places": "positions"},
    "BalanceConstraint": {"around": "margin"},
    "Sphere": {"middle": "center"},
    "HalfSpace": {"place": "position"},
}
_WITH_TAKE = {"Pin", "Contact", *_TYPES.values()} - {"Sphere"}  # whose take was called `clip`


def current(name: str, values: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The type and fields that stored ones are now.

    The pins, contacts and constraints of an earlier scene become one tuple in this order.
    """
    name = _TYPES.get(name, name)
    renamed = {**_FIELDS.get(name, {}), **({"clip": "take"} if name in _WITH_TAKE else {})}
    values = {renamed.get(field, field): value for field, value in values.items()}
    if name == "Scene" and isinstance(values.get("pins"), tuple):
        groups = [values.pop(group, ()) for group in ("pins", "contacts", "constraints")]
        if all(isinstance(group, tuple) for group in groups):
            values["constraints"] = tuple(each for group in groups for each in group)
    return name, values
