"""Parts of keyed splines: a few keys refitted to a target by least squares.

The squares are weighted towards the largest deviation (Lawson's iteration).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.curves.hermite import HermiteBasis, least_squares

HOPELESS = 1.5  # times the deviation that is enough: more rounds would not get there
ENDS = 1e6  # how much more the first and last moment count, so that loops stay closed


class Rows(NamedTuple):
    """Deviations as vectors, and how they change with M channels."""

    moment: Ints  # (R,)
    away: Floats  # (R, 3)
    move: Floats  # (R, 3, M) per unit of a channel


class Aim(Protocol):
    """Target values and the deviation from them, in any unit."""

    @property
    def values(self) -> Floats:
        """(T, C) target values."""

    @property
    def size(self) -> float:
        """Of what moves, in the unit of deviations."""

    def largest(self, values: Floats, start: int = 0) -> Floats:
        """(T,) largest deviation at each moment from `start` on."""

    def rows(self, values: Floats, start: int, channels: Ints, least: float) -> Rows:
        """Deviations above `least`, and how they change with channels (M,)."""


@dataclass(frozen=True, eq=False)
class Target:
    """A motion to fit a spline to."""

    time: Floats  # (T,) s
    aim: Aim
    moving: Ints  # (M,) the channels to fit; the others are taken as they are
    broken: Bools  # (T, M) where a key would have two slopes
    cost: Floats  # (T,) by how much removing a moment's key costs more; infinite: never removed
    quaternions: Ints  # (Q, 4) w, x, y, z among the moving channels
    units: Floats  # (M,) of the moving channels, about as many as move the body by one unit of size

    def may_slide(self) -> Bools:
        """(T,) whether a key may leave a moment: it is no end, footplant or impact."""
        every = bool(self.broken.all())  # then being broken tells nothing
        slides = (self.cost <= 1) & (every | ~self.broken.any(axis=1))
        slides[[0, -1]] = False
        return slides


@dataclass(frozen=True, eq=False)
class Refit:
    """A refitted part of a spline."""

    keys: Ints  # (K,) moments
    nodes: Floats  # (K, 3, M)
    deviation: Floats  # (N,) at all moments from the first to the last key

    @property
    def worst(self) -> float:
        """The largest deviation."""
        return float(self.deviation.max())


@dataclass(frozen=True, eq=False)
class Part:
    """A spline from one of its keys to another; these two stay unless they end the target."""

    target: Target
    keys: Ints  # (K,) moments

    @property
    def first(self) -> int:
        """The first moment."""
        return int(self.keys[0])

    @cached_property
    def span(self) -> slice:
        """The moments."""
        return slice(self.first, int(self.keys[-1]) + 1)

    @cached_property
    def fixed(self) -> tuple[bool, bool]:
        """Whether the first and the last key stay."""
        return self.first > 0, int(self.keys[-1]) < len(self.target.time) - 1

    @cached_property
    def basis(self) -> HermiteBasis:
        """How the moments depend on the keys."""
        return HermiteBasis.of(self.target.time[self.span], self.keys - self.first)

    @cached_property
    def broken(self) -> Bools:
        """(K, M) which keys have two slopes."""
        return self.target.broken[self.keys]

    @cached_property
    def emphasis(self) -> Floats:
        """(T,) weights of the moments: the ends of the target count more."""
        weight = np.ones(self.span.stop - self.span.start)
        weight[[0, -1]] *= np.where(self.fixed, 1.0, ENDS)
        return weight

    def values(self, nodes: Floats) -> Floats:
        """(T, C) of all channels, for nodes (K, 3, M)."""
        values = self.target.aim.values[self.span].copy()
        values[:, self.target.moving] = self.basis.evaluate(nodes)
        return values

    def measured(self, nodes: Floats) -> Refit:
        """The refit with these nodes."""
        deviation = self.target.aim.largest(self.values(nodes), self.first)
        return Refit(self.keys, nodes, deviation)

    def fitted(self, nodes: Floats, rounds: int, enough: float) -> Refit:
        """The best refit of some rounds of least squares.

        Rounds end at a deviation of `enough`, or when that is out of sight.
        """
        target, best = self.target, None
        sought = target.aim.values[self.span][:, target.moving]
        made, weight = self.basis.evaluate(nodes), np.ones(len(sought))
        for _ in range(rounds):
            pinned = weight * self.emphasis
            nodes = nodes + least_squares(
                self.basis, sought - made, pinned, self.broken, self.fixed
            )
            normalise(nodes, target.quaternions)
            values = self.values(nodes)
            made = values[:, target.moving]
            found = Refit(self.keys, nodes, target.aim.largest(values, self.first))
            if best is None or found.worst < best.worst:
                best = found
            if best.worst <= enough or best.worst > HOPELESS * enough > 0:
                break
            weight = _lawson(weight, found.deviation)
        return best or self.measured(nodes)


def normalise(nodes: Floats, quaternions: Ints) -> None:
    """Give quaternions at keys their unit length; their slopes are scaled alike."""
    if len(quaternions):
        four = nodes[:, :, quaternions]  # (K, 3, Q, 4)
        length = np.linalg.norm(four[:, :1], axis=-1, keepdims=True)
        nodes[:, :, quaternions] = four / np.maximum(length, 1e-12)


def _lawson(weight: Floats, deviation: Floats) -> Floats:
    """The weights (T,) of the next round: more where the deviation is large."""
    mean = float(deviation.mean())
    if mean <= 0:
        return weight
    heavier = weight * (deviation / mean + 0.1)
    return np.asarray(heavier / heavier.mean())
