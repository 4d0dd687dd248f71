"""Preparation of an edit: the sample times and constraint tasks of its window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.kinematics.places import Places, places
from arcwright.kinematics.sample import quarter_frames, values_at
from arcwright.objectives.active_constraints import ActiveConstraint, constraint_task
from arcwright.objectives.point_tasks import PointTask
from arcwright.scene.clip import Clip
from arcwright.scene.point import Point
from arcwright.scene.take import Take
from arcwright.tools.tangent.edit_window import EditWindow
from arcwright.tools.tangent.handles import Handles
from arcwright.tools.tangent.heels import heel_task
from arcwright.tools.tangent.samples import still_times

MOST_DENSE = 1000
MOST_SAMPLES = 8  # of an interval without a key in it


@dataclass(frozen=True, eq=False)
class PreparedEdit:
    """Everything about an edit that does not change while the drag moves."""

    held: tuple[tuple[Point, float], ...]  # (H) dragged points and their times
    places: Places  # the dragged points, then those of the constraints
    times: Floats  # (T,) s; the held times first
    values: Floats  # (T, C) at the beginning
    handles: Handles
    constraint_tasks: tuple[PointTask, ...]  # pins, contacts, heels, feet
    span: tuple[float, float]  # s, where the motion may change
    frozen: tuple[str, ...]  # pins that are kept by freezing all channels above them


def prepare_edit(
    window: EditWindow,
    *,
    more: Sequence[float] = (),
    at: Floats | None = None,
    kept_as_in: Take | None = None,
) -> PreparedEdit:
    """Prepare an edit, sampled also at the times in `more`; or at the times `at` and no others.

    Constraint targets come from the take, or from `kept_as_in`.
    """
    take, held, handles, span = window.take, window.held, window.handles, window.span
    source = kept_as_in or take
    sampled = _sampled(window, more) if at is None else at
    if not (window.chosen or window.feet):
        sampled = np.zeros(0)
    times = np.concatenate([[time for _, time in held], sampled])
    found = places(take.rig, [point for point, _ in held])
    constraint_tasks: list[PointTask] = []
    for each, heel in zip(window.chosen, window.heels, strict=True):
        inside = _inside(each, times, len(held))
        still = still_times(handles, each.channels, times)
        task, anchor = constraint_task(window.scene, source, each, len(found), times, inside, still)
        extra = [each.constraint.point] + ([anchor] if anchor is not None else [])
        if anchor is not None:
            task = replace(task, other=len(found) + 1)
        found = found.joined(places(take.rig, extra))
        constraint_tasks.append(task)
        if heel is not None and len(inside):
            constraint_tasks.append(heel_task(source, each, task, heel, len(found), span))
            found = found.joined(places(take.rig, [heel]))
    for foot in window.feet:
        samples = np.arange(len(held), len(times))
        task = foot.task(source, len(found), times, samples)
        if len(task.samples):
            constraint_tasks.append(task)
            found = found.joined(places(take.rig, [foot.point]))
    return PreparedEdit(
        held,
        found,
        times,
        values_at(take, times),
        handles,
        tuple(constraint_tasks),
        span,
        window.frozen,
    )


def _sampled(window: EditWindow, more: Sequence[float]) -> Floats:
    """Sample times of constraints: single ones, those of the window, and more."""
    singles = [
        each.constraint.start
        for each in window.chosen
        if each.constraint.start == each.constraint.end
    ]
    return np.concatenate([singles, _sample_times(_cuts(window), window.take.rate), more])


def _cuts(window: EditWindow) -> Floats:
    """Times between which all free curves are smooth and the same constraints are active."""
    clip, span = window.take.base, window.span
    assert isinstance(clip, Clip)
    marks = [*span]
    for channel in window.channels:
        curve = clip.curves[channel]
        if curve is not None:
            marks += curve.time.tolist()
    for each in window.chosen:
        marks += [each.constraint.start, each.constraint.end]
    inside = [time for time in marks if span[0] <= time <= span[1]]
    return np.unique(np.round(inside, 9))


def _sample_times(cuts: Floats, rate: float) -> Floats:
    """Chebyshev times of every interval, more in longer ones."""
    times: list[float] = []
    for start, end in pairwise(cuts.tolist()):
        count = int(np.clip(np.ceil((end - start) * rate) + 1, 3, MOST_SAMPLES))
        place = 0.5 - 0.5 * np.cos((np.arange(count) + 0.5) * np.pi / count)
        times += (start + place * (end - start)).tolist()
    return np.array(times)


def check_times(span: tuple[float, float], rate: float) -> Floats:
    """Every quarter frame of a span; in long ones as many times as a check may take."""
    return quarter_frames(*span, rate, MOST_DENSE)


def _inside(keep: ActiveConstraint, times: Floats, held: int) -> Ints:
    within: Bools = (times >= keep.constraint.start) & (times <= keep.constraint.end)
    within[:held] = False
    return np.flatnonzero(within)
