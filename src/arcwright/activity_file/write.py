"""An activity of a scene as an activity file has it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from arcwright.activity_file.elements import effector_point
from arcwright.edits.activities import checked
from arcwright.errors import BadValue
from arcwright.files.atomic import write_bytes
from arcwright.open import is_built_in
from arcwright.scene.activity import (
    Activity,
    ActivityEvent,
    ActivityObject,
    Effector,
    element_of,
)
from arcwright.scene.scene import Actor, Scene


def write_activity(scene: Scene, activity: Activity, path: Path | str, file: str = "") -> bool:
    """Write an activity file; whether it names its scene, which was read from `file`.

    It can name a built-in, or a file in its own folder or below.
    """
    path = Path(path)
    if path.suffix.lower() != ".json":
        raise BadValue("activity file", "a name that ends in .json", path.name)
    name = _scene_beside(file, path)
    written = ({"scene": name} if name else {}) | activity_json(scene, activity)
    write_bytes(path, json.dumps(written, indent=2).encode() + b"\n")
    return bool(name)


def _scene_beside(file: str, path: Path) -> str:
    if not file or is_built_in(file):
        return file
    try:
        return Path(file).resolve().relative_to(path.resolve().parent).as_posix()
    except ValueError:
        return ""


def activity_json(scene: Scene, activity: Activity) -> dict[str, Any]:
    """An activity as JSON, from which `parse_activity` makes the same again.

    Each event lists its elements; anchors have their places, and effectors their joints where
    their names do not.
    """
    activity = checked(scene, activity, activity)
    character = scene.actor(activity.character)
    rate = character.take(activity.take).rate
    return {
        "name": activity.name,
        "character": activity.character,
        "take": activity.take,
        "rate": rate,
        "objects": [_object(activity, each) for each in activity.objects],
        "effectors": [_effector(character, each) for each in activity.effectors],
        "events": [_event(activity, each, rate) for each in activity.events],
    }


def _object(activity: Activity, each: ActivityObject) -> dict[str, Any]:
    anchors = zip(each.anchor_names, each.anchor_offsets.tolist(), strict=True)
    written: dict[str, Any] = {
        "objectName": each.name,
        "isModifiable": any(
            each.name in map(element_of, event.movable) for event in activity.events
        ),
        "isReplaceable": any(each.name in event.replaceable for event in activity.events),
    }
    written |= {"actor": each.actor} if each.actor else {}
    return written | ({"anchors": dict(anchors)} if each.anchor_names else {})


def _effector(character: Actor, each: Effector) -> dict[str, Any]:
    written: dict[str, Any] = {"effectorName": each.name}
    if not _named_by_rig(character, each):
        written["joint"] = each.point.joint
    if each.point.offset.any():
        written["offset"] = each.point.offset.tolist()
    return written


def _named_by_rig(character: Actor, each: Effector) -> bool:
    try:
        return effector_point(character, each.name).joint == each.point.joint
    except BadValue:
        return False


def _event(activity: Activity, event: ActivityEvent, rate: float) -> dict[str, Any]:
    effectors = [each.name for each in activity.effectors]
    keyframe = round(event.time * rate)
    exact = keyframe / rate == event.time
    written: dict[str, Any] = {"keyframe": keyframe} if exact else {"time": event.time}
    written |= {"name": event.name} if event.name else {}
    written |= {
        "elements": list(event.elements),
        "modifiableEffectors": [each for each in event.movable if each in effectors],
        "modifiableObjects": [each for each in event.movable if each not in effectors],
        "scalableObjects": list(event.scalable),
        "replaceableObjects": list(event.replaceable),
        "constraints": [
            {"constrainedElement": each.constrained, "constrainingElement": each.constraining}
            for each in event.pairs
        ],
    }
    return written | ({"lookAt": event.look_at} if event.look_at else {})
