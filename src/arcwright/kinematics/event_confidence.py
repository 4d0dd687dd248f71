"""Event confidence: how likely a person marks a candidate event of a hand, from a few measures.

Logistic regression: p = 1 / (1 + exp(-w·x - b)), with x the logarithms of measures divided by
their thresholds, and b of the kind. `benchmarks/event_weights.py` fits the weights.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats

WEIGHTS = (1.38, 0.82, 0.85, 0.94)  # of the measures, in the order of `Measures`
BIASES = {"arrival": -0.43, "departure": -0.68, "turn": -1.16}
_CLIP = 1.5  # a logarithm that is further from 0 tells no more
_MOST = 0.99


@dataclass(frozen=True)
class Measures:
    """Measures of a candidate event, each divided by its threshold."""

    depth: float  # of the dip of speed, as a logarithm
    peak: float  # speed before an arrival, after a departure; of a turn the lesser
    own: float  # the way between two stays in the trunk's frame; infinite for what has no body
    back: float  # how far a turn turns back; 1 for arrivals and departures
    group: str  # a key of `BIASES`

    def logarithms(self) -> Floats:
        """(4,) logarithms of the measures, clipped."""
        values = np.array([self.depth, self.peak, self.own, self.back])
        logs: Floats = np.clip(np.log(np.maximum(values, 1e-9)), -_CLIP, _CLIP)
        return logs


def confidence(measures: Measures) -> float:
    """0 to 1: how likely a person marks the event."""
    score = float(np.dot(WEIGHTS, measures.logarithms())) + BIASES[measures.group]
    return float(min(1.0 / (1.0 + np.exp(-score)), _MOST))
