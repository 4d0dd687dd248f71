"""Trajectories: the path of an element, deformed so that it meets displaced events.

Between two events a path is turned and stretched as its chord is, so that details point and grow
the way the edit does. What rests stays at rest, and speed keeps its profile. At events that are
passed without a stop, rotation and stretch blend, so that velocity stays continuous.
`additive` is the published deformation (Rios Rodriguez et al. 2019, eqs. 1 to 5) in closed form.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.rotation import cross, matrix_from_vector

STRAIGHT = 0.35  # chord over length of a piece, from which its chord alone says how to turn it
CURLED = 0.1  # below which it says nothing: the hand comes back to where it began
LOG_STRETCH = (-math.log(4), math.log(4))  # of a piece, at most
BLENDED = (0.2, 0.14, 0.1, 0.07, 0.05)  # of a piece beside an event without a stop: its neighbour
# counts there; the first over which the speed keeps its profile
PROFILE = 0.994  # correlation with the original speed
EVEN = 0.25  # of the mean, standard deviation of a speed that has no profile
ROUNDS = 2  # in which the middle of such a piece is led to its end


def deformed(path: Floats, knots: Ints, displacement: Floats) -> Floats:
    """(T, 3) the path with its knots displaced by (K, 3); the first and last sample are knots."""
    goal = path[knots] + displacement
    values, trust = _similarities(path, knots, goal)
    passes = 1 - _stops(path, knots)
    shared = _shared(values)
    found = np.empty_like(path)
    for piece, (first, last) in enumerate(pairwise(knots.tolist())):
        own, ends = path[first : last + 1], slice(piece, piece + 2)
        apart = passes[ends, None] * (shared[ends] - values[piece])
        if np.array_equal(*displacement[ends]) and not values[piece].any() and not apart.any():
            found[first : last + 1] = own + displacement[piece]
            continue
        near = passes[ends], shared[ends]
        led = _blended(own, values[piece], near, goal[piece + 1] - goal[piece], float(trust[piece]))
        found[first : last + 1] = goal[piece] + led
    return found


def _blended(
    own: Floats,
    value: Floats,
    near: tuple[Floats, Floats],
    chord: Floats,
    trust: float,
) -> Floats:
    """(T, 3) a piece as `_led` has it, with the widest of BLENDED that keeps the speed's profile.

    An even speed has none to keep.
    """
    steps = np.linalg.norm(np.diff(own, axis=0), axis=1)
    any_width = not near[0].any() or steps.std() < EVEN * steps.mean()
    for width in BLENDED:
        found = _led(own, value, near, chord, trust, width)
        if any_width or _same_profile(steps, found):
            break
    return found


def _same_profile(steps: Floats, path: Floats) -> bool:
    """Whether the speed along a path changes as steps (T - 1,) do."""
    new = np.linalg.norm(np.diff(path, axis=0), axis=1)
    old, new = steps - steps.mean(), new - new.mean()
    return float(old @ new) >= PROFILE * math.sqrt(float((old @ old) * (new @ new)))


def _led(
    own: Floats,
    value: Floats,
    near: tuple[Floats, Floats],
    chord: Floats,
    trust: float,
    width: float,
) -> Floats:
    """(T, 3) a piece from its start to the end of a chord, turned and stretched by `value`.

    Over a share `width` of its length at its ends it takes the values of `near` (2, 4), as far as
    the path passes there; its middle turns and stretches by so much more that the chord is met.
    """
    passes, shared = near
    share, steps = arc_length(own), np.diff(own, axis=0)
    away = np.stack([share, 1 - share])
    blend = ease(np.clip(1 - away / width, 0.0, 1.0)) * passes[:, None]  # (2, T)
    middle = value
    for left in reversed(range(ROUNDS if passes.any() else 1)):
        each = middle + blend.T @ (shared - middle)  # (T, 4)
        between = (each[1:] + each[:-1]) / 2
        turned = (matrix_from_vector(between[:, :3]) @ steps[..., None])[..., 0]
        moved = np.exp(between[:, 3:]) * turned
        run = np.concatenate([np.zeros((1, 3)), np.cumsum(moved, axis=0)])
        if left:
            middle = middle + trust * _between_chords(run[-1], chord)
            middle[3] = np.clip(middle[3], *LOG_STRETCH)
    found: Floats = run + ease(share)[:, None] * (chord - run[-1])
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


def ease(share: Floats) -> Floats:
    """0 to 1 without slope at both ends."""
    return share**2 * (3 - 2 * share)


def _similarities(path: Floats, knots: Ints, goal: Floats) -> tuple[Floats, Floats]:
    """(K - 1, 4) what takes old chords to new ones, and (K - 1,) how much their chords say.

    Rotation vectors, and logarithms of factors.
    """
    old, new = np.diff(path[knots], axis=0), np.diff(goal, axis=0)
    steps = np.linalg.norm(np.diff(path, axis=0), axis=1)
    lengths = np.add.reduceat(steps, knots[:-1])
    sizes, wanted = np.linalg.norm(old, axis=1), np.linalg.norm(new, axis=1)
    straight = sizes / np.maximum(lengths, 1e-9)
    trust = ease(np.clip((straight - CURLED) / (STRAIGHT - CURLED), 0.0, 1.0))
    trust = np.where((sizes > 1e-6) & (wanted > 1e-6), trust, 0.0)
    return trust[:, None] * _between_chords(old, new), trust


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
