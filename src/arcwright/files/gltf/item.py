"""Item: one JSON object of a glTF file with checked access and a label for errors."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arcwright.errors import BadFile

ROOT = "the file"
_HUGE = 2**53
_FAR = 1e38  # what 32-bit floats hold


@dataclass(frozen=True)
class Item:
    """A JSON object and its name in error messages, such as `accessor 3`."""

    path: Path
    label: str
    value: dict[str, Any]

    def bad(self, fault: str) -> BadFile:
        """The error that says what is wrong with this item."""
        return BadFile(self.path, f"{self.label} {fault}")

    def has(self, key: str) -> bool:
        """Whether the key is present."""
        return key in self.value

    def integer(self, key: str, default: int | None = None, low: int = 0, high: int = _HUGE) -> int:
        """A whole number in a range; required without a default."""
        found = self.value.get(key, default)
        if found is None:
            raise self.bad(f"has no {key!r}")
        if isinstance(found, float) and found.is_integer():
            found = int(found)
        if isinstance(found, bool) or not isinstance(found, int) or not low <= found <= high:
            limit = f"{low} to {high}" if high < _HUGE else f"{low} or more"
            raise self.bad(f"has {key} {_short(found)}, expected a whole number, {limit}")
        return found

    def index(self, key: str, count: int, what: str) -> int | None:
        """A reference into a list of `count` entries, or None if missing."""
        return self.reference(self.value[key], count, what) if key in self.value else None

    def needed(self, key: str, count: int, what: str) -> int:
        """A required reference."""
        if key not in self.value:
            raise self.bad(f"has no {key!r}")
        return self.reference(self.value[key], count, what)

    def indices(self, key: str, count: int, what: str) -> list[int]:
        """A list of references; empty if missing."""
        return [self.reference(each, count, what) for each in self.array(key)]

    def reference(self, found: object, count: int, what: str) -> int:
        """Check one reference into a list of `count` entries."""
        if isinstance(found, float) and found.is_integer():
            found = int(found)
        if isinstance(found, bool) or not isinstance(found, int) or found < 0:
            raise self.bad(f"names {what} {_short(found)}, expected a whole number")
        if found >= count:
            raise self.bad(f"names {what} {found}, but there are {count or 'none'}")
        return found

    def array(self, key: str) -> list[Any]:
        """A JSON array; empty if missing."""
        found = self.value.get(key, [])
        if not isinstance(found, list):
            raise self.bad(f"has {key} {_short(found)}, expected an array")
        return found

    def numbers(self, key: str, count: int | None = None) -> list[float] | None:
        """Finite numbers, `count` of them if given, or None when they are not there."""
        if key not in self.value:
            return None
        found = self.array(key)
        fits = count is None or len(found) == count
        for each in found:
            fits &= isinstance(each, int | float) and not isinstance(each, bool)
            fits = fits and abs(each) < _FAR
        if not fits:
            many = "numbers" if count is None else f"{count} numbers"
            raise self.bad(f"has {key} {_short(found)}, expected {many}")
        return [float(each) for each in found]

    def text(self, key: str, default: str | None = None) -> str:
        """A string; required without a default."""
        found = self.value.get(key, default)
        if not isinstance(found, str):
            fault = f"has {key} {_short(found)}, expected a string"
            raise self.bad(f"has no {key!r}" if found is None else fault)
        return found

    def texts(self, key: str) -> list[str]:
        """A list of strings; empty if missing."""
        found = self.array(key)
        if not all(isinstance(each, str) for each in found):
            raise self.bad(f"has {key} {_short(found)}, expected strings")
        return found

    def flag(self, key: str) -> bool:
        """True or false; false if missing."""
        found = self.value.get(key, False)
        if not isinstance(found, bool):
            raise self.bad(f"has {key} {_short(found)}, expected true or false")
        return found

    def child(self, key: str) -> Item | None:
        """The JSON object under a key, or None if missing."""
        if key not in self.value:
            return None
        return self._wrapped(self.value[key], f"{self.label} {key}")

    def children(self, key: str, what: str) -> list[Item]:
        """The JSON objects of an array, labelled `label what 0`, or `what 0` under the root."""
        start = what if self.label == ROOT else f"{self.label} {what}"
        return [self._wrapped(v, f"{start} {n}") for n, v in enumerate(self.array(key))]

    def extension(self, name: str) -> Item | None:
        """An extension's object, or None if missing."""
        held = self.child("extensions")
        return held.child(name) if held else None

    def _wrapped(self, value: object, label: str) -> Item:
        if not isinstance(value, dict):
            raise BadFile(self.path, f"{label} is {_short(value)}, expected an object")
        return Item(self.path, label, value)


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
