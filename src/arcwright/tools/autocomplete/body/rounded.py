"""Rounded weights: one byte for each number of a matrix, with a step for each of its columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod

import numpy as np

from arcwright.arrays import AnyArray, frozen
from arcwright.tools.autocomplete.network.architecture import Architecture

LARGEST = 127


@dataclass(frozen=True, eq=False)
class Rounded:
    """All weights of a network in the order of `Architecture.shapes`."""

    matrices: AnyArray  # (M,) int8
    steps: AnyArray  # (columns of all matrices,) float32
    vectors: AnyArray  # (V,) float16

    @classmethod
    def of(cls, architecture: Architecture, weights: Mapping[str, AnyArray]) -> Rounded:
        """Each number to the nearest multiple of its column's step."""
        numbers, steps, vectors = [], [], []
        for name, shape in architecture.shapes().items():
            weight = np.asarray(weights[name], np.float32)
            if len(shape) == 1:
                vectors.append(weight.astype(np.float16))
                continue
            step = np.maximum(abs(weight).max(axis=0) / LARGEST, 1e-12).astype(np.float32)
            numbers.append(np.rint(weight / step).astype(np.int8).ravel())
            steps.append(step)
        return cls(*(np.concatenate(each) for each in (numbers, steps, vectors)))

    def checked(self, architecture: Architecture) -> Rounded:
        """The same with the sizes that an architecture needs."""
        matrices, columns, vectors = _sizes(architecture)
        return Rounded(
            frozen(self.matrices, "weights", (matrices,), np.int8),
            frozen(self.steps, "steps", (columns,), np.float32),
            frozen(self.vectors, "vectors", (vectors,), np.float16),
        )

    def unpacked(self, architecture: Architecture) -> dict[str, AnyArray]:
        """The weights by name, float32."""
        found: dict[str, AnyArray] = {}
        number = column = entry = 0
        for name, shape in architecture.shapes().items():
            count = prod(shape)
            if len(shape) == 1:
                found[name] = self.vectors[entry : entry + count].astype(np.float32)
                entry += count
                continue
            whole = self.matrices[number : number + count].reshape(shape)
            found[name] = whole * self.steps[column : column + shape[-1]]
            number, column = number + count, column + shape[-1]
        return found


def _sizes(architecture: Architecture) -> tuple[int, int, int]:
    """How many numbers matrices have, columns they have, and numbers vectors have."""
    shapes = architecture.shapes().values()
    matrices = [shape for shape in shapes if len(shape) > 1]
    vectors = [shape for shape in shapes if len(shape) == 1]
    return (
        sum(map(prod, matrices)),
        sum(shape[-1] for shape in matrices),
        sum(map(prod, vectors)),
    )
