"""`arcwright activity`: edit what a motion is about, and vary it."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arcwright.cli.parser import Commands, Parser, add_command, not_negative
from arcwright.cli.tools import add_options, options_of
from arcwright.errors import BadValue
from arcwright.open import read, write

if TYPE_CHECKING:
    from arcwright.activity_file.read import ActivityFile


def add(commands: Commands) -> None:
    """Add the command and what it can do."""
    from arcwright.tools.activity.options import ActivityOptions
    from arcwright.tools.options import described

    command = add_command(commands, "activity", run, reads=False, abbreviations=False)
    command.add_argument("what", choices=("edit", "vary"), help="what to do")
    command.add_argument("file", metavar="ACTIVITY.json", help="a file that describes the activity")
    command.add_argument("--scene", metavar="FILE", help="instead of the scene that the file names")
    command.add_argument("--character", metavar="NAME", default="", help="the first by default")
    command.add_argument("--take", metavar="NAME", default="", help="the first by default")
    command.add_argument("--out", metavar="OUT", help="write the scene; of vary, a folder")
    _add_vary(command)
    add_options(command, described(ActivityOptions))


def _add_vary(command: Parser) -> None:
    group = command.add_argument_group("vary")
    group.add_argument("--object", metavar="NAME", help="the object or effector that is displaced")
    group.add_argument("--grid", metavar="WxH", default="3x3", help="placements (default 3x3)")
    group.add_argument(
        "--spacing", metavar="M", type=not_negative, default=0.1, help="m between them"
    )
    group.add_argument("--random", metavar="N", type=int, help="as many random ones instead")
    group.add_argument("--seed", metavar="N", type=int, default=0, help="of random ones")


def run(given: argparse.Namespace) -> None:
    """Edit what a motion is about: events, objects and who holds them (ACTIVITY.json)."""
    from arcwright.activity_file.read import read_activity

    path = Path(given.file)
    scene = read(given.scene) if given.scene else None
    file = read_activity(path, scene, character=given.character, take=given.take)
    (_edit if given.what == "edit" else _vary)(given, path, file)


def _edit(given: argparse.Namespace, path: Path, file: ActivityFile) -> None:
    from arcwright.activity_edit import carry_out
    from arcwright.tools.activity.options import ActivityOptions
    from arcwright.tools.options import options_from

    options = options_from(ActivityOptions, options_of(given))
    result = carry_out(file, path, file.edits, options)
    if given.out:
        write(result.scene, given.out)
    report = result.as_json() | {"warnings": list(file.warnings)}
    if given.json:
        print(json.dumps({"file": given.file, **report}))
        return
    for each in report["residuals"]:
        away = f"{1000 * each['residual_m']:8.3f} mm"
        print(f"{away}  {each['kind']:5}  {each['event']}: {each['element']}")
    for text in (*report["notes"], *report["warnings"]):
        print(f"note: {text}")


def _vary(given: argparse.Namespace, path: Path, file: ActivityFile) -> None:
    from arcwright.activity_edit import carry_out, event_of_object, placements
    from arcwright.activity_file.edit_entries import ElementEdit
    from arcwright.tools.activity.options import ActivityOptions
    from arcwright.tools.options import options_from

    if not given.object:
        raise BadValue("--object", "the name of an object or effector", "none")
    columns, rows = _grid(given.grid)
    options = options_from(ActivityOptions, options_of(given))
    event = event_of_object(file, given.object)
    found: list[dict[str, Any]] = []
    places = placements(columns, rows, given.spacing, random=given.random, seed=given.seed)
    for number, by in enumerate(places):
        edits = (*file.edits, ElementEdit(event, given.object, by=by))
        result = carry_out(file, path, edits, options)
        name = f"{path.stem}_{number:04}.arc.glb"
        if given.out:
            Path(given.out).mkdir(parents=True, exist_ok=True)
            write(result.scene, str(Path(given.out) / name))
        report = result.as_json()
        found.append({"file": name, "by": by.tolist()} | report)
        if not given.json:
            place = " ".join(f"{value:+.3f}" for value in by)
            print(f"{name}  by {place}  worst {1000 * report['worst_m']:.3f} mm", flush=True)
    if given.json:
        print(json.dumps({"file": given.file, "variations": found}))


def _grid(text: str) -> tuple[int, int]:
    parts = text.lower().split("x")
    if len(parts) != 2 or not all(part.isdigit() and 0 < int(part) <= 100 for part in parts):
        raise BadValue("--grid", "two numbers of 1 to 100, such as 5x5", text)
    return int(parts[0]), int(parts[1])
