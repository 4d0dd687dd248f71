"""Export: what was trained as a model file, with examples and what distance to them is usual."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from arcwright.arrays import AnyArray, Floats
from arcwright.errors import BadValue
from arcwright.tools.autocomplete.network.architecture import Architecture
from arcwright.tools.autocomplete.network.example_distance import distance_to_examples
from arcwright.tools.autocomplete.network.model_file import ModelFile, packed
from arcwright.tools.autocomplete.train.queries import random_known
from arcwright.tools.autocomplete.train.sequences import RELATIVE, Normalisation, Sequences

CHANNELS = (
    *("Base.translate.z", "Base.translate.y", "Base.rotate.x"),
    *("LowerArm.rotate.x", "UpperArm.rotate.x", "Shade.rotate.x"),
)
MOST_EXAMPLES = 120  # of each layout
QUERIES = 200  # that show what distance is usual
USUAL = 0.95  # share of queries that are not unlike the examples


def exported(
    architecture: Architecture,
    weights: Mapping[str, AnyArray],
    layouts: Sequence[Sequences],
    normalisation: Normalisation,
    frame_time: float,
    about: str,
) -> ModelFile:
    """A model file of weights by name, with examples of as many search runs as fit."""
    run = layouts[0].run
    _, first = np.unique(run, return_index=True)
    others = np.setdiff1d(np.arange(len(run)), first)
    rows = np.concatenate([first, others])[:MOST_EXAMPLES]
    parts = [layout.part(rows) for layout in layouts]
    last = max(int(part.keys.max()) for part in parts)
    scored = [_to_length(normalisation.scored(part.states), last + 1) for part in parts]
    examples = np.concatenate(scored).astype(np.float16)
    return ModelFile(
        architecture=architecture,
        channels=CHANNELS,
        relative=RELATIVE,
        mean=normalisation.mean,
        deviation=normalisation.deviation,
        frame_time=frame_time,
        weights=packed(architecture, dict(weights)),
        examples=examples,
        threshold=usual_distance(examples, parts),
        about=about,
    )


def _to_length(states: Floats, count: int) -> Floats:
    """(N, count, C) frames: cut, or at rest at the end."""
    more = max(count - states.shape[1], 0)
    return np.pad(states[:, :count], ((0, 0), (0, more), (0, 0)), mode="edge")


def usual_distance(examples: AnyArray, parts: Sequence[Sequences], seed: int = 0) -> float:
    """The distance that most queries of an example have to those of other search runs."""
    draw = np.random.default_rng(seed)
    scored = np.ascontiguousarray(examples.transpose(2, 0, 1), dtype=np.float32)
    runs = np.concatenate([part.run for part in parts])
    if len(np.unique(runs)) < 2:
        raise BadValue("examples", "sequences of two search runs or more", "one")
    keys = [row for part in parts for row in part.keys]
    far: list[float] = []
    for _ in range(QUERIES):
        row = int(draw.integers(len(runs)))
        known = random_known(keys[row][None], scored.shape[2], scored.shape[0], draw)[0]
        frames = np.flatnonzero(known.any(axis=1))
        own = scored[:, row, frames].T.astype(np.float64)
        others = scored[:, runs != runs[row]]
        far.append(distance_to_examples(others, RELATIVE, frames, own, known[frames]))
    return float(np.quantile(far, USUAL))
