"""Energies that searches minimise: the paper's, and a shaped one that names what a good hop is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats
from arcwright.tools.autocomplete.hops.hop_measures import Measures

WANTED_HOPS = 3


def paper_energy(measures: Measures, weight: float) -> float:
    """Energy `-(1 - w) D - w H_max` of Zhang (2018), eq. 3.1, of all that it did before it fell."""
    return -(1 - weight) * measures.travel - weight * measures.highest


@dataclass(frozen=True)
class Style:
    """The kind of hop that one search looks for."""

    distance: float  # m of a hop
    height: float  # m of the sole
    period: float  # s from lift-off to lift-off
    lean: float  # rad in the air, forward above 0

    @staticmethod
    def drawn(random: np.random.Generator) -> Style:
        """One of the styles that a lamp can hop in, or nearly."""
        height = random.uniform(0.03, 0.2)
        return Style(
            distance=random.uniform(0.06, 0.42),
            height=height,
            period=random.uniform(0.5, 1.3),
            lean=random.uniform(-0.15, 0.65),
        )


def shaped_energy(measures: Measures, style: Style, period: float) -> float:
    """0 for three even hops in the style that end at rest; falls and missing hops cost most."""
    energy = _faults(measures)
    if measures.hops == 0:
        return energy + 4.0
    off = (
        abs(measures.distance.mean() - style.distance) / 0.12,
        abs(measures.height.mean() - style.height) / 0.06,
        abs(period - style.period) / 0.4,
        abs(measures.lean.mean() - style.lean) / 0.6,
    )
    energy += sum(min(float(each), 4.0) for each in off)
    uneven = spread(measures.height, 0.01) + spread(measures.distance, 0.05)
    energy += 0.8 * uneven + 0.5 * spread(measures.flight, 0.01)
    return energy + float(measures.tilt_at_landing.mean())


def _faults(measures: Measures) -> float:
    energy = 0.7 * abs(measures.hops - WANTED_HOPS)
    energy += 2.0 * measures.tilt + 0.3 * measures.steepest
    energy += 3.0 * min(measures.bouncing, 0.3) + 40.0 * measures.bounce
    energy += 3.0 * measures.slide
    if measures.fell:
        return energy + 2.0 + 3.0 * (1.0 - measures.share)
    return energy + 3.0 * min(measures.unrest, 0.3) + measures.final_tilt


def spread(values: Floats, least: float) -> float:
    """Standard deviation over mean, which counts as `least` at least."""
    return float(values.std() / max(abs(float(values.mean())), least))
