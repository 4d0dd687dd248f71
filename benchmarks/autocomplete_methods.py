"""Ways to complete hops that benchmarks compare: splines, our network, and those of the paper."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch

from arcwright.arrays import Bools, Floats
from arcwright.errors import BadFile
from arcwright.tools.autocomplete.hops.database import HopDatabase
from arcwright.tools.autocomplete.key_spline import KeyedValues, interpolated
from arcwright.tools.autocomplete.network.completion_model import CompletionModel
from arcwright.tools.autocomplete.network.model_file import packed
from arcwright.tools.autocomplete.train.arnn import Form, predicted
from arcwright.tools.autocomplete.train.arnn_training import placed, seen_states
from arcwright.tools.autocomplete.train.export import exported
from arcwright.tools.autocomplete.train.plans import PLANS, Plan, Prepared, architecture_of
from arcwright.tools.autocomplete.train.sequences import Normalisation
from arcwright.tools.autocomplete.train.trained import trained

Complete = Callable[[Floats, Bools], Floats]
"""(B, T, C) completions of states (B, T, C), of which keys (B, T, C) may be looked at."""
PAPER = ("arnn", "arnn-plain", "feed-forward", "segregated")


ABLATIONS = ("arnn-keyless", "arnn-relative", "arnn-frame-stage", "arnn-gravity")


@dataclass(frozen=True)
class Method:
    """A way to complete: a model for each seed, and whether it takes keys of some channels."""

    name: str
    models: tuple[Complete, ...]
    partial: bool = True

    def each(self, measure: Callable[[Complete], float]) -> np.ndarray:
        """(M,) a measure of every model."""
        return np.array([measure(model) for model in self.models])


def spread(values: np.ndarray, digits: int = 4) -> str:
    """Mean, and standard deviation over seeds where there are several."""
    text = f"{np.mean(values):.{digits}f}"
    return text if len(values) < 2 else f"{text} ± {np.std(values, ddof=1):.{digits}f}"


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


def paper_network(plan: Plan, weights: dict[str, np.ndarray], ready: Prepared) -> Complete:
    """A network of the paper; of the states it is given nothing but keys.

    Where base positions are relative, a key has the way from the frame before.
    """
    tensors = {name: torch.from_numpy(each[None]) for name, each in weights.items()}
    regime = plan.regime
    gates = Form.gates([regime.form], "cpu") if plan.kind == "recurrent" else None
    normal = Normalisation.of(seen_states(ready.sequences.states[ready.train], regime))

    def complete(states: Floats, known: Bools) -> Floats:
        scored = np.where(known, normal.scored(seen_states(states, regime)), 0.0)
        frames = torch.from_numpy(known.any(axis=2))[None]
        with torch.no_grad():
            poses = torch.from_numpy(scored.astype(np.float32))[None]
            found = predicted(tensors, poses, frames, gates)
        return placed(found[0].numpy() * normal.deviation + normal.mean, states, regime)

    return complete


def framed_models(work: Path, name: str, ready: Prepared) -> list[CompletionModel]:
    """Trained residual networks as models whose time is counted in frames of the paper."""
    found, network = trained(name, work), architecture_of(6)
    examples = [ready.layouts[0].part(ready.train)]
    about = f"{name}, {found.steps} steps"
    file = exported(network, found.single(0), examples, ready.normalisation, 1.0, about)
    return [
        CompletionModel(name, replace(file, weights=packed(network, found.single(index))))
        for index in range(len(found.seeds))
    ]


def methods(work: Path, ready: Prepared, names: tuple[str, ...] = PAPER) -> list[Method]:
    """Splines, our network and those of the paper; what was not trained is named."""
    found = [Method("PCHIP", (pchip,))]
    for name in ("residual", *names):
        try:
            if name == "residual":
                ours = framed_models(work, name, ready)
                found.append(Method("ours", tuple(network(each) for each in ours)))
                continue
            own = trained(name, work)
        except BadFile as error:
            print(f"left out: {error}")
            continue
        models = [own.single(index) for index in range(len(own.seeds))]
        several = tuple(paper_network(PLANS[name], each, ready) for each in models)
        found.append(Method(name, several, partial=False))
    return found


def steps_of(work: Path, name: str) -> int:
    """How long a plan was trained."""
    return trained(name, work).steps


def sequences_of(hops: HopDatabase, ready: Prepared) -> tuple[Floats, np.ndarray, Bools]:
    """States (B, T, C), virtual keys (B, K) and contact (B, T) of what was held out."""
    test = ready.layouts[0].part(ready.test)
    assert len(test) == len(np.unique(ready.test)) <= len(hops)
    return test.states, test.keys, test.contact
