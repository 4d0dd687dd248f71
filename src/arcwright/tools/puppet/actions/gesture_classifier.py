"""Gesture classifier: which action a burst of the stick asks for, and how sure that is.

Multinomial logistic regression over the features of a burst. Its weights are learnt from made
gestures by `benchmarks/puppet_gestures.py --write`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from arcwright.arrays import Floats
from arcwright.tools.puppet.actions.stick_burst import Burst

NONE = "none"
CONFIDENT = 0.9  # from which an action is played
WEIGHTS = Path(__file__).with_name("gesture_weights.json")


@dataclass(frozen=True, eq=False)
class GestureClassifier:
    """A linear model of K labels over F features."""

    labels: tuple[str, ...]
    mean: Floats  # (F,) of the features
    scale: Floats  # (F,) their standard deviation
    weights: Floats  # (K, F + 1), the last column is the bias

    def confidences(self, burst: Burst) -> dict[str, float]:
        """How likely each label is; together 1."""
        inputs = standardised(burst.features(), self.mean, self.scale)
        logits = self.weights @ inputs
        likely = np.exp(logits - logits.max())
        return dict(zip(self.labels, (likely / likely.sum()).tolist(), strict=True))

    def action(self, burst: Burst) -> str:
        """The action that a burst asks for, "" for none or if that is not clear."""
        found = self.confidences(burst)
        best = max(found, key=found.__getitem__)
        return best if best != NONE and found[best] >= CONFIDENT else ""


def standardised(features: Floats, mean: Floats, scale: Floats) -> Floats:
    """(..., F + 1) features of mean 0 and deviation 1, at most 6 off, and a 1 for the bias."""
    inputs = np.clip((features - mean) / scale, -6.0, 6.0)
    return np.concatenate([inputs, np.ones((*inputs.shape[:-1], 1))], axis=-1)


@cache
def stored_classifier() -> GestureClassifier:
    """The classifier with the stored weights."""
    stored = json.loads(WEIGHTS.read_text())
    arrays = (np.array(stored[name], float) for name in ("mean", "scale", "weights"))
    return GestureClassifier(tuple(stored["labels"]), *arrays)
