"""Deserialise frozen values from JSON tables and arrays; both are checked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import prod
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np

from arcwright.arrays import AnyArray
from arcwright.errors import ArcwrightError, BadFile
from arcwright.files.gltf.item import Item
from arcwright.files.values.kinds import ENUMS, LATER, NUMBERS, checks_of, stored_type
from arcwright.files.values.old_names import current


class Bytes(Protocol):
    """Access to the bytes of arrays."""

    def span(self, item: Item, view: int) -> tuple[bytes, int, int]:
        """A view as (bytes, start, length)."""
        ...

    def spend(self, size: int, what: str) -> None:
        """Account for memory before something is expanded."""
        ...


class LostReference(BadFile):
    """A value refers to another one that was lost."""


class _Lost:
    def __repr__(self) -> str:
        return "LOST"


LOST = _Lost()
"""Stands for a value that cannot be read because something it refers to was lost."""


class Restore:
    """Tables read in one or several parts; every fault becomes a `BadFile`.

    Parts that state under `first` where they continue may follow lost ones: then only values
    that refer to those cannot be read.
    """

    def __init__(self) -> None:
        self.objects: dict[int, object] = {}
        self.arrays: dict[int, AnyArray] = {}
        self.units: dict[int, object] = {}

    def read(self, item: Item, data: Bytes, key: str) -> object:
        """Read the tables of `item` and return the value under `key`."""
        with _read_faults(item):
            return _Reading(self, item, data).value(item.value.get(key))

    def read_each(self, item: Item, data: Bytes, key: str) -> list[object]:
        """The items under `key`, each on its own: `LOST` where one cannot be read."""
        with _read_faults(item):
            reading = _Reading(self, item, data)
            return [reading.value_or_lost(each) for each in item.array(key)]


@contextmanager
def _read_faults(item: Item) -> Iterator[None]:
    try:
        with np.errstate(all="ignore"):  # a damaged array may hold any numbers
            yield
    except RecursionError as error:
        raise item.bad("is nested too deeply") from error


class _Reading:
    """Reads one document's tables and appends them to the earlier ones."""

    def __init__(self, restore: Restore, item: Item, data: Bytes) -> None:
        self.item, self.data = item, data
        arrays, objects = restore.arrays, restore.objects
        self.tables = {"object": objects, "array": arrays, "bytes": arrays, "unit": restore.units}
        self.gaps = "first" in item.value
        first = self._first() if self.gaps else (len(objects), len(arrays))
        for index, entry in enumerate(item.array("arrays"), first[1]):
            arrays[index] = self._array(entry)
        for index, entry in enumerate(item.children("objects", "object"), first[0]):
            made = self._object_or_lost(entry)
            if made is not LOST:
                objects[index] = made

    def value(self, stored: Any) -> object:
        kind = type(stored)
        if kind is dict and len(stored) == 1:
            ((word, inner),) = stored.items()
            if word in self.tables:
                return self._referred(word, inner)
            if word in ("map", "dict") and isinstance(inner, list):
                made = self._mapping(inner)
                return made if word == "dict" else MappingProxyType(made)
            if word == "float" and inner in ("inf", "-inf", "nan"):
                return float(inner)
        elif kind is list:
            return tuple(self.value(each) for each in stored)
        elif kind is dict and stored.keys() == {"enum", "value"}:
            known = ENUMS.get(stored["enum"]) if isinstance(stored["enum"], str) else None
            if known is not None and stored["value"] in list(known):
                return known(stored["value"])
        elif kind is not dict:
            return stored
        raise self.item.bad("has an invalid value")

    def value_or_lost(self, stored: Any) -> object:
        try:
            return self.value(stored)
        except LostReference:
            return LOST

    def _first(self) -> tuple[int, int]:
        match self.item.value["first"]:
            case [int(objects), int(arrays)] if objects >= 0 and arrays >= 0:
                return objects, arrays
        raise self.item.bad("does not state where its tables begin")

    def _object_or_lost(self, item: Item) -> object:
        try:
            return self._object(item)
        except LostReference:
            return LOST

    def _array(self, entry: object) -> AnyArray:
        match entry:
            case [int(view), int(offset), str(kind), list(given)] if kind in NUMBERS:
                shape = [length for length in given if type(length) is int and length >= 0]
            case _:
                raise self.item.bad("has an array that is not [view, offset, type, shape]")
        if offset < 0 or len(shape) < len(given):
            raise self.item.bad("has an array with a negative offset or shape")
        size = prod(shape) * np.dtype(kind).itemsize
        if len(shape) > 4 or (size == 0 and max(shape) > 2**15):
            raise self.item.bad("has an array of a shape that no scene has")
        if size == 0:
            return np.ndarray(shape, kind, b"")
        data, start, length = self.data.span(self.item, view)
        if offset + size > length:
            raise self.item.bad(f"has an array that reaches past the end of bufferView {view}")
        return np.ndarray(shape, kind, data, start + offset)

    def _object(self, item: Item) -> object:
        values = {key: self.value(v) for key, v in item.value.items() if key != "type"}
        name, given = current(item.text("type"), values)
        kind = stored_type(name)
        if kind is None:
            raise item.bad(f"has type {name!r}, which is none of the scene's")
        checks = checks_of(kind)
        needed = checks.keys() - (LATER.get(name, set()) - given.keys())
        if given.keys() != needed:
            odd = sorted(given.keys() ^ needed)[0]
            raise item.bad(f"of type {name} has too much or too little: {odd!r}")
        for key, value in given.items():
            if not checks[key](value):
                raise item.bad(f"of type {name} has a {key} of the wrong kind")
        try:
            made: object = kind(**given)
        except (ArcwrightError, TypeError, ValueError, LookupError, OverflowError) as error:
            why = " ".join(str(error).split())  # arrays are printed in lines
            raise item.bad(f"is not a {name}: {why}") from error
        return made

    def _referred(self, word: str, at: object) -> object:
        table: dict[int, Any] = self.tables[word]  # type: ignore[assignment]
        if type(at) is not int or at not in table:
            bad = self.item.bad(f"refers to {word} {at!r}, which is not there (yet)")
            raise LostReference(bad.path, bad.fault) if self.gaps else bad
        if word in ("array", "bytes"):
            # Counted at each use: an array of another number type is copied by its owner.
            self.data.spend(table[at].nbytes, self.item.label)
        return table[at].tobytes() if word == "bytes" else table[at]

    def _mapping(self, pairs: list[Any]) -> dict[str, object]:
        made: dict[str, object] = {}
        for pair in pairs:
            match pair:
                case [str(key), value]:
                    made[key] = self.value(value)
                case _:
                    raise self.item.bad("has a map that is not made of pairs")
        return made
