"""`python -m arcwright.tools.autocomplete.train.learn`: what `arcwright learn` runs.

Progress is a line of JSON at every look; a command that is ended goes on where it was.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from arcwright.errors import ArcwrightError, MissingExtra
from arcwright.tools.autocomplete.body.captures import read_captures


def main(words: list[str]) -> int:
    """Train a model of the captures in a file."""
    parser = argparse.ArgumentParser("arcwright.tools.autocomplete.train.learn")
    parser.add_argument("captures", help="what `body.captures.write_captures` wrote")
    parser.add_argument("--out", required=True)
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args(words)
    if find_spec("torch") is None:
        print(MissingExtra("learning", "learn"), file=sys.stderr)  # noqa: T201
        return 2
    try:
        return _learn(given)
    except ArcwrightError as error:
        print(error, file=sys.stderr)  # noqa: T201
        return 2


def _learn(given: argparse.Namespace) -> int:
    import_module("torch").set_num_threads(given.threads)
    learning = import_module("arcwright.tools.autocomplete.train.learning")
    limits = learning.Limits(steps=given.steps, minutes=given.minutes, seed=given.seed)
    captures = read_captures(Path(given.captures))

    def report(line: str) -> None:
        print(line, flush=True)  # noqa: T201

    learning.learn(captures, Path(given.out), limits, report)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
