"""Overlays: trajectories, handles at events, and where a dragged limb can get to."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from arcwright.arrays import Floats
from arcwright.tools.activity.dragged_elements import DraggedElement, handle_name
from arcwright.tools.activity.prepared import PreparedActivity, SolvedActivity
from arcwright.tools.activity.reach import ReachZone
from arcwright.tools.overlay import CurveOverlay, HandleOverlay, MarkersOverlay, Overlay

CIRCLE = 48  # corners of a circle around a zone
MOST_POINTS = 300  # of a trajectory that is drawn


def activity_overlays(
    solved: SolvedActivity, original: list[int], held: DraggedElement | None
) -> tuple[Overlay, ...]:
    """All that is drawn of an activity; handles are named by the original frames of events."""
    prepared = solved.prepared
    found: list[Overlay] = []
    for name, path in solved.paths.items():
        if not path.unchanged:
            found.append(CurveOverlay(_thinned(path.track.position), "reference"))
        if np.ptp(path.position, axis=0).max() > 0:
            found.append(CurveOverlay(_thinned(path.position), "edit"))
        frames = [frame for frame, at in _events_of(prepared, name)]
        found.append(MarkersOverlay(path.position[frames], "guide"))
        found += [
            HandleOverlay(handle_name(original[at], name), path.position[frame])
            for frame, at in _events_of(prepared, name)
            if name in prepared.movable_at(prepared.activity.events[at])
        ]
    if held is not None:
        zone = prepared.zone(original.index(held.frame), held.element)
        found += [] if zone is None else _circles(zone)
    return tuple(found)


def _events_of(prepared: PreparedActivity, element: str) -> Iterator[tuple[int, int]]:
    """Frame and index of each event of an element."""
    for at, event in enumerate(prepared.activity.events):
        if element in event.involved:
            yield prepared.frames[at], at


def _thinned(path: Floats) -> Floats:
    step = -(-len(path) // MOST_POINTS)
    return path[::step]


def _circles(zone: ReachZone) -> Iterator[CurveOverlay]:
    """Three circles around a ball."""
    angle = np.linspace(0, 2 * np.pi, CIRCLE, endpoint=False)
    around = np.stack([np.cos(angle), np.sin(angle), np.zeros(CIRCLE)], axis=1)
    for turn in range(3):
        corners = zone.centre + zone.radius * np.roll(around, turn, axis=1)
        yield CurveOverlay(corners, "guide", closed=True)
