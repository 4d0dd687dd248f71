"""Learning: a completion model of a user's own rig, from clips; a process of its own trains it.

The examples are read and checked here. The process needs PyTorch and no other part of Arcwright
than `tools/autocomplete`, and says how far it is in lines of JSON.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from arcwright.errors import ArcwrightError, BadValue, MissingExtra
from arcwright.open import read
from arcwright.tools.autocomplete.body.captures import write_captures
from arcwright.tools.autocomplete.body.held_out import split
from arcwright.tools.autocomplete.body.rig_captures import NamedTake, captures_of

TRAINER = "arcwright.tools.autocomplete.train.learn"
UNFINISHED = "the time was up: run it again to go on"


@dataclass(frozen=True)
class Training:
    """How far a training is."""

    step: int
    steps: int
    error: float  # held out, of the body's size
    done: bool  # no more steps are needed


def learn(
    clips: Sequence[NamedTake],
    out: Path,
    *,
    steps: int = 6000,
    minutes: float = 20.0,
    seed: int = 0,
    progress: Callable[[Training], None] = lambda _: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Training:
    """Write a model of the rig of some takes to `out`, and a report page beside it.

    Run again after an interruption, it goes on. Raises `BadValue` where there are too few examples
    or their rigs differ, `MissingExtra` without PyTorch.
    """
    captures = captures_of(clips)
    split(captures)
    if find_spec("torch") is None:
        raise MissingExtra("learning", "learn")
    examples = out.with_name(f"{out.name}.examples.npz")
    out.parent.mkdir(parents=True, exist_ok=True)
    write_captures(examples, captures)
    limits = [
        f"--{name}={value}"
        for name, value in (("steps", steps), ("minutes", minutes), ("seed", seed))
    ]
    command = [sys.executable, "-m", TRAINER, str(examples), "--out", str(out), *limits]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as process:
        state = _followed(process, steps, progress, cancelled)
        errors = process.stderr.read() if process.stderr is not None else ""
    if process.returncode and not cancelled():
        raise ArcwrightError(errors.strip().rpartition("\n")[2] or "the training ended early")
    if state.done:
        examples.unlink(missing_ok=True)
    return state


def _followed(
    process: subprocess.Popen[str],
    steps: int,
    progress: Callable[[Training], None],
    cancelled: Callable[[], bool],
) -> Training:
    """The last state that a process reports; it is ended where it is cancelled."""
    state = Training(0, steps, float("nan"), False)
    assert process.stdout is not None
    for line in process.stdout:
        report = json.loads(line)
        error = report.get("held_out", state.error)
        state = Training(int(report["step"]), steps, float(error), bool(report.get("done", False)))
        progress(state)
        if cancelled():
            process.terminate()
            break
    return state


def takes_of(files: Sequence[str | Path], character: str = "") -> list[NamedTake]:
    """All takes of a character, or of the first one, in some files."""
    found = []
    for path in map(Path, files):
        scene = read(path)
        if not scene.characters:
            raise BadValue("examples", "files with a character", f"none in {path.name}")
        actor = scene.actor(character) if character else scene.characters[0]
        for take in actor.takes:
            name = path.stem if len(actor.takes) == 1 else f"{path.stem}:{take.name}"
            found.append(NamedTake(name, take))
    return found
