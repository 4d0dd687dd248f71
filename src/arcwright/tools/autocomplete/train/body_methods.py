"""Learned methods that body models are compared with: the same encoder, features and costs.

`delta` follows Oreshkin (2022): a residual on the interpolation, which nothing holds to keys.
`direct` follows SILK (2025): one encoder that sees zeros where frames are missing, and poses
relative to the last known one, without an interpolation; by rotation vectors instead of 6-D.
"""

from __future__ import annotations

import numpy as np

from arcwright.arrays import AnyArray

METHODS = ("windowed", "delta", "direct")
TIMES = 3  # last features, which are known where frames are missing


def as_seen(found: dict[str, AnyArray], method: str) -> dict[str, AnyArray]:
    """A batch as a method sees it; frames before the gap and the last one are known."""
    if method == "windowed":
        return found
    missing = found["free"]
    inputs = found["inputs"]
    inputs[..., :-TIMES][missing] = 0.0
    found["window"] = np.ones_like(found["window"])
    if method == "direct":
        last = np.argmax(missing, axis=1) - 1
        row = np.arange(len(last))
        rotations, position = found["rotations"], found["places"][:, :, 0]
        base = np.zeros_like(rotations)
        base[..., 0] = 1.0
        base[:, :, 0] = rotations[row, last, 0][:, None]
        found["base_rotations"] = base
        found["base_position"] = np.repeat(position[row, last][:, None], base.shape[1], axis=1)
    return found
