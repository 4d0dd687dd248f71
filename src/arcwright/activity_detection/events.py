"""Detected events of a take, in order of time, and as a report ready to print."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from arcwright.activity_detection.watched import WatchedBody, prop_path, watched_body
from arcwright.kinematics.feet import rig_size
from arcwright.kinematics.movement_events import (
    ElementPath,
    MovementEvent,
    movement_events,
)
from arcwright.kinematics.prop_contacts import CarryRule, PropPath, events_with_props
from arcwright.kinematics.stays import MovementRule
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take

_STILL = 0.01  # m, a prop that moves less has no events


def detected_events(scene: Scene, character: str, take: Take) -> tuple[MovementEvent, ...]:
    """Events of hands, pelvis and moving props, in order of time; unlikely ones included."""
    body = watched_body(scene.actor(character), take)
    size = rig_size(take.rig)
    rule, carry = MovementRule().sized(size), CarryRule().sized(size)
    props = [prop_path(prop, body.time) for prop in scene.props]
    found = _events_of_props(body, props, rule)
    for path in body.paths:
        own = movement_events(body.time, path, rule)
        found += events_with_props(body.time, path, own, props, carry)
    return tuple(sorted(found, key=lambda event: (event.time, event.element)))


def detect_report(scene: Scene, character: str, take: Take) -> dict[str, Any]:
    """The detected events as plain values: time in s, frame, element, kind, confidence, prop."""
    events = []
    for event in detected_events(scene, character, take):
        row: dict[str, Any] = {
            "time": round(event.time, 4),
            "frame": round(event.time * take.rate, 1),
            "element": event.element,
            "kind": event.kind,
            "confidence": round(event.confidence, 2),
        }
        if event.prop:
            row["prop"] = event.prop
        if event.place is not None:
            row["place"] = [round(value, 4) for value in event.place]
        events.append(row)
    return {"events": events}


def _events_of_props(
    body: WatchedBody, props: Sequence[PropPath], rule: MovementRule
) -> list[MovementEvent]:
    """Stops, turns and departures of the props that move."""
    found: list[MovementEvent] = []
    for prop in props:
        position = prop.frames[:, :3, 3]
        if len(position) and np.ptp(position, axis=0).max() > _STILL:
            found += movement_events(body.time, ElementPath(prop.name, position), rule)
    return found
