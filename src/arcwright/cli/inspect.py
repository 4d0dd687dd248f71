"""`arcwright inspect`."""

from __future__ import annotations

import argparse
import json

from arcwright.cli.parser import FILE_HELP, Commands, add_command, read_file
from arcwright.summary import format_summary, summary


def add(commands: Commands) -> None:
    """Add the command."""
    command = add_command(commands, "inspect", run)
    command.add_argument("file", metavar="FILE", help=FILE_HELP)
    command.add_argument(
        "--joints",
        action="store_true",
        help="list each joint: role, whether edits may change its length, and why",
    )


def run(given: argparse.Namespace) -> None:
    """Describe the contents of a file."""
    scene = read_file(given)
    if given.json:
        print(json.dumps({"file": given.file, **summary(scene)}))
    else:
        print(format_summary(scene, joints=given.joints))
