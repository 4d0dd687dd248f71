"""Conversion of units and axes: scenes are in metres with +Y up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

import numpy as np

from arcwright.arrays import AnyArray, Floats
from arcwright.errors import BadValue
from arcwright.kinematics.rotation import (
    quaternion_conjugate,
    quaternion_multiply,
    quaternion_rotate,
)
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve
from arcwright.scene.layer import Layer
from arcwright.scene.motion import Motion
from arcwright.scene.rig import Kind
from arcwright.scene.scene import Actor
from arcwright.scene.shape import Part, Shape
from arcwright.scene.take import Take

_A = TypeVar("_A", bound=Actor)

RADIANS = np.pi / 180  # per degree
_HALF = np.sqrt(0.5)
_Y_UP_ROTATIONS = {  # wxyz; Z up is rotated as in Blender, so -Y in front becomes +Z
    "X": np.array([_HALF, 0.0, 0.0, _HALF]),
    "Y": np.array([1.0, 0.0, 0.0, 0.0]),
    "Z": np.array([_HALF, -_HALF, 0.0, 0.0]),
}


def check(unit: float | None, up: str | None) -> None:
    """Raise `BadValue` for an invalid unit or up axis; None is valid."""
    if unit is not None and not 0 < unit < float("inf"):
        raise BadValue("unit", "metres per unit of the file, above 0", unit)
    if up is not None and up not in _Y_UP_ROTATIONS:
        raise BadValue("up", "X, Y or Z", repr(up))


def y_up_rotation(from_up: str) -> Floats:
    """(4,) wxyz: the rotation that takes an axis to +Y."""
    return _Y_UP_ROTATIONS[from_up]


def rotate_to_y_up(actor: _A, from_up: str) -> _A:
    """Rotate the actor so that its axis `from_up` becomes +Y; no channel value changes."""
    return actor if from_up == "Y" else _rotated(actor, _Y_UP_ROTATIONS[from_up])


def rotate_from_y_up(actor: _A, y_up_rotation: str) -> _A:
    """Rotate the actor so that +Y becomes `to_up`: the inverse of `rotate_to_y_up`."""
    rotation = quaternion_conjugate(_Y_UP_ROTATIONS[y_up_rotation])
    return actor if y_up_rotation == "Y" else _rotated(actor, rotation)


def _rotated(actor: _A, rotation: Floats) -> _A:
    roots = actor.rig.parents < 0
    offset, rest = actor.rig.offset.copy(), actor.rig.rest.copy()
    offset[roots] = quaternion_rotate(rotation, offset[roots])
    rest[roots] = quaternion_multiply(rotation, rest[roots])
    rig = replace(actor.rig, offset=offset, rest=rest)
    return replace(actor, rig=rig, takes=tuple(replace(take, rig=rig) for take in actor.takes))


def rescale(actor: _A, factor: float) -> _A:
    """The actor with every length multiplied: rig, limits, keys, samples, layers and meshes."""
    if factor == 1.0:
        return actor
    rig, table = actor.rig, actor.rig.channels
    lengths = np.where(table.kind <= Kind.TRANSLATE_Z, factor, 1.0)  # (C,)
    table = replace(
        table,
        default=table.default * lengths,
        low=table.low * lengths,
        high=table.high * lengths,
    )
    rig = replace(rig, offset=rig.offset * factor, channels=table)
    return replace(
        actor,
        rig=rig,
        takes=tuple(_rescaled_take(take, lengths) for take in actor.takes),
        shapes=tuple(_rescaled_shape(shape, factor) for shape in actor.shapes),
    )


def _rescaled_take(take: Take, lengths: Floats) -> Take:
    base: Clip | Motion
    if isinstance(take.base, Motion):
        base = replace(take.base, values=take.base.values * lengths)
    else:
        curves = zip(take.base.curves, lengths, strict=True)
        base = replace(take.base, curves=tuple(_rescaled_curve(*each) for each in curves))
    layers = tuple(_rescaled_layer(layer, lengths) for layer in take.layers)
    return replace(take, base=base, layers=layers)


def _rescaled_layer(layer: Layer, lengths: Floats) -> Layer:
    return replace(layer, add=layer.add * lengths[layer.channels])


def _rescaled_curve(curve: Curve | None, length: float) -> Curve | None:
    if curve is None or length == 1.0:
        return curve
    return replace(curve, value=curve.value * length, tangent=curve.tangent * [1.0, length])


def _rescaled_shape(shape: Shape, factor: float) -> Shape:
    skin = shape.skin
    if skin is not None:
        bind = skin.inverse_bind.copy()
        bind[:, :3, 3] *= factor
        skin = replace(skin, inverse_bind=bind)
    parts = tuple(_rescaled_part(part, factor) for part in shape.parts)
    return replace(shape, parts=parts, skin=skin)


def _rescaled_part(part: Part, factor: float) -> Part:
    return replace(
        part,
        attributes=_rescaled_positions(part.attributes, factor),
        morphs=tuple(_rescaled_positions(morph, factor) for morph in part.morphs),
    )


def _rescaled_positions(group: Mapping[str, AnyArray], factor: float) -> dict[str, AnyArray]:
    scaled = dict(group)
    if "POSITION" in scaled:
        place = scaled["POSITION"]
        # Quantised meshes hold integers, which cannot be scaled; floats keep their type.
        kind = place.dtype if place.dtype.kind == "f" else np.dtype(np.float32)
        scaled["POSITION"] = (place * factor).astype(kind)
    return scaled
