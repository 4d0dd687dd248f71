"""`arcwright replay`."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from arcwright.cli.parser import Commands, Parser, add_command
from arcwright.open import read, write
from arcwright.replay import read_case, replay_on, scene_of

if TYPE_CHECKING:
    from arcwright.scene.scene import Scene
    from arcwright.tools.replay.gesture_file import Case


def add(commands: Commands) -> None:
    """Add the command."""
    command = add_command(commands, "replay", run, reads=False)
    command.add_argument("file", metavar="GESTURES.json")
    add_options(command)
    command.add_argument("--out", metavar="FILE", help="write the edited scene")


def add_options(command: Parser) -> None:
    """Add what `arcwright batch replay` has too."""
    command.add_argument(
        "--scene", metavar="FILE", help="use this scene instead of the one in the file"
    )


def run(given: argparse.Namespace) -> None:
    """Replay a gesture file: make its gestures, or solve its constraints, and report the result."""
    path = Path(given.file)
    case = read_case(path)
    replay_case(case, read(given.scene) if given.scene else scene_of(case, path), given)


def replay_case(case: Case, scene: Scene, given: argparse.Namespace) -> None:
    """Replay a case on a scene and report, as `--out` and `--json` say."""
    scene, result, lines = replay_on(case, scene)
    if given.out:
        write(scene, given.out)
    for line in (json.dumps(result),) if given.json else lines:
        print(line)
