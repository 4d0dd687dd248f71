"""`arcwright replay`."""

from __future__ import annotations

import argparse
import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from arcwright import characters
from arcwright.cli.parser import Commands, add_command
from arcwright.errors import BadFile, json_fault
from arcwright.open import is_built_in, read, write

if TYPE_CHECKING:
    from arcwright.scene.scene import Scene
    from arcwright.tools.replay.gesture_file import Case

GESTURE_BYTES = 16_000_000  # the longest gesture file that is read


def add(commands: Commands) -> None:
    """Add the command."""
    command = add_command(commands, "replay", run, reads=False)
    command.add_argument("file", metavar="GESTURES.json")
    command.add_argument(
        "--scene", metavar="FILE", help="use this scene instead of the one in the file"
    )
    command.add_argument("--out", metavar="FILE", help="write the edited scene")


def run(given: argparse.Namespace) -> None:
    """Replay a gesture file: make its gestures, or solve its constraints, and report the result."""
    path = Path(given.file)
    case = read_case(path)
    replay_case(case, read(given.scene) if given.scene else _scene_of(case, path), given)


def replay_case(case: Case, scene: Scene, given: argparse.Namespace) -> None:
    """Replay a case on a scene and report, as `--out` and `--json` say."""
    from arcwright.tools.replay.replay import apply, can_apply, replay
    from arcwright.tools.replay.report import outcome_lines, solved_lines

    result: dict[str, object]
    if can_apply(case):
        scene, applied = apply(case, scene)
        result, lines = {"applied": applied.as_json()}, solved_lines(case, applied)
    else:
        scene, outcomes = replay(case, scene)
        result = {"interactions": [outcome.as_json() for outcome in outcomes]}
        lines = outcome_lines(case, outcomes)
    if given.out:
        write(scene, given.out)
    for line in (json.dumps(result),) if given.json else lines:
        print(line)


def read_case(path: Path) -> Case:
    """Parse a gesture file."""
    from arcwright.files.array_file import read_arrays
    from arcwright.files.regular import read_regular
    from arcwright.tools.replay.gesture_file import parse_gesture_file

    try:
        given = json.loads(read_regular(path, GESTURE_BYTES))
        return parse_gesture_file(given, partial(read_arrays, path.parent))
    except RecursionError as error:
        raise BadFile(path, "has JSON nested too deeply") from error
    except ValueError as error:
        raise BadFile(path, json_fault(error)) from error


def _scene_of(case: Case, path: Path) -> Scene:
    """Read the scene of a gesture file: a built-in, or a file in the folder of the gesture file."""
    from arcwright.files.referenced_files import SCENES, UnreadableReference, resolve_reference

    if is_built_in(case.scene):
        return characters.built_in(case.scene)
    try:
        resolve_reference(path, case.scene, SCENES)
    except UnreadableReference as error:
        advice = "choose the scene yourself with --scene FILE"
        raise BadFile(path, f"its scene {error}", advice) from error
    return read(path.parent / case.scene.replace("\\", "/"))
