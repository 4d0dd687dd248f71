"""Trajectories: the path of an element, deformed so that it meets displaced events.

Between two events a path is turned and stretched as its chord is, so that details point and grow
the way the edit does. What rests stays at rest, and speed keeps its profile. At events that are
passed without a stop, rotation and stretch blend, so that velocity stays continuous.
`additive` is the published deformation (Rios Rodriguez et al. 2019, eqs. 1 to 5) in closed form.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.rotation import cross, matrix_from_vector

STRAIGHT = 0.35  # chord over length of a piece, from which its chord alone says how to turn it
CURLED = 0.1  # below which it says nothing: the hand comes back to where it began
MOST_STRETCH = 4.0  # of a piece, and its inverse
BLENDED = 0.5  # of a piece beside an event without a stop, over which its neighbour counts


def deformed(path: Floats, knots: Ints, displacement: Floats) -> Floats:
    """(T, 3) the path with its knots displaced by (K, 3); the first and last sample are knots."""
    goal = path[knots] + displacement
    turns, stretches = _similarities(path, knots, goal)
    stops = _stops(path, knots)
    found = np.empty_like(path)
    for piece, (first, last) in enumerate(pairwise(knots.tolist())):
        own = path[first : last + 1]
        if _carried(piece, displacement, turns, stretches):
            found[first : last + 1] = own + displacement[piece]
            continue
        share = arc_length(own)
        turn = _blended(turns, piece, share, stops)
        stretch = np.exp(_blended(np.log(stretches)[:, None], piece, share, stops))
        steps = np.diff(own, axis=0)
        between = (turn[1:] + turn[:-1]) / 2, (stretch[1:] + stretch[:-1]) / 2
        moved = between[1] * (matrix_from_vector(between[0]) @ steps[..., None])[..., 0]
        run = goal[piece] + np.concatenate([np.zeros((1, 3)), np.cumsum(moved, axis=0)])
        found[first : last + 1] = run + ease(share)[:, None] * (goal[piece + 1] - run[-1])
    return found


def _carried(piece: int, displacement: Floats, turns: Floats, stretches: Floats) -> bool:
    """Whether a piece and its neighbours keep their form, so that it is displaced as it is."""
    near = slice(max(piece - 1, 0), piece + 2)
    same = np.array_equal(displacement[piece], displacement[piece + 1])
    return same and not turns[near].any() and bool(np.all(stretches[near] == 1.0))


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
    """(K - 1, 3) rotation vectors and (K - 1,) factors that take old chords to new ones."""
    old, new = np.diff(path[knots], axis=0), np.diff(goal, axis=0)
    steps = np.linalg.norm(np.diff(path, axis=0), axis=1)
    lengths = np.add.reduceat(steps, knots[:-1])
    sizes, wanted = np.linalg.norm(old, axis=1), np.linalg.norm(new, axis=1)
    straight = sizes / np.maximum(lengths, 1e-9)
    trust = ease(np.clip((straight - CURLED) / (STRAIGHT - CURLED), 0.0, 1.0))
    trust = np.where((sizes > 1e-6) & (wanted > 1e-6), trust, 0.0)
    ratio = wanted / np.maximum(sizes, 1e-9)
    stretches = np.clip(ratio, 1 / MOST_STRETCH, MOST_STRETCH) ** trust
    return trust[:, None] * rotation_between(old, new), stretches


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


def _blended(values: Floats, piece: int, share: Floats, stops: Floats) -> Floats:
    """(T, V) the value of a piece, blended with its neighbours' at knots without a stop."""
    own = values[piece]
    found = np.tile(own, (len(share), 1))
    for neighbour, knot, away in (
        (piece - 1, piece, share),
        (piece + 1, piece + 1, 1 - share),
    ):
        if 0 <= neighbour < len(values):
            near = ease(np.clip(1 - away / BLENDED, 0.0, 1.0))
            found += np.outer(near * (1 - stops[knot]) / 2, values[neighbour] - own)
    return found
