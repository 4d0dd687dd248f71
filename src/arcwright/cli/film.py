"""`arcwright film`."""

from __future__ import annotations

import argparse
import json

from arcwright.cli.parser import FILE_HELP, Commands, add_command, read_file
from arcwright.cli.picture import picture_size


def add(commands: Commands) -> None:
    """Add the command."""
    command = add_command(commands, "film", run)
    command.add_argument("file", metavar="FILE", help=FILE_HELP)
    command.add_argument("out", metavar="OUT.png")
    command.add_argument(
        "--take", metavar="NAME", default="", help="which take, the first by default"
    )
    command.add_argument(
        "--points", metavar="A,B", default="", help="joints whose motion trails are drawn"
    )
    command.add_argument(
        "--rate", metavar="N", type=float, default=15.0, help="pictures per second"
    )
    command.add_argument(
        "--size", metavar="WxH", type=picture_size, default=(480, 270), help="in pixels"
    )
    command.add_argument("--light", action="store_true", help="use a light background")


def run(given: argparse.Namespace) -> None:
    """Film a take: an animated PNG that browsers play in a loop."""
    from arcwright.picture.film import film

    images = film(
        read_file(given),
        given.out,
        take=given.take,
        points=tuple(name for name in given.points.split(",") if name) or None,
        rate=given.rate,
        size=given.size,
        dark=not given.light,
    )
    done = {"out": given.out, "pictures": len(images)}
    print(json.dumps(done) if given.json else f"wrote {given.out}, {len(images)} pictures")
