"""Plans carried out: trainings of one program, and the files of weights that they end in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from arcwright.arrays import AnyArray, Floats, Ints
from arcwright.errors import BadFile
from arcwright.tools.autocomplete.hops.database import HopDatabase
from arcwright.tools.autocomplete.train.arnn import Parameters
from arcwright.tools.autocomplete.train.arnn_training import ArnnCourse, PaperVariant, train_arnn
from arcwright.tools.autocomplete.train.course import Progress
from arcwright.tools.autocomplete.train.plans import PLANS, Prepared, architecture_of, prepared
from arcwright.tools.autocomplete.train.residual_training import (
    ResidualCourse,
    Variant,
    train_residual,
)
from arcwright.tools.autocomplete.train.sequences import RELATIVE

CURVE = "curve_"  # before the names of curves in a file


@dataclass(frozen=True)
class Machine:
    """Where and for how long one command trains."""

    device: str = "cpu"
    seconds: float = 480.0
    seeds: int = 1
    workers: int = 0  # processes that make queries
    graphs: bool = True  # a step is a CUDA graph where there is a GPU
    report: Callable[[str], None] = print


@dataclass(frozen=True, eq=False)
class Trained:
    """The models of a plan."""

    weights: dict[str, AnyArray]  # (M, ...)
    counts: Ints  # (M,) training sequences
    seeds: Ints  # (M,)
    steps: int
    curve_steps: Floats  # (looks,) steps before each look
    curves: dict[str, Floats]  # (looks, M) errors at each look

    def single(self, model: int) -> dict[str, AnyArray]:
        """The weights of one model."""
        return {name: each[model] for name, each in self.weights.items()}


def train(
    names: tuple[str, ...], hops: HopDatabase, work: Path, machine: Machine, steps: int = 0
) -> bool:
    """Go on with plans of one program; whether they are done, and `WORK/NAME.npz` is written."""
    ready = prepared(PLANS[names[0]], hops, work / "timed.npz")
    checkpoint = work / f"{'+'.join(names)}.checkpoint.npz"
    if PLANS[names[0]].kind == "residual":
        weights, progress, done = _residual(names[0], ready, machine, steps, checkpoint)
        counts = [len(each.rows) for each in _variants(names[0], ready, machine)]
    else:
        weights, progress, done = _paper(names, ready, machine, steps, checkpoint)
        counts = [len(ready.train)] * (len(names) * machine.seeds)
    if done:
        own = {key: each.cpu().numpy() for key, each in weights.items()}
        size = len(counts) // len(names)
        for index, name in enumerate(names):
            part = slice(index * size, (index + 1) * size)
            _write(work / f"{name}.npz", own, counts, progress, part, machine)
    return done


def _variants(name: str, ready: Prepared, machine: Machine) -> list[Variant]:
    """A model for each count of sequences and each seed; one where it is to be shipped."""
    seeds = 1 if PLANS[name].timed else machine.seeds
    rows = [ready.train[: count or None] for count in PLANS[name].counts]
    return [Variant(seed, own) for own in rows for seed in range(seeds)]


def _residual(
    name: str, ready: Prepared, machine: Machine, steps: int, checkpoint: Path
) -> tuple[Parameters, Progress, bool]:
    plan, normal = PLANS[name], ready.normalisation
    course = ResidualCourse(
        architecture=architecture_of(ready.sequences.states.shape[2]),
        steps=steps or plan.steps,
        channels=plan.channels,
        workers=machine.workers,
        device=machine.device,
        graphs=machine.graphs,
        seconds=machine.seconds,
        report=machine.report,
    )
    models = _variants(name, ready, machine)
    return train_residual(course, ready.layouts, normal, RELATIVE, models, ready.test, checkpoint)


def _paper(
    names: tuple[str, ...], ready: Prepared, machine: Machine, steps: int, checkpoint: Path
) -> tuple[Parameters, Progress, bool]:
    plans = [PLANS[name] for name in names]
    course = ArnnCourse(
        kind=plans[0].kind,
        steps=steps or plans[0].steps,
        device=machine.device,
        graphs=machine.graphs,
        seconds=machine.seconds,
        report=machine.report,
    )
    seeds = range(machine.seeds)
    models = [PaperVariant(seed, ready.train, plan.regime) for plan in plans for seed in seeds]
    return train_arnn(course, ready.sequences, models, ready.test, checkpoint)


def _write(
    path: Path,
    weights: dict[str, AnyArray],
    counts: list[int],
    progress: Progress,
    part: slice,
    machine: Machine,
) -> None:
    """The models of one plan."""
    curves = progress.arrays()
    steps = curves.pop("curve_steps")
    arrays = {name: each[part] for name, each in weights.items()}
    arrays |= {name: each[:, part] for name, each in curves.items()}
    seeds = np.arange(len(counts[part])) % machine.seeds
    own = {"counts": np.array(counts[part]), "seeds": seeds, "steps": np.array(progress.step)}
    np.savez(path, allow_pickle=False, curve_steps=steps, **arrays, **own)


def trained(name: str, work: Path) -> Trained:
    """The models that a plan ended in."""
    path = work / f"{name}.npz"
    if not path.exists():
        raise BadFile(path, "does not exist", "train the plan first")
    with np.load(path, allow_pickle=False) as stored:
        arrays = {key: stored[key] for key in stored.files}
    counts, seeds, steps, looks = (
        arrays.pop(key) for key in ("counts", "seeds", "steps", "curve_steps")
    )
    curves = {
        key.removeprefix(CURVE): arrays.pop(key) for key in [*arrays] if key.startswith(CURVE)
    }
    return Trained(arrays, counts, seeds, int(steps), looks, curves)
