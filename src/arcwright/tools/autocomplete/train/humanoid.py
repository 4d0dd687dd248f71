"""`python -m arcwright.tools.autocomplete.train.humanoid`: the model of people that is shipped.

A command ends after `--minutes`; the same command goes on from there. Its exit status is 75 until
the training is done. `--method` trains one of the methods that it is compared with instead.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

import numpy as np
import torch

from arcwright.arrays import AnyArray
from arcwright.errors import ArcwrightError, BadValue
from arcwright.tools.autocomplete.body.body_architecture import BodyArchitecture
from arcwright.tools.autocomplete.body.body_file import write_body_file
from arcwright.tools.autocomplete.body.captures import Captures
from arcwright.tools.autocomplete.network.npz_file import write_npz
from arcwright.tools.autocomplete.train.body_export import exported
from arcwright.tools.autocomplete.train.body_methods import METHODS
from arcwright.tools.autocomplete.train.body_training import BodyCourse, Scores, train_body
from arcwright.tools.autocomplete.train.packed_captures import packed_captures

UNFINISHED = 75  # exit status: try again
HELD_OUT = (5, 18, 29, 40, 60, 75, 82, 102, 124, 138)  # subjects, every sixth
SIZES = {"width": 160, "heads": 8, "hidden": 320, "layers": 4, "latent": 8, "reach": 96}
STEPS, RATE = 9000, 1.5e-3
NUMBER = re.compile(r"(\d+)_(\d+)")


def split(captures: Captures, tests: Path | None) -> tuple[Captures, Captures]:
    """Clips to train on, and those of held-out subjects; clips of a folder of tests are in neither.

    Those are known by their CMU numbers.
    """
    files = tests.rglob("*.bvh") if tests is not None else ()
    known = {
        tuple(map(int, found.groups())) for each in files if (found := NUMBER.match(each.name))
    }
    numbers = [tuple(int(part) for part in name.split("_")) for name in captures.names]
    free = np.array([number not in known for number in numbers])
    held = np.isin(captures.subject, HELD_OUT)
    return captures.part(np.flatnonzero(free & ~held)), captures.part(np.flatnonzero(free & held))


def course_of(method: str, steps: int, minutes: float, seed: int = 0) -> BodyCourse:
    """How the humanoid model, or a method that it is compared with, is trained."""
    return BodyCourse(
        architecture=BodyArchitecture.of(23, **SIZES),
        steps=steps or STEPS,
        rate=RATE,
        seed=seed,
        seconds=60 * minutes,
        method=method,
        report=lambda line: print(line, flush=True),  # noqa: T201
    )


def saved_weights(path: Path) -> tuple[dict[str, AnyArray], Scores]:
    """What a training that is done wrote."""
    with np.load(path, allow_pickle=False) as stored:
        scores = Scores(*(stored[f"scores/{name}"] for name in ("mean", "deviation", "scale")))
        return {name: stored[name][0] for name in stored.files if "/" not in name}, scores


def main(words: list[str]) -> int:
    """Train, and write the model file once that is done."""
    parser = argparse.ArgumentParser("arcwright.tools.autocomplete.train.humanoid")
    parser.add_argument("--captures", required=True, help="packed captures, .npz")
    parser.add_argument("--tests", help="folder of BVH files that must not be trained on")
    parser.add_argument("--work", required=True, help="folder of checkpoints and weights")
    parser.add_argument("--out", help="model file")
    parser.add_argument("--method", choices=METHODS, default=METHODS[0])
    parser.add_argument("--steps", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=8.0)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(words)
    torch.set_num_threads(1)
    try:
        return _train(given, Path(given.work))
    except ArcwrightError as error:
        print(error, file=sys.stderr)  # noqa: T201
        return 2


def _train(given: argparse.Namespace, work: Path) -> int:
    captures = packed_captures(Path(given.captures))
    train, held = split(captures, Path(given.tests) if given.tests else None)
    if not len(train) or not len(held):
        raise BadValue("captures", "clips of held-out and of other subjects", "none of one kind")
    course = course_of(given.method, given.steps, given.minutes, given.seed)
    work.mkdir(parents=True, exist_ok=True)
    checkpoint = work / f"{given.method}.checkpoint.npz"
    weights, scores, progress, done = train_body(course, train, held, checkpoint)
    if not done:
        return UNFINISHED
    arrays: dict[str, AnyArray] = {name: each.detach().numpy() for name, each in weights.items()}
    parts = {f"scores/{name}": each for name, each in vars(scores).items()}
    curves = {f"curves/{name}": each for name, each in progress.arrays().items()}
    write_npz(work / f"{given.method}.npz", arrays | parts | curves)
    if given.out:
        single = {name: each[0] for name, each in arrays.items()}
        frames = len(train.position)
        about = (
            f"{len(train)} captures ({frames} frames at 30 a second) of "
            f"{len(np.unique(train.subject))} subjects of mocap.cs.cmu.edu; {progress.step} steps"
        )
        model = exported(course.architecture, single, scores, train, held, roles=True, about=about)
        write_body_file(given.out, model)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
