"""Options of a tool, stated once for every face.

A tool's options are a frozen dataclass derived from `Options`, each field made by `option(...)`.
The constructor checks them, so Python, gesture files, the command line and the studio refuse the
same values in the same words. Panels and command-line flags are made from `described`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from types import NoneType
from typing import Any, Literal, TypeVar, get_args, get_type_hints

from arcwright.errors import BadValue, UnknownName

OptionKind = Literal["bool", "int", "float", "choice", "take", "text"]
_KINDS: dict[type, OptionKind] = {bool: "bool", int: "int", float: "float", str: "choice"}
_O = TypeVar("_O", bound="Options")


@dataclass(frozen=True)
class Option:
    """One option as faces show it."""

    name: str
    kind: OptionKind
    default: bool | int | float | str | None
    label: str
    help: str = ""
    unit: str = ""  # "m", "s"
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    optional: bool = False  # may be None

    def checked(self, value: object) -> bool | int | float | str | None:
        """The value in the option's own type; raises `BadValue` where it does not fit."""
        if value is None and self.optional:
            return None
        match self.kind:
            case "bool":
                if isinstance(value, bool):
                    return value
                raise BadValue(self.name, "true or false", value)
            case "choice":
                if isinstance(value, str) and value in self.choices:
                    return value
                raise BadValue(self.name, " or ".join(self.choices), value)
            case "take":
                if isinstance(value, str):
                    return value
                raise BadValue(self.name, "the name of a take", value)
            case "text":
                if isinstance(value, str):
                    return value
                raise BadValue(self.name, "text", value)
        return self._number(value)

    def _number(self, value: object) -> int | float:
        if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
            raise BadValue(self.name, self._expected(), value)
        low = -math.inf if self.low is None else self.low
        high = math.inf if self.high is None else self.high
        whole = self.kind != "int" or float(value).is_integer()
        if not whole or math.isinf(value) or not low <= value <= high:
            raise BadValue(self.name, self._expected(), value)
        return int(value) if self.kind == "int" else float(value)

    def _expected(self) -> str:
        what = "a whole number" if self.kind == "int" else "a number"
        if self.low is None or self.high is None:
            return what if self.low is None else f"{what}, {self.low:g} or more"
        return f"{what}, {self.low:g} to {self.high:g}"


def option(
    default: bool | int | float | str | None,
    label: str,
    help: str = "",
    *,
    unit: str = "",
    low: float | None = None,
    high: float | None = None,
    choices: Sequence[str] = (),
    free: bool = False,
) -> Any:
    """A field of an `Options` class; its kind follows from the annotation.

    Text without choices is the name of a take of the character, "" for none; where it is `free`,
    the tool reads it.
    """
    about = {"label": label, "help": help, "unit": unit, "low": low, "high": high}
    about["kind"] = "text" if free else None
    return field(default=default, metadata={**about, "choices": tuple(choices)})


_described: dict[type[Options], tuple[Option, ...]] = {}


@dataclass(frozen=True)
class Options:
    """Options of a tool; checked when they are made."""

    def __post_init__(self) -> None:
        for each in described(type(self)):
            object.__setattr__(self, each.name, each.checked(getattr(self, each.name)))


def described(kind: type[Options]) -> tuple[Option, ...]:
    """All options of a class, in order."""
    if kind in _described:
        return _described[kind]
    found, hints = [], get_type_hints(kind)
    for each in fields(kind):
        types = get_args(hints[each.name]) or (hints[each.name],)
        default: Any = each.default
        about = dict(each.metadata)
        kind_of = about.pop("kind") or _KINDS[types[0]]
        if kind_of == "choice" and not about["choices"]:
            kind_of = "take"
        optional = NoneType in types
        found.append(Option(each.name, kind_of, default, optional=optional, **about))
    return _described.setdefault(kind, tuple(found))


def options_from(kind: type[_O], values: Mapping[str, Any]) -> _O:
    """Options from names and values, as a message, a gesture file or a command line has them."""
    known = [each.name for each in described(kind)]
    for name in values:
        if name not in known:
            raise UnknownName("option", name, known)
    return kind(**values)
