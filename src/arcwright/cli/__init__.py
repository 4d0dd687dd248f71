"""The command line: `arcwright studio | inspect | convert | picture | replay | ...`, see --help.

One module for each command; those of the tools are made from the catalogue (`tools.py`).
Exit codes: 0 done, 1 some files of a batch failed, 2 bad input (one line on standard error), 130
interrupted.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from arcwright.cli import (
    batch,
    characters,
    convert,
    detect,
    film,
    flow,
    hops,
    inspect,
    learn,
    picture,
    puppet,
    replay,
    studio,
    tools,
)
from arcwright.cli.parser import Parser
from arcwright.errors import ArcwrightError, UnknownName
from arcwright.version import __version__

COMMANDS = {
    "studio": studio,
    "inspect": inspect,
    "convert": convert,
    "picture": picture,
    "film": film,
    "hops": hops,
    "learn": learn,
    "characters": characters,
    "replay": replay,
    "puppet": puppet,
    "flow": flow,
    "detect": detect,
    "batch": batch,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    arguments = sys.argv[1:] if arguments is None else arguments
    parser = build_parser(arguments[0] if arguments else "")
    given, unknown = parser.parse_known_args(arguments)
    try:
        if unknown and unknown[0].startswith("--") and "options" in given:
            raise UnknownName("option", _option_name(unknown[0]), given.options)
        if unknown:
            parser.error(f"unrecognized arguments: {' '.join(unknown)}")
        return given.command(given) or 0
    except ArcwrightError as error:
        return _fail(str(error))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return _fail(f"{error.filename or 'file'}: {error.strerror or error}")
    except KeyboardInterrupt:
        return 130


def build_parser(command: str = "") -> Parser:
    """The parser of all commands; tools are not loaded for a command that is none."""
    parser = Parser(prog="arcwright", description="Animate with movement itself.")
    parser.add_argument("--version", action="version", version=f"arcwright {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for module in COMMANDS.values():
        module.add(commands)
    if command not in COMMANDS:
        tools.add(commands, without=COMMANDS)
    return parser


def _option_name(flag: str) -> str:
    return flag.removeprefix("--").partition("=")[0].replace("-", "_")


def _fail(line: str) -> int:
    print("arcwright: " + " ".join(line.split()), file=sys.stderr)
    return 2
