"""Settle: from where the last move ended to where the handles come to rest."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.jacobian import PointJacobian
from arcwright.solve.descent import Descent, Patience, descend
from arcwright.solve.model import Residuals
from arcwright.tools.gesture import Drag
from arcwright.tools.missed import SHORT
from arcwright.tools.stretches import stretches
from arcwright.tools.tangent.handles import Handles
from arcwright.tools.tangent.model import TangentModel
from arcwright.tools.wishes import Wish, WishList

BRISK = Patience(steps=5, move=1e-7, gain=1e-3, met=3e-5)
STAGE = Patience(steps=6, move=1e-7, gain=1e-3)
MOVING = Patience(steps=5, move=1e-7, gain=1e-5)
LEAP = Patience(steps=24, move=1e-7, gain=1e-4)
CLOSE = Patience(steps=12, move=1e-8, gain=1e-6)
THOROUGH = Patience(steps=16, move=1e-7, gain=1e-5, bent=True)
EASED = (1e5, 1e6, 1e7, 1e8)  # per m^2: weights of what is kept, before they become hard
STARTS = 2  # places tried for a drag that ended short, besides the walk from the beginning
LARGE = 800  # unknowns
MOST_STRETCHES = 8
CLEARLY = 0.95  # of the distance: what a better answer must come down to
TORN = 5e-4  # m; a wish missed by more is torn off
SLIPPING = 1e-4  # m; a wish missed by more is asked for again by what it lacks
MET = 3e-5  # m; a drag that ends nearer is met
ROUNDS = 2  # at most, of bent and straight steps in turn, for a drag that is not met
ONWARDS = 0.95  # of the distance: what a round must come down to for another one
SWEEPS = 4  # at most, of asking for what is missing


def settled(
    model: TangentModel, start: Floats, rest: Floats, hand: Sequence[Wish], patience: Patience
) -> Descent:
    """A few brisk steps; if they end far from the hand and are not done, more by stages."""
    handles = model.handles
    pull = model.pull
    found = descend(model, start, pull, rest, handles.box, BRISK)
    if not found.settled and farthest(found.wishes, hand) > SHORT:
        found = by_stages(model, found.x, rest, hand, patience, EASED[1:2])
    return found


def by_stages(
    model: TangentModel,
    start: Floats,
    rest: Floats,
    hand: Sequence[Wish],
    patience: Patience,
    eased: Sequence[float] = EASED,
) -> Descent:
    """Descend with what is kept held ever harder.

    Held hard at once, it leaves a narrow bent valley in which only short steps go down.
    """
    handles, usual, x = model.handles, model.wish_list, start
    pull = model.pull
    for weight in eased if len(model.kept.own) else ():
        model.wish_list = WishList(hand, model.kept_at(weight))
        x = descend(model, x, pull, rest, handles.box, STAGE).x
    model.wish_list = usual
    return descend(model, x, pull, rest, handles.box, patience)


def walked(model: TangentModel, rest: Floats, hand: Sequence[Wish]) -> Floats:
    """Brisk steps for each short stretch of a long way: a leap may end in a hole beside it."""
    handles, usual, x = model.handles, model.wish_list, model.handles.box.clip(rest)
    pull = model.pull
    for part in stretches(hand, model.position(x), MOST_STRETCHES):
        model.wish_list = WishList(part, model.kept_at(EASED[1]))
        x = descend(model, x, pull, rest, handles.box, BRISK).x
    model.wish_list = usual
    return x


def reached(
    model: TangentModel, rest: Floats, hand: Sequence[Wish], *, briefly: bool = False
) -> Descent:
    """From the beginning to the hand, by the same way whatever way the hand came.

    In one leap; where that ends short, unless it is to be done briefly, by a walk and from a few
    places around. Another answer is taken if it is clearly nearer to the hand and tears nothing
    else.
    """
    best: Descent | None = None
    for start in islice(_starts(model, rest, hand), 1 if briefly else None):
        tried = by_stages(model, start, rest, hand, LEAP)
        best = tried if best is None else _better(best, tried, hand)
        if farthest(best.wishes, hand) <= SHORT and slip(best.wishes, hand) < TORN:
            break
    assert best is not None
    return best


def _better(one: Descent, other: Descent, hand: Sequence[Wish]) -> Descent:
    """The other one if it is clearly nearer to the hand, or tears nothing where the one does."""
    torn = [slip(each.wishes, hand) >= TORN for each in (one, other)]
    if torn[0] != torn[1]:
        return other if torn[0] else one
    nearer = farthest(other.wishes, hand) < CLEARLY * farthest(one.wishes, hand)
    return other if nearer else one


def _starts(model: TangentModel, rest: Floats, hand: Sequence[Wish]) -> Iterator[Floats]:
    """The beginning, the end of a walk, places around; few where each would take seconds."""
    box, count = model.handles.box, len(rest)
    yield box.clip(rest)
    yield walked(model, rest, hand)
    random = np.random.default_rng(count)
    for _ in range(STARTS if count <= LARGE else 0):
        yield box.clip(random.uniform(-1, 1, count))


def sharpened(
    model: TangentModel, start: Floats, rest: Floats, hand: Sequence[Wish], rounds: int = ROUNDS
) -> Floats:
    """Settled closely; what stiffness still takes from a drag in reach is asked for on top."""
    handles = model.handles
    pull = model.pull
    best = descend(model, start, pull, rest, handles.box, CLOSE)
    for _ in range(rounds):
        left = farthest(best.wishes, hand)
        for patience in (THOROUGH, LEAP):
            if not best.settled and left > MET:
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
    pull, box, usual = model.pull, model.handles.box, model.wish_list
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


def farthest(wishes: Residuals, hand: Sequence[Wish]) -> float:
    """How far the drag that is furthest off is from what it wants, m."""
    assert wishes.wish is not None
    if len(hand) == 1:  # its rows come first, three for each of place and orientation
        count = wishes.wish[:6].tolist().count(0)
        return math.hypot(*wishes.miss[:count].tolist())
    each = (wishes.wish >= 0) & (wishes.wish < len(hand))
    squares = np.bincount(wishes.wish[each], wishes.miss[each] ** 2, minlength=1)
    return math.sqrt(squares.max())


def slip(wishes: Residuals, hand: Sequence[Wish]) -> float:
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
