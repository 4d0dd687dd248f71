"""Model file of a body model: network, skeleton, scores and examples, in one small `.npz`."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from pathlib import Path

import numpy as np

from arcwright.arrays import AnyArray, Floats, frozen
from arcwright.errors import BadFile, BadValue, faults_of
from arcwright.tools.autocomplete.body.body_architecture import BodyArchitecture
from arcwright.tools.autocomplete.body.rounded import Rounded
from arcwright.tools.autocomplete.body.skeleton import Skeleton
from arcwright.tools.autocomplete.network.npz_file import (
    read_npz,
    stored_array,
    stored_number,
    stored_text,
    write_npz,
)

FORMAT, VERSION = "arcwright body model", 1
WHAT = "body model"
FARTHEST = 1000.0  # leg lengths, and a residual's scale: more is damage


@dataclass(frozen=True, eq=False)
class BodyFile:
    """All that a body model is made of."""

    architecture: BodyArchitecture
    skeleton: Skeleton
    size: float  # m, the length that counts as 1: of a leg
    roles: bool  # whether it completes any body with the same roles of joints
    mean: AnyArray  # (F,) of inputs
    deviation: AnyArray  # (F,) of inputs
    scale: AnyArray  # (C,) of outputs: rad, and leg lengths
    frame_time: float  # s between tokens
    weights: Rounded
    examples: AnyArray  # (N, T, 3 J + 3) float16 rotation vectors, and places of the root
    example_time: float  # s between poses of examples
    labels: tuple[str, ...]  # (N,)
    threshold: float  # distance to the examples that is usual at most
    about: str = ""  # what it was trained on

    def __post_init__(self) -> None:
        shape = self.architecture
        if len(self.skeleton.names) != shape.joints or shape.channels % 3:
            raise BadValue("skeleton", f"{shape.joints} joints", len(self.skeleton.names))
        for name, size in (
            ("mean", shape.inputs),
            ("deviation", shape.inputs),
            ("scale", shape.channels),
        ):
            given = frozen(getattr(self, name), name, (size,), np.float32)
            object.__setattr__(self, name, given)
        for name in ("deviation", "scale"):
            if not 1e-9 < getattr(self, name).min() <= getattr(self, name).max() < FARTHEST:
                raise BadValue(name, "numbers above 0", "others")
        object.__setattr__(self, "weights", self.weights.checked(shape))
        examples = frozen(self.examples, "examples", ("N", "T", shape.channels), np.float16)
        object.__setattr__(self, "examples", examples)
        if 0 in examples.shape or abs(examples).max() > FARTHEST:
            raise BadValue("examples", f"numbers up to {FARTHEST:g}", examples.shape)
        if len(self.labels) != len(examples):
            raise BadValue("labels", f"{len(examples)} texts", len(self.labels))
        for name, low, high in (
            *(("size", 1e-3, 1e3), ("frame_time", 1e-4, 10.0)),
            *(("example_time", 1e-4, 10.0), ("threshold", 1e-6, 1e6)),
        ):
            if not low <= getattr(self, name) <= high:
                raise BadValue(name, f"a number from {low:g} to {high:g}", getattr(self, name))


def write_body_file(path: str | Path, model: BodyFile) -> None:
    """Write a model file; the same model gives the same bytes."""
    skeleton, weights = model.skeleton, model.weights
    write_npz(
        Path(path),
        {
            "format": np.array(FORMAT),
            "version": np.array(VERSION),
            "architecture": np.array(astuple(model.architecture)),
            "joints": np.array(skeleton.names),
            "parents": skeleton.parents,
            "offsets": skeleton.offsets,
            "size": np.array(model.size),
            "roles": np.array(model.roles),
            "mean": model.mean,
            "deviation": model.deviation,
            "scale": model.scale,
            "frame_time": np.array(model.frame_time),
            "weights": weights.matrices,
            "steps": weights.steps,
            "vectors": weights.vectors,
            "examples": model.examples,
            "example_time": np.array(model.example_time),
            "labels": np.array(model.labels),
            "threshold": np.array(model.threshold),
            "about": np.array(model.about),
        },
    )


def read_body_file(path: str | Path) -> BodyFile:
    """Read a model file; a damaged one is refused with what is wrong."""
    stored = read_npz(Path(path), WHAT)

    def array(name: str, kinds: str, axes: int) -> AnyArray:
        return stored_array(stored, name, path, WHAT, kinds, axes)

    if stored_text(stored, "format", path, WHAT) != FORMAT:
        raise BadFile(path, f"is no {WHAT}")
    if int(stored_number(stored, "version", path, WHAT)) != VERSION:
        raise BadFile(path, f"is a {WHAT} of another version", f"this is version {VERSION}")
    sizes = array("architecture", "iu", 1)
    if sizes.shape != (8,):
        raise BadFile(path, f"is no {WHAT}: it lacks its architecture")
    offsets: Floats = array("offsets", "f", 2)
    with faults_of(path):
        names = tuple(str(name) for name in array("joints", "U", 1))
        return BodyFile(
            BodyArchitecture(*(int(number) for number in sizes)),
            Skeleton(names, array("parents", "iu", 1), offsets),
            stored_number(stored, "size", path, WHAT),
            bool(array("roles", "b", 0)),
            *(array("mean", "f", 1), array("deviation", "f", 1), array("scale", "f", 1)),
            stored_number(stored, "frame_time", path, WHAT),
            Rounded(array("weights", "i", 1), array("steps", "f", 1), array("vectors", "f", 1)),
            array("examples", "f", 3),
            stored_number(stored, "example_time", path, WHAT),
            tuple(str(label) for label in array("labels", "U", 1)),
            stored_number(stored, "threshold", path, WHAT),
            stored_text(stored, "about", path, WHAT),
        )
