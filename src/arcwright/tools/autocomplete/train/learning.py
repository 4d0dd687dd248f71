"""Learning from a user's own clips: a body model of their rig, and a report page."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from arcwright.tools.autocomplete.body.body_architecture import BodyArchitecture
from arcwright.tools.autocomplete.body.body_file import BodyFile, write_body_file
from arcwright.tools.autocomplete.body.captures import Captures
from arcwright.tools.autocomplete.body.held_out import split
from arcwright.tools.autocomplete.train.body_export import exported
from arcwright.tools.autocomplete.train.body_training import BodyCourse, train_body
from arcwright.tools.autocomplete.train.course import Progress
from arcwright.tools.autocomplete.train.learn_report import write_report

SIZES = {"width": 96, "heads": 6, "hidden": 192, "layers": 3, "latent": 4, "reach": 64}


@dataclass(frozen=True)
class Limits:
    """How long a training goes on."""

    steps: int = 6000
    minutes: float = 20.0
    patience: int = 12  # looks without a better held-out error
    looks: int = 60
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Learned:
    """A model file and what is known of its training."""

    model: BodyFile
    progress: Progress
    done: bool  # False: the time was up
    trained: Captures
    held: Captures


def learn(captures: Captures, out: Path, limits: Limits, report: Callable[[str], None]) -> Learned:
    """Train a model of the rig of some clips, and write it with a page beside it.

    A checkpoint `OUT.checkpoint.npz` is continued, and removed once the training is done.
    """
    train, held = split(captures)
    course = BodyCourse(
        architecture=BodyArchitecture.of(len(captures.skeleton.names), **SIZES),
        steps=limits.steps,
        looks=limits.looks,
        seed=limits.seed,
        seconds=60 * limits.minutes,
        patience=limits.patience,
        save_every=20.0,
        report=report,
    )
    checkpoint = out.with_name(f"{out.name}.checkpoint.npz")
    weights, scores, progress, done = train_body(course, train, held, checkpoint)
    single = {name: each[0].detach().numpy() for name, each in weights.items()}
    about = f"{len(captures)} clips, {len(captures.position)} frames; {progress.step} steps"
    model = exported(course.architecture, single, scores, train, held, roles=False, about=about)
    write_body_file(out, model)
    learned = Learned(model, progress, done, train, held)
    write_report(out.with_suffix(".html"), model, progress, train, held)
    if done:
        checkpoint.unlink(missing_ok=True)
    report(json.dumps({"done": done, "step": progress.step, "out": str(out)}))
    return learned
