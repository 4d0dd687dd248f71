"""Units and axes: scenes are in metres with +Y up; what a file does not state is guessed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from arcwright.arrays import AnyArray, Floats, Ints
from arcwright.errors import BadValue
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rotation import (
    quaternion_conjugate,
    quaternion_multiply,
    quaternion_rotate,
)
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve
from arcwright.scene.layer import Layer
from arcwright.scene.motion import Motion
from arcwright.scene.rig import Kind, Rig
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
CMU = 0.0254 / 0.45  # m; the unit of the CMU motion capture library, 5.644 cm
PERSON = 1.7  # m
_BANDS = (  # size of a character in the file, metres per unit, what that unit is
    (0.3, 3.5, 1.0, "metres"),
    (18.0, 32.0, CMU, "the unit of the CMU library"),
    (80.0, 350.0, 0.01, "centimetres"),
    (800.0, 3500.0, 0.001, "millimetres"),
)
_HEAD = re.compile(r"head|skull|neck", re.IGNORECASE)
_FOOT = re.compile(r"foot|toe|ankle", re.IGNORECASE)
_RATES = (24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 100.0, 120.0)
_JOINTS = 2000  # a larger rig is not measured


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


@dataclass(frozen=True)
class Guess:
    """Guessed unit and up axis of a file, and notes for the user."""

    unit: float  # metres per unit of the file
    up: str  # X, Y or Z
    notes: tuple[str, ...] = ()


def guess(rig: Rig, values: Floats, unit: float | None, up: str | None) -> Guess:
    """Unit and up axis from a few poses (T, C) in the file's unit; given values are kept."""
    check(unit, up)
    notes: list[str] = []
    if unit is None or up is None:
        places = _places(rig, values)
    if unit is None:
        unit, note = guess_unit(_size(places))
        notes.append(note)
    if up is None:
        up, note = guess_up(rig, places)
        notes.append(note)
    return Guess(unit, up, tuple(notes))


def spread(count: int) -> Ints:
    """Five moments spread over `count` samples."""
    return np.unique(np.linspace(0, count - 1, 5).astype(np.int64))


def guess_unit(size: float) -> tuple[float, str]:
    """Metres per unit of a character that is `size` units tall or wide, and why."""
    for low, high, unit, name in _BANDS:
        if low <= size <= high:
            return unit, f"unit guessed: {unit:.5g} m, {name} (the character is {size:.4g} units)"
    if not 1e-3 < size < 1e6:
        return 1.0, "unit not known: assuming 1 m"
    unit = PERSON / size
    why = f"{size:.4g} units are assumed to be a person of {PERSON} m"
    return unit, f"unit guessed: {unit:.5g} m ({why})"


def guess_up(rig: Rig, places: Floats) -> tuple[str, str]:
    """The axis that leads from the feet to the head in most of the places (T, J, 3)."""
    heads = [joint for joint, name in enumerate(rig.names) if _HEAD.search(name)]
    feet = [joint for joint, name in enumerate(rig.names) if _FOOT.search(name)]
    if not heads or not feet or not len(places):
        return "Y", "up axis not known: assuming Y"
    with np.errstate(all="ignore"):
        rise = places[:, heads].mean(axis=1) - places[:, feet].mean(axis=1)  # (T, 3)
        x, y, z = abs(np.median(rise, axis=0))
    # Only Y and Z are usual; a body lying along X is likelier than X up.
    up = "X" if x > 3 * max(y, z) else "Z" if z > y else "Y"
    return up, f"up axis guessed: {up} (from the feet to the head)"


def guess_rate(times: ArrayLike, default: float = 24.0) -> float:
    """The lowest usual frame rate at which all key times (K,) s fall on whole frames."""
    moments = np.unique(np.asarray(times, float))
    for rate in _RATES:
        frames = moments * rate
        if (abs(frames - np.round(frames)) < 0.02).all():
            return rate
    return default


def _places(rig: Rig, values: Floats) -> Floats:
    """Where the joints are (T, J, 3); poses that run out of numbers are left out."""
    if not 0 < len(rig.names) <= _JOINTS:
        return np.zeros((0, len(rig.names), 3))
    with np.errstate(all="ignore"):
        places: Floats = forward(rig, values)[:, :, :3, 3]
    return places[np.isfinite(places).all(axis=(1, 2))]


def _size(places: Floats) -> float:
    """The longest side of the box around the joints, over all moments."""
    if not places.size:
        return 0.0
    with np.errstate(over="ignore"):
        return float(np.ptp(places, axis=1).max())
