"""AdamW (Loshchilov 2019) over stacked models, and moving averages; its state is plain arrays."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor

Parameters = dict[str, Tensor]
MOMENTS = (0.9, 0.999)
EPSILON = 1e-8


@dataclass(frozen=True)
class Schedule:
    """A learning rate that rises linearly, then falls as a cosine."""

    steps: int
    peak: float = 2e-3
    warm_up: int = 100
    decay: float = 0.01  # of weights
    clip: float = 1.0  # largest norm of one model's gradient
    falls: bool = True

    def rate(self, step: int) -> float:
        """The learning rate of a step."""
        if step < self.warm_up:
            return self.peak * (step + 1) / self.warm_up
        if not self.falls:
            return self.peak
        share = (step - self.warm_up) / max(self.steps - self.warm_up, 1)
        return self.peak * (0.01 + 0.99 * (1 + math.cos(math.pi * min(share, 1.0))) / 2)

    def factors(self, step: int) -> tuple[float, float, float]:
        """What a step multiplies weights, moves and the renewal of averages by."""
        rate, (b1, b2) = self.rate(step), MOMENTS
        correction = math.sqrt(1 - b2 ** (step + 1)) / (1 - b1 ** (step + 1))
        renewed = 1 - min(0.999, (step + 1) / (step + 10))
        return 1 - rate * self.decay, rate * correction, renewed


@dataclass(frozen=True, eq=False)
class Optimiser:
    """Parameters (M, ...) with their moments and moving averages, changed in place."""

    parameters: Parameters
    mean: Parameters
    square: Parameters
    average: Parameters

    @classmethod
    def of(cls, parameters: Parameters) -> Optimiser:
        """With moments 0; averages begin at the parameters."""
        for each in parameters.values():
            each.requires_grad_(True)
        return cls(
            parameters,
            {name: torch.zeros_like(each) for name, each in parameters.items()},
            {name: torch.zeros_like(each) for name, each in parameters.items()},
            {name: each.detach().clone() for name, each in parameters.items()},
        )

    @property
    def state(self) -> dict[str, Parameters]:
        """All of it by name, as a checkpoint holds it."""
        return dict(vars(self))

    @torch.no_grad()
    def step(self, gradients: Parameters, schedule: Schedule, factors: Tensor) -> None:
        """One step along gradients, with `schedule.factors`; each model is clipped alone."""
        (b1, b2), (kept, rate, renewed) = MOMENTS, factors.unbind()
        for name, gradient in _clipped(gradients, schedule.clip).items():
            value, mean, square = self.parameters[name], self.mean[name], self.square[name]
            mean.mul_(b1).add_(gradient, alpha=1 - b1)
            square.mul_(b2).addcmul_(gradient, gradient, value=1 - b2)
            if name.endswith("weight"):
                value.mul_(kept)
            value.sub_(mean / square.sqrt().add_(EPSILON) * rate)
            self.average[name].lerp_(value, renewed)


def _clipped(gradients: Parameters, most: float) -> Parameters:
    """Gradients (M, ...) scaled down where the norm over one model is above `most`."""
    norms = [each.flatten(1).square().sum(1) for each in gradients.values()]
    norm = torch.stack(norms).sum(0).sqrt()
    factor = (most / norm.clamp(min=1e-12)).clamp(max=1.0)
    return {
        name: each * factor.reshape(-1, *[1] * (each.ndim - 1)) for name, each in gradients.items()
    }
