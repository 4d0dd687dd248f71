"""Model: a displacement d(t) of a motion, the wishes about it, and what it costs.

least of  1/2 sum over rows  w (wanted - is)^2  +  1/2 (x - a)' S (x - a)
x  control values of d (N, D), and free places
a  0, or once hands have let go the settled answer
S  how far joints move with d, and second differences of x
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from arcwright.arrays import Floats
from arcwright.curves.spline import band
from arcwright.kinematics.layering import displaced
from arcwright.kinematics.places import places
from arcwright.scene.layer import Layer
from arcwright.scene.rig import Kind, Rig
from arcwright.solve.blocks import WIDE, Moments, System, times
from arcwright.tools.spacetime.compiled_kinematics import Placed, bent_of
from arcwright.tools.spacetime.displacement import Freedom, Range, closed, opened
from arcwright.tools.spacetime.jacobians import Body, Broken, Limits, Moved
from arcwright.tools.spacetime.rows import Bundle, Items, Rows, bundled, items_of, rows
from arcwright.tools.spacetime.terms import Lane

LIMIT = 0.3**2  # m^2 per rad^2: what breaking a limit counts
IDLE_TURN = 0.15**2  # m^2 per rad^2: what a turn costs that moves no joint
SAMPLED = 0.05  # s; how far joints move is looked at no more often
BROAD = 0.1  # s, the spacing at which `smooth` counts as it is
USUAL = 0.02  # m^2 per rad^2 or m^2: how far a joint of a leg moves the whole
FOLLOWS = 0.3**2  # times what it costs else: a body goes along the floor after its feet
CARRIES = 0.6  # of all joints, which a slide moves that moves the body
CALM = 0.7  # how much smoother what moves much is than what moves little


@dataclass(frozen=True, eq=False)
class State:
    """Where a displacement leads."""

    x: Floats  # (N, D)
    places: Floats  # (V,) m, how far free places have moved
    at: Floats  # (T, D) unknowns at the moments
    there: Placed | Moved
    rows: Rows
    broken: Broken
    back: Floats  # (N, D) how hard the stiffness pulls back
    cost: float
    damping: float = 0.0  # of the step that led here

    @property
    def position(self) -> Floats:
        """(T, P, 3)."""
        return self.there.position

    @property
    def orientation(self) -> Floats:
        """(T, P, 3, 3)."""
        return self.there.orientation

    def placed(self, moment: int, point: int) -> tuple[Floats, Floats]:
        """Where a point is (3,) and how its joint is turned (3, 3)."""
        return self.position[moment, point], self.orientation[moment, point]


class Stiffness(NamedTuple):
    """What a displacement costs by itself."""

    blocks: Floats  # (N, D, 4, D) S
    plain: Floats  # (D,) of a single control value in the mean, without smoothness


class SpacetimeModel:
    """Everything that stays the same while the hand moves, and the lanes for where it is."""

    def __init__(
        self, rig: Rig, span: Range, start: Floats, body: Body, stiffness: Stiffness, weight: float
    ) -> None:
        self.rig, self.range, self.start, self.body = rig, span, start, body
        self.free: Freedom = body.free
        spline = band(span.start, span.end, span.count, span.times)
        self.moments = Moments(spline.first, spline.weight, span.count)
        self.stiffness = stiffness
        self.weight = weight  # of limits, per m^2
        self.limits = Limits(rig, self.free, start)
        self._bent = bent_of(body, start, self.moments, self.limits.joints)
        self.around: Floats | float = 0.0  # (N, D)
        self.lanes: list[Lane] = []
        self.bundles: list[Lane | Bundle] = []
        self.place_count = 0
        self.items: Items = items_of([])

    def wishing(
        self,
        lanes: list[Lane],
        place_count: int,
        strict: float = 1.0,
        around: Floats | float | None = None,
    ) -> SpacetimeModel:
        """The same with other lanes, and limits so many times as heavy; this one stays as it is.

        What a displacement costs is counted from control values `around` which it is sought.
        """
        other = copy.copy(self)
        other.weight = self.weight * strict
        other.lanes, other.place_count, other.items = lanes, place_count, items_of(lanes)
        other.bundles = bundled(lanes)
        other.around = self.around if around is None else around
        return other

    def nowhere(self) -> tuple[Floats, Floats]:
        """No displacement at all."""
        return np.zeros((self.range.count, self.free.count)), np.zeros(self.place_count)

    def layer(self, x: Floats, name: str = "displacement") -> Layer:
        """The displacement as a layer of the take."""
        turn, add = self.free.parts(x)
        span = self.range
        return Layer(name, span.start, span.end, self.free.joints, turn, self.free.channels, add)

    def values(self, at: Floats, moments: slice = slice(None)) -> Floats:
        """(T, C) the channels, displaced by unknowns (T, D), at some of the moments."""
        turn, add = self.free.parts(at[moments])
        turns, adds = (self.free.joints, turn), (self.free.channels, add)
        return displaced(self.rig, turns, adds, self.start[moments])

    def state(self, x: Floats, moved_places: Floats) -> State:
        """Rows and cost at control values x."""
        at = self.moments.at(x)
        there: Placed | Moved
        if self._bent is not None:
            there = self._bent.places(at)
            angles = there.angles
        else:
            values = self.values(at)
            there = self.body.moved(values, at)
            angles = values[:, self.limits.channels]
        found = rows(self.lanes, self.bundles, self.items, there, moved_places)
        broken = self.limits.broken(angles, at)
        away = x - self.around
        back = times(self.stiffness.blocks, away)
        cost = found.cost + 0.5 * float((away * back).sum())
        cost += 0.5 * self.weight * LIMIT * float(broken.miss @ broken.miss)
        return State(x, moved_places, at, there, found, broken, back, cost)

    def system(self, state: State) -> System:
        """The squares of rows and stiffness, and minus the slope of the cost."""
        weight = self.weight * LIMIT
        found = System.bare(self.stiffness.blocks.copy(), -state.back, self.place_count)
        if self._bent is not None and isinstance(state.there, Placed):
            self._bent.add_to(found, state.there, state.rows, state.broken, weight)
        else:
            assert isinstance(state.there, Moved)
            self._add_to(found, state.rows, state.there, state.broken, weight)
        return found

    def _add_to(
        self, found: System, wanted: Rows, moved: Moved, broken: Broken, weight: float
    ) -> None:
        """As the compiled library does it."""
        move, size = wanted.move(moved), self.free.count
        pull = wanted.weight * wanted.miss
        force = np.zeros((len(move), size + 1))
        force[:, :-1] = (pull[:, None] @ move)[:, 0]
        squares = np.zeros((len(move), size + 1, size + 1))
        scaled = move * np.sqrt(wanted.weight)[..., None]
        squares[:, :-1, :-1] = scaled.swapaxes(1, 2) @ scaled
        pushed = weight * broken.slope * broken.miss[:, None]
        np.add.at(force, (broken.time[:, None], broken.columns), pushed)
        outer = broken.slope[:, :, None] * broken.slope[:, None] * weight
        at = broken.time[:, None, None], broken.columns[:, :, None], broken.columns[:, None]
        np.add.at(squares, at, outer)
        found.blocks[:] += self.moments.squares(np.ascontiguousarray(squares[:, :-1, :-1]))
        found.slope[:] += self.moments.back(force[:, :-1])
        for place in range(self.place_count):
            lever = wanted.levers(place)
            found.pull[place] = -(lever * pull).sum()
            own = lever * wanted.weight
            found.border[..., place] = -self.moments.back((own[:, None] @ move)[:, 0])
            for other in range(self.place_count):
                found.corner[place, other] = (own * wanted.levers(other)).sum()

    def step(self, system: System, damping: float = 0.0) -> tuple[Floats, Floats]:
        """The straight answer (N, D) and (V,), damped as if all were stiffer; takes the blocks."""
        blocks = system.blocks
        np.einsum("nii->ni", blocks[:, :, 0])[:] += damping * self.stiffness.plain
        if self.range.loops:
            return opened(*closed(system).solved(), system.slope.shape)
        free = self.range.free
        part = System(blocks[free], system.slope[free], system.border[free], *system[3:])
        step = np.zeros(system.slope.shape)
        step[free], further = part.solved()
        return step, further


def stiffness_of(
    rig: Rig,
    span: Range,
    frames: Floats,
    values: Floats,
    free: Freedom,
    *,
    whole: bool,
    smooth: float,
    follows: bool = False,
) -> Stiffness:
    """How far all joints move, summed over frames (T,) with values (T, C), and second differences.

    Unless `whole`, each unknown only counts by itself, as in the paper. Where the body `follows`
    its feet, it moves along the floor more easily, and as smoothly as ever.
    """
    body = Body(rig, places(rig, list(range(len(rig.names)))), free)
    often = int((span.end - span.start) / SAMPLED) + 1
    every = max(1, len(frames) // min(2 * span.count, often))
    picked = np.arange(0, len(frames), every)
    still = np.zeros((len(picked), free.count))
    move = body.moved(values[picked], still).move
    flat = move.reshape(len(picked), -1, free.count) / np.sqrt(len(rig.names))
    if whole:
        squares = flat.swapaxes(1, 2) @ flat
    else:
        squares = np.einsum("trd,trd->td", flat, flat)[:, :, None] * np.eye(free.count)
    turns = rig.channels.kind[free.channels] >= Kind.ROTATE_X
    least = np.concatenate([np.full(free.turns, IDLE_TURN), np.where(turns, IDLE_TURN, 0.0)])
    stiff = np.sqrt(_stiff(rig, free))
    squares = (squares + np.diag(least)) * np.outer(stiff, stiff)
    nearest = np.minimum(np.arange(len(frames)) // every, len(picked) - 1)
    ease = _ease(rig, flat, free) if follows else np.ones(free.count)
    eased = squares * np.sqrt(np.outer(ease, ease))
    spline = band(span.start, span.end, span.count, frames)
    blocks = Moments(spline.first, spline.weight, span.count).squares(eased[nearest])
    plain = np.einsum("ndd->d", blocks[:, :, 0]) / span.count
    moves = np.einsum("tdd->d", squares) / len(squares)
    heavy = smooth * (BROAD / span.spacing) ** 2 * plain / ease * (moves / USUAL) ** CALM
    return Stiffness(blocks + _smoothness(span.count, heavy), plain)


def _ease(rig: Rig, move: Floats, free: Freedom) -> Floats:
    """(D,) what slides of the body along the floor cost, of which joints move so (T, 3 J, D)."""
    squares = (move**2).mean(axis=0).reshape(-1, 3, free.count)
    each = squares.sum(axis=1)
    along = each > 0.5 * each.max(axis=0, initial=1e-30)  # which joints go the whole way
    level = 1 - squares[:, 1].sum(axis=0) / np.maximum(each.sum(axis=0), 1e-30)
    slides = np.append(np.zeros(free.turns, bool), rig.channels.kind[free.channels] < Kind.ROTATE_X)
    carries = slides & (along.mean(axis=0) > CARRIES)
    ease: Floats = np.where(carries, 1 - (1 - FOLLOWS) * level, 1.0)
    return ease


def _stiff(rig: Rig, free: Freedom) -> Floats:
    """(D,) square of the rig's own stiffness of each unknown."""
    table = rig.channels
    turning = (table.kind >= 3) & (table.kind <= 9)
    total = np.bincount(table.joint[turning], table.stiffness[turning], len(rig.names))
    mean = total / np.maximum(np.bincount(table.joint[turning], minlength=len(rig.names)), 1)
    by_turn = np.repeat(mean[free.joints], 3)
    return np.concatenate([by_turn, table.stiffness[free.channels]]) ** 2


def _smoothness(count: int, heavy: Floats) -> Floats:
    """(N, D, 4, D) squares of second differences, of each unknown (D,) so heavy."""
    own = np.diag(heavy)
    added = np.zeros((count, len(heavy), WIDE, len(heavy)))
    for at, (low, middle, high) in enumerate(((1, -2, 1), (-2, 4, -2), (1, -2, 1))):
        for k, part in enumerate((low, middle, high)[at:]):
            added[at : count - 2 + at, :, k] += part * own
    return added
