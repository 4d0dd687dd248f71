"""Settle: Gauss-Newton steps to the least cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from arcwright.arrays import Floats
from arcwright.curves.spline import refined
from arcwright.kinematics.rotation import matrix_from_vector
from arcwright.tools.spacetime.diagnosis import Solved, loose
from arcwright.tools.spacetime.displacement import CLOSEST, MANY
from arcwright.tools.spacetime.model import SpacetimeModel, State
from arcwright.tools.spacetime.prepared_edit import Grip
from arcwright.tools.spacetime.props import Pushed
from arcwright.tools.spacetime.targets import carried_by, wanted
from arcwright.tools.spacetime.terms import ARM, NONE, Lane, There, away

TRIES = 12  # at one step, each damped more
FIRST_DAMPING = 0.01  # damping to begin with; below a tenth of it there is none
POOR = 1e-3  # of what was foreseen: a step that gains less is not taken
PRESSED = ("place", "flight", "turn", "apart", "above")  # kinds of which more can be asked
FURTHER = 1.7  # times what is missed: presses that go a little too far are sooner done
HALVED = 2  # times that control values are set closer, at most
LOOSE = 0.1e-3  # m beyond its slack: what is kept worse is pressed for
TOO_LOOSE = 0.2e-3  # m: with more left, patient presses are tried
PRESSES = 24  # at most, with the same control values
SLOW = 0.85  # what a press leaves: with more than that, closer control values do better
IDLE = 2  # presses that gain nothing, where there are no closer ones
STRICT = 30.0  # times as heavy as while hands move: joint limits


@dataclass(frozen=True)
class Patience:
    """When to stop."""

    steps: int
    gain: float  # the share of the cost below which a step's gain does not matter
    least: float  # the same as a cost
    idle: int = 1  # so many steps in a row


ONCE = Patience(steps=1, gain=0.0, least=0.0)
PATIENT = Patience(steps=8, gain=1e-3, least=1e-4)
CALMLY = Patience(steps=3, gain=1e-3, least=1e-4)


def settled(model: SpacetimeModel, state: State, patience: Patience) -> State:
    """From a state downhill until little is gained; damped where the wishes bend too much.

    Damping follows how much of what was foreseen comes true (Nielsen's rule), and is kept with
    the state for the next move of the hand.
    """
    idle = 0
    for _ in range(patience.steps):
        after = _step(model, state)
        if after is None:
            break
        gained, state = state.cost - after.cost, after
        idle = idle + 1 if gained < patience.gain * state.cost + patience.least else 0
        if idle == patience.idle:
            break
    return state


def _step(model: SpacetimeModel, state: State) -> State | None:
    """One step downhill; none where no step leads there."""
    damping, growth = state.damping, 2.0
    for _ in range(TRIES):
        system = model.system(state)
        try:
            step, places = model.step(system, damping)
        except np.linalg.LinAlgError:  # numbers too far apart for this little damping
            share = 0.0
        else:
            after = model.state(state.x + step, state.places + places)
            damped = damping * float((model.stiffness.plain * step * step).sum())
            foreseen = float((system.slope * step).sum() + system.pull @ places) + damped
            share = (state.cost - after.cost) / max(0.5 * foreseen, 1e-300)
        if share > POOR:
            damping *= max(0.2, 1 - (2 * share - 1) ** 3)
            return replace(after, damping=damping if damping > 0.1 * FIRST_DAMPING else 0.0)
        damping, growth = max(damping, FIRST_DAMPING) * growth, 2 * growth
    return None


class Press:
    """How much more than what is wanted is asked of each lane, (T, 3) or (T, 1)."""

    def __init__(self) -> None:
        self._more: dict[int, Floats] = {}
        self._left: dict[int, Floats] = {}  # what was allowed to stay missed

    def asking(self, lanes: Sequence[Lane]) -> list[Lane]:
        """The lanes with what is asked of them now."""
        return [
            _asking(lane, self._more[at] - self._left[at]) if at in self._more else lane
            for at, lane in enumerate(lanes)
        ]

    def harder(self, lanes: Sequence[Lane], there: There, places: Floats) -> Press:
        """One more press, for where points are now."""
        after = Press()
        for at, lane in enumerate(lanes):
            if _can_be(lane):
                miss = away(lane, there, places)
                if at in self._left:
                    miss = FURTHER * miss + (1 - FURTHER) * self._left[at]
                after._press(at, lane, miss + self._more.get(at, 0.0))
        return after

    def _press(self, at: int, lane: Lane, total: Floats) -> None:
        if lane.kind == "above":
            total = np.maximum(total, 0.0)
        size = np.linalg.norm(total, axis=1)
        self._more[at] = total * _beyond(lane, size)[:, None]
        self._left[at] = total - self._more[at]


def _can_be(lane: Lane) -> bool:
    """Hands, which nobody wished for, pull as they are; what cannot be told as more of it, too."""
    return lane.kind in PRESSED and bool((lane.wish != NONE).any())


def _beyond(lane: Lane, size: Floats) -> Floats:
    """(T,) the share of a miss of this size that is pressed."""
    if lane.slack is None:
        return np.ones(len(size))
    over: Floats = np.maximum(size - lane.slack, 0.0) / np.maximum(size, 1e-12)
    return over if lane.drawn is None else np.maximum(over, lane.drawn / (1 + lane.drawn))


def _asking(lane: Lane, more: Floats) -> Lane:
    """A lane whose target is so much further."""
    if lane.kind == "turn":
        return replace(lane, target=matrix_from_vector(more / ARM) @ lane.target)
    if lane.kind == "apart":
        return replace(lane, target=lane.target + more[:, 0])
    if lane.kind == "above":
        return replace(lane, target=lane.target + more * [0.0, 1.0, 0.0])
    return replace(lane, target=lane.target + more)


def firm(found: Solved, grip: Callable[[int], Grip], moved: Sequence[Pushed]) -> Solved:
    """The nearest motion to a settled answer, with closer control values if it takes these."""
    light = found.state
    levels = _levels(grip(1))
    for fine in levels:
        held = grip(fine)
        lanes, count = wanted(held, found.drags, carried_by(held, moved), firm=True)
        around = _as_fine(light, held.range.count).x
        model = held.model.wishing(lanes, count, STRICT, around)
        start = _as_fine(found.state, held.range.count)
        if len(start.places) != count:  # half frames may make a wish of what was none between two
            start = replace(start, places=np.zeros(count))
        last = fine == levels[-1]
        state, left = _pressed(model, start, last=last)
        found = Solved(found.part, held, found.drags, model, state)
        if left < LOOSE:
            break
    return found


def _levels(held: Grip) -> list[int]:
    """How fine to try: control values as they are, then as close as there are moments for them."""
    often = held.take.rate * (2 if held.take.rate < MANY else 1)
    halved = int(np.clip(np.log2(1.05 * held.range.spacing * often / CLOSEST), 0, HALVED))
    return [1, 1 + halved] if halved else [1]


class Pressed(NamedTuple):
    """An answer, what was asked to get it, and how loose it is."""

    state: State
    press: Press
    left: float  # m


def _pressed(model: SpacetimeModel, state: State, *, last: bool) -> tuple[State, float]:
    """The best of some presses, and how loose it is, m; where they are the last, patient ones."""
    begun = Pressed(state, Press(), np.inf)
    found = _presses(model, begun, ONCE, *((1.0, IDLE) if last else (SLOW, 0)))
    if last and found.left > TOO_LOOSE:
        found = min(found, _presses(model, begun, PATIENT, 1.0, IDLE), key=lambda each: each.left)
    if last or found.left < LOOSE:
        calm = _asked(model, found.press, found.state, CALMLY)
        if loose(model, calm) < max(found.left, LOOSE):
            return calm, found.left
    return found.state, found.left


def _presses(
    model: SpacetimeModel, best: Pressed, patience: Patience, enough: float, idle: int
) -> Pressed:
    """Until nothing is loose, or more than so many presses leave more than `enough` of it."""
    state, press, slow = best.state, best.press, 0
    for _ in range(PRESSES):
        state = _asked(model, press, state, patience)
        left = loose(model, state)
        slow = 0 if left < enough * best.left else slow + 1
        if left < best.left:
            best = Pressed(state, press, left)
        if best.left < LOOSE or slow > idle:
            break
        press = press.harder(model.lanes, state, state.places)
    return best


def _asked(model: SpacetimeModel, press: Press, state: State, patience: Patience) -> State:
    """Where steps from a state lead when so much is asked."""
    asking = model.wishing(press.asking(model.lanes), model.place_count)
    begun = replace(asking.state(state.x, state.places), damping=state.damping)
    return settled(asking, begun, patience)


def _as_fine(state: State, count: int) -> State:
    """The same displacement with more control values; only these and free places count."""
    x: Floats = state.x
    while len(x) < count:
        x = refined(x)
    return replace(state, x=x)
