"""Model file: a completion network, the channels it knows, and examples, in one small `.npz`."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from math import prod
from pathlib import Path

import numpy as np

from arcwright.arrays import AnyArray, Bools, Floats, frozen
from arcwright.errors import BadFile, BadValue, faults_of
from arcwright.tools.autocomplete.network.architecture import Architecture
from arcwright.tools.autocomplete.network.npz_file import (
    read_npz,
    stored_array,
    stored_number,
    stored_text,
    write_npz,
)

FORMAT, VERSION = "arcwright completion model", 1
WHAT = "completion model"
MOST_SHIPPED = 2_000_000  # bytes of a model that comes with Arcwright
LARGEST_SCORE = 100.0  # z-score that an example may have


@dataclass(frozen=True, eq=False)
class ModelFile:
    """All that a completion model is made of."""

    architecture: Architecture
    channels: tuple[str, ...]  # (C,) as `Rig.channel_names` has them
    relative: Bools  # (C,) only differences between keys count: ground positions
    mean: Floats  # (C,) m or rad
    deviation: Floats  # (C,) m or rad; below 0 where the channel is mirrored
    frame_time: float  # s between tokens
    weights: AnyArray  # (W,) float16, in the order of `Architecture.shapes`
    examples: AnyArray  # (N, T, C) float16 z-scores, frame_time apart
    threshold: float  # distance to the examples that is usual at most
    about: str = ""  # what it was trained on

    def __post_init__(self) -> None:
        count = self.architecture.channels
        if len(self.channels) != count or len(set(self.channels)) != count:
            raise BadValue("channels", f"{count} different names", len(self.channels))
        for name, shape, kind in (
            ("relative", (count,), np.bool_),
            ("mean", (count,), np.float64),
            ("deviation", (count,), np.float64),
            ("weights", (self.architecture.weights,), np.float16),
            ("examples", ("N", "T", count), np.float16),
        ):
            object.__setattr__(self, name, frozen(getattr(self, name), name, shape, kind))
        if not 1e-6 < abs(self.deviation).min() <= abs(self.deviation).max() < 1e6:
            raise BadValue("deviation", "numbers other than 0", self.deviation.tolist())
        if abs(self.examples).max(initial=0.0) > LARGEST_SCORE or 0 in self.examples.shape:
            raise BadValue("examples", f"z-scores up to {LARGEST_SCORE:g}", self.examples.shape)
        if not 1e-4 <= self.frame_time <= 10:
            raise BadValue("frame_time", "seconds from 0.0001 to 10", self.frame_time)
        if not 1e-6 <= self.threshold <= 1e6:
            raise BadValue("threshold", "a number above 0", self.threshold)

    def unpacked(self) -> dict[str, AnyArray]:
        """The weights by name, float32."""
        shapes = self.architecture.shapes()
        ends = np.cumsum([prod(shape) for shape in shapes.values()])
        parts = np.split(self.weights.astype(np.float32), ends[:-1])
        return {n: p.reshape(s) for (n, s), p in zip(shapes.items(), parts, strict=True)}


def packed(architecture: Architecture, weights: dict[str, AnyArray]) -> AnyArray:
    """(W,) float16 of weights by name."""
    return np.concatenate(
        [np.asarray(weights[name], np.float16).ravel() for name in architecture.shapes()]
    )


def write_model(path: str | Path, model: ModelFile) -> None:
    """Write a model file; the same model gives the same bytes."""
    write_npz(
        Path(path),
        {
            "format": np.array(FORMAT),
            "version": np.array(VERSION),
            "architecture": np.array(astuple(model.architecture)),
            "channels": np.array(model.channels),
            "relative": model.relative,
            "mean": model.mean,
            "deviation": model.deviation,
            "frame_time": np.array(model.frame_time),
            "weights": model.weights,
            "examples": model.examples,
            "threshold": np.array(model.threshold),
            "about": np.array(model.about),
        },
    )


def read_model(path: str | Path) -> ModelFile:
    """Read a model file; a damaged one is refused with what is wrong."""
    arrays = read_npz(Path(path), WHAT)
    if stored_text(arrays, "format", path, WHAT) != FORMAT:
        raise BadFile(path, f"is no {WHAT}")
    if int(stored_number(arrays, "version", path, WHAT)) != VERSION:
        raise BadFile(path, f"is a {WHAT} of another version", f"this is version {VERSION}")
    architecture = arrays.get("architecture", np.zeros(0))
    if architecture.shape != (8,) or architecture.dtype.kind not in "iu":
        raise BadFile(path, f"is no {WHAT}: it lacks its architecture")
    with faults_of(path):
        return ModelFile(
            Architecture(*(int(number) for number in architecture)),
            tuple(str(name) for name in stored_array(arrays, "channels", path, WHAT, "U", 1)),
            stored_array(arrays, "relative", path, WHAT, "b", 1),
            stored_array(arrays, "mean", path, WHAT, "f", 1),
            stored_array(arrays, "deviation", path, WHAT, "f", 1),
            stored_number(arrays, "frame_time", path, WHAT),
            stored_array(arrays, "weights", path, WHAT, "f", 1),
            stored_array(arrays, "examples", path, WHAT, "f", 3),
            stored_number(arrays, "threshold", path, WHAT),
            stored_text(arrays, "about", path, WHAT),
        )
