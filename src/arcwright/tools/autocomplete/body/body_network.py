"""Completion of poses: the network of a body model, from keys to poses at every token."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from arcwright.arrays import AnyArray, Bools, Floats
from arcwright.tools.autocomplete.body.body_features import body_inputs
from arcwright.tools.autocomplete.body.body_file import BodyFile
from arcwright.tools.autocomplete.body.key_slerp import Poses, added
from arcwright.tools.autocomplete.network.forward import forward

FARTHEST = 8.0  # z-score of an input


@dataclass(frozen=True, eq=False)
class BodyNetwork:
    """The network of a model file, ready to run."""

    file: BodyFile

    @cached_property
    def _weights(self) -> dict[str, AnyArray]:
        return self.file.weights.unpacked(self.file.architecture)

    def complete(
        self, keys: Poses, frames: Floats, known: Bools, latents: AnyArray, offsets: Floats
    ) -> Poses:
        """Answers (A, T) at tokens at `frames` (T,), one for each of the latents (A, latent + 1).

        `keys` (T) has the poses of keys where groups are `known` (T, J + 1).
        """
        valid = np.full((1, len(frames)), True)
        given = Poses(keys.rotations[None], keys.position[None])
        base, inputs, window = body_inputs(
            self.file.skeleton, given, frames[None], known[None], valid, offsets
        )
        found = forward(
            self.file.architecture,
            self._weights,
            scored(inputs[0], self.file.mean, self.file.deviation),
            frames.astype(np.float32),
            latents,
        )
        scaled = found.astype(np.float64) * self.file.scale
        parts = scaled.reshape(*found.shape[:2], -1, 3) * window[0][:, :, None]
        return added(base, parts[..., :-1, :], parts[..., -1, :])


def scored(inputs: AnyArray, mean: AnyArray, deviation: AnyArray) -> AnyArray:
    """Inputs as z-scores, none too far off."""
    return np.clip((inputs - mean) / deviation, -FARTHEST, FARTHEST).astype(np.float32)
