"""Replay a gesture file: read it and its scene, make its gestures or solve its constraints."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arcwright import characters
from arcwright.errors import BadFile, json_fault
from arcwright.open import is_built_in, read

if TYPE_CHECKING:
    from arcwright.scene.scene import Scene
    from arcwright.tools.replay.gesture_file import Case

GESTURE_BYTES = 16_000_000  # the longest gesture file that is read


def read_case(path: Path) -> Case:
    """Parse a gesture file."""
    from arcwright.files.array_file import read_arrays
    from arcwright.files.regular import read_regular
    from arcwright.tools.replay.gesture_file import parse_gesture_file

    try:
        given = json.loads(read_regular(path, GESTURE_BYTES))
        return parse_gesture_file(
            given, partial(read_arrays, path.parent), partial(read_beside, path)
        )
    except RecursionError as error:
        raise BadFile(path, "has JSON nested too deeply") from error
    except ValueError as error:
        raise BadFile(path, json_fault(error)) from error


def scene_of(case: Case, path: Path) -> Scene:
    """Read the scene of a gesture file: a built-in, or a file in the folder of the gesture file."""
    return read_beside(path, case.scene, "its scene", "choose the scene yourself with --scene FILE")


def read_beside(path: Path, name: str, what: str = "its recording", advice: str = "") -> Scene:
    """A built-in, or a scene that a gesture file names in its own folder or below."""
    from arcwright.files.referenced_files import SCENES, UnreadableReference, resolve_reference

    if is_built_in(name):
        return characters.built_in(name)
    try:
        resolve_reference(path, name, SCENES)
    except UnreadableReference as error:
        raise BadFile(path, f"{what} {error}", advice) from error
    return read(path.parent / name.replace("\\", "/"))


def replay_on(case: Case, scene: Scene) -> tuple[Scene, dict[str, Any], list[str]]:
    """The scene after a case was replayed on it; the result for JSON, and as lines."""
    from arcwright.tools.replay.replay import apply, can_apply, replay
    from arcwright.tools.replay.report import outcome_lines, solved_lines

    if can_apply(case):
        scene, applied = apply(case, scene)
        return scene, {"applied": applied.as_json()}, list(solved_lines(case, applied))
    scene, outcomes = replay(case, scene)
    result = {"interactions": [outcome.as_json() for outcome in outcomes]}
    return scene, result, list(outcome_lines(case, outcomes))
