"""Quantities: what a field of a constraint or region holds, stated once in its annotation.

Constructors, project files, gesture files, messages and panels all read these descriptions.
"""

from __future__ import annotations

import math
from dataclasses import MISSING, dataclass, fields
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import numpy as np

from arcwright.arrays import Floats, frozen
from arcwright.errors import BadValue

QuantityKind = Literal[
    "time",  # s
    "times",  # (K,) s
    "number",
    "length",  # m, or another unit that scales with metres
    "flag",
    "choice",
    "position",  # (3,) m, in the world
    "positions",  # (K, 3) m
    "direction",  # (3,) of length 1
    "orientation",  # (4,) unit quaternion wxyz
    "point",
    "region",
    "character",  # the name of a character
    "take",  # the name of a take
]
EPSILON = 1e-12
MAX_DISTANCE = 1e6  # m from the origin, where a double still resolves micrometres
_UNIT_WORDS = {"": "a number", "m": "metres", "m/s²": "metres per second squared", "s": "seconds"}


@dataclass(frozen=True)
class Quantity:
    """What a field holds, and how faces show it: `Annotated[float, Quantity("length", ...)]`."""

    kind: QuantityKind
    label: str
    help: str = ""
    unit: str = ""  # "m", "s", "m/s²"
    low: float | None = None
    high: float | None = None
    none: str = ""  # what None means, where the field may be None: "as is"
    choices: tuple[str, ...] = ()

    def checked(self, value: Any, where: str) -> Any:
        """The value in its own type; raises `BadValue` about `where` if it does not fit."""
        match self.kind:
            case "number" | "length" | "time":
                return self._number(value, where)
            case "flag":
                if not isinstance(value, bool | np.bool_):
                    raise BadValue(where, "true or false", value)
                return bool(value)
            case "choice":
                if value not in self.choices:
                    raise BadValue(where, " or ".join(self.choices), value)
            case "character" | "take":
                if not isinstance(value, str):
                    raise BadValue(where, f"the name of a {self.kind}", value)
            case "times":
                return frozen(value, where, ("K",))
            case "position":
                return checked_positions(value, where, (3,))
            case "positions":
                return checked_positions(value, where, ("K", 3))
            case "direction":
                return _direction(value, where)
            case "orientation":
                return _orientation(value, where)
        return value

    def _number(self, value: Any, where: str) -> float:
        low = -math.inf if self.low is None else self.low
        high = math.inf if self.high is None else self.high
        is_number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
        if not is_number or not math.isfinite(value) or not low <= value <= high:
            raise BadValue(where, self._expected(), value)
        return float(value)

    def _expected(self) -> str:
        words = _UNIT_WORDS.get(self.unit, self.unit)
        if self.low is not None and self.high is not None:
            return f"{words}, {self.low:g} to {self.high:g}"
        return words if self.low is None else f"{words}, {self.low:g} or more"


@dataclass(frozen=True)
class Field:
    """A field of a described class."""

    name: str
    quantity: Quantity
    type: Any  # of its values, without None
    optional: bool  # may be None
    default: Any  # `MISSING` where a value has to be given

    @property
    def required(self) -> bool:
        """Whether a value has to be given."""
        return self.default is MISSING

    def checked(self, value: Any, where: str) -> Any:
        """The value in its own type; raises `BadValue` about `where` if it does not fit."""
        if value is None and self.optional:
            return None
        if self.quantity.kind in ("point", "region") and not isinstance(value, self.type):
            raise BadValue(where, f"a {self.quantity.kind}", value)
        return self.quantity.checked(value, where)


_known: dict[type[Any], tuple[Field, ...]] = {}


def fields_of(described: type[Any]) -> tuple[Field, ...]:
    """The fields of a class whose annotations hold quantities, in order."""
    found = _known.get(described)
    if found is None:
        hints = get_type_hints(described, include_extras=True)
        own = (_field(each.name, hints[each.name], each.default) for each in fields(described))
        found = _known[described] = tuple(own)
    return found


def check_fields(value: Any) -> None:
    """Check all fields of a frozen value in its constructor and put them in their own types."""
    described = type(value)
    for each in fields_of(described):
        where = f"{described.__name__}.{each.name}"
        object.__setattr__(value, each.name, each.checked(getattr(value, each.name), where))


def checked_positions(value: object, where: str, shape: tuple[int | str, ...]) -> Floats:
    """World positions as a read-only array; raises beyond `MAX_DISTANCE`."""
    positions: Floats = frozen(value, where, shape)  # type: ignore[arg-type]
    if np.abs(positions).max(initial=0.0) > MAX_DISTANCE:
        raise BadValue(where, f"within {MAX_DISTANCE:g} m", positions)
    return positions


def _field(name: str, hint: Any, default: Any) -> Field:
    if get_origin(hint) is not Annotated:
        raise BadValue(name, "an annotation with a Quantity", hint)
    kind, quantity = get_args(hint)
    members = get_args(kind) if NoneType in get_args(kind) else ()
    own = kind if not members else _without_none(members)
    return Field(name, quantity, own, bool(members), default)


def _without_none(members: tuple[Any, ...]) -> Any:
    first, *rest = (each for each in members if each is not NoneType)
    for each in rest:
        first = first | each
    return first


def _direction(value: Any, where: str) -> Floats:
    direction: Floats = frozen(value, where, (3,))
    with np.errstate(over="ignore"):
        length = float(np.linalg.norm(direction))
    if not EPSILON < length < np.inf:
        raise BadValue(where, "a direction", direction)
    if abs(length - 1) > EPSILON:  # a unit vector stays unchanged to the last bit
        direction = frozen(direction / length, where, (3,))
    return direction


def _orientation(value: Any, where: str) -> Floats:
    orientation: Floats = frozen(value, where, (4,))
    with np.errstate(over="ignore"):
        length = float(np.linalg.norm(orientation))
    if not abs(length - 1) <= 1e-6:
        raise BadValue(where, "a unit quaternion wxyz", orientation)
    return orientation
