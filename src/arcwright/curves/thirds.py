"""Thirds: curves whose handle times are one third of their gaps, which glTF can hold exactly."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.curves.evaluate import evaluate_curve
from arcwright.curves.keys import insert_key
from arcwright.curves.pieces import SAME
from arcwright.errors import BadValue
from arcwright.scene.curve import Curve, Handle, Interpolation

PROBES = (np.arange(15) + 0.5) / 15  # of every segment, where the difference is measured


def with_one_third_handles(curve: Curve, tolerance: float | None = None) -> tuple[Curve, float]:
    """The curve with one-third handle times on Bezier segments, and the largest difference.

    Slopes at keys are kept, so segments that were not at one third change between their
    keys. With a tolerance such segments are halved by keys until the difference is within it.
    """
    if tolerance is not None and not tolerance > 0:
        raise BadValue("tolerance", "a number above 0", tolerance)
    finer = curve
    while True:
        thirds = _with_thirds(finer)
        apart = _differences(curve, thirds)
        error = float(apart.max(initial=0.0))
        if tolerance is None or error <= tolerance:
            return thirds, error
        for segment in np.flatnonzero(apart > tolerance):
            finer = insert_key(finer, float(thirds.time[segment : segment + 2].mean()))


def _with_thirds(curve: Curve) -> Curve:
    change = ~_at_thirds(curve)
    segment = np.flatnonzero(change)
    length = np.diff(curve.time)[segment]
    out, into = curve.tangent[segment, 1], curve.tangent[segment + 1, 0]
    chord = np.stack([length, np.diff(curve.value)[segment]], axis=-1)
    height = np.ptp([0 * length, out[:, 1], (chord - into)[:, 1], chord[:, 1]], axis=0)
    tangent, handles = np.array(curve.tangent), np.array(curve.handles)
    tangent[segment, 1] = _third(out, chord - into, chord, height)
    tangent[segment + 1, 0] = _third(into, chord - out, chord, height)
    handles[segment, 1] = handles[segment + 1, 0] = Handle.FREE
    return replace(curve, tangent=tangent, handles=handles)


def _third(handle: Floats, towards: Floats, chord: Floats, height: Floats) -> Floats:
    """Handles of one third, sloped as the handle, or as where one of no time points to.

    Near-vertical ones end at the height of the segment, or halving it would not help.
    """
    steep = np.where(handle[:, :1] > 0, handle, np.where(towards[:, :1] > 0, towards, chord))
    run = chord[:, 0] / 3
    with np.errstate(over="ignore"):
        rise = np.clip(steep[:, 1] / steep[:, 0] * run, -height, height)
    return np.stack([run, rise], axis=-1)


def _at_thirds(curve: Curve) -> Bools:
    """(K - 1,) segments that are at one third, or not Bezier."""
    length = np.diff(curve.time)
    runs = np.stack([curve.tangent[:-1, 1, 0], curve.tangent[1:, 0, 0]])
    bent = (abs(runs / length - 1 / 3) >= SAME).any(axis=0)
    curved = curve.interpolation[:-1] == Interpolation.BEZIER
    return np.asarray(~(bent & curved), np.bool_)


def _differences(old: Curve, new: Curve) -> Floats:
    """(K - 1,) the largest difference in each segment of the new curve."""
    times = new.time[:-1, None] + np.diff(new.time)[:, None] * PROBES
    apart = evaluate_curve(old, times.ravel()) - evaluate_curve(new, times.ravel())
    worst: Floats = abs(apart).reshape(times.shape).max(axis=1)
    return worst
