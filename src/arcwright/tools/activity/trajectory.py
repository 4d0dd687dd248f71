"""Trajectories: the path of an element, deformed so that it meets displaced events.

Between two events a path is turned and stretched as its chord is, so that details point and grow
the way the edit does. What rests stays at rest, and speed keeps its profile. At events that are
passed without a stop, rotation and stretch blend, so that velocity stays continuous.
`additive` is the published deformation (Rios Rodriguez et al. 2019, eqs. 1 to 5) in closed form.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from functools import cached_property
from itertools import pairwise

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.rotation import cross, quaternion_from_vector, quaternion_rotate

STRAIGHT = 0.35  # chord over length of a piece, from which its chord alone says how to turn it
CURLED = 0.1  # below which it says nothing: the hand comes back to where it began
LOG_STRETCH = (-math.log(4), math.log(4))  # of a piece, at most
BLENDED = (0.2, 0.14, 0.1, 0.07, 0.05)  # of a piece beside an event without a stop: its neighbour
# counts there; the first over which the speed keeps its profile
PROFILE = 0.994  # correlation with the original speed
EVEN = 0.25  # of the mean, standard deviation of a speed that has no profile
MOST_DRAWN = 100  # points of a trajectory: previews are sent often
ROUNDS = 2  # in which the middle of such a piece is led to its end


class Trajectory:
    """A path (T, 3) with knots (K,), prepared for any displacements; its ends are knots."""

    def __init__(self, path: Floats, knots: Ints) -> None:
        self.path, self.knots = path, knots
        self._passes = 1 - _stops(path, knots)
        self._chords = np.diff(path[knots], axis=0)
        self._trust = _trust(path, knots, self._chords)
        self._pieces = [
            _Piece(path[first : last + 1], self._passes[at : at + 2])
            for at, (first, last) in enumerate(pairwise(knots.tolist()))
        ]

    def deformed(self, displacement: Floats, left_out: Collection[int] = ()) -> Floats:
        """(T, 3) the path with its knots displaced by (K, 3); pieces that are left out stay."""
        goal = self.path[self.knots] + displacement
        chords = np.diff(goal, axis=0)
        trust = np.where(np.linalg.norm(chords, axis=1) > 1e-6, self._trust, 0.0)
        values = trust[:, None] * _between_chords(self._chords, chords)
        shared = _shared(values)
        found = self.path.copy()
        for at, (piece, first) in enumerate(zip(self._pieces, self.knots.tolist(), strict=False)):
            if at in left_out:
                continue
            ends, own = slice(at, at + 2), slice(first, first + len(piece.path))
            apart = self._passes[ends, None] * (shared[ends] - values[at])
            if np.array_equal(*displacement[ends]) and not values[at].any() and not apart.any():
                found[own] = piece.path + displacement[at]
            else:
                led = piece.led(values[at], shared[ends], chords[at], float(trust[at]))
                found[own] = goal[at] + led
        return found

    @cached_property
    def thinned(self) -> Floats:
        """(N, 3) places of the path for drawing it."""
        return thinned(self.path)

    def added(self, displacement: Floats, _: Collection[int] = ()) -> Floats:
        """(T, 3) the same by the published method, of all pieces."""
        return additive(self.path, self.knots, displacement)


def deformed(path: Floats, knots: Ints, displacement: Floats) -> Floats:
    """(T, 3) the path with its knots displaced by (K, 3); the first and last sample are knots."""
    return Trajectory(path, knots).deformed(displacement)


class _Piece:
    """A path between two knots, which are passed (2,) without a stop, or not."""

    def __init__(self, path: Floats, passes: Floats) -> None:
        self.path, self.passes = path, passes
        self.steps = np.diff(path, axis=0)
        self.share = arc_length(path)
        self.eased = ease(self.share)[:, None]
        speed = np.linalg.norm(self.steps, axis=1)
        self._any_width = not passes.any() or speed.std() < EVEN * speed.mean()
        self._speed = speed - speed.mean()
        self._blends: dict[float, Floats] = {}

    def led(self, value: Floats, shared: Floats, chord: Floats, trust: float) -> Floats:
        """(T, 3) from its start along a chord, with the widest of BLENDED that keeps the speed.

        The speed's profile, that is; an even speed has none to keep.
        """
        if not self.passes.any():
            return self._met(_similar(self.path - self.path[0], value), chord)
        found = self.path
        for width in BLENDED:
            found = self._led(value, shared, chord, trust, width)
            if self._any_width or self._same_profile(found):
                break
        return found

    def _led(
        self, value: Floats, shared: Floats, chord: Floats, trust: float, width: float
    ) -> Floats:
        """(T, 3) the piece from its start to the end of a chord, turned and stretched by `value`.

        Over a share `width` of its length at its ends it takes the values `shared` (2, 4), as far
        as the path passes there; its middle turns and stretches by so much more that the chord is
        met.
        """
        blend, middle = self._blend(width), value
        run = np.zeros_like(self.path)
        for left in reversed(range(ROUNDS)):
            np.cumsum(_similar(self.steps, middle + blend @ (shared - middle)), 0, out=run[1:])
            if left:
                middle = middle + trust * _between_chords(run[-1], chord)
                middle[3] = np.clip(middle[3], *LOG_STRETCH)
        return self._met(run, chord)

    def _blend(self, width: float) -> Floats:
        """(T - 1, 2) how much the values of the knots count at each step."""
        if width not in self._blends:
            away = np.stack([self.share, 1 - self.share], axis=1)
            blend = ease(np.clip(1 - away / width, 0.0, 1.0)) * self.passes
            self._blends[width] = (blend[1:] + blend[:-1]) / 2
        return self._blends[width]

    def _met(self, run: Floats, chord: Floats) -> Floats:
        found: Floats = run + self.eased * (chord - run[-1])
        return found

    def _same_profile(self, path: Floats) -> bool:
        """Whether the speed along another path changes as that of the piece does."""
        new = np.linalg.norm(np.diff(path, axis=0), axis=1)
        old, new = self._speed, new - new.mean()
        return float(old @ new) >= PROFILE * math.sqrt(float((old @ old) * (new @ new)))


def _similar(vectors: Floats, value: Floats) -> Floats:
    """(N, 3) vectors turned by rotation vectors, stretched by logarithms of factors: (..., 4)."""
    turned = quaternion_rotate(quaternion_from_vector(value[..., :3]), vectors)
    found: Floats = np.exp(value[..., 3:]) * turned
    return found


def _between_chords(old: Floats, new: Floats) -> Floats:
    """(..., 4) rotation vector, and logarithm of the factor, that take one chord to another."""
    before, after = (np.maximum(np.linalg.norm(each, axis=-1), 1e-9) for each in (old, new))
    stretch = np.clip(np.log(after / before), *LOG_STRETCH)[..., None]
    return np.concatenate([rotation_between(old, new), stretch], axis=-1)


def _shared(values: Floats) -> Floats:
    """(K, 4) what two pieces (K - 1, 4) have in common at the knot between them.

    The one that is changed more adapts, so that the other one keeps its form.
    """
    change = np.maximum((values**2).sum(axis=1, keepdims=True), 1e-18)
    both = values[:-1] * change[1:] + values[1:] * change[:-1]
    inner = both / (change[1:] + change[:-1])
    return np.concatenate([values[:1], inner, values[-1:]])


def additive(path: Floats, knots: Ints, displacement: Floats) -> Floats:
    """(T, 3) the same by the published method: displacements blended by centripetal parameters."""
    found = path.copy()
    for piece, (first, last) in enumerate(pairwise(knots.tolist())):
        own = path[first : last + 1]
        roots = np.sqrt(np.linalg.norm(np.diff(own, axis=0), axis=1))
        t = np.concatenate([[0.0], np.cumsum(roots)]) / max(roots.sum(), 1e-12)
        before, after = displacement[piece], displacement[piece + 1]
        found[first : last + 1] += np.outer((1 - t) ** 2 * (1 + 2 * t), before)
        found[first + 1 : last + 1] += np.outer((t**2 * (3 - 2 * t))[1:], after)
        if piece:  # a knot belongs to two pieces
            found[first] -= before
    return found


def blended_between(path: Floats, knots: Ints, values: Floats) -> Floats:
    """(T, V) values given at knots (K, V), in between by how far the path has come."""
    found = np.empty((len(path), values.shape[1]))
    for piece, (first, last) in enumerate(pairwise(knots.tolist())):
        share = ease(arc_length(path[first : last + 1]))[:, None]
        found[first : last + 1] = (1 - share) * values[piece] + share * values[piece + 1]
    return found


def arc_length(path: Floats) -> Floats:
    """(T,) share of the length of a path that lies before each sample; of time where it rests."""
    steps = np.linalg.norm(np.diff(path, axis=0), axis=1)
    even = np.full(len(steps), 1e-9 / max(len(steps), 1))
    lengths = np.concatenate([[0.0], np.cumsum(steps + even)])
    share: Floats = lengths / max(lengths[-1], 1e-300)
    return share


def thinned(path: Floats) -> Floats:
    """Places along a path at equal distances: more would not be seen; none of one that rests."""
    if not np.ptp(path, axis=0).any():
        return path[:0]
    if len(path) <= MOST_DRAWN:
        return path
    share, even = arc_length(path), np.linspace(0.0, 1.0, MOST_DRAWN)
    return np.stack([np.interp(even, share, path[:, axis]) for axis in range(3)], axis=1)


def ease(share: Floats) -> Floats:
    """0 to 1 without slope at both ends."""
    return share**2 * (3 - 2 * share)


def _trust(path: Floats, knots: Ints, chords: Floats) -> Floats:
    """(K - 1,) how much the chords of pieces say about them: nothing where they are curled."""
    steps = np.linalg.norm(np.diff(path, axis=0), axis=1)
    lengths, sizes = np.add.reduceat(steps, knots[:-1]), np.linalg.norm(chords, axis=1)
    straight = sizes / np.maximum(lengths, 1e-9)
    trust = ease(np.clip((straight - CURLED) / (STRAIGHT - CURLED), 0.0, 1.0))
    return np.where(sizes > 1e-6, trust, 0.0)


def rotation_between(old: Floats, new: Floats) -> Floats:
    """(..., 3) the shortest rotation from one direction to the other, as a rotation vector."""
    one = old / np.maximum(np.linalg.norm(old, axis=-1, keepdims=True), 1e-300)
    other = new / np.maximum(np.linalg.norm(new, axis=-1, keepdims=True), 1e-300)
    axis = cross(one, other)
    sine = np.linalg.norm(axis, axis=-1, keepdims=True)
    cosine = (one * other).sum(axis=-1, keepdims=True)
    opposite = (sine < 1e-9) & (cosine < 0)  # any axis across does
    across = cross(one, np.eye(3)[np.abs(one).argmin(axis=-1)])
    axis = np.where(opposite, across, axis)
    size = np.linalg.norm(axis, axis=-1, keepdims=True)
    vector: Floats = np.arctan2(sine, cosine) * axis / np.maximum(size, 1e-300)
    return vector


def _stops(path: Floats, knots: Ints) -> Floats:
    """(K,) 1 where the element stands still at a knot, 0 where it passes at its usual speed."""
    steps = np.linalg.norm(np.diff(path, axis=0), axis=1)
    found = np.ones(len(knots))
    for at, (before, knot, after) in enumerate(
        zip(knots[:-2].tolist(), knots[1:-1].tolist(), knots[2:].tolist(), strict=True), start=1
    ):
        usual = max(float(np.mean(steps[before:after])), 1e-12)
        found[at] = 1 - min(float(steps[knot - 1 : knot + 1].min()) / usual, 1.0)
    return found
