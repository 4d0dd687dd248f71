"""`arcwright learn`: a completion model of your own rig, from your own clips."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from arcwright.cli.parser import Commands, add_command, whole

if TYPE_CHECKING:
    from arcwright.learning import Training


def add(commands: Commands) -> None:
    """Add the command."""
    command = add_command(commands, "learn", run, reads=False)
    command.add_argument("files", metavar="CLIP", nargs="+", help="files whose takes are examples")
    command.add_argument("--out", metavar="OUT.model", required=True)
    command.add_argument(
        "--character", metavar="NAME", default="", help="the first one of each file by default"
    )
    command.add_argument("--steps", metavar="N", type=whole, default=6000, help="at most")
    command.add_argument(
        "--minutes", metavar="M", type=float, default=20.0, help="at most; run again to go on"
    )
    command.add_argument("--seed", metavar="N", type=int, default=0)


def run(given: argparse.Namespace) -> None:
    """Train a model that completes motions of your rig as your clips move; with a report page."""
    from arcwright.learning import UNFINISHED, learn, takes_of

    out = Path(given.out)
    clips = takes_of(given.files, given.character)
    limits = {"steps": given.steps, "minutes": given.minutes, "seed": given.seed}
    state = learn(clips, out, **limits, progress=_shown)
    if given.json:
        print(json.dumps({"out": str(out), "clips": len(clips), **asdict(state)}))
        return
    print(f"wrote {out} and {out.with_suffix('.html')}: {len(clips)} clips, {state.step} steps")
    if not state.done:
        print(UNFINISHED)


def _shown(state: Training) -> None:
    """A line of progress on standard error."""
    text = f"step {state.step} of {state.steps} at most, held-out error {state.error:.4f}"
    end = "\r" if sys.stderr.isatty() else "\n"
    print(text, end=end, file=sys.stderr, flush=True)
