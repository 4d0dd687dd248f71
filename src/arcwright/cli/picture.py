"""`arcwright picture`."""

from __future__ import annotations

import argparse
import json

from arcwright.cli.parser import FILE_HELP, Commands, add_command, read_file, whole


def add(commands: Commands) -> None:
    """Add the command."""
    command = add_command(commands, "picture", run)
    command.add_argument("file", metavar="FILE", help=FILE_HELP)
    command.add_argument("out", metavar="OUT.png")
    command.add_argument("--take", metavar="NAME", help="which take, the first by default")
    command.add_argument(
        "--points", metavar="A,B", default="", help="joints whose motion trails are drawn"
    )
    command.add_argument("--every", metavar="N", type=whole, help="frames between two poses")
    command.add_argument(
        "--size", metavar="WxH", type=picture_size, default=(1600, 900), help="in pixels"
    )
    command.add_argument("--light", action="store_true", help="use a light background")


def run(given: argparse.Namespace) -> None:
    """Draw poses over time with the motion trails of chosen joints."""
    from arcwright.picture.strobe import strobe

    strobe(
        read_file(given),
        given.out,
        take=given.take,
        points=tuple(name for name in given.points.split(",") if name),
        every=given.every,
        size=given.size,
        dark=not given.light,
    )
    print(json.dumps({"out": given.out}) if given.json else f"wrote {given.out}")


def picture_size(text: str) -> tuple[int, int]:
    """Width and height of a flag such as 640x360."""
    width, _, height = text.partition("x")
    if not all(side.isdigit() and 16 <= int(side) <= 8192 for side in (width, height)):
        raise argparse.ArgumentTypeError(f"{text} is not WIDTHxHEIGHT, 16 to 8192 pixels")
    return int(width), int(height)
