"""Ways to complete hops that benchmarks compare: splines, our network, and those of the paper."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from arcwright.arrays import Bools, Floats
from arcwright.errors import BadFile
from arcwright.tools.autocomplete.hops.database import HopDatabase
from arcwright.tools.autocomplete.key_spline import KeyedValues, interpolated
from arcwright.tools.autocomplete.network.completion_model import CompletionModel
from arcwright.tools.autocomplete.train.arnn import predicted
from arcwright.tools.autocomplete.train.export import exported
from arcwright.tools.autocomplete.train.plans import PLANS, Prepared, architecture_of, trained
from arcwright.tools.autocomplete.train.sequences import Normalisation

Complete = Callable[[Floats, Bools], Floats]
"""(B, T, C) completions of states (B, T, C), of which keys (B, T, C) may be looked at."""
PAPER = ("arnn", "arnn-plain", "feed-forward", "segregated")


@dataclass(frozen=True)
class Method:
    """A way to complete, and whether it takes keys of which only some channels are known."""

    name: str
    complete: Complete
    partial: bool = True


def keyed(states: Floats, known: Bools) -> KeyedValues:
    """Keys of one sequence (T, C); a frame is a second."""
    rows = np.flatnonzero(known.any(axis=1))
    return KeyedValues(rows.astype(float), states[rows], known[rows])


def pchip(states: Floats, known: Bools) -> Floats:
    """Shape-preserving cubic splines."""
    times = np.arange(states.shape[1], dtype=float)
    pairs = zip(states, known, strict=True)
    return np.stack([interpolated(keyed(own, keys), times) for own, keys in pairs])


def network(model: CompletionModel) -> Complete:
    """The likeliest answer of a model that counts time in frames."""

    def complete(states: Floats, known: Bools) -> Floats:
        times = np.arange(states.shape[1], dtype=float)
        pairs = zip(states, known, strict=True)
        return np.stack([model.complete(keyed(own, keys), times)[0] for own, keys in pairs])

    return complete


def paper_network(kind: str, weights: dict[str, np.ndarray], normal: Normalisation) -> Complete:
    """A network of the paper; of the states it is given nothing but keys."""
    tensors = {name: torch.from_numpy(each[:1]) for name, each in weights.items()}

    def complete(states: Floats, known: Bools) -> Floats:
        scored = np.where(known, normal.scored(states), 0.0).astype(np.float32)
        frames = torch.from_numpy(known.any(axis=2))[None]
        with torch.no_grad():
            found = predicted(kind, tensors, torch.from_numpy(scored)[None], frames)
        return found[0].numpy() * normal.deviation + normal.mean

    return complete


def framed_model(work: Path, name: str, ready: Prepared, index: int = 0) -> CompletionModel:
    """A trained residual network as a model whose time is counted in frames of the paper."""
    weights, _, steps = trained(name, work)
    single = {key: each[index] for key, each in weights.items()}
    examples = [ready.layouts[0].part(ready.train)]
    file = exported(
        architecture_of(6), single, examples, ready.normalisation, 1.0, f"{name}, {steps} steps"
    )
    return CompletionModel(name, file)


def methods(work: Path, ready: Prepared) -> list[Method]:
    """All that were trained with the same sequences; those that were not are named."""
    found = [Method("PCHIP", pchip)]
    for name in ("residual", *PAPER):
        try:
            if name == "residual":
                found.append(Method("ours", network(framed_model(work, name, ready))))
                continue
            weights, _, _ = trained(name, work)
        except BadFile as error:
            print(f"left out: {error}")
            continue
        complete = paper_network(PLANS[name].kind, weights, ready.normalisation)
        found.append(Method(name, complete, partial=False))
    return found


def steps_of(work: Path, name: str) -> int:
    """How long a plan was trained."""
    return trained(name, work)[2]


def sequences_of(hops: HopDatabase, ready: Prepared) -> tuple[Floats, np.ndarray, Bools]:
    """States (B, T, C), virtual keys (B, K) and contact (B, T) of what was held out."""
    test = ready.layouts[0].part(ready.test)
    assert len(test) == len(np.unique(ready.test)) <= len(hops)
    return test.states, test.keys, test.contact
