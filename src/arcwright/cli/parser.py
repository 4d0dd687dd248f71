"""What commands share: the parser, common flags, and types of arguments."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TypeAlias

from arcwright.errors import BadValue
from arcwright.open import read

if TYPE_CHECKING:
    from arcwright.scene.scene import Scene

FILE_HELP = "a file, or a built-in such as biped:walk"


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line, as for every other bad input."""

    def error(self, message: str) -> NoReturn:
        """Exit with 2."""
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


Commands: TypeAlias = "argparse._SubParsersAction[Parser]"
Run: TypeAlias = Callable[[argparse.Namespace], int | None]


def add_command(
    commands: Commands,
    name: str,
    run: Run,
    *,
    about: str | None = None,
    reads: bool = True,
    json_output: bool = True,
    abbreviations: bool = True,
    aliases: Sequence[str] = (),
) -> Parser:
    """A command with the flags that it shares with others; `reads` one scene with `read_file`."""
    about = (about or run.__doc__ or "").replace("%", "%%")
    parser = commands.add_parser(
        name, help=about, description=about, allow_abbrev=abbreviations, aliases=aliases
    )
    parser.set_defaults(command=run)
    if json_output:
        parser.add_argument("--json", action="store_true", help="print JSON")
    if reads:
        parser.add_argument(
            "--up", choices=("Y", "Z"), help="up axis of the file, instead of a guess"
        )
        parser.add_argument(
            "--unit",
            metavar="M",
            type=above_zero,
            help="metres per unit of the file, instead of a guess",
        )
    return parser


def read_file(given: argparse.Namespace) -> Scene:
    """The scene of a command's file."""
    return read(given.file, unit=given.unit, up=given.up)


def check_out(given: argparse.Namespace) -> None:
    """Refuse to write over the file that is read."""
    if Path(given.out).exists() and Path(given.out).resolve() == Path(given.file).resolve():
        raise BadValue("OUT", "another file than IN", given.out)


def above_zero(text: str) -> float:
    """A number above 0."""
    number = float(text)
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is not a number above 0")
    return number


def not_negative(text: str) -> float:
    """A number that is 0 or above."""
    number = float(text)
    if not 0 <= number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is not a number from 0 on")
    return number


def whole(text: str) -> int:
    """A whole number above 0."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a whole number above 0")
    return number
