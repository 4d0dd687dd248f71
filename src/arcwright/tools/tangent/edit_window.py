"""Edit window: the handles that an edit may change and the constraints that it has to keep."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from arcwright.arrays import Ints
from arcwright.kinematics.sample import values_at
from arcwright.objectives.active_constraints import ActiveConstraint, active_constraints
from arcwright.objectives.freedom import Freedom
from arcwright.scene.clip import Clip
from arcwright.scene.point import Point
from arcwright.scene.scene import Actor, Scene
from arcwright.scene.take import Take
from arcwright.tools.tangent.free_feet import FreeFoot, floored_feet, swinging_feet
from arcwright.tools.tangent.free_handles import free_handles, narrow_window, window
from arcwright.tools.tangent.handles import Handles
from arcwright.tools.tangent.heels import heels_of

LIMITS = "joint limits"
EVERYTHING = "all pins and contacts"
MOST_WIDENED = 3  # times that the span grows by the constraints in it
MOST_SEGMENTS = 100  # that may change where there are constraints


@dataclass(frozen=True, eq=False)
class EditWindow:
    """What an edit of held points may change and has to keep, whatever its sample times."""

    scene: Scene
    take: Take
    held: tuple[tuple[Point, float], ...]  # (H) dragged points and their times
    channels: Ints  # that may change
    chosen: tuple[ActiveConstraint, ...]  # constraints that the channels affect
    heels: tuple[Point | None, ...]  # behind the toes that each of them plants
    feet: tuple[FreeFoot, ...]  # that stay above a floor or near their path
    frozen: tuple[str, ...]  # pins that are kept by freezing all channels above them
    handles: Handles
    span: tuple[float, float]  # s, where the motion may change


def edit_window(
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
) -> EditWindow:
    """The window of an edit of the held points; `without` leaves out the constraint of that name.

    Joint limits are left out by the name of `LIMITS`, all constraints by `EVERYTHING`. With
    a `floor`, in m, points that are planted anywhere in the clip stay above it all along; else feet
    below the held points stay near their paths while they swing.

    Unified, all smooth keys stay smooth; with `smooth`, those of channels that no constraint beside
    them needs.
    """
    assert isinstance(take.base, Clip)
    moments = [time for _, time in held]
    free = free or Freedom(actor, take)
    dragged = free.channels([point for point, _ in held])
    span = window(take.base, dragged, moments, time_reach)
    poses, wide = values_at(take, np.array(moments)), span
    everything = active_constraints(scene, actor, take, (-np.inf, np.inf), free.rigid)
    feet = [each for each in _free_feet(take, everything, held, floor) if each.name != without]
    loose = [
        (frozenset(k.channels.tolist()), k.constraint.start, k.constraint.end)
        for k in (everything if smooth else ())
    ]
    loose += [
        (frozenset(each.contact.channels.tolist()), -np.inf, np.inf)
        for each in feet
        if each.floor is not None
    ]
    for _ in range(MOST_WIDENED):
        channels, chosen, swinging, frozen = _in_play(
            active_constraints(scene, actor, take, wide, free.rigid),
            [each.contact for each in feet],
            dragged,
            wide,
            without,
        )
        if len(channels):
            span = window(take.base, channels, moments, time_reach)
            if chosen or swinging:
                span = narrow_window(take.base, channels, moments, time_reach, MOST_SEGMENTS)
        handles = free_handles(
            free,
            take.base,
            channels,
            span,
            poses,
            held=moments,
            only_held=not (chosen or swinging),
            unified=unified or smooth,
            loose=() if unified else loose,
            limited=without != LIMITS,
            tasks_beyond=unified and bool(chosen or swinging),
            dragged=dragged,
        )
        if len(handles.begin):
            span = float(handles.begin.min()), float((handles.begin + handles.length).max())
        if wide[0] <= span[0] and span[1] <= wide[1]:
            break
        wide = min(wide[0], span[0]), max(wide[1], span[1])  # constraints there count, too
    heels = heels_of(take, chosen, [point for point, _ in held])
    kept = tuple(chosen), heels, tuple(each for each in feet if each.contact in swinging), frozen
    return EditWindow(scene, take, tuple(held), channels, *kept, handles, span)


class _Play(NamedTuple):
    channels: Ints  # that may change
    chosen: list[ActiveConstraint]  # constraints that the channels affect
    swinging: list[ActiveConstraint]  # contacts of feet that are held without them, too
    frozen: tuple[str, ...]


def _free_feet(
    take: Take,
    contacts: Sequence[ActiveConstraint],
    held: Sequence[tuple[Point, float]],
    floor: float | None,
) -> list[FreeFoot]:
    """Feet above a given floor; else those below the held points."""
    if floor is not None:
        return floored_feet(contacts, floor)
    return swinging_feet(take, contacts, [point for point, _ in held])


def _in_play(
    tasks: list[ActiveConstraint],
    feet: list[ActiveConstraint],
    channels: Ints,
    span: tuple[float, float],
    without: str,
) -> _Play:
    """Which channels may change and which constraints they affect (the paper's three cases).

    A task that shares no channel is left out; a point pinned whole above the drag freezes
    its channels; any other task brings its channels in, which may make more tasks matter.
    """
    waiting = [keep for keep in tasks if without not in (keep.name, EVERYTHING)]
    waiting += feet if without != EVERYTHING else []
    chosen: list[ActiveConstraint] = []
    swinging: list[ActiveConstraint] = []
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
            (swinging if keep in feet else chosen).append(keep)
            play |= moving
    in_play = np.array(sorted(play - frozen), np.int64)
    return _Play(in_play, chosen, swinging, tuple(names))
