"""`arcwright detect`."""

from __future__ import annotations

import argparse
import json

from arcwright.cli.parser import FILE_HELP, Commands, Parser, add_command, read_file


def add(commands: Commands) -> None:
    """Add the command."""
    command = add_command(commands, "detect", run)
    command.add_argument("file", metavar="FILE", help=FILE_HELP)
    add_options(command)


def add_options(command: Parser) -> None:
    """Add what `arcwright batch detect` has too."""
    command.add_argument(
        "--take", metavar="NAME", default="", help="which take, the first by default"
    )


def run(given: argparse.Namespace) -> None:
    """List the detected stances, footplants, handholds and left-right pairs of a take."""
    from arcwright.kinematics.detection import detect

    detected = detect(read_file(given), given.take)
    if given.json:
        print(json.dumps({"file": given.file, **detected.as_json()}))
        return
    for stance in detected.stances:
        print(f"{stance.joint}: stands in frames {stance.first:g} to {stance.last:g}")
    if detected.in_place:
        print("walks in place: no footplants, as its feet stand on ground that moves")
    for each in detected.footplants:
        print(f"{each.joint}: frames {each.first:g} to {each.last:g}, slides {each.slide:.3f} m")
    for hold in detected.handholds:
        span = f"frames {hold.first:g} to {hold.last:g}"
        print(f"{hold.joint} on {hold.prop}: {span}, slides {hold.slide:.3f} m")
    for pair in detected.pairs:
        print(f"{pair.left}, {pair.right}: {pair.shortest:.3f} to {pair.longest:.3f} m apart")
    if detected.rate is not None:
        print(f"warning: {detected.rate.text}")
