"""Keyed splines: smooth curves of many channels through the same keys, fitted part by part.

A refit is by least squares, weighted towards the largest deviation (Lawson's iteration), over a
few keys; the rest of the spline stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.curves.hermite import HermiteBasis, least_squares

REACH = 2  # keys on each side of a key that are refitted with it
ROUNDS = 8  # of weighting a refit
HOPELESS = 1.5  # times the deviation that is enough: more rounds would not get there
SLIDES = (-1, 1, -2, 2, -4, 4)  # moments by which a key may slide
MERGES = np.array([0.25, 0.5, 0.75])  # of the way to a removed key: slides of a key beside it
NEARLY = 1.25  # times the tolerance: a removal so close to it is worth more slides
MOST_SLIDES = 6  # after a removal
LOOSER = 1.2  # times the tolerance: how far off the keys are with which the search begins
PROGRESS = 0.995  # of the deviation, below which a refit is worth while
ENDS = 1e6  # how much more the first and last moment count, so that loops stay closed


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


@dataclass(frozen=True, eq=False)
class Target:
    """A motion to fit a spline to."""

    time: Floats  # (T,) s
    aim: Aim
    moving: Ints  # (M,) the channels to fit; the others are taken as they are
    broken: Bools  # (T, M) where a key would have two slopes
    cost: Floats  # (T,) by how much removing a moment's key costs more; infinite: never removed
    quaternions: Ints  # (Q, 4) w, x, y, z among the moving channels

    def may_slide(self) -> Bools:
        """(T,) whether a key may leave a moment: it is no end, footplant or impact."""
        every = bool(self.broken.all())  # then being broken tells nothing
        slides = (self.cost <= 1) & (every | ~self.broken.any(axis=1))
        slides[[0, -1]] = False
        return slides


def fit_keys(target: Target, keys: Ints, nodes: Floats, tolerance: float) -> Spline:
    """A spline within `tolerance` of a target with these keys, and others at need.

    The search begins at the nodes (K, 3, M).
    """
    spline = Spline(target, keys, nodes)
    while not spline.relax(tolerance):
        at = int(spline.deviation.argmax())
        if not spline.slide(at, tolerance):
            spline.insert(at)
    spline.trim(tolerance)
    return spline


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


class Spline:
    """Values and slopes at the keys of a target, and how far the spline is off."""

    def __init__(self, target: Target, keys: Ints, nodes: Floats | None = None) -> None:
        count = len(target.time)
        self.target = target
        self._sought = np.ascontiguousarray(target.aim.values[:, target.moving])
        self._sampled = _sampled_nodes(target.time, self._sought)
        self.may_slide = target.may_slide()  # (T,)
        self.is_key = np.full(count, False)
        self.before, self.after = np.zeros((2, count), np.int64)
        self._set_keys(keys)
        self.nodes = self._sampled.copy()  # (T, 3, M), of use at keys
        self.deviation = np.zeros(count)  # (T,)
        if nodes is not None:
            self.nodes[keys] = nodes
        if 1 < len(keys) < count:
            self.accept(self.refit(keys, 0))

    @property
    def keys(self) -> Ints:
        """(K,) the moments that are keys."""
        return np.flatnonzero(self.is_key)

    def around(self, at: int) -> Ints:
        """The keys near a key, itself among them."""
        keys = [at]
        for _ in range(REACH + 1):
            if keys[0] > 0:
                keys.insert(0, int(self.before[keys[0]]))
            if keys[-1] < len(self.deviation) - 1:
                keys.append(int(self.after[keys[-1]]))
        return np.array(keys)

    def refit(self, keys: Ints, rounds: int, enough: float = 0.0) -> Refit:
        """The spline with these keys from the first to the last; unless they end it, those stay.

        Without rounds nothing is fitted, only measured. Rounds end at a deviation of `enough`, or
        when that is out of sight.
        """
        target, first, last = self.target, int(keys[0]), int(keys[-1])
        part, ends = slice(first, last + 1), (first > 0, last < len(self.deviation) - 1)
        basis = HermiteBasis.of(target.time[part], keys - first)
        sought, broken = self._sought[part], target.broken[keys]
        nodes = np.where(self.is_key[keys, None, None], self.nodes[keys], self._sampled[keys])
        values = target.aim.values[part].copy()
        values[:, target.moving] = made = basis.evaluate(nodes)
        best = None if rounds else Refit(keys, nodes, target.aim.largest(values, first))
        weight, pins = np.ones(last + 1 - first), np.where(ends, 1.0, ENDS)
        for _ in range(rounds):
            pinned = weight.copy()
            pinned[[0, -1]] *= pins
            nodes = nodes + least_squares(basis, sought - made, pinned, broken, ends)
            _normalise(nodes, target.quaternions)
            values[:, target.moving] = made = basis.evaluate(nodes)
            found = Refit(keys, nodes, target.aim.largest(values, first))
            if best is None or found.worst < best.worst:
                best = found
            if best.worst <= enough or best.worst > HOPELESS * enough > 0:
                break
            weight = _lawson(weight, found.deviation)
        assert best is not None
        return best

    def accept(self, refit: Refit) -> None:
        """Insert a refitted part with its keys into the spline."""
        self._set_keys(refit.keys)
        self.nodes[refit.keys] = refit.nodes
        first = int(refit.keys[0])
        self.deviation[first : first + len(refit.deviation)] = refit.deviation

    def _set_keys(self, keys: Ints) -> None:
        """Make these the keys from the first of them to the last."""
        self.is_key[keys[0] : keys[-1] + 1] = False
        self.is_key[keys] = True
        self.after[keys[:-1]], self.before[keys[1:]] = keys[1:], keys[:-1]

    def relax(self, tolerance: float) -> bool:
        """Refit around the largest deviation until it is at most `tolerance`; False if stuck."""
        while (worst := self.deviation.max()) > tolerance:
            at = int(self.deviation.argmax())
            right = int(np.searchsorted(keys := self.keys, at, side="right"))
            for key in keys[max(right - 1, 0) : right + 1].tolist():
                refit = self.refit(self.around(key), ROUNDS, tolerance * PROGRESS)
                if refit.worst < worst * PROGRESS:
                    self.accept(refit)
                    break
            else:
                return False
        return True

    def slide(self, worst: int, tolerance: float) -> bool:
        """Slide a key near the worst moment to where the deviation is smaller; False if nowhere."""
        right = int(np.searchsorted(keys := self.keys, worst, side="right"))
        limit = float(self.deviation[worst]) * PROGRESS
        for at in keys[max(right - 2, 0) : right + 2].tolist():
            found = self._slid(self.around(at), at, SLIDES, tolerance, limit)
            if found is not None:
                self.accept(found)
                return True
        return False

    def _slid(
        self, keys: Ints, at: int, moves: Iterable[int], tolerance: float, limit: float
    ) -> Refit | None:
        """The best refit with one of the keys at another moment, if its deviation is below a limit.

        The first within the tolerance will do.
        """
        best = None
        if not self.may_slide[at]:
            return None
        place = int(np.searchsorted(keys, at))
        for to in (at + by for by in moves if keys[place - 1] < at + by < keys[place + 1]):
            tried = keys.copy()
            tried[place] = to
            refit = self.refit(tried, ROUNDS, tolerance * PROGRESS)
            if refit.worst < limit:
                best, limit = refit, refit.worst
            if limit <= tolerance:
                break
        return best

    def trim(self, tolerance: float) -> None:
        """Remove keys that are not needed for the tolerance, those close to others first.

        Where a removal alone goes too far, the keys beside it slide, and then others near it.
        Removals are tried again around those that worked.
        """
        pending = self.is_key & (self.target.cost <= 1)
        pending[[0, -1]] = False
        while pending.any():
            keys = np.flatnonzero(pending)
            at = int(keys[np.argmin(self.after[keys] - self.before[keys])])
            pending[at] = False
            refit = self._without(at, tolerance)
            if refit is not None:
                self.accept(refit)
                pending[refit.keys] = self.target.cost[refit.keys] <= 1
                pending[[0, -1]] = False
                pending &= self.is_key

    def _without(self, at: int, tolerance: float) -> Refit | None:
        """The spline without a key, within the tolerance, if that is to be had."""
        keys, sides = self.around(at), (int(self.before[at]), int(self.after[at]))
        refit = self.refit(keys[keys != at], ROUNDS, tolerance)
        for side in sides:
            if refit.worst <= tolerance:
                break
            moves = np.unique(np.round((at - side) * MERGES).astype(np.int64))
            slid = self._slid(refit.keys, side, moves[moves != 0].tolist(), tolerance, refit.worst)
            refit = slid or refit
        return self._nearer(refit, tolerance)

    def _nearer(self, refit: Refit, tolerance: float) -> Refit | None:
        """A refit within the tolerance, from one that is nearly so: keys near its worst slide."""
        for _ in range(MOST_SLIDES):
            if not tolerance < refit.worst <= NEARLY * tolerance:
                break
            keys = refit.keys
            right = int(np.searchsorted(keys, keys[0] + refit.deviation.argmax(), side="right"))
            slides = (
                self._slid(keys, at, SLIDES, tolerance, refit.worst * PROGRESS)
                for at in keys[max(right - 2, 1) : min(right + 2, len(keys) - 1)].tolist()
            )
            found = next((slid for slid in slides if slid is not None), None)
            if found is None:
                break
            refit = found
        return refit if refit.worst <= tolerance else None

    def insert(self, at: int) -> None:
        """A key more at the moment nearest to the middle of the worst segment, and a refit."""
        keys = self.keys
        free = np.flatnonzero(~self.is_key)
        right = int(np.clip(np.searchsorted(keys, at, side="right"), 1, len(keys) - 1))
        middle = (keys[right - 1] + keys[right]) / 2
        inside = free[(free > keys[right - 1]) & (free < keys[right])]
        pool, preferred = (inside, (middle + at) / 2) if len(inside) else (free, float(at))
        new = int(pool[abs(pool - preferred).argmin()])
        place = int(np.searchsorted(keys, new))
        self._set_keys(np.array([keys[place - 1], new, keys[place]]))
        self.nodes[new] = self._sampled[new]
        self.accept(self.refit(self.around(new), ROUNDS))


def _sampled_nodes(time: Floats, values: Floats) -> Floats:
    """(T, 3, C) values (T, C), and slopes in and out, of a key at every sample."""
    slope = np.gradient(values, time, axis=0) if len(time) > 1 else np.zeros_like(values)
    return np.stack([values, slope, slope], axis=1)


def _normalise(nodes: Floats, quaternions: Ints) -> None:
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
