"""Values of an activity file, checked: keys, texts, flags, numbers and vectors."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from arcwright.arrays import Floats
from arcwright.errors import BadValue
from arcwright.tools.replay.json_values import list_in, mapping_in, number_in, text_in

MOST_NAMES = 1000  # in a list of an event
_SHOWN = 60  # characters of a text that an error repeats


def optional_text(given: Mapping[str, Any], key: str, where: str) -> str:
    """A text; "" where it is missing or null."""
    value = given.get(key)
    return "" if value is None else text_in(value, f"{where}{key}")


def needed_text(given: Mapping[str, Any], key: str, where: str) -> str:
    """A text that must be there and must not be empty."""
    text = optional_text(given, key, where)
    if not text.strip():
        raise BadValue(f"{where}{key}", "a name", "none")
    return text


def flag(given: Mapping[str, Any], key: str, where: str) -> bool:
    """True or false; false where it is missing or null."""
    value = given.get(key)
    if value is not None and not isinstance(value, bool):
        raise BadValue(f"{where}{key}", "true or false", shown(value))
    return bool(value)


def entries(given: Mapping[str, Any], key: str, where: str, most: int) -> list[Any]:
    """A list; empty where it is missing or null."""
    value = given.get(key)
    return [] if value is None else list_in(value, f"{where}{key}", most)


def names(given: Mapping[str, Any], key: str, where: str) -> list[tuple[str, str]] | None:
    """Names with their places in the file; None where the list is missing or null."""
    if given.get(key) is None:
        return None
    listed = entries(given, key, where, MOST_NAMES)
    places = [f"{where}{key}[{index}]" for index in range(len(listed))]
    return [(text_in(each, place), place) for each, place in zip(listed, places, strict=True)]


def finite(value: object, where: str) -> float:
    """A finite number."""
    try:
        number = number_in(value, where)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise BadValue(where, "a finite number", "one that is not or is too large")
    return number


def vector(value: object, where: str) -> Floats:
    """(3,) finite numbers."""
    if not isinstance(value, list) or len(value) != 3:
        raise BadValue(where, "three numbers [x, y, z]", shown(value))
    return np.array([finite(each, f"{where}[{index}]") for index, each in enumerate(value)])


def anchors_in(value: object, where: str) -> dict[str, Floats]:
    """Places by name; none where the value is missing or null."""
    if value is None:
        return {}
    given = mapping_in(value, where, None)
    if len(given) > MOST_NAMES:
        raise BadValue(where, f"at most {MOST_NAMES}", len(given))
    return {name: vector(each, f"{where}.{shown(name)}") for name, each in given.items()}


def shown(value: object) -> str:
    """A value as text for an error, shortened if it is long."""
    text = value if isinstance(value, str) else type(value).__name__
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."
