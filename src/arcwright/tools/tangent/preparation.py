"""Preparation of an edit: its window, free handles, sample times and constraint tasks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.kinematics.places import Places, places
from arcwright.kinematics.sample import quarter_frames, values_at
from arcwright.objectives.active_constraints import (
    ActiveConstraint,
    active_constraints,
    constraint_task,
)
from arcwright.objectives.freedom import Freedom
from arcwright.objectives.point_tasks import CONSTRAINT_WEIGHT, PointTask
from arcwright.scene.clip import Clip
from arcwright.scene.constraint import Contact
from arcwright.scene.point import Point
from arcwright.scene.scene import Actor, Scene
from arcwright.scene.take import Take
from arcwright.tools.tangent.free_handles import free_handles, narrow_window, window
from arcwright.tools.tangent.handles import Handles
from arcwright.tools.tangent.samples import still_times

LIMITS = "joint limits"
EVERYTHING = "all pins and contacts"
FLOOR = "the floor"
MOST_DENSE = 1000
MOST_WIDENED = 3  # times that the span grows by the constraints in it
MOST_SAMPLES = 8  # of an interval without a key in it
MOST_SEGMENTS = 100  # that may change where there are constraints


@dataclass(frozen=True, eq=False)
class PreparedEdit:
    """Everything about an edit that does not change while the drag moves."""

    held: tuple[tuple[Point, float], ...]  # (H) dragged points and their times
    places: Places  # the dragged points, then those of the constraints
    times: Floats  # (T,) s; the held times first
    values: Floats  # (T, C) at the beginning
    handles: Handles
    constraint_tasks: tuple[PointTask, ...]  # pins, contacts, floor
    span: tuple[float, float]  # s, where the motion may change
    frozen: tuple[str, ...]  # pins that are kept by freezing all channels above them


def prepare_edit(
    scene: Scene,
    actor: Actor,
    take: Take,
    held: Sequence[tuple[Point, float]],
    free: Freedom | None = None,
    *,
    time_reach: int = 0,
    unified: bool = False,
    smooth: bool = False,
    floor: float | None = None,
    without: str = "",
    more: Sequence[float] = (),
    at: Floats | None = None,
    kept_as_in: Take | None = None,
) -> PreparedEdit:
    """Prepare an edit of the held points; `without` leaves out the constraint of that name.

    Joint limits are left out by the name of `LIMITS`, the floor by `FLOOR`, all constraints by
    `EVERYTHING`. Tasks are also sampled at the times in `more`; or at the times `at` and no
    others. With a `floor`, in m, points that are planted anywhere in the clip stay above it all
    along. Constraint targets come from the take, or from `kept_as_in`.

    Unified, all smooth keys stay smooth; with `smooth`, those of channels that no constraint beside
    them needs.
    """
    assert isinstance(take.base, Clip)
    moments = [time for _, time in held]
    free = free or Freedom(actor, take)
    dragged = free.channels([point for point, _ in held])
    span = window(take.base, dragged, moments, time_reach)
    floored = [] if floor is None or without == FLOOR else _planted(scene, actor, take)
    poses, wide = values_at(take, np.array(moments)), span
    everything = (
        active_constraints(scene, actor, take, (-np.inf, np.inf), free.rigid) if smooth else []
    )
    loose = [
        (frozenset(k.channels.tolist()), k.constraint.start, k.constraint.end) for k in everything
    ]
    loose += [(frozenset(k.channels.tolist()), -np.inf, np.inf) for k in floored]
    for _ in range(MOST_WIDENED):
        channels, chosen, floors, frozen = _in_play(
            active_constraints(scene, actor, take, wide, free.rigid),
            floored,
            dragged,
            wide,
            without,
        )
        if len(channels):
            span = window(take.base, channels, moments, time_reach)
            if chosen or floors:
                span = narrow_window(take.base, channels, moments, time_reach, MOST_SEGMENTS)
        handles = free_handles(
            free,
            take.base,
            channels,
            span,
            poses,
            held=moments,
            only_held=not (chosen or floors),
            unified=unified or smooth,
            loose=() if unified else loose,
            limited=without != LIMITS,
            tasks_beyond=unified and bool(chosen or floors),
        )
        if len(handles.begin):
            span = float(handles.begin.min()), float((handles.begin + handles.length).max())
        if wide[0] <= span[0] and span[1] <= wide[1]:
            break
        wide = min(wide[0], span[0]), max(wide[1], span[1])  # constraints there count, too
    if not (chosen or floors):
        sampled = np.zeros(0)
    elif at is not None:
        sampled = at
    else:
        singles = [w.constraint.start for w in chosen if w.constraint.start == w.constraint.end]
        few = _sample_times(_cuts(take.base, channels, chosen, span), take.rate)
        sampled = np.concatenate([singles, few, more])
    times = np.concatenate([moments, sampled])
    found = places(take.rig, [point for point, _ in held])
    constraint_tasks: list[PointTask] = []
    for each in chosen:
        inside = _inside(each, times, len(held))
        still = still_times(handles, each.channels, times)
        task, anchor = constraint_task(
            scene, kept_as_in or take, each, len(found), times, inside, still
        )
        extra = [each.constraint.point] + ([anchor] if anchor is not None else [])
        if anchor is not None:
            task = replace(task, other=len(found) + 1)
        found = found.joined(places(take.rig, extra))
        constraint_tasks.append(task)
    for each in floors:
        assert floor is not None
        constraint_tasks.append(
            _floor_task(each, len(found), np.arange(len(held), len(times)), floor)
        )
        found = found.joined(places(take.rig, [each.constraint.point]))
    return PreparedEdit(
        tuple(held),
        found,
        times,
        values_at(take, times),
        handles,
        tuple(constraint_tasks),
        span,
        frozen,
    )


class _Play(NamedTuple):
    channels: Ints  # that may change
    chosen: list[ActiveConstraint]  # constraints that the channels affect
    floors: list[ActiveConstraint]  # contacts whose points stay above the floor
    frozen: tuple[str, ...]


def _planted(scene: Scene, actor: Actor, take: Take) -> list[ActiveConstraint]:
    """A contact with the world for each point that has one anywhere in the clip."""
    found: dict[tuple[str, bytes], ActiveConstraint] = {}
    for keep in active_constraints(scene, actor, take, (-np.inf, np.inf)):
        task = keep.constraint
        if isinstance(task, Contact) and task.position and task.relative_to is None:
            found.setdefault((task.point.joint, task.point.offset.tobytes()), keep)
    return list(found.values())


def _in_play(
    tasks: list[ActiveConstraint],
    floored: list[ActiveConstraint],
    channels: Ints,
    span: tuple[float, float],
    without: str,
) -> _Play:
    """Which channels may change and which constraints they affect (the paper's three cases).

    A task that shares no channel is left out; a point pinned whole above the drag freezes
    its channels; any other task brings its channels in, which may make more tasks matter.
    """
    waiting = [keep for keep in tasks if without not in (keep.name, EVERYTHING)]
    waiting += floored if without != EVERYTHING else []
    chosen: list[ActiveConstraint] = []
    floors: list[ActiveConstraint] = []
    frozen: set[int] = set()
    names: list[str] = []
    chain = set(channels.tolist())
    play = set(chain)
    changed = True
    while changed:
        changed = False
        for keep in list(waiting):
            moving = set(keep.channels.tolist())
            if not moving & play:
                continue
            waiting.remove(keep)
            changed = True
            covers = keep.constraint.start <= span[0] and keep.constraint.end >= span[1]
            if keep.whole and covers and moving <= chain:
                frozen |= moving
                names.append(keep.name)
                continue
            (floors if keep in floored else chosen).append(keep)
            play |= moving
    in_play = np.array(sorted(play - frozen), np.int64)
    return _Play(in_play, chosen, floors, tuple(names))


def _cuts(
    clip: Clip, channels: Ints, chosen: list[ActiveConstraint], span: tuple[float, float]
) -> Floats:
    """Times between which all free curves are smooth and the same constraints are active."""
    marks = [*span]
    for channel in channels:
        curve = clip.curves[channel]
        if curve is not None:
            marks += curve.time.tolist()
    marks += [time for keep in chosen for time in (keep.constraint.start, keep.constraint.end)]
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


def _floor_task(keep: ActiveConstraint, place: int, samples: Ints, floor: float) -> PointTask:
    height = np.tile([0.0, floor, 0.0], (len(samples), 1))
    return PointTask(
        f"{keep.name} floor", place, samples, height, None, CONSTRAINT_WEIGHT, above=True
    )
