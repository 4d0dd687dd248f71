"""Small completion networks with random weights, and keys to complete."""

from __future__ import annotations

import numpy as np

from arcwright.tools.autocomplete.key_spline import KeyedValues
from arcwright.tools.autocomplete.network.architecture import Architecture
from arcwright.tools.autocomplete.network.model_file import ModelFile, packed

SMALL = Architecture(
    channels=3, width=16, heads=2, hidden=24, layers=2, kernel=3, reach=6, latent=2
)
NAMES = ("Base.translate.z", "Base.translate.y", "LowerArm.rotate.x")


def random_weights(architecture=SMALL, seed=0):
    """Weights by name, already rounded to what a file holds."""
    draw = np.random.default_rng(seed)
    drawn = {n: draw.normal(size=s) / np.sqrt(s[0]) for n, s in architecture.shapes().items()}
    return {name: each.astype(np.float16).astype(np.float32) for name, each in drawn.items()}


def small_model(architecture=SMALL, seed=0, **changed):
    """A model file of a network that was never trained."""
    draw = np.random.default_rng(seed + 1)
    count = architecture.channels
    walk = np.cumsum(draw.normal(size=(4, 40, count)) / 4, axis=1)
    parts = {
        "architecture": architecture,
        "channels": NAMES[:count],
        "relative": np.arange(count) == 0,
        "mean": draw.normal(size=count),
        "deviation": draw.uniform(0.1, 2, count),
        "frame_time": 1 / 30,
        "weights": packed(architecture, random_weights(architecture, seed)),
        "examples": np.clip(walk, -9, 9).astype(np.float16),
        "threshold": 0.5,
        "about": "random weights",
    }
    return ModelFile(**(parts | changed))


def partial_keys(seed=0, channels=3, count=7):
    """Keys of which each channel knows some."""
    draw = np.random.default_rng(seed)
    times = np.cumsum(draw.uniform(0.08, 0.5, count))
    known = draw.random((count, channels)) < 0.6
    return KeyedValues(times, draw.normal(size=(count, channels)), known)
