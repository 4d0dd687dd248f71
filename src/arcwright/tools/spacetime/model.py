"""Model: a displacement d(t) of a motion, the wishes about it, and what it costs.

least of  1/2 sum over rows  w (wanted - is)^2  +  1/2 x' S x
x  control values of d (N, D), and free places
S  how far joints move with d, and second differences of x
"""

from __future__ import annotations

import copy
from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats
from arcwright.curves.spline import band
from arcwright.kinematics.layering import with_layer
from arcwright.kinematics.places import places
from arcwright.scene.layer import Layer
from arcwright.scene.rig import Rig
from arcwright.solve.blocks import Bordered, Moments, times
from arcwright.tools.spacetime.body import Body, Freedom
from arcwright.tools.spacetime.lanes import NONE, Lane, Rows, rows
from arcwright.tools.spacetime.limits import Broken, Limits

LIMIT = 0.3**2  # m^2 per rad^2: what breaking a limit counts
LEAST = 0.1**2  # m^2 per rad^2: what a turn costs that moves no joint


@dataclass(frozen=True, eq=False)
class Range:
    """The part of a take that may change; control values outside `free` stay 0."""

    start: float  # s
    end: float  # s
    count: int  # N
    free: slice  # of the control values
    times: Floats  # (T,) s, rising


@dataclass(frozen=True, eq=False)
class State:
    """Where a displacement leads."""

    x: Floats  # (N, D)
    places: Floats  # (V,) m, how far free places have moved
    values: Floats  # (T, C)
    position: Floats  # (T, P, 3)
    orientation: Floats  # (T, P, 3, 3)
    rows: Rows
    broken: Broken
    cost: float


class SpacetimeModel:
    """Everything that stays the same while the hand moves, and the lanes for where it is."""

    def __init__(
        self, rig: Rig, span: Range, start: Floats, body: Body, stiffness: Floats, weight: float
    ) -> None:
        self.rig, self.range, self.start, self.body = rig, span, start, body
        self.free: Freedom = body.free
        spline = band(span.start, span.end, span.count, span.times)
        self.moments = Moments(spline.first, spline.weight, span.count)
        self.stiffness = stiffness  # (N, 4, D, D) blocks
        self.weight = weight  # of limits, per m^2
        self.limits = Limits(rig, self.free, start)
        self._ordinary = np.einsum("ndd->d", stiffness[:, 0]) / len(stiffness)
        self.lanes: list[Lane] = []
        self.place_count = 0

    def wishing(self, lanes: list[Lane], place_count: int) -> SpacetimeModel:
        """The same with other lanes; this one stays as it is, for whoever else asks it."""
        other = copy.copy(self)
        other.lanes, other.place_count = lanes, place_count
        return other

    def nowhere(self) -> tuple[Floats, Floats]:
        """No displacement at all."""
        return np.zeros((self.range.count, self.free.count)), np.zeros(self.place_count)

    def layer(self, x: Floats, name: str = "displacement") -> Layer:
        """The displacement as a layer of the take."""
        turn, add = self.free.parts(x)
        span = self.range
        return Layer(name, span.start, span.end, self.free.joints, turn, self.free.channels, add)

    def state(self, x: Floats, moved_places: Floats) -> State:
        """Rows and cost at control values x."""
        values = with_layer(self.rig, self.layer(x), self.range.times, self.start)
        turns, _ = self.free.parts(self.moments.at(x))
        turning = any(lane.kind == "turn" for lane in self.lanes)
        moved = self.body.moved(self.start, values, turns, turning=turning)
        found = rows(self.lanes, moved, moved_places)
        broken = self.limits.broken(values, turns)
        cost = found.cost + 0.5 * float((x * times(self.stiffness, x)).sum())
        cost += 0.5 * self.weight * LIMIT * float(broken.miss @ broken.miss)
        there = moved.position, moved.orientation
        return State(x, moved_places, values, *there, found, broken, cost)

    def downhill(self, state: State) -> tuple[Floats, Floats]:
        """Minus the slope of the cost, for control values (N, D) and free places (V,)."""
        wanted = state.rows
        pull = wanted.weight * wanted.miss
        force = (pull[:, None] @ wanted.move)[:, 0]
        broken = state.broken
        if len(broken.time):
            push = self.weight * LIMIT * broken.slope * broken.miss[:, None]
            wide = np.zeros((len(force), self.free.count + 1))
            np.add.at(wide, (broken.time[:, None], broken.columns), push)
            force = force + wide[:, :-1]
        slope = self.moments.back(force) - times(self.stiffness, state.x)
        slope[: self.range.free.start] = 0.0
        slope[self.range.free.stop :] = 0.0
        follow = wanted.free != NONE
        extra = -np.bincount(wanted.free[follow], pull[follow], minlength=self.place_count)
        return slope, extra[: self.place_count].astype(np.float64)

    def factor(self, state: State, damping: float = 0.0) -> Bordered:
        """The squares of the rows and the stiffness, factored; damped as if all were stiffer."""
        wanted, free = state.rows, self.range.free
        scaled = wanted.move * np.sqrt(wanted.weight)[..., None]
        squares = scaled.swapaxes(1, 2) @ scaled
        broken = state.broken
        if len(broken.time):
            size = self.free.count
            whole = np.zeros((len(squares), size + 1, size + 1))
            whole[:, :-1, :-1] = squares
            outer = broken.slope[:, :, None] * broken.slope[:, None] * (self.weight * LIMIT)
            at = broken.time[:, None, None], broken.columns[:, :, None], broken.columns[:, None]
            np.add.at(whole, at, outer)
            squares = np.ascontiguousarray(whole[:, :-1, :-1])
        blocks = self.moments.squares(squares) + self.stiffness
        if damping > 0:
            own = np.arange(self.free.count)
            blocks[:, 0, own, own] += damping * self.weight * self._ordinary
        border, corner = self._border(wanted)
        return Bordered(blocks[free], border[free], corner)

    def _border(self, wanted: Rows) -> tuple[Floats, Floats]:
        size = self.place_count
        border = np.zeros((self.range.count, self.free.count, size))
        corner = np.zeros(size)
        for place in range(size):
            pull = np.where(wanted.free == place, wanted.weight, 0.0)
            corner[place] = pull.sum()
            border[..., place] = -self.moments.back((pull[:, None] @ wanted.move)[:, 0])
        return border, np.diag(corner)


def stiffness_of(
    rig: Rig, span: Range, take_values: Floats, free: Freedom, *, whole: bool, smooth: float
) -> Floats:
    """(N, 4, D, D) the blocks of S: how far all joints move, summed over the frames.

    Unless `whole`, each unknown only counts by itself, as in the paper.
    """
    body = Body(rig, places(rig, list(range(len(rig.names)))), free)
    every = max(1, len(span.times) // (2 * span.count))
    picked = np.arange(0, len(span.times), every)
    still = np.zeros((len(picked), len(free.joints), 3))
    move = body.moved(take_values[picked], take_values[picked], still).move
    flat = move.reshape(len(picked), -1, free.count) / np.sqrt(len(rig.names))
    if whole:
        squares = flat.swapaxes(1, 2) @ flat
    else:
        squares = np.einsum("trd,trd->td", flat, flat)[:, :, None] * np.eye(free.count)
    least = np.where(np.arange(free.count) < len(free.turns), LEAST, 0.0)
    stiff = np.sqrt(_stiff(rig, free))
    squares = (squares + np.diag(least)) * np.outer(stiff, stiff)
    nearest = np.minimum(np.arange(len(span.times)) // every, len(picked) - 1)
    spline = band(span.start, span.end, span.count, span.times)
    blocks = Moments(spline.first, spline.weight, span.count).squares(squares[nearest])
    return blocks + _smoothness(blocks, smooth)


def _stiff(rig: Rig, free: Freedom) -> Floats:
    """(D,) square of the rig's own stiffness of each unknown."""
    table = rig.channels
    turning = (table.kind >= 3) & (table.kind <= 9)
    total = np.bincount(table.joint[turning], table.stiffness[turning], len(rig.names))
    mean = total / np.maximum(np.bincount(table.joint[turning], minlength=len(rig.names)), 1)
    by_turn = np.repeat(mean[free.joints], 3)[free.turns]
    return np.concatenate([by_turn, table.stiffness[free.channels]]) ** 2


def _smoothness(blocks: Floats, smooth: float) -> Floats:
    """(N, 4, D, D) squares of second differences, as heavy as the mean stiffness."""
    count = len(blocks)
    own = np.diag(smooth * np.einsum("ndd->d", blocks[:, 0]) / count)
    added = np.zeros_like(blocks)
    for at, (low, middle, high) in enumerate(((1, -2, 1), (-2, 4, -2), (1, -2, 1))):
        for k, part in enumerate((low, middle, high)[at:]):
            added[at : count - 2 + at, k] += part * own
    return added
