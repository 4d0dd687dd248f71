"""Settle: from where the last move ended to where the handles come to rest."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.jacobian import PointJacobian
from arcwright.solve.descent import Descent, Patience, descend
from arcwright.solve.model import Residuals
from arcwright.tools.drag_residual import SHORT
from arcwright.tools.gesture import Drag
from arcwright.tools.point_tasks import DRAG, TaskList, Wish, eased
from arcwright.tools.tangent.handles import Handles
from arcwright.tools.tangent.model import TangentModel
from arcwright.tools.waypoints import stretches

BRISK = Patience(steps=5, move=1e-7, gain=1e-3, met=3e-5)
STAGE = Patience(steps=8, move=1e-7, gain=1e-5)
EASING = Patience(steps=3, move=1e-7, gain=1e-4)
MOVING = Patience(steps=5, move=1e-7, gain=1e-5)
LEAP = Patience(steps=24, move=1e-7, gain=1e-5)
CLOSE = Patience(steps=12, move=1e-8, gain=1e-6)
EASED = (1e-4, 1e-3, 1e-2, 1e-1)  # of the weight of what is kept, one after another
MOST_WAYPOINTS = 8
PLACES = 4  # around, that a drag which ended short is tried from
TORN = 5e-4  # m; a wish missed by more is torn off
SLIPPING = 1e-4  # m; a wish missed by more is asked for again by what it lacks
MET = 3e-5  # m; a drag that ends nearer is met
SWEEPS = 8  # at most, of asking for what is missing
MOST_EFFORT = 100.0  # times what a straight answer takes: what a drag that is not met pulls with
LEAST_FORCE = 1000.0  # N, that it pulls with in any case
KEPT_FORCE = 100.0  # times the force of drags that gave in: the most that what is kept pulls with


def settled(
    model: TangentModel,
    start: Floats,
    rest: Floats,
    hand: Sequence[Wish],
    *,
    was_short: bool,
    briefly: bool,
) -> Descent:
    """A few brisk steps; if they end far from the hand and are not done, more that give in.

    Where the last move ended short, these alone; briefly, only the first.
    """
    handles, usual, x = model.handles, model.tasks, start
    pull = model.pull
    if not was_short:
        found = descend(model, start, pull, rest, handles.box, BRISK)
        if briefly or found.settled or farthest(found.wishes, hand) <= SHORT:
            return found
        x = found.x
    less = with_limited_force(model, hand)
    for kept, patience in ((model.kept_at(EASED[1]), EASING), (model.kept, MOVING)):
        model.tasks = TaskList(less, kept)
        found = descend(model, x, pull, rest, handles.box, patience)
        x = found.x
    model.tasks = usual
    return Descent(x, model.wishes(x), found.steps, found.settled)


def with_limited_force(model: TangentModel, hand: Sequence[Wish]) -> tuple[Wish, ...]:
    """Drags that are not met, pulling less hard: so many times as a straight answer would take.

    The last centimetres would take handles to their bounds, where a breath of the hand changes the
    whole motion.
    """
    yielding = model.yielding()
    effort = distance(model, hand) / yielding if yielding > 0 else 0.0
    near = max(MOST_EFFORT * effort, LEAST_FORCE) / DRAG
    return tuple(replace(wish, near=min(near, wish.near)) for wish in hand)


def limited(kept: Sequence[Wish], hand: Sequence[Wish]) -> list[Wish]:
    """What is kept, pulling at most so many times as hard as the drags do.

    A contact that the motion never kept would else outweigh everything, and where handles end would
    hang on how it is torn.
    """
    most = KEPT_FORCE * max(wish.weight * wish.near for wish in hand)
    return [replace(wish, near=most / wish.weight) for wish in kept]


def distance(model: TangentModel, hand: Sequence[Wish]) -> float:
    """How far drags are from their targets at the beginning, all together, m."""
    return float(np.linalg.norm(TaskList(hand).rows(model.at_start).miss))


def solve_in_stages(
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
    handles, usual, x = model.handles, model.tasks, start
    pull = model.pull
    for share in eased if model.kept.own else ():
        model.tasks = TaskList(hand, model.kept_at(share))
        x = descend(model, x, pull, rest, handles.box, STAGE).x
    model.tasks = usual
    return descend(model, x, pull, rest, handles.box, patience)


def walked(model: TangentModel, rest: Floats, hand: Sequence[Wish]) -> Floats:
    """From the beginning towards the hand: brisk steps for each short stretch, held softly.

    A leap makes light joints do too much, and may end in a hole beside the way.
    """
    handles, usual, x = model.handles, model.tasks, model.handles.box.clip(rest)
    pull, share = model.pull, EASED[0]
    for part in stretches(hand, model.position(x), MOST_WAYPOINTS):
        drags = [eased(wish, share) for wish in part]
        model.tasks = TaskList(drags, model.kept_at(share))
        x = descend(model, x, pull, rest, handles.box, BRISK).x
    model.tasks = usual
    return x


def try_other_starts(
    model: TangentModel, found: Descent, rest: Floats, hand: Sequence[Wish]
) -> Descent:
    """An answer that meets the drags from the beginning in one leap, or from places around.

    Else the one found already: which of two that both end short is nearer may change with a breath
    of the hand. Places around are for drags that nothing holds back, which take no time.
    """
    box, count = model.handles.box, len(rest)
    random = np.random.default_rng(count)
    around = [random.uniform(-1, 1, count) for _ in range(0 if model.kept.own else PLACES)]
    for start in (rest, *around):
        tried = solve_in_stages(model, box.clip(start), rest, hand, LEAP)
        if is_met(tried, hand):
            return tried
    return found


def is_met(found: Descent, hand: Sequence[Wish]) -> bool:
    """Whether drags end at their targets and nothing else is torn off."""
    return farthest(found.wishes, hand) <= SHORT and slip(found.wishes, hand) < TORN


def sharpened(model: TangentModel, start: Floats, rest: Floats, hand: Sequence[Wish]) -> Floats:
    """Settled closely; what stiffness still takes from a drag in reach is asked for on top."""
    handles = model.handles
    pull = model.pull
    best = descend(model, start, pull, rest, handles.box, CLOSE)
    if MET < farthest(best.wishes, hand) < 4 * SHORT:
        tried = solve_in_stages(model, best.x, rest, hand, LEAP, EASED[1:])
        best = min(best, tried, key=lambda each: farthest(each.wishes, hand))
    usual, asked, x = model.tasks, tuple(hand), best.x
    for _ in range(SWEEPS):
        if not 1e-6 < farthest(best.wishes, hand) < 4 * SHORT:
            break
        there = model.position(x)
        asked = tuple(_beyond(*pair, there) for pair in zip(asked, hand, strict=True))
        model.tasks = TaskList(asked, model.kept)
        x = descend(model, x, pull, rest, handles.box, CLOSE).x
        model.tasks = usual
        tried = Descent(x, model.wishes(x), 1, settled=True)
        if farthest(tried.wishes, hand) >= farthest(best.wishes, hand):
            break
        best = tried
    return best.x


def restore_constraints(
    model: TangentModel, found: Descent, rest: Floats, hand: Sequence[Wish]
) -> Descent:
    """What is kept, asked for again by what a far hand pulls it off."""
    pull, box, usual = model.pull, model.handles.box, model.tasks
    best, kept = found, model.kept.own
    for _ in range(SWEEPS):
        left = slip(best.wishes, hand)
        if left < SLIPPING:
            break
        kept = _regained(kept, model.kept, model.there(best.x))
        model.tasks = TaskList(hand, TaskList(kept))
        x = descend(model, best.x, pull, rest, box, CLOSE).x
        model.tasks = usual
        tried = Descent(x, model.wishes(x), 1, settled=True)
        if slip(tried.wishes, hand) >= left:
            break
        best = tried
    return best


def _regained(asked: Sequence[Wish], wanted: TaskList, there: PointJacobian) -> tuple[Wish, ...]:
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
