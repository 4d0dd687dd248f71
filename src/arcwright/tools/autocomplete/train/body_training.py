"""Training of body models: windows of captures, costs of poses in the world, a latent."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from arcwright.arrays import AnyArray, Floats
from arcwright.kinematics.rotation import (
    quaternion_conjugate,
    quaternion_multiply,
    vector_from_quaternion,
)
from arcwright.tools.autocomplete.body.body_architecture import BodyArchitecture
from arcwright.tools.autocomplete.body.captures import Captures
from arcwright.tools.autocomplete.body.key_slerp import headed
from arcwright.tools.autocomplete.train.adam import Optimiser, Schedule
from arcwright.tools.autocomplete.train.body_batches import batch, tensors_of
from arcwright.tools.autocomplete.train.body_methods import METHODS, as_seen
from arcwright.tools.autocomplete.train.body_network import Batch, Costs, completed, costs, total
from arcwright.tools.autocomplete.train.body_probes import probes
from arcwright.tools.autocomplete.train.course import Course, Looks, Progress, follow
from arcwright.tools.autocomplete.train.residual_network import (
    Parameters,
    initial,
    posterior,
    residuals,
)

HELD_OUT = "held_out"
LEAST = 1e-3  # deviation of an input or output
FARTHEST = 8.0  # z-score of an input
MEASURED = 40  # batches that scores are of


@dataclass(frozen=True)
class LateFall(Schedule):
    """A learning rate that stays, and falls to 0 in the last part."""

    falling: float = 0.3  # share of the steps

    def rate(self, step: int) -> float:
        """The learning rate of a step."""
        if step < self.warm_up or not self.falls:
            return self.peak * min((step + 1) / self.warm_up, 1.0)
        left = (self.steps - step) / (self.falling * self.steps)
        return self.peak * min(1.0, max(left, 0.0))


@dataclass(frozen=True, eq=False)
class Scores:
    """How inputs and residuals are scaled."""

    mean: Floats  # (F,)
    deviation: Floats  # (F,)
    scale: Floats  # (C,) of residuals


@dataclass(frozen=True, kw_only=True)
class BodyCourse(Course):
    """How a body model is trained."""

    architecture: BodyArchitecture
    rate: float = 1e-3
    weights: Costs = field(default_factory=Costs)
    divergence: float = 1e-4  # weight of the latent's divergence from a normal distribution
    sampled: float = 0.2  # share of windows whose answer is known to the latent
    method: str = "windowed"  # ours; or one that it is compared with
    patience: int = 0  # looks without a better held-out error, after which it ends; 0: never


def train_body(
    course: BodyCourse, captures: Captures, held: Captures, checkpoint: Path | None = None
) -> tuple[Parameters, Scores, Progress, bool]:
    """Averaged weights (1, ...), scores, errors on held-out clips, and whether it is done.

    With patience, the weights are those of the least error, and the learning rate does not fall.
    """
    weights = initial(course.architecture, [course.seed])
    optimiser = Optimiser.of(weights)
    schedule = LateFall(course.steps, course.rate, falls=not course.patience)
    best = {name: each.clone() for name, each in optimiser.average.items()}
    scores = measured(captures, course.seed, course.method)
    least = torch.full((), math.inf)
    seen: dict[str, list[float]] = {}
    held_out = [
        (name, ready(tensors_of(held, each), scores, course.method)) for name, each in probes(held)
    ]

    def advance(number: int) -> None:
        seed = course.seed_of(number)
        found = batch(captures, seed, gaps_only=course.method != METHODS[0])
        inputs = ready(found, scores, course.method)
        generator = torch.Generator().manual_seed(seed)
        loss, parts = _loss(course, captures, optimiser.parameters, inputs, scores, generator)
        names = list(optimiser.parameters)
        found = torch.autograd.grad(loss, [*optimiser.parameters.values()], allow_unused=True)
        gradients = {n: each for n, each in zip(names, found, strict=True) if each is not None}
        optimiser.step(gradients, schedule, torch.tensor(schedule.factors(number)))
        for name, value in parts.items():
            seen.setdefault(name, []).append(float(value))

    def look() -> Looks:
        means = {name: [float(np.mean(values))] for name, values in seen.items()}
        seen.clear()
        errors = {
            f"{HELD_OUT}_{name}": [held_out_error(course, held, optimiser.average, each, scores)]
            for name, each in held_out
        }
        mean = float(np.mean([*errors.values()])) if errors else means["place"][0]
        if mean <= least:
            for name, each in best.items():
                each.copy_(optimiser.average[name])
            least.fill_(mean)
        return means | errors | {HELD_OUT: [mean]}

    def enough(progress: Progress) -> bool:
        means = [row[0] for row in progress.curves.get(HELD_OUT, [])]
        return bool(course.patience and len(means) - 1 - np.argmin(means or [0]) >= course.patience)

    state = optimiser.state | {"best": best, "least": {"mean": least}}
    progress, done = follow(course, state, advance, look, checkpoint, enough)
    return best if course.patience else optimiser.average, scores, progress, done


def measured(captures: Captures, seed: int, method: str = METHODS[0]) -> Scores:
    """From batches as they are trained on."""
    plain = method == METHODS[0]
    every = [
        as_seen(batch(captures, seed * 7919 + number, gaps_only=not plain), method)
        for number in range(MEASURED)
    ]
    inputs = np.concatenate([each["inputs"].reshape(-1, each["inputs"].shape[-1])
                             for each in every])  # fmt: skip
    residual = np.concatenate([_wanted(each)[each["free"]] for each in every])
    return Scores(
        inputs.mean(axis=0).astype(np.float64),
        np.maximum(inputs.std(axis=0), 0.02).astype(np.float64),
        np.maximum(residual.std(axis=0), LEAST).astype(np.float64),
    )


def _wanted(found: dict[str, AnyArray]) -> AnyArray:
    """(B, T, C) residuals that lead from the base to the targets, not windowed."""
    base, goal = (found[name].astype(np.float64) for name in ("base_rotations", "rotations"))
    turns = vector_from_quaternion(quaternion_multiply(quaternion_conjugate(base), goal))
    shift = (found["places"][:, :, 0] - found["base_position"]).astype(np.float64)
    shift = headed(base[..., 0, :], shift, back=True)
    flat = turns.reshape(*turns.shape[:2], -1)
    return np.concatenate([flat, shift], axis=2).astype(np.float32)


def ready(found: dict[str, AnyArray], scores: Scores, method: str = METHODS[0]) -> Batch:
    """A batch as a method sees it, scored."""
    found = as_seen(found, method)
    scored = (found["inputs"] - scores.mean) / scores.deviation
    found["inputs"] = np.clip(scored, -FARTHEST, FARTHEST).astype(np.float32)
    found["wanted"] = (_wanted(found) / scores.scale).astype(np.float32)
    return {name: torch.from_numpy(np.ascontiguousarray(each)) for name, each in found.items()}


def residual_of(
    course: BodyCourse, weights: Parameters, inputs: Batch, scores: Scores, latents: Tensor
) -> Tensor:
    """(B, T, C) rad and leg lengths, not windowed."""
    own = (inputs["inputs"][None], inputs["times"][None], inputs["valid"][None])
    found = residuals(course.architecture, weights, *own, latents[None])[0]
    return found * torch.from_numpy(scores.scale.astype(np.float32))


def _loss(
    course: BodyCourse,
    captures: Captures,
    weights: Parameters,
    inputs: Batch,
    scores: Scores,
    generator: torch.Generator,
) -> tuple[Tensor, dict[str, Tensor]]:
    count, latent = len(inputs["inputs"]), course.architecture.latent
    sampled = max(round(course.sampled * count), 1) if latent else 0
    window = inputs["window"].repeat_interleave(3, dim=-1)
    latents = torch.zeros(count, latent + 1)
    divergence = torch.zeros(())
    if sampled:
        part = slice(0, sampled)
        wanted = inputs["wanted"] * (window > 0)
        own = (inputs["inputs"], wanted, window, inputs["valid"])
        mean, spread = posterior(weights, *(each[None, part] for each in own))
        noise = torch.randn(mean.shape, generator=generator)
        drawn = (mean + noise * (spread / 2).exp())[0]
        marked = torch.cat([drawn, torch.ones(sampled, 1)], dim=-1)
        latents = torch.cat([marked, latents[sampled:]])
        divergence = 0.5 * (mean.square() + spread.exp() - 1 - spread).sum(-1).mean()
    residual = residual_of(course, weights, inputs, scores, latents)
    turned, places = completed(captures.skeleton, inputs, residual)
    found = costs(inputs, turned, places, captures.feet.tolist())
    loss = total(found, course.weights).mean() + course.divergence * divergence
    parts = {name: each[sampled:].mean().detach() for name, each in found.items()}
    return loss, parts | {"divergence": divergence.detach()}


@torch.no_grad()
def likeliest(
    course: BodyCourse, captures: Captures, weights: Parameters, inputs: Batch, scores: Scores
) -> tuple[Tensor, Tensor]:
    """World rotations (B, T, J, 3, 3) and places (B, T, J, 3) of the first answers."""
    latents = torch.zeros(len(inputs["inputs"]), course.architecture.latent + 1)
    residual = residual_of(course, weights, inputs, scores, latents)
    return completed(captures.skeleton, inputs, residual)


@torch.no_grad()
def held_out_error(
    course: BodyCourse, captures: Captures, weights: Parameters, inputs: Batch, scores: Scores
) -> float:
    """Mean distance of joints from where they should be, leg lengths."""
    turned, places = likeliest(course, captures, weights, inputs, scores)
    return float(costs(inputs, turned, places, captures.feet.tolist())["place"].mean())
