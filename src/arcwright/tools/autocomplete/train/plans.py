"""Plans: the trainings that the shipped model and the published figures come from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from arcwright.arrays import Ints
from arcwright.errors import BadValue
from arcwright.tools.autocomplete.hops.database import HopDatabase
from arcwright.tools.autocomplete.network.architecture import Architecture
from arcwright.tools.autocomplete.train.arnn import Form
from arcwright.tools.autocomplete.train.arnn_training import Regime
from arcwright.tools.autocomplete.train.sequences import (
    Normalisation,
    Sequences,
    paper_sequences,
    split_by_run,
    stored_timed_sequences,
)

BASE_FIRST = (5.0, 5.0, 2.0, 1.0, 1.0, 1.0)  # a base that slides is seen sooner than a late joint
TEST = 40  # sequences that no plan trains on
EPOCHS = 5300  # after which an ARNN no longer improves


@dataclass(frozen=True)
class Plan:
    """One training: its network, its sequences and how long it goes on."""

    kind: str  # "residual" or one of `arnn.KINDS`
    timed: bool = False  # in real time, too, which the z-scores are of
    counts: tuple[int, ...] = (80,)  # training sequences, a model for each; 0 for all there are
    steps: int = 3000
    channels: tuple[float, ...] = ()  # weights of errors in each
    regime: Regime = field(default_factory=Regime)  # of networks of the paper


PLANS = {
    "lamp": Plan("residual", timed=True, counts=(0,), steps=8000, channels=BASE_FIRST),
    "residual": Plan("residual"),
    "sizes": Plan("residual", counts=(40, 80, 240, 1000)),
    "feed-forward": Plan("feed-forward", steps=EPOCHS),
    "arnn": Plan("recurrent", steps=EPOCHS),
    "arnn-plain": Plan("recurrent", steps=EPOCHS, regime=Regime(curriculum=False)),
    "segregated": Plan(
        "recurrent", steps=EPOCHS, regime=Regime(Form(sees_keys=False, corrected=True))
    ),
    "arnn-keyless": Plan("recurrent", steps=EPOCHS, regime=Regime(Form(sees_keys=False))),
    "arnn-relative": Plan("recurrent", steps=EPOCHS, regime=Regime(relative=True)),
    "arnn-frame-stage": Plan("recurrent", steps=EPOCHS, regime=Regime(frame_stage=True)),
    "arnn-gravity": Plan("recurrent", steps=EPOCHS, regime=Regime(less_gravity=True)),
}


def programs(names: Iterable[str]) -> list[tuple[str, ...]]:
    """Plans by what is trained together: recurrent networks take no longer for being many."""
    every = list(names)
    together = tuple(name for name in every if PLANS[name].kind == "recurrent")
    alone: list[tuple[str, ...]] = [(name,) for name in every if name not in together]
    return [*alone, together] if together else alone


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


def prepared(plan: Plan, hops: HopDatabase, timed: Path | None = None) -> Prepared:
    """The sequences of a plan, split by run; ground positions are z-scored by training frames.

    `timed` is a file that keeps those in real time.
    """
    train, test = split_by_run(paper_sequences(hops), TEST)
    if max(plan.counts) > len(train):
        raise BadValue("sequences", f"{max(plan.counts)} to train on", len(train))
    train = train[: max(plan.counts) if all(plan.counts) else None]
    layouts: tuple[Sequences, ...] = (paper_sequences(hops),)
    if plan.timed:
        layouts = (*layouts, stored_timed_sequences(hops, timed))
    return Prepared(layouts, train, test, Normalisation.of(layouts[-1].states[train]))


def architecture_of(channels: int) -> Architecture:
    """The architecture of all residual networks."""
    return Architecture(channels, latent=4)
