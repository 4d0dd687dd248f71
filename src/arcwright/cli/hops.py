"""`arcwright hops`: a database of a lamp's hops."""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from arcwright.cli.parser import Commands, add_command, whole

if TYPE_CHECKING:
    from arcwright.hop_search import Searched

BAR = 24  # characters
EVERY = 10.0  # s between lines where the output is no terminal


def add(commands: Commands) -> None:
    """Add the command."""
    command = add_command(commands, "hops", run, reads=False)
    command.add_argument("--count", metavar="N", type=whole, default=300, help="sequences")
    command.add_argument("--out", metavar="OUT.npz", required=True)
    command.add_argument(
        "--seed", metavar="N", type=int, default=0, help="the same seed finds the same hops"
    )
    command.add_argument("--workers", metavar="N", type=whole, help="one for each core by default")
    command.add_argument(
        "--search",
        choices=("shaped", "paper"),
        default="shaped",
        help="the search, or the plain annealing of the paper",
    )


def run(given: argparse.Namespace) -> None:
    """Search controllers that make a simulated lamp hop; run again to go on where it ended."""
    from arcwright.hop_search import collect

    out = Path(given.out)
    line = _Line(given.count)
    start = time.monotonic()
    state = collect(
        given.count,
        out,
        seed=given.seed,
        search=given.search,
        workers=given.workers,
        progress=line,
    )
    line.end()
    seconds = time.monotonic() - start
    if given.json:
        print(json.dumps({"out": str(out), "seconds": seconds, **asdict(state)}))
        return
    share = 100 * state.good / state.runs
    print(f"wrote {out}: {given.count} sequences, in {seconds:.0f} s")
    print(f"{state.good} of {state.runs} search runs were good ({share:.0f} %)")


class _Line:
    """Progress on standard error: one line of a terminal, else a line now and then."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.terminal = sys.stderr.isatty()
        self.start = time.monotonic()
        self.first: int | None = None
        self.next = 0.0

    def __call__(self, state: Searched) -> None:
        """Show how far it is."""
        now = time.monotonic()
        self.first = state.sequences if self.first is None else self.first
        if now < self.next:
            return
        self.next = now + (0.5 if self.terminal else EVERY)
        found = min(state.sequences, self.count)
        bar = "=" * (BAR * found // self.count)
        text = f"[{bar:{BAR}}] {found} of {self.count} sequences, {state.runs} search runs"
        fresh = state.sequences - self.first
        if fresh > 0:
            left = (self.count - found) * (now - self.start) / fresh
            text += f", {int(left // 60)}:{int(left % 60):02} to go"
        print(
            f"\r{text}" if self.terminal else text,
            end="" if self.terminal else "\n",
            file=sys.stderr,
            flush=True,
        )

    def end(self) -> None:
        """Leave the line of a terminal."""
        if self.terminal:
            print(file=sys.stderr)
