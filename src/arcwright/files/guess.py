"""Guess unit, up axis and frame rate where a file does not state them."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from arcwright.arrays import Floats, Ints
from arcwright.files.units import check
from arcwright.kinematics.forward import forward
from arcwright.scene.rig import Rig

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
