"""Spline: clamped uniform cubic B-splines, the shape of every `Layer`.

N control values over [start, end]; N - 3 spans of equal length; the curve meets the first
and last control value. Outside the range every weight is 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from arcwright.arrays import Floats, Ints, frozen
from arcwright.errors import BadValue

ORDER = 4


@dataclass(frozen=True, eq=False)
class Band:
    """The few weights that are not 0: time t uses control values first[t] .. first[t] + 3."""

    first: Ints  # (T,)
    weight: Floats  # (T, 4) of the value, or of its derivative per s or s²
    count: int  # N

    def full(self) -> Floats:
        """(T, N) all weights."""
        wide = np.zeros((len(self.first), self.count))
        rows = np.arange(len(self.first))[:, None]
        wide[rows, self.first[:, None] + np.arange(ORDER)] = self.weight
        return wide

    def apply(self, control: Floats) -> Floats:
        """(T, ...) curve through control values (N, ...)."""
        used = control[self.first[:, None] + np.arange(ORDER)]
        value: Floats = np.einsum("tk,tk...->t...", self.weight, used)
        return value


def basis(start: float, end: float, count: int, times: ArrayLike, *, derivative: int = 0) -> Floats:
    """(T, N) weights of N control values at times (T,); or of the 1st or 2nd derivative."""
    return band(start, end, count, times, derivative=derivative).full()


def band(start: float, end: float, count: int, times: ArrayLike, *, derivative: int = 0) -> Band:
    """`basis` in its compact form."""
    if count < ORDER:
        raise BadValue("count", "4 or more control values", count)
    if not -np.inf < start < end < np.inf:
        raise BadValue("end", f"after start ({start} s)", end)
    if derivative not in (0, 1, 2):
        raise BadValue("derivative", "0, 1 or 2", derivative)
    moments = frozen(times, "times", ("T",))
    spans = count - 3
    place = (moments - start) * (spans / (end - start))  # knots are whole numbers
    inside = (place >= 0) & (moments <= end)
    place = np.clip(place, 0, spans)
    span = np.minimum(place.astype(np.int64), spans - 1)
    weight = _weights(_knots(spans), span, place, derivative)
    weight *= (spans / (end - start)) ** derivative
    return Band(span, weight * inside[:, None], count)


def refine(control: ArrayLike) -> Floats:
    """(2 N - 3, ...) control values of the same curve with every span cut in two."""
    values = np.asarray(control, dtype=np.float64)
    count = len(values)
    if count < ORDER:
        raise BadValue("control", "4 or more control values", count)
    flat = values.reshape(count, -1)
    knots = _knots(count - 3)
    for middle in np.arange(count - 3) + 0.5:
        knots, flat = _with_knot(knots, flat, middle)
    return flat.reshape(len(flat), *values.shape[1:])


def _knots(spans: int) -> Floats:
    """(N + 4,) whole numbers, the ends four times."""
    return np.clip(np.arange(-3, spans + 4), 0, spans).astype(np.float64)


def _weights(knots: Floats, span: Ints, place: Floats, derivative: int) -> Floats:
    """(T, 4) by Cox and de Boor: raise the degree, at last by differences for derivatives."""
    weight = np.ones((len(place), 1))
    at = span + 3  # the knot at or before each place
    for degree in range(1, ORDER):
        slopes = degree > 3 - derivative
        wider = np.zeros((len(place), degree + 1))
        for k in range(degree):
            low, high = knots[at - degree + 1 + k], knots[at + 1 + k]
            part = weight[:, k] / (high - low)
            if slopes:
                wider[:, k] -= degree * part
                wider[:, k + 1] += degree * part
            else:
                wider[:, k] += (high - place) * part
                wider[:, k + 1] += (place - low) * part
        weight = wider
    return weight


def _with_knot(knots: Floats, control: Floats, place: float) -> tuple[Floats, Floats]:
    """Boehm's knot insertion: one control value more, the same curve."""
    at = int(np.searchsorted(knots, place, "right")) - 1
    index = np.arange(at - 2, at + 1)
    share = ((place - knots[index]) / (knots[index + 3] - knots[index]))[:, None]
    new = (1 - share) * control[index - 1] + share * control[index]
    control = np.concatenate([control[: at - 2], new, control[at:]])
    return np.insert(knots, at + 1, place), control
