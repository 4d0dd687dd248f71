"""Segments: cut sampled values into the longest pieces that one cubic each can follow.

Cubics are one-third Bezier segments from sample to sample. All channels are searched side by
side: each keeps doubling or halving its own piece, and one batch tests them all.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Bools, Floats, Ints

FIRST_GUESS = 8  # samples
WORTH_EVENING = 2.0  # tolerances; errors above this do not come down to one
EVENING_STEPS = 3
RIDGE = 1e-9  # pulls slopes that the samples leave open towards the straight line


@dataclass(frozen=True, eq=False)
class Samples:
    """Rows of values at the same times, with the error each may have at each time."""

    time: Floats  # (T,) s
    values: Floats  # (R, T)
    tolerance: Floats  # (R, T)


@dataclass(frozen=True, eq=False)
class Cubics:
    """Cubics between two samples of a row each; slopes times the length of the piece."""

    row: Ints  # (A,)
    start: Ints  # (A,) sample
    end: Ints  # (A,) sample
    slope: Floats  # (A, 2) at start and end, value per piece
    error: Floats  # (A,) largest, in tolerances


def longest_pieces(samples: Samples, lanes: Ints, known: Known | None = None) -> list[Ints]:
    """The samples of every lane that become keys; rows (L, M) of a lane are cut alike.

    Where `known` keys still do they are kept, and the search goes on behind them.
    """
    last = samples.values.shape[1] - 1
    known = known or Known.nothing(len(lanes), last)
    search = _Search.begin(known, last)
    found = [np.stack([np.arange(len(lanes)), np.zeros(len(lanes), np.int64)])]
    found += known.between(np.arange(len(lanes)), found[0][1], known.skip[:, 0])
    while len(search.lane):
        tried = search.candidate(last)
        fits = _fits(samples, lanes[search.lane], search.start, tried)
        ready = search.narrow(tried, fits, last)
        if ready.any():
            lane, key = search.lane[ready], search.good[ready]
            found.append(np.stack([lane, key]))
            found += known.between(lane, key, known.skip[lane, key])
            search = search.advance(ready, known, last)
    lane, key = np.unique(np.concatenate(found, axis=1), axis=1)
    return np.split(key, np.flatnonzero(np.diff(lane)) + 1)


@dataclass(frozen=True, eq=False)
class Known:
    """Keys of an earlier search: where a piece begins at one, the next place to search from."""

    keys: list[Ints]  # (L,) samples
    skip: Ints  # (L, T) the sample itself where nothing is known

    @classmethod
    def nothing(cls, lanes: int, last: int) -> Known:
        """No key is known."""
        return cls([np.zeros(0, np.int64)] * lanes, np.tile(np.arange(last + 1), (lanes, 1)))

    @classmethod
    def of(cls, keys: list[Ints], worn: Bools) -> Known:
        """Keys whose pieces still do, except those with a worn sample, worn (L, T)."""
        skip = np.tile(np.arange(worn.shape[1]), (len(worn), 1))
        for lane, key in enumerate(keys):
            if len(key) > 1:
                piece = np.clip(np.searchsorted(key, np.flatnonzero(worn[lane])) - 1, 0, None)
                stops = np.append(np.unique(piece), len(key) - 1)
                ahead = np.searchsorted(stops, np.arange(len(key)))
                skip[lane, key] = key[stops[ahead]]
        return cls(keys, skip)

    def between(self, lane: Ints, start: Ints, end: Ints) -> list[Ints]:
        """Lane and sample of the known keys from start to end of lanes, where they differ."""
        return [
            np.stack([np.full(len(kept), lane[i]), kept])
            for i in np.flatnonzero(end > start)
            for keys in [self.keys[lane[i]]]
            for kept in [keys[(keys >= start[i]) & (keys <= end[i])]]
        ]


@dataclass(eq=False)
class _Search:
    """Of every lane still at work: its piece's start, and ends known to fit and not to fit."""

    lane: Ints
    start: Ints
    good: Ints
    bad: Ints  # -1 while not known
    step: Ints

    @classmethod
    def begin(cls, known: Known, last: int) -> _Search:
        start = known.skip[:, 0]
        unknown, step = np.full_like(start, -1), np.full_like(start, FIRST_GUESS)
        return cls(np.arange(len(start)), start, start + 1, unknown, step).kept(start < last)

    def kept(self, which: Bools) -> _Search:
        return _Search(
            self.lane[which],
            self.start[which],
            self.good[which],
            self.bad[which],
            self.step[which],
        )

    def candidate(self, last: int) -> Ints:
        further = np.minimum(np.maximum(self.start + self.step, self.good), last)
        return np.where(self.bad < 0, further, (self.good + self.bad) // 2)

    def narrow(self, tried: Ints, fits: Bools, last: int) -> Bools:
        """Learn from a test; say whose piece is found."""
        self.good = np.where(fits, np.maximum(tried, self.good), self.good)
        self.bad = np.where(fits, self.bad, tried)
        self.step = self.step * 2
        closed: Bools = (self.good == last) | ((self.bad >= 0) & (self.bad - self.good <= 1))
        return closed

    def advance(self, ready: Bools, known: Known, last: int) -> _Search:
        """Begin the next piece where one is found; the last length is the next guess."""
        length = np.maximum(self.good - self.start, 2)
        self.step = np.where(ready, length, self.step)
        self.start = np.where(ready, known.skip[self.lane, self.good], self.start)
        self.bad = np.where(ready, -1, self.bad)
        self.good = np.where(ready, self.start + 1, self.good)
        return self.kept(self.start < last)


def _fits(samples: Samples, rows: Ints, start: Ints, end: Ints) -> Bools:
    """(A,) whether all rows (A, M) of each piece stay within their tolerance."""
    many = rows.shape[1]
    pieces = fitted(samples, rows.ravel(), np.repeat(start, many), np.repeat(end, many))
    return np.asarray((pieces.error <= 1).reshape(-1, many).all(axis=1), np.bool_)


def fitted(samples: Samples, row: Ints, start: Ints, end: Ints) -> Cubics:
    """Cubics that meet the samples at both ends: least squares, then evened out where close."""
    inner = Inner.of(samples, row, start, end)
    slope = inner.slopes(np.ones_like(inner.bend))
    error = inner.error(slope)
    close = np.flatnonzero((error > 1) & (error < WORTH_EVENING))
    if len(close):
        some = Inner.of(samples, row[close], start[close], end[close])
        slope[close], error[close] = _evened(some, slope[close], error[close])
    return Cubics(row, start, end, slope + inner.chord[:, None], error)


def _evened(inner: Inner, slope: Floats, error: Floats) -> tuple[Floats, Floats]:
    """Lawson's way to a smaller largest error: weigh each sample by how far it is missed."""
    best, least = slope.copy(), error.copy()
    weight = np.ones_like(inner.bend)
    for _ in range(EVENING_STEPS):
        weight *= inner.miss(slope) + 0.05
        weight /= (inner.total(weight) / inner.count)[inner.piece]
        slope = inner.slopes(weight)
        error = inner.error(slope)
        better = error < least
        best[better], least[better] = slope[better], error[better]
    return best, least


@dataclass(frozen=True, eq=False)
class Inner:
    """The samples strictly inside pieces, one piece after the other."""

    piece: Ints  # (N,)
    first: Ints  # (A,) where a piece's samples begin
    count: Ints  # (A,)
    chord: Floats  # (A,) rise from end to end
    bend: Floats  # (N,) sample less straight line
    out: Floats  # (N,) weight of the slope at the start
    into: Floats  # (N,) weight of the slope at the end
    strict: Floats  # (N,) 1 / tolerance

    @classmethod
    def of(cls, samples: Samples, row: Ints, start: Ints, end: Ints) -> Inner:
        """The samples between start (A,) and end (A,) of the rows (A,)."""
        count = end - start - 1
        first = np.cumsum(count) - count
        piece = np.repeat(np.arange(len(count)), count)
        at = np.arange(len(piece)) + (start + 1 - first)[piece]
        begin = samples.time[start]
        u = (samples.time[at] - begin[piece]) / (samples.time[end] - begin)[piece]
        flat, width = samples.values.ravel(), samples.values.shape[1]
        low = flat[row * width + start]
        chord = flat[row * width + end] - low
        at += (row * width)[piece]
        bend = flat[at] - low[piece] - u * chord[piece]
        both = u * (1 - u)
        strict = 1 / samples.tolerance.ravel()[at]
        return cls(piece, first, count, chord, bend, both * (1 - u), -both * u, strict)

    def total(self, terms: Floats) -> Floats:
        """(A,) sum over each piece."""
        return np.bincount(self.piece, terms, len(self.count)).astype(np.float64)

    def slopes(self, weight: Floats) -> Floats:
        """(A, 2) weighted least-squares slopes, relative to the straight line."""
        grid, right = self.normal(weight)
        ridge = RIDGE * (grid[0] + grid[2]) + 1e-30
        first, cross, second = grid[0] + ridge, grid[1], grid[2] + ridge
        determinant = first * second - cross * cross
        out = (second * right[0] - cross * right[1]) / determinant
        into = (first * right[1] - cross * right[0]) / determinant
        return np.stack([out, into], axis=-1)

    def normal(self, weight: Floats) -> tuple[Floats, Floats]:
        """Normal equations (3, A) out-out, out-into, into-into and right sides (2, A)."""
        out, into = weight * self.out, weight * self.into
        grid = [out * self.out, out * self.into, into * self.into]
        right = [out * self.bend, into * self.bend]
        return (
            np.stack([self.total(terms) for terms in grid]),
            np.stack([self.total(terms) for terms in right]),
        )

    def miss(self, slope: Floats) -> Floats:
        """(N,) error in tolerances, of slopes (A, 2) relative to the straight line."""
        first, second = slope.T
        curved = self.out * first[self.piece] + self.into * second[self.piece]
        missed: Floats = abs(self.bend - curved) * self.strict
        return missed

    def error(self, slope: Floats) -> Floats:
        """(A,) largest error in tolerances."""
        worst = np.zeros(len(self.count))
        some = self.count > 0
        if some.any():
            worst[some] = np.maximum.reduceat(self.miss(slope), self.first[some])
        return worst
