"""`arcwright activity edit`, `vary`, `retarget` and `detect`: what a motion is about."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arcwright.cli import activity_detect, activity_retarget
from arcwright.cli.parser import Parser, not_negative, whole
from arcwright.errors import BadValue
from arcwright.open import read, write

if TYPE_CHECKING:
    from arcwright.activity_file.read import ActivityFile
    from arcwright.tools.activity.options import ActivityOptions


def add_action(command: Parser) -> None:
    """Add the word that says what to do with an activity file."""
    what = (
        "edit or vary what FILE, an ACTIVITY.json, describes, retarget it to the character in the "
        "file --character, or detect the events of a scene; without it, drag in a scene"
    )
    command.add_argument("action", nargs="?", choices=tuple(_ACTIONS), help=what)


def add_flags(command: Parser) -> None:
    """Add what only activity files need."""
    command.add_argument("--scene", metavar="FILE", help="instead of the one of an activity file")
    activity_detect.add_flags(command)
    group = command.add_argument_group("vary")
    group.add_argument("--object", metavar="NAME", help="the object or effector that is displaced")
    group.add_argument("--grid", metavar="WxH", default="3x3", help="placements (default 3x3)")
    group.add_argument(
        "--spacing", metavar="M", type=not_negative, default=0.1, help="m between them"
    )
    group.add_argument("--random", metavar="N", type=whole, help="as many random ones instead")
    group.add_argument("--seed", metavar="N", type=int, default=0, help="of random ones")


def run(given: argparse.Namespace, options: dict[str, Any]) -> None:
    """Do what the word before the file says."""
    _ACTIONS[given.action](given, options)


def _on_file(
    act: Callable[[argparse.Namespace, Path, ActivityFile, ActivityOptions], None],
    given: argparse.Namespace,
    options: dict[str, Any],
) -> None:
    from arcwright.activity_file.read import read_activity
    from arcwright.tools.activity.options import ActivityOptions

    path = Path(given.file)
    scene = read(given.scene) if given.scene else None
    file = read_activity(path, scene, character=given.character, take=given.take)
    chosen = ActivityOptions(**options)
    act(given, path, file, chosen)


def _edit(
    given: argparse.Namespace, path: Path, file: ActivityFile, options: ActivityOptions
) -> None:
    from arcwright.activity_file.carry_out import carry_out

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


def _vary(
    given: argparse.Namespace, path: Path, file: ActivityFile, options: ActivityOptions
) -> None:
    from arcwright.activity_file.carry_out import carry_out, event_of_object, placements
    from arcwright.activity_file.edit_entries import ElementEdit

    if not given.object:
        raise BadValue("--object", "the name of an object or effector", "none")
    columns, rows = _grid(given.grid)
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


_ACTIONS: dict[str, Callable[[argparse.Namespace, dict[str, Any]], None]] = {
    "edit": partial(_on_file, _edit),
    "vary": partial(_on_file, _vary),
    "detect": activity_detect.run,
    "retarget": activity_retarget.run,
}
