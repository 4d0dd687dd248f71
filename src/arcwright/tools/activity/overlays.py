"""Overlays: trajectories, handles at events, and where a dragged limb can get to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from arcwright.tools.activity.dragged_elements import DraggedElement, event_name, handle_name
from arcwright.tools.activity.element_paths import ElementPath
from arcwright.tools.activity.prepared import PreparedActivity
from arcwright.tools.activity.reach import ReachZone
from arcwright.tools.activity.tracks import Track
from arcwright.tools.activity.trajectory import thinned
from arcwright.tools.overlay import CurveOverlay, HandleOverlay, MarkersOverlay, Overlay

CIRCLE = 48  # corners of a circle around a zone


def activity_overlays(
    prepared: PreparedActivity,
    paths: Mapping[str, ElementPath],
    original: list[int],
    held: DraggedElement | None,
) -> tuple[Overlay, ...]:
    """All that is drawn of an activity; handles are named by the original frames of events."""
    found: list[Overlay] = []
    for name, path in paths.items():
        before = prepared.trajectories[name].thinned
        if not path.unchanged and len(before):
            found.append(CurveOverlay(before, "reference"))
        after = before if path.unchanged else thinned(path.position)
        if len(after):
            found.append(CurveOverlay(after, "edit"))
        frames = [frame for frame, at in _events_of(prepared, name)]
        found.append(MarkersOverlay(path.position[frames], "guide"))
        found += _handles(prepared, name, path, original)
    if held is not None:
        zone = prepared.zone(original.index(held.frame), held.element)
        found += [] if zone is None else _circles(zone)
    return tuple(found)


def rest_overlays(prepared: PreparedActivity) -> tuple[Overlay, ...]:
    """What is drawn before anything is dragged."""
    paths = {name: _unmoved(track) for name, track in prepared.tracks.items()}
    return activity_overlays(prepared, paths, prepared.frames, None)


def _unmoved(track: Track) -> ElementPath:
    still = np.zeros_like(track.position)
    return ElementPath(track, still, still, np.zeros(len(still), bool))


def _handles(
    prepared: PreparedActivity, element: str, path: ElementPath, original: list[int]
) -> Iterator[HandleOverlay]:
    for frame, at in _events_of(prepared, element):
        if element in prepared.movable_at(prepared.activity.events[at]):
            label = f"{element} at {event_name(prepared, at)}"
            time = float(prepared.times[frame])
            yield HandleOverlay(
                handle_name(original[at], element),
                path.position[frame],
                label=label,
                time=time,
                grounded=_rests(prepared, element, at),
            )


def _rests(prepared: PreparedActivity, element: str, event: int) -> bool:
    """Whether an object stays where it is from this event to another, or from one to this."""
    knots = prepared.knots[element]
    tied = knots.tied(knots.at_event(event))
    return element not in prepared.body.effectors and int(tied.sum()) > 1


def _events_of(prepared: PreparedActivity, element: str) -> Iterator[tuple[int, int]]:
    """Frame and index of each event of an element."""
    for at, event in enumerate(prepared.activity.events):
        if element in event.involved:
            yield prepared.frames[at], at


def _circles(zone: ReachZone) -> Iterator[CurveOverlay]:
    """Three circles around a ball."""
    angle = np.linspace(0, 2 * np.pi, CIRCLE, endpoint=False)
    around = np.stack([np.cos(angle), np.sin(angle), np.zeros(CIRCLE)], axis=1)
    for turn in range(3):
        corners = zone.centre + zone.radius * np.roll(around, turn, axis=1)
        yield CurveOverlay(corners, "guide", closed=True)
