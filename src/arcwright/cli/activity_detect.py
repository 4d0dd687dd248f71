"""`arcwright activity detect`: what happens when in a take, as a list and as an activity file."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arcwright.cli.parser import Parser, check_out, read_file

if TYPE_CHECKING:
    from arcwright.scene.activity import Activity
    from arcwright.scene.scene import Scene


def add_flags(command: Parser) -> None:
    """Add what only detection needs."""
    command.add_argument_group("detect").add_argument(
        "--confidence",
        metavar="C",
        type=float,
        default=0.5,
        help="the lowest of listed and written events, 0 to 1 (default 0.5)",
    )


def run(given: argparse.Namespace, _: dict[str, Any]) -> None:
    """List the events of a take; write them as an activity file with --out."""
    from arcwright.activity_detection.activity import proposed_activity
    from arcwright.edits.edited_take import find_take

    if given.out:
        check_out(given)
    scene = read_file(given)
    edited = find_take(scene, given.character, given.take)
    found = proposed_activity(scene, edited.actor.name, edited.take)
    found = found.from_confidence(given.confidence)
    warnings = _write(given, scene, found.activity) if given.out else []
    events = found.as_json(edited.take.rate)
    if given.json:
        about = {"file": given.file, "character": edited.actor.name, "take": edited.take.name}
        print(json.dumps({**about, "events": events, "out": given.out, "warnings": warnings}))
        return
    for each in events:
        who = ", ".join(each["elements"])
        line = f"{each['frame']:6g}  {each['confidence']:.2f}  {each['kind']:13}"
        print(f"{line}  {each['name']}  ({who})")
    print(f"wrote {given.out}" if given.out else f"{len(events)} events")
    for text in warnings:
        print(f"warning: {text}", file=sys.stderr)


def _write(given: argparse.Namespace, scene: Scene, found: Activity) -> list[str]:
    """Write a detected activity; warn where its file cannot name the scene."""
    from arcwright.activity_file.write import write_activity

    out = Path(given.out)
    if write_activity(scene, found, out, given.file):
        return []
    where = f"{given.file} is not in the folder of {out.name}, which therefore names no scene"
    return [f"{where}; use it with --scene {given.file}"]
