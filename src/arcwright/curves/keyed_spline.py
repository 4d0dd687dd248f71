"""Keyed splines: smooth curves of many channels through the same keys, fitted part by part.

A refit is of a few keys, by least squares and, where that is nearly enough, by minimax; the rest
of the spline stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.curves.minimax import minimax
from arcwright.curves.spline_part import Part, Refit, Target

REACH = 2  # keys on each side of a key that are refitted with it
ROUNDS = 8  # of weighting a refit
SLIDES = (-1, 1, -2, 2, -4, 4)  # moments by which a key may slide
MERGES = np.array([0.25, 0.5, 0.75])  # of the way to a removed key: slides of a key beside it
NEARLY = 2.0  # times the tolerance: a refit so close to it is worth a minimax fit
LOOSER = 1.5  # times the tolerance: how far off the keys are with which the search begins
PROGRESS = 0.995  # of the deviation, below which a refit is worth while


def fit_keys(
    target: Target, keys: Ints, nodes: Floats, tolerance: float, nearly: float = NEARLY
) -> Spline:
    """A spline within `tolerance` of a target with these keys, and others at need.

    The search begins at the nodes (K, 3, M). Refits by least squares that are within `nearly`
    times the tolerance become minimax refits.
    """
    spline = Spline(target, keys, nodes, nearly)
    while not spline.relax(tolerance):
        at = int(spline.deviation.argmax())
        if not spline.slide(at, tolerance):
            spline.insert(at)
    spline.trim(tolerance)
    return spline


class Spline:
    """Values and slopes at the keys of a target, and how far the spline is off."""

    def __init__(
        self, target: Target, keys: Ints, nodes: Floats | None = None, nearly: float = NEARLY
    ) -> None:
        count = len(target.time)
        self.target, self._nearly = target, nearly
        self._sampled = _sampled_nodes(target.time, target.aim.values[:, target.moving])
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
        """The spline with these keys from the first to the last, by least squares.

        Without rounds nothing is fitted, only measured.
        """
        nodes = np.where(self.is_key[keys, None, None], self.nodes[keys], self._sampled[keys])
        return Part(self.target, keys).fitted(nodes, rounds, enough)

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
                if not self._polish(keys[max(right - 1, 0) : right + 1], tolerance):
                    return False
        return True

    def _polish(self, near: Ints, tolerance: float) -> bool:
        """Bring the spline around one of the keys near the worst moment within the tolerance."""
        for key in near.tolist():
            keys = self.around(key)
            refit = self._nearer(self.refit(keys, 0), tolerance)
            if refit.worst <= tolerance:
                self.accept(refit)
                return True
        return False

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
        refit = self._nearer(self.refit(keys[keys != at], ROUNDS, tolerance), tolerance)
        for side in sides:
            if refit.worst <= tolerance:
                break
            moves = np.unique(np.round((at - side) * MERGES).astype(np.int64))
            slid = self._slid(refit.keys, side, moves[moves != 0].tolist(), tolerance, refit.worst)
            refit = self._nearer(slid, tolerance) if slid else refit
        return refit if refit.worst <= tolerance else None

    def _nearer(self, refit: Refit, tolerance: float) -> Refit:
        """The minimax refit, where one of least squares is nearly within the tolerance."""
        if not tolerance < refit.worst <= self._nearly * tolerance:
            return refit
        return minimax(Part(self.target, refit.keys), refit, tolerance)

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
