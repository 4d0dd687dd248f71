"""The course of any training: steps until they are done or the time is up, looks, checkpoints."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from arcwright.arrays import Floats
from arcwright.tools.autocomplete.train.checkpoint import State, load_checkpoint, save_checkpoint

Looks = dict[str, list[float]]
"""Numbers of each model by name."""


@dataclass(frozen=True, kw_only=True)
class Course:
    """How long a training goes on, where, and who hears of it."""

    steps: int = 4000
    looks: int = 60  # how often errors are measured
    seed: int = 0
    device: str = "cpu"
    graphs: bool = True  # a step is a CUDA graph where there is a GPU
    seconds: float = 480.0  # of one command; the rest is for the next
    save_every: float = 60.0  # s
    report: Callable[[str], None] = field(default=lambda _: None)

    def seed_of(self, step: int) -> int:
        """The seed of a step's random numbers: a course that was interrupted repeats none."""
        return self.seed * 1_000_003 + step


@dataclass
class Progress:
    """How far a training has come, and what was seen on the way."""

    step: int = 0
    seen: list[int] = field(default_factory=list)  # steps before each look
    curves: dict[str, list[list[float]]] = field(default_factory=dict)  # [look][model]

    def arrays(self) -> dict[str, Floats]:
        """Curves (looks, M) by name, and `curve_steps` (looks,)."""
        named = {f"curve_{name}": np.array(rows) for name, rows in self.curves.items()}
        return {"curve_steps": np.array(self.seen, dtype=np.float64), **named}


def follow(
    course: Course,
    state: State,
    advance: Callable[[int], None],
    look: Callable[[], Looks],
    checkpoint: Path | None,
    enough: Callable[[Progress], bool] = lambda _: False,
) -> tuple[Progress, bool]:
    """Take the steps of a course, and say whether all were taken or what was seen is `enough`.

    `advance` takes one, `look` measures. A checkpoint that exists is continued, and written every
    `save_every` seconds and at the end.
    """
    progress = Progress()
    if checkpoint is not None and checkpoint.exists():
        progress = Progress(**load_checkpoint(checkpoint, state))
    start = saved = time.perf_counter()
    every = max(course.steps // course.looks, 1)
    done = progress.step >= course.steps or enough(progress)
    while not done and time.perf_counter() - start < course.seconds:
        advance(progress.step)
        progress.step += 1
        if progress.step % every == 0 or progress.step == course.steps:
            _noted(course, progress, look(), time.perf_counter() - start)
            done = progress.step >= course.steps or enough(progress)
        if checkpoint is not None and time.perf_counter() - saved > course.save_every:
            saved = time.perf_counter()
            save_checkpoint(checkpoint, state, vars(progress))
    if checkpoint is not None:
        save_checkpoint(checkpoint, state, vars(progress))
    return progress, done


def _noted(course: Course, progress: Progress, found: Looks, seconds: float) -> None:
    progress.seen.append(progress.step)
    for name, values in found.items():
        progress.curves.setdefault(name, []).append(values)
    means = {name: round(float(np.mean(values)), 5) for name, values in found.items()}
    line = {"step": progress.step, "seconds": round(seconds, 1), **means}
    course.report(json.dumps(line))
