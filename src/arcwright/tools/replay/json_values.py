"""Values of parsed JSON, checked: what is wrong is named by its place in the file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arcwright.errors import BadValue


def mapping_in(value: object, where: str, known: set[str] | None) -> Mapping[str, Any]:
    """A JSON object that has known names only."""
    if not isinstance(value, Mapping):
        raise BadValue(where, "a JSON object", type(value).__name__)
    for name in value:
        if known is not None and name not in known:
            raise BadValue(where, f"any of {', '.join(sorted(known))}", name)
    return value


def list_in(value: object, where: str, most: int) -> list[Any]:
    """A JSON list of at most so many entries."""
    if not isinstance(value, list):
        raise BadValue(where, "a JSON list", type(value).__name__)
    if len(value) > most:
        raise BadValue(where, f"at most {most}", len(value))
    return value


def text_in(value: object, where: str) -> str:
    """A text."""
    if not isinstance(value, str):
        raise BadValue(where, "text", type(value).__name__)
    return value


def number_in(value: object, where: str) -> float:
    """A number, and not true or false."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadValue(where, "a number", type(value).__name__)
    return float(value)


def whole_number_in(value: object, where: str, most: int) -> int:
    """A whole number, 1 or more."""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise BadValue(where, f"a whole number, 1 to {most}", value)
    return value
