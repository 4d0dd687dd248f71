"""The loop of a clip that is one already: its own samples, with which it goes on around its end."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.tools.cycle.extraction.closure import closure
from arcwright.tools.cycle.extraction.loop import (
    NO_ROTATIONS,
    Shape,
    around_loop,
    cycle_weights,
    unit_quaternions,
)
from arcwright.tools.cycle.extraction.model import SEAM, Cycle, PerformedSamples
from arcwright.tools.cycle.extraction.phase import PHASES, Alignment
from arcwright.tools.cycle.extraction.signal import MotionSignal


def closed_clip_cycle(
    samples: PerformedSamples,
    signal: MotionSignal,
    alignment: Alignment,
    frames: int,
    shape: Shape,
    start: float | None,
) -> Cycle:
    """The loop, `frames` samples long, of evenly cut parts of a clip that ends as it starts.

    Nothing is bent to close it. It starts where the clip does, or at the phase `start`.
    """
    first = 0.0 if start is None else start % 1
    clip = _Parts(samples, cycle_weights(alignment, shape))
    loop = clip.mean(first + np.arange(frames) / frames)
    near = SEAM * np.array([0.0, 1.0, 2.0])
    ends = clip.mean(np.concatenate([first + near, first + 1 - near]))
    return Cycle(
        period=alignment.period / signal.rate,
        loop=loop,
        cuts=signal.times(alignment.cuts),
        used=tuple(alignment.used.tolist()),
        weights=clip.weights,
        closure=closure(loop, ends[:3], ends[3:], SEAM * frames),
        error=clip.error,
        alignment=alignment,
        start=first,
        starts=signal.times(alignment.at(np.arange(len(alignment), dtype=np.float64) + first)),
    )


@dataclass(frozen=True, eq=False)
class _Parts:
    """A clip that ends as it starts, in parts of equal length."""

    samples: PerformedSamples
    weights: Floats  # (K,)

    def mean(self, phases: Floats) -> Floats:
        """(F, V) the mean of all parts at phases of a part."""
        quaternions = self.samples.quaternions
        each = self._at(self.samples.values, phases, quaternions)
        for four in quaternions:
            away = (each[..., four] * each[:1, :, four]).sum(axis=-1, keepdims=True) < 0
            each[..., four] *= np.where(away, -1.0, 1.0)
        mean = np.einsum("k,kfv->fv", self.weights / self.weights.sum(), each)
        return unit_quaternions(mean, quaternions)

    @property
    def error(self) -> float:
        """Rms difference of the parts' features from their mean, in units of its rms."""
        each = self._at(self.samples.features, np.arange(PHASES) / PHASES, NO_ROTATIONS)
        mean = each.mean(axis=0)
        moving = float(np.square(mean - mean.mean(axis=0)).sum(axis=1).mean())
        apart = float(np.square(each - mean).sum(axis=-1).mean())
        return float(np.sqrt(apart / max(moving, 1e-30)))

    def _at(self, values: Floats, phases: Floats, quaternions: Ints) -> Floats:
        """(K, F, D) values (N, D) of the samples in each part."""
        count = len(self.weights)
        places = [(part + phases) / count for part in range(count)]
        return np.stack([around_loop(values[:-1], each, quaternions) for each in places])
