"""`arcwright convert`."""

from __future__ import annotations

import argparse
import json
import sys

from arcwright.cli.parser import (
    FILE_HELP,
    Commands,
    Parser,
    above_zero,
    add_command,
    check_out,
)


def add(commands: Commands) -> None:
    """Add the command."""
    command = add_command(commands, "convert", run)
    command.add_argument("file", metavar="IN", help=FILE_HELP)
    command.add_argument("out", metavar="OUT", help=".arc.glb, .glb, .gltf or .bvh")
    add_options(command)


def add_options(command: Parser) -> None:
    """Add what `arcwright batch convert` has too."""
    command.add_argument("--take", metavar="NAME", help="keep this take only")
    command.add_argument(
        "--fit",
        metavar="TOLERANCE",
        type=above_zero,
        help="reduce to few key poses; no joint may move further than this, in metres",
    )
    command.add_argument(
        "--per-channel",
        action="store_true",
        help="with --fit: keys only for the channels that need them, not whole key poses",
    )
    command.add_argument("--fps", metavar="N", type=above_zero, help="frames per second of OUT")


def run(given: argparse.Namespace) -> None:
    """Convert a file: all takes or one, unchanged or reduced to few key poses."""
    from arcwright.convert import convert_file

    check_out(given)
    notes, warnings = convert_file(
        given.file,
        given.out,
        take=given.take,
        fit=given.fit,
        rate=given.fps,
        per_channel=given.per_channel,
        unit=given.unit,
        up=given.up,
    )
    if given.json:
        print(json.dumps({"out": given.out, "notes": notes, "warnings": warnings}))
    else:
        print("\n".join([f"wrote {given.out}", *notes]))
        for warning in warnings:
            print(f"warning: {warning}", file=sys.stderr)
