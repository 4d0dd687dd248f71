"""Types that can be stored: scene types, their fields, and number types of arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from enum import IntEnum
from functools import cache
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from arcwright.scene import (
    activity,
    camera,
    clip,
    curve,
    edit,
    flow,
    layer,
    marker,
    motion,
    point,
    recording,
    region,
    rig,
    scene,
    section,
    shape,
    shot,
    sound,
    stored_pose,
    take,
    terrain,
)
from arcwright.scene.constraint import KINDS

TYPES: dict[str, type] = {
    each.__name__: each
    for each in (
        activity.Activity,
        activity.ActivityEvent,
        activity.ActivityObject,
        activity.Effector,
        activity.Pair,
        camera.Camera,
        clip.Clip,
        curve.Curve,
        edit.Change,
        edit.Edit,
        flow.Flow,
        flow.FlowCurve,
        flow.FlowKey,
        flow.FlowLayer,
        layer.Layer,
        marker.Marker,
        motion.Motion,
        point.Point,
        recording.Recording,
        *get_args(region.Region),
        rig.ChannelTable,
        rig.Rig,
        scene.Character,
        scene.Prop,
        scene.Scene,
        scene.Source,
        section.Section,
        shape.Image,
        shape.Look,
        shape.Part,
        shape.Shape,
        shape.Skin,
        stored_pose.StoredPose,
        shot.Shot,
        sound.Sound,
        sound.SoundFile,
        take.Take,
        terrain.Block,
        terrain.Terrain,
    )
}
ENUMS: dict[str, type[IntEnum]] = {
    each.__name__: each
    for each in (curve.Extrapolation, curve.Handle, curve.Interpolation, rig.Kind)
}
LATER = {
    "Character": {"roles"},
    "Flow": {"keys", "takes", "merged", "cut", "lift"},
    "FlowCurve": {"locked"},
    "FlowLayer": {"included", "brush"},
    "Rig": {"file_names", "lengths", "root", "attached_to"},
    "Recording": {"buttons", "button_names"},
    "Scene": {"recordings", "activities", "cameras", "flow", "poses", "ground", "sound"},
    "Take": {"sections", "inbetweens", "markers"},
}
"""Fields that files of earlier versions lack; there they are what they are by default."""
NUMBERS = {
    np.dtype(order + code).str
    for order in "<>"
    for code in ("f8", "f4", "f2", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1", "?")
}


def _check_of(hint: Any) -> Callable[[object], bool]:
    """A test whether a value is of an annotated type, as far as constructors do not check it."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        either = [_check_of(each) for each in inner]
        return lambda value: any(check(value) for check in either)
    if origin is tuple:
        one = _check_of(inner[0])
        return lambda value: isinstance(value, tuple) and all(map(one, value))
    if origin is np.ndarray or origin is NDArray:  # the latter from NumPy 2.5 on
        return lambda value: isinstance(value, np.ndarray)
    if origin is not None and issubclass(origin, Mapping):
        one = _check_of(inner[1])
        return lambda value: isinstance(value, Mapping) and all(map(one, value.values()))
    if hint is float:
        return lambda value: isinstance(value, int | float) and not isinstance(value, bool)
    if hint is int:
        return lambda value: isinstance(value, int) and not isinstance(value, bool)
    return lambda value: isinstance(value, hint)


def stored_type(name: str) -> type | None:
    """The type of this name, a kind of constraint among others; None where there is none."""
    known = TYPES.get(name)
    return known or next((each for each in KINDS.values() if each.__name__ == name), None)


@cache
def checks_of(kind: type) -> dict[str, Callable[[object], bool]]:
    """A test for each field of a type."""
    hints = get_type_hints(kind)
    return {each.name: _check_of(hints[each.name]) for each in fields(kind)}
