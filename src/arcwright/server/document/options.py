"""Options of a tool, checked and read from a message."""

from __future__ import annotations

from dataclasses import Field, fields
from typing import Any

import numpy as np

from arcwright.errors import BadValue

Options = dict[str, bool | int | float | str | None]


def read_options(kind: type[Any], given: Options) -> Any:
    """The options of a tool from those of a message; numbers are clamped to their range."""
    known = {each.name: each for each in fields(kind)}
    for name in given:
        if name not in known:
            raise BadValue("options", f"any of {', '.join(known)}", name)
    return kind(**{name: _option(known[name], value) for name, value in given.items()})


def _option(option: Field[Any], value: bool | int | float | str | None) -> Any:
    types = [part.strip() for part in str(option.type).split("|")]
    if value is None and "None" in types:
        return None
    fits = {
        "bool": isinstance(value, bool),
        "str": value in option.metadata.get("choices", ()),
        "int": _number(value) and float(value or 0).is_integer(),
        "float": _number(value),
    }
    if not fits[types[0]]:
        choices = option.metadata.get("choices")
        expected = " or ".join(choices) if choices else {"bool": "true or false"}.get(types[0])
        raise BadValue(option.name, expected or "a number", value)
    if types[0] in ("bool", "str"):
        return value
    assert isinstance(value, int | float)
    number = int(value) if types[0] == "int" else float(value)
    low, high = option.metadata.get("range", (-np.inf, np.inf))
    return min(max(number, low), high)


def _number(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return bool(np.isfinite(value))
