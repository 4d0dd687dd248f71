"""Restore: the values of a scene out of JSON and arrays, trusting neither."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from math import prod
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import numpy as np

from arcwright.arrays import AnyArray
from arcwright.errors import ArcwrightError
from arcwright.files.gltf.accessor import Accessors
from arcwright.files.gltf.item import Item
from arcwright.scene import clip, curve, layer, motion, point, rig, scene, shape, take

_TYPES: dict[str, type] = {
    each.__name__: each
    for each in (
        clip.Clip,
        curve.Curve,
        layer.Layer,
        motion.Motion,
        point.Contact,
        point.Pin,
        point.Point,
        rig.ChannelTable,
        rig.Rig,
        scene.Character,
        scene.Prop,
        scene.Scene,
        scene.Source,
        shape.Image,
        shape.Look,
        shape.Part,
        shape.Shape,
        shape.Skin,
        take.Take,
    )
}
_NUMBERS = {
    np.dtype(code).str
    for code in ("<f8", "<f4", "<i8", "<i4", "<i2", "i1", "<u4", "<u2", "u1", "?")
}


class Restore:
    """Reads the tables of a project file; every fault becomes a `BadFile`."""

    def __init__(self, told: Item, accessors: Accessors) -> None:
        self.told = told
        self.accessors = accessors
        self._arrays = [self._array(entry) for entry in told.array("arrays")]
        self._objects: list[object] = []
        for item in told.children("objects", "object"):
            self._objects.append(self._object(item))

    def scene(self) -> scene.Scene:
        """The scene itself."""
        value = self._value(self.told.value.get("scene"))
        if not isinstance(value, scene.Scene):
            raise self.told.bad("holds no scene")
        return value

    def _array(self, entry: object) -> AnyArray:
        match entry:
            case [int(view), int(offset), str(kind), list(given)] if kind in _NUMBERS:
                shape = [length for length in given if type(length) is int and length >= 0]
            case _:
                raise self.told.bad("has an array that is not [view, offset, type, shape]")
        if offset < 0 or len(shape) < len(given):
            raise self.told.bad("has an array with a negative offset or shape")
        size = prod(shape) * np.dtype(kind).itemsize
        if len(shape) > 4 or (size == 0 and max(shape) > 2**15):
            raise self.told.bad("has an array of a shape that no scene has")
        if size == 0:
            return np.zeros(shape, kind)
        view = self.told.reference(view, len(self.accessors.document["bufferViews"]), "bufferView")
        data, start, length, _ = self.accessors.view(view)
        if offset + size > length:
            raise self.told.bad(f"has an array that reaches past the end of bufferView {view}")
        return np.ndarray(shape, kind, data, start + offset)

    def _object(self, item: Item) -> object:
        name = item.text("type")
        if name not in _TYPES:
            raise item.bad(f"has type {name!r}, which is none of the scene's")
        given = {key: self._value(v) for key, v in item.value.items() if key != "type"}
        checks = _CHECKS[name]
        if given.keys() != checks.keys():
            odd = sorted(given.keys() ^ checks.keys())[0]
            raise item.bad(f"of type {name} has too much or too little: {odd!r}")
        for key, value in given.items():
            if not checks[key](value):
                raise item.bad(f"of type {name} has a {key} of the wrong kind")
        try:
            made: object = _TYPES[name](**given)
        except (ArcwrightError, TypeError, ValueError, LookupError, OverflowError) as error:
            raise item.bad(f"is not a {name}: {error}") from error
        return made

    def _value(self, told: Any) -> object:
        kind = type(told)
        if kind is dict and len(told) == 1:
            ((word, inner),) = told.items()
            if word in ("array", "object", "bytes"):
                return self._referred(word, inner)
            if word == "map" and isinstance(inner, list):
                return self._mapping(inner)
            if word == "float" and inner in ("inf", "-inf", "nan"):
                return float(inner)
        elif kind is list:
            return tuple(self._value(each) for each in told)
        elif kind is dict and told.keys() == {"enum", "value"}:
            if told["enum"] == "Extrapolation" and told["value"] in list(curve.Extrapolation):
                return curve.Extrapolation(told["value"])
        elif kind is not dict:
            return told
        raise self.told.bad("has a value that makes no sense")

    def _referred(self, word: str, at: object) -> object:
        table: list[Any] = self._objects if word == "object" else self._arrays
        if type(at) is not int or not 0 <= at < len(table):
            raise self.told.bad(f"refers to {word} {at!r}, which is not there (yet)")
        if word != "object":
            # Counted at each use: an array of another number type is copied by its owner.
            self.accessors.document.spend(table[at].nbytes, self.told.label)
        return table[at].tobytes() if word == "bytes" else table[at]

    def _mapping(self, pairs: list[Any]) -> dict[str, object]:
        made: dict[str, object] = {}
        for pair in pairs:
            match pair:
                case [str(key), value]:
                    made[key] = self._value(value)
                case _:
                    raise self.told.bad("has a map that is not made of pairs")
        return made


def _check_of(hint: Any) -> Callable[[object], bool]:
    """A test whether a value is of an annotated type, as far as constructors do not check it."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        either = [_check_of(each) for each in inner]
        return lambda value: any(check(value) for check in either)
    if origin is tuple:
        one = _check_of(inner[0])
        return lambda value: isinstance(value, tuple) and all(map(one, value))
    if origin is not None and issubclass(origin, Mapping):
        one = _check_of(inner[1])
        return lambda value: isinstance(value, dict) and all(map(one, value.values()))
    if origin is np.ndarray:
        return lambda value: isinstance(value, np.ndarray)
    if hint is float:
        return lambda value: isinstance(value, int | float) and not isinstance(value, bool)
    if hint is int:
        return lambda value: isinstance(value, int) and not isinstance(value, bool)
    return lambda value: isinstance(value, hint)


_CHECKS = {
    name: {each.name: _check_of(get_type_hints(kind)[each.name]) for each in fields(kind)}
    for name, kind in _TYPES.items()
}
