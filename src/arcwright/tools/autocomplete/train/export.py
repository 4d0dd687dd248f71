"""Export: what was trained as a model file, with examples and what distance to them is usual."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from arcwright.arrays import AnyArray, Bools, Floats
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
MOST_EXAMPLES = 240
QUERIES = 200  # that show what distance is usual
USUAL = 0.95  # share of queries that are not unlike the examples


def exported(
    architecture: Architecture,
    weights: Mapping[str, AnyArray],
    examples: Sequences,
    normalisation: Normalisation,
    frame_time: float,
    about: str,
) -> ModelFile:
    """A model file of weights by name, with examples from as many search runs as fit."""
    _, first = np.unique(examples.run, return_index=True)
    others = np.setdiff1d(np.arange(len(examples)), first)
    rows = np.concatenate([first, others])[:MOST_EXAMPLES]
    last = int(examples.keys[rows].max()) + 1
    scored = normalisation.scored(examples.states[rows, :last]).astype(np.float16)
    return ModelFile(
        architecture=architecture,
        channels=CHANNELS,
        relative=RELATIVE,
        mean=normalisation.mean,
        deviation=normalisation.deviation,
        frame_time=frame_time,
        weights=packed(architecture, dict(weights)),
        examples=scored,
        threshold=usual_distance(scored, examples.part(rows), RELATIVE),
        about=about,
    )


def usual_distance(scored: AnyArray, examples: Sequences, relative: Bools, seed: int = 0) -> float:
    """The distance that most queries of an example have to those of other search runs."""
    draw = np.random.default_rng(seed)
    singles = scored.astype(np.float32)
    if len(np.unique(examples.run)) < 2:
        raise BadValue("examples", "sequences of two search runs or more", "one")
    far: list[float] = []
    for _ in range(QUERIES):
        row = int(draw.integers(len(singles)))
        keys = examples.keys[row : row + 1]
        known = random_known(keys, singles.shape[1], singles.shape[2], draw)[0]
        frames = np.flatnonzero(known.any(axis=1))
        others = singles[examples.run != examples.run[row]]
        own: Floats = singles[row, frames].astype(np.float64)
        far.append(distance_to_examples(others, relative, frames, own, known[frames]))
    return float(np.quantile(far, USUAL))
