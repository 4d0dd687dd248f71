"""Read an activity file: its scene, the activity in it, and what to change of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arcwright.activity_file.edit_entries import ActivityEdit, EditReader
from arcwright.activity_file.elements import read_elements
from arcwright.activity_file.events import EventReader
from arcwright.activity_file.values import finite, optional_text
from arcwright.edits.activities import add_activity, change_activity, checked
from arcwright.edits.edited_take import find_take
from arcwright.errors import BadFile, BadValue, faults_of, json_fault
from arcwright.files.regular import read_regular
from arcwright.replay import read_beside
from arcwright.scene.activity import Activity
from arcwright.scene.scene import Scene
from arcwright.tools.replay.json_values import mapping_in

ACTIVITY_BYTES = 2_000_000  # the longest activity file that is read
_KEYS = {
    *("objects", "effectors", "events", "edits"),
    *("scene", "name", "character", "take", "rate", "about"),
}


@dataclass(frozen=True, eq=False)
class ActivityFile:
    """An activity file as read."""

    scene: Scene  # with the activity
    activity: Activity
    edits: tuple[ActivityEdit, ...] = ()
    warnings: tuple[str, ...] = ()


def read_activity(
    path: Path | str, scene: Scene | None = None, *, character: str = "", take: str = ""
) -> ActivityFile:
    """Read an activity file, about the scene that it names or about the given one.

    `character` and `take` are used instead of those that the file names.
    """
    path = Path(path)
    given = _json(path)
    with faults_of(path):
        whole = mapping_in(given, "activity file", _KEYS)
        scene = _scene(path, whole) if scene is None else scene
        return parse_activity(whole, scene, name=path.stem, character=character, take=take)


def parse_activity(
    value: object, scene: Scene, *, name: str = "activity", character: str = "", take: str = ""
) -> ActivityFile:
    """The activity in parsed JSON; `name` is its name where the JSON has none."""
    whole = mapping_in(value, "activity file", _KEYS)
    given = {key: optional_text(whole, key, "") for key in ("name", "character", "take")}
    edited = find_take(scene, character or given["character"], take or given["take"])
    rate = _rate(whole, edited.take.rate)
    elements = read_elements(whole, scene, edited.actor)
    reader = EventReader(elements, edited.take, rate)
    events = reader.read(whole)
    made = Activity(
        given["name"] or name,
        edited.actor.name,
        edited.take.name,
        tuple(elements.objects),
        tuple(elements.effectors),
        tuple(events),
    )
    activity = checked(scene, made)
    edits = EditReader(activity, elements, events, rate).read(whole)
    return ActivityFile(_with_activity(scene, activity), activity, edits, tuple(reader.warnings))


def _with_activity(scene: Scene, activity: Activity) -> Scene:
    """The scene with the activity, in place of the one of its name."""
    known = [each.name for each in scene.activities]
    if activity.name in known:
        return change_activity(scene, activity.name, activity).apply(scene)
    return add_activity(scene, activity).apply(scene)


def _rate(whole: Mapping[str, Any], otherwise: float) -> float:
    """Frames per second of keyframes."""
    if whole.get("rate") is None:
        return otherwise
    rate = finite(whole["rate"], "rate")
    if not rate > 0:
        raise BadValue("rate", "frames per second above 0", rate)
    return rate


def _scene(path: Path, whole: Mapping[str, Any]) -> Scene:
    name = optional_text(whole, "scene", "")
    advice = "choose the scene yourself with --scene FILE"
    if not name:
        raise BadFile(path, "names no scene", advice)
    return read_beside(path, name, "its scene", advice)


def _json(path: Path) -> Any:
    try:
        return json.loads(read_regular(path, ACTIVITY_BYTES))
    except RecursionError as error:
        raise BadFile(path, "has JSON nested too deeply") from error
    except ValueError as error:
        raise BadFile(path, json_fault(error)) from error
