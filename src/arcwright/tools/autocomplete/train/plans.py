"""Plans: the trainings that the shipped model and the published figures come from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from arcwright.arrays import AnyArray, Ints
from arcwright.errors import BadFile, BadValue
from arcwright.tools.autocomplete.hops.database import HopDatabase
from arcwright.tools.autocomplete.network.architecture import Architecture
from arcwright.tools.autocomplete.train.arnn import KINDS
from arcwright.tools.autocomplete.train.arnn_training import ArnnCourse, train_arnn
from arcwright.tools.autocomplete.train.residual_training import (
    ResidualCourse,
    Variant,
    train_residual,
)
from arcwright.tools.autocomplete.train.sequences import (
    RELATIVE,
    Normalisation,
    Sequences,
    paper_sequences,
    split_by_run,
    timed_sequences,
)

BASE_FIRST = (5.0, 5.0, 2.0, 1.0, 1.0, 1.0)  # a base that slides is seen sooner than a late joint
TEST = 40  # sequences that no plan trains on


@dataclass(frozen=True)
class Plan:
    """One training: its network, its sequences and how long it goes on."""

    kind: str  # "residual" or one of `arnn.KINDS`
    timed: bool = False  # in real time, too, which the z-scores are of
    counts: tuple[int, ...] = (80,)  # training sequences, a model for each; 0 for all there are
    steps: int = 3000
    channels: tuple[float, ...] = ()  # weights of errors in each
    curriculum: bool = True


PLANS = {
    "lamp": Plan("residual", timed=True, counts=(0,), steps=5000, channels=BASE_FIRST),
    "residual": Plan("residual"),
    "arnn": Plan("arnn", steps=6000),
    "arnn-plain": Plan("arnn", steps=6000, curriculum=False),
    "feed-forward": Plan("feed-forward", steps=6000),
    "segregated": Plan("segregated", steps=6000),
    "sizes": Plan("residual", counts=(20, 80, 320)),
}


@dataclass(frozen=True, eq=False)
class Prepared:
    """The sequences of a plan and which of them are trained on; the rest were held out."""

    layouts: tuple[Sequences, ...]  # the same ones on different grids
    train: Ints  # rows of the largest of the counts
    test: Ints  # rows
    normalisation: Normalisation  # of training sequences in the last layout

    @property
    def sequences(self) -> Sequences:
        """In the last layout."""
        return self.layouts[-1]


def prepared(plan: Plan, hops: HopDatabase) -> Prepared:
    """The sequences of a plan, split by run; ground positions are z-scored by training frames."""
    train, test = split_by_run(paper_sequences(hops), TEST)
    if max(plan.counts) > len(train):
        raise BadValue("sequences", f"{max(plan.counts)} to train on", len(train))
    train = train[: max(plan.counts) if all(plan.counts) else None]
    layouts: tuple[Sequences, ...] = (paper_sequences(hops),)
    if plan.timed:
        layouts = (*layouts, timed_sequences(hops))
    return Prepared(layouts, train, test, Normalisation.of(layouts[-1].states[train]))


def variants(plan: Plan, ready: Prepared, seeds: int) -> list[Variant]:
    """A model for each count of sequences and each seed."""
    found = []
    for count in plan.counts:
        rows = ready.train[: count or None]
        found += [Variant(seed, rows) for seed in range(seeds)]
    return found


def architecture_of(channels: int) -> Architecture:
    """The architecture of all residual networks."""
    return Architecture(channels, latent=4)


@dataclass(frozen=True)
class Machine:
    """Where and for how long one command trains."""

    device: str = "cpu"
    seconds: float = 480.0
    seeds: int = 1
    report: Callable[[str], None] = print


def train(name: str, hops: HopDatabase, work: Path, machine: Machine, steps: int = 0) -> bool:
    """Go on with a plan, and write `WORK/NAME.npz` once it is done; whether it is."""
    plan = PLANS[name]
    ready = prepared(plan, hops)
    models = variants(plan, ready, machine.seeds)
    checkpoint = work / f"{name}.checkpoint.npz"
    own = {"device": machine.device, "seconds": machine.seconds, "report": machine.report}
    count = steps or plan.steps
    sequences, normal = ready.sequences, ready.normalisation
    if plan.kind in KINDS:
        arnn = ArnnCourse(plan.kind, count, curriculum=plan.curriculum, **own)  # type: ignore[arg-type]
        weights, done = train_arnn(arnn, sequences, normal, models, checkpoint)
    else:
        network = architecture_of(sequences.states.shape[2])
        own |= {"channels": plan.channels}
        course = ResidualCourse(network, count, **own)  # type: ignore[arg-type]
        weights, done = train_residual(course, ready.layouts, normal, RELATIVE, models, checkpoint)
    if done:
        arrays = {key: each.cpu().numpy() for key, each in weights.items()}
        counts = np.array([len(each.rows) for each in models])
        seeds = np.array([each.seed for each in models])
        np.savez(work / f"{name}.npz", **arrays, counts=counts, seeds=seeds, steps=count)
    return done


def trained(name: str, work: Path) -> tuple[dict[str, AnyArray], AnyArray, int]:
    """Weights (M, ...) of a plan, how many sequences each model saw, and its steps."""
    path = work / f"{name}.npz"
    if not path.exists():
        raise BadFile(path, "does not exist", "train the plan first")
    with np.load(path, allow_pickle=False) as stored:
        arrays = {key: stored[key] for key in stored.files}
    counts, _, steps = (arrays.pop(key) for key in ("counts", "seeds", "steps"))
    return arrays, counts, int(steps)
