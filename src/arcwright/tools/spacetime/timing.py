"""Timing of a result: how much longer jumps and steps take, and the warp that gives them the time.

The edit is solved at the old times; the warp then moves the whole result. So previews stay under
the pointer, and a release only adds the timing.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from arcwright.arrays import Floats
from arcwright.curves.time_warp import TimeWarp
from arcwright.edits.retime import retime
from arcwright.scene.edit import Edit
from arcwright.scene.scene import Scene
from arcwright.tools.spacetime.diagnosis import CharacterSolution
from arcwright.tools.spacetime.displacement import EditRange
from arcwright.tools.spacetime.motion_constraint import is_footplant
from arcwright.tools.spacetime.warp_model import LEAST, MOST, Need, solve_warp
from arcwright.tools.tool import Note

if TYPE_CHECKING:
    from arcwright.tools.spacetime.tool import SpacetimeOptions

STEP_EXPONENT = 0.5  # a step whose foot goes twice as far takes 1.4 times as long
MOST_ACCELERATION = 1.5  # times the peak of a swinging foot in the original
EASED_ACCELERATION = 1.2  # what harder steps are slowed down to: less where the stretch ends
ACCELERATION_WINDOW = 0.05  # s over which it is measured
AUTOMATIC = 0.03  # change of the stretch from which on timing adapts by itself
LEAST_CHANGE = 0.005  # of the stretch, below which nothing is retimed
NOTED_AIR_TIME = 0.05  # of the ballistic air time


class Timing(NamedTuple):
    """What jumps and steps need, and the warp that was found."""

    needs: tuple[Need, ...]
    warp: TimeWarp


def adapted_timing(solution: CharacterSolution, options: SpacetimeOptions) -> Timing | None:
    """The warp that a result needs; None where its timing stays."""
    if options.adapt_timing == "off":
        return None
    least = AUTOMATIC if options.adapt_timing == "automatic" else LEAST_CHANGE
    by_length = options.adapt_timing == "on"
    every = (*_flight_needs(solution), *_step_needs(solution, by_length=by_length))
    needs = tuple(need for need in every if by_length or abs(need.stretch - 1) > least)
    if all(abs(need.stretch - 1) <= least for need in needs):
        return None
    span, take = solution.prepared.range, solution.character.take
    keeps = options.keep_length or not (by_length or any(need.firm for need in needs))
    total = 0.0 if keeps else None
    warp = solve_warp(span.times[span.on_frame], needs, _fixed_ends(span), total)
    return None if warp.changes_nothing or len(take.frame_times()) < 2 else Timing(needs, warp)


def _fixed_ends(span: EditRange) -> tuple[bool, bool]:
    """Ends of the range at which the take plays on as before: those inside it, or of a loop."""
    return span.loops or span.free.start > 0, span.loops or span.free.stop < span.count


def _flight_needs(solution: CharacterSolution) -> Iterator[Need]:
    flights, offsets = solution.prepared.flights, solution.state.offsets
    rises = offsets[len(offsets) - len(flights) :]
    for flight, rise in zip(flights, rises, strict=True):
        yield Need(flight.start, flight.end, flight.stretch(float(rise)), True)


class Step(NamedTuple):
    """The way of a foot from one footplant to the next."""

    times: Floats  # (T,) s
    old: Floats  # (T, 3) m
    new: Floats  # (T, 3) m


def _steps(solution: CharacterSolution) -> Iterator[Step]:
    """Steps between two footplants of a point, without those in a flight that changes."""
    prepared = solution.prepared
    times = prepared.range.times
    plants: dict[int, list[tuple[float, float]]] = {}
    for each in prepared.constraints:
        if is_footplant(each) and not each.foot:  # heels follow toes
            plants.setdefault(each.point_index, []).append((each.start, each.end))
    for point, intervals in plants.items():
        ordered = sorted(intervals)
        for (_, start), (end, _) in pairwise(ordered):
            inside = np.flatnonzero((times >= start - 1e-9) & (times <= end + 1e-9))
            if len(inside) > 3 and not _airborne(solution, start, end):
                old = prepared.schedule.paths[inside, point]
                yield Step(times[inside], old, solution.state.poses.position[inside, point])


def _step_needs(solution: CharacterSolution, *, by_length: bool) -> Iterator[Need]:
    """What steps need: by how hard the foot accelerates, and where asked by how far it goes."""
    steps = list(_steps(solution))
    peaks = [peak_acceleration(each.times, each.old) for each in steps]
    usual = float(np.median(peaks)) if peaks else 0.0
    for each in steps:
        stretch = step_stretch(each, usual, by_length=by_length)
        yield Need(float(each.times[0]), float(each.times[-1]), stretch, False)


def _airborne(solution: CharacterSolution, start: float, end: float) -> bool:
    return any(each.start < end and each.end > start for each in solution.prepared.flights)


def step_stretch(step: Step, usual: float = 0.0, *, by_length: bool = True) -> float:
    """How much longer a step takes whose foot goes along another path.

    A foot may accelerate somewhat harder than it did, or than is `usual` in the walk, m/s^2.
    """
    longer = 1.0
    if by_length:
        longer = (_length(step.new) / max(_length(step.old), 1e-6)) ** STEP_EXPONENT
    own = max(peak_acceleration(step.times, step.old), usual, 1e-6)
    harder = peak_acceleration(step.times, step.new) / own
    if harder > MOST_ACCELERATION:
        longer = max(longer, (harder / EASED_ACCELERATION) ** 0.5)
    return float(np.clip(longer, LEAST, MOST))


def _length(path: Floats) -> float:
    return float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum())


def peak_acceleration(times: Floats, path: Floats) -> float:
    """Largest acceleration of a path (T, 3), m/s^2, without its jitter."""
    start, end = float(times[0]), float(times[-1])
    even = np.linspace(start, end, max(int((end - start) / ACCELERATION_WINDOW) + 1, 4))
    at = np.stack([np.interp(even, times, axis) for axis in path.T], axis=1)
    second = np.diff(at, n=2, axis=0) / (even[1] - even[0]) ** 2
    return float(np.linalg.norm(second, axis=1).max())


def with_timing(scene: Scene, edit: Edit, solution: CharacterSolution, warp: TimeWarp) -> Edit:
    """An edit of the scene, and then its timing: one undo step."""
    own = solution.character
    after = edit.apply(scene)
    timed = retime(after, own.name, own.take.name, warp)
    return Edit(edit.label, (*edit.changes, *timed.changes))


def timing_notes(timing: Timing, rate: float) -> Iterator[Note]:
    """How much longer the take is, or that it is not, and how long jumps take now."""
    warp = timing.warp
    longer = "longer" if warp.shift > 0 else "shorter"
    if abs(warp.shift) * rate > 0.5:
        text = f"Timing: {abs(warp.shift):.2f} s {longer}, later frames shift"
        yield Note(text, "timing", abs(warp.shift))
    else:
        yield Note(f"Timing: {_slowed(timing, rate)}; the take keeps its length", "timing")
    for need in timing.needs:
        if need.firm:
            old = need.end - need.start
            new = warp.moment(need.end) - warp.moment(need.start)
            jump = f"The jump at frame {need.start * rate:.0f}"
            yield Note(f"{jump} takes {new:.2f} s instead of {old:.2f} s", "info")
            ballistic = need.stretch * old
            if abs(new / ballistic - 1) > NOTED_AIR_TIME:
                text = f"{jump} would take {ballistic:.2f} s: time plays at half to twice its speed"
                yield Note(text, "residual", abs(new - ballistic))


def _slowed(timing: Timing, rate: float) -> str:
    """What changes most, and by how much."""
    warp = timing.warp

    def longer(need: Need) -> float:
        return warp.moment(need.end) - warp.moment(need.start) - (need.end - need.start)

    most = max(timing.needs, key=lambda need: abs(longer(need)))
    what = "jump" if most.firm else "step"
    how = "longer" if longer(most) > 0 else "shorter"
    return f"the {what} at frame {most.start * rate:.0f} takes {abs(longer(most)):.2f} s {how}"
