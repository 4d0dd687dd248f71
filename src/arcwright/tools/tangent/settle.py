"""Settle: from where the last move ended to where the handles come to rest."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.jacobian import PointJacobian
from arcwright.solve.descent import Descent, Patience, descend
from arcwright.solve.model import Wishes
from arcwright.tools.gesture import Drag
from arcwright.tools.missed import SHORT
from arcwright.tools.stretches import stretches
from arcwright.tools.tangent.handles import Handles
from arcwright.tools.tangent.model import TangentModel
from arcwright.tools.wishes import Wish, WishList

BRISK = Patience(steps=5, move=1e-7, gain=1e-3, met=3e-5)
MOVING = Patience(steps=16, move=1e-7, gain=1e-5)
LONG = Patience(steps=40, move=1e-8, gain=1e-6)
CLOSE = Patience(steps=12, move=1e-8, gain=1e-6)
THOROUGH = Patience(steps=16, move=1e-7, gain=1e-5, bent=True)
STARTS = 3  # places tried for a drag that ended short, besides the walk from the beginning
LARGE = 800  # unknowns
MOST_STRETCHES = 12
CLEARLY = 0.95  # of the distance: what a better answer must come down to
TORN = 5e-4  # m; a wish missed by more is torn off
SLIPPING = 1e-4  # m; a wish missed by more is asked for again by what it lacks
MET = 3e-5  # m; a drag that ends nearer is met
ROUNDS = 8  # at most, of bent and straight steps in turn, for a drag that is not met
ONWARDS = 0.98  # of the distance: what a round must come down to for another one
SWEEPS = 4  # at most, of asking for what is missing


def settled(
    model: TangentModel,
    start: Floats,
    rest: Floats,
    hand: Sequence[Wish],
    patience: Patience,
) -> Descent:
    """A few brisk steps; if they end far from the hand and are not done, more patient ones."""
    handles = model.handles
    pull = handles.stiffness**2
    found = descend(model, start, pull, rest, handles.box, BRISK)
    if not found.settled and farthest(found.wishes, hand) > SHORT:
        found = descend(model, found.x, pull, rest, handles.box, patience)
    return found


def walked(
    model: TangentModel, start: Floats, rest: Floats, hand: Sequence[Wish], most: int
) -> Descent:
    """Brisk steps for each short stretch of a long way: a leap may end in a hole beside it."""
    handles, usual, x = model.handles, model.wish_list, start
    pull = handles.stiffness**2
    for part in stretches(hand, model.position(start), most):
        model.wish_list = WishList(part, model.kept)
        x = descend(model, x, pull, rest, handles.box, BRISK).x
    model.wish_list = usual
    return Descent(x, model.wishes(x), 1, settled=False)


def from_elsewhere(
    model: TangentModel, found: Descent, rest: Floats, hand: Sequence[Wish]
) -> Descent:
    """A drag that ended short, tried by a walk from the beginning and from a few places around.

    Another answer is taken if it is clearly nearer to the hand and tears nothing else.
    """
    handles = model.handles
    pull, box = handles.stiffness**2, handles.box
    best, goal = found, CLEARLY * farthest(found.wishes, hand)
    for start in _starts(model, rest, hand):
        if goal <= SHORT:
            break
        tried = descend(model, start, pull, rest, box, LONG)
        tried = descend(model, tried.x, pull, rest, box, THOROUGH)
        if farthest(tried.wishes, hand) < goal and slip(tried.wishes, hand) < TORN:
            best, goal = tried, farthest(tried.wishes, hand)
    return best


def _starts(model: TangentModel, rest: Floats, hand: Sequence[Wish]) -> Iterator[Floats]:
    """Of large problems only the walk: each start would take seconds."""
    box, count = model.handles.box, len(rest)
    yield walked(model, box.clip(np.zeros(count)), rest, hand, MOST_STRETCHES).x
    random = np.random.default_rng(count)
    for _ in range(STARTS if count <= LARGE else 0):
        yield box.clip(random.uniform(-1, 1, count))


def sharpened(model: TangentModel, start: Floats, rest: Floats, hand: Sequence[Wish]) -> Floats:
    """Settled closely; what stiffness still takes from a drag in reach is asked for on top."""
    handles = model.handles
    pull = handles.stiffness**2
    best = descend(model, start, pull, rest, handles.box, CLOSE)
    for _ in range(ROUNDS):
        left = farthest(best.wishes, hand)
        for patience in (THOROUGH, LONG):
            if not best.settled and (patience is THOROUGH or left > MET):
                best = descend(model, best.x, pull, rest, handles.box, patience)
        if not MET < farthest(best.wishes, hand) < ONWARDS * left:
            break
    usual, asked, x = model.wish_list, tuple(hand), best.x
    for _ in range(SWEEPS):
        if not 1e-6 < farthest(best.wishes, hand) < 4 * SHORT:
            break
        there = model.position(x)
        asked = tuple(_beyond(*pair, there) for pair in zip(asked, hand, strict=True))
        model.wish_list = WishList(asked, model.kept)
        x = descend(model, x, pull, rest, handles.box, CLOSE).x
        model.wish_list = usual
        tried = Descent(x, model.wishes(x), 1, settled=True)
        if farthest(tried.wishes, hand) >= farthest(best.wishes, hand):
            break
        best = tried
    return best.x


def held_fast(model: TangentModel, found: Descent, rest: Floats, hand: Sequence[Wish]) -> Descent:
    """What is kept, asked for again by what a far hand pulls it off."""
    pull, box, usual = model.handles.stiffness**2, model.handles.box, model.wish_list
    best, kept = found, model.kept.own
    for _ in range(SWEEPS):
        left = slip(best.wishes, hand)
        if left < SLIPPING:
            break
        kept = _regained(kept, model.kept, model.there(best.x))
        model.wish_list = WishList(hand, WishList(kept))
        x = descend(model, best.x, pull, rest, box, CLOSE).x
        model.wish_list = usual
        tried = Descent(x, model.wishes(x), 1, settled=True)
        if slip(tried.wishes, hand) >= left:
            break
        best = tried
    return best


def _regained(asked: Sequence[Wish], wanted: WishList, there: PointJacobian) -> tuple[Wish, ...]:
    """Places asked for, moved on by what is missing of what is wanted."""
    rows = wanted.rows(there)
    moved: list[Wish] = []
    for index, wish in enumerate(asked):
        if wish.position is not None and wish.axes is None and not wish.above:
            missing = rows.miss[rows.wish == index][: wish.position.size]  # places before turns
            wish = replace(wish, position=wish.position + missing.reshape(-1, 3))
        moved.append(wish)
    return tuple(moved)


def _beyond(asked: Wish, wanted: Wish, there: Floats) -> Wish:
    """What was asked for, moved on by what is missing of what is wanted."""
    if asked.position is None or wanted.position is None:
        return asked
    missing = wanted.position - there[wanted.samples, wanted.place]
    return replace(asked, position=asked.position + missing)


def farthest(wishes: Wishes, hand: Sequence[Wish]) -> float:
    """How far the drag that is furthest off is from what it wants, m."""
    assert wishes.wish is not None
    if len(hand) == 1:
        own = wishes.miss[wishes.wish == 0]
        return math.sqrt(own @ own)
    each = (wishes.wish >= 0) & (wishes.wish < len(hand))
    squares = np.bincount(wishes.wish[each], wishes.miss[each] ** 2, minlength=1)
    return math.sqrt(squares.max())


def slip(wishes: Wishes, hand: Sequence[Wish]) -> float:
    """The largest miss of anything but the drags, m."""
    assert wishes.wish is not None
    return float(np.abs(wishes.miss[wishes.wish >= len(hand)]).max(initial=0.0))


def timed(handles: Handles, drags: Iterable[Drag]) -> Floats:
    """(N,) where unknowns rest: at the beginning, or with the timing scaled (eq. 12)."""
    rest = np.zeros(len(handles.stiffness))
    scaled = [drag for drag in drags if drag.time_scale]
    if not scaled:
        return rest
    ends = handles.begin + handles.length
    for drag in scaled:
        for s in np.flatnonzero((handles.begin <= drag.time) & (drag.time <= ends)):
            away = drag.time - handles.begin[s], ends[s] - drag.time
            for side in (0, 1):
                unknown = handles.unknown[2 * s + side, 0]
                if unknown >= 0:
                    step = drag.time_scale * away[side] / handles.factor[2 * s + side, 0]
                    rest[unknown] += step
    return handles.box.clip(rest)
