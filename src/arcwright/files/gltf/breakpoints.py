"""Breakpoints of an animated property: times of kinks and jumps; it is smooth between them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.scene.curve import Curve, Extrapolation, Interpolation
from arcwright.scene.layer import Layer

_MOST = 20_000  # repeats of a cycle that are followed key by key


def breakpoints(curves: Iterable[Curve], layers: Iterable[Layer], duration: float) -> Floats:
    """Increasing times from 0 to the end, distinct in 32 bits, with a pair at every jump."""
    found = [np.array([0.0, duration])]
    for curve in curves:
        times, jumps = _repeated_keys(curve, duration)
        found += [times, _neighbours_32bit(times[jumps])]
    for layer in layers:
        knots = np.linspace(layer.start, layer.end, len(layer.add) - 2)
        found += [knots, _neighbours_32bit(knots[[0, -1]])]
    every = np.concatenate(found)
    every = np.unique(every[(every >= 0) & (every <= duration)].astype(np.float32))
    return every.astype(np.float64)


def _repeated_keys(curve: Curve, duration: float) -> tuple[Floats, Bools]:
    """Key times, repeated where the curve cycles, and which of them may be jumps."""
    steps = curve.interpolation[:-1] == Interpolation.STEP
    jump = np.append(False, steps)
    length = curve.time[-1] - curve.time[0]
    if not curve.cyclic or length <= 0:
        return curve.time, jump
    first = int(np.floor(-curve.time[0] / length)) - 1
    last = int(np.ceil((duration - curve.time[0]) / length)) + 1
    cycles = np.arange(max(first, -_MOST), min(last, _MOST) + 1)
    jump |= np.append(steps, False)  # played backwards, a step is at its start
    jump[[0, -1]] = True
    times = (curve.time + cycles[:, None] * length).ravel()
    if Extrapolation.MIRROR in (curve.before, curve.after):
        back = curve.time[0] + curve.time[-1] - curve.time
        times = np.concatenate([times, (back + cycles[:, None] * length).ravel()])
    return times, np.tile(jump, len(times) // len(jump))


def _neighbours_32bit(times: Floats) -> Floats:
    """The 32-bit numbers next to each time: before, at or after it, by one step and no more."""
    near = times.astype(np.float32)
    below, above = (np.nextafter(near, np.float32(side)) for side in (-np.inf, np.inf))
    return np.concatenate([below, near, above]).astype(np.float64)
