"""`arcwright studio`."""

from __future__ import annotations

import argparse

from arcwright.cli.parser import Commands, add_command
from arcwright.errors import BadValue, MissingExtra


def add(commands: Commands) -> None:
    """Add the command."""
    command = add_command(commands, "studio", run, reads=False, json_output=False)
    command.add_argument("file", metavar="FILE", nargs="?", help="a file, or a built-in")
    command.add_argument(
        "--port", metavar="N", type=_port, help="port to use, the first free one by default"
    )
    command.add_argument(
        "--share",
        nargs="?",
        const="edit",
        metavar="edit|view",
        help="share by a link with others on this network: edit (default) or view",
    )
    command.add_argument(
        "--folder", metavar="DIR", help="folder to open files from and save them to"
    )
    command.add_argument(
        "--no-browser", action="store_true", help="print the address instead of opening a browser"
    )


def run(given: argparse.Namespace) -> int:
    """Open the studio in a browser."""
    try:
        from arcwright.server.transport.start import studio as start
    except ModuleNotFoundError as error:
        raise MissingExtra("the studio", "studio") from error
    file, share = given.file, given.share
    if share not in (None, "edit", "view"):
        if file is not None:
            raise BadValue("--share", "edit or view", share)
        file, share = share, "edit"  # `--share FILE`
    return start(
        file, port=given.port, browser=not given.no_browser, folder=given.folder, share=share
    )


def _port(text: str) -> int:
    if not (text.isdigit() and 1 <= int(text) <= 65535):
        raise argparse.ArgumentTypeError(f"{text} is not a port, 1 to 65535")
    return int(text)
