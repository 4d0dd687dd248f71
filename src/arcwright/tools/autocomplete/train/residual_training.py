"""Training of residual networks: random keys, a latent for alternatives, many models at once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from arcwright.arrays import Bools, Ints
from arcwright.tools.autocomplete.network.architecture import Architecture
from arcwright.tools.autocomplete.train.adam import Optimiser, Schedule
from arcwright.tools.autocomplete.train.captured import Inputs, Repeated
from arcwright.tools.autocomplete.train.course import Course, Looks, Progress, follow
from arcwright.tools.autocomplete.train.queries import Queries, virtual_keys
from arcwright.tools.autocomplete.train.residual_batches import Source, batches
from arcwright.tools.autocomplete.train.residual_network import (
    Parameters,
    initial,
    posterior,
    residuals,
)
from arcwright.tools.autocomplete.train.sequences import Normalisation, Sequences


@dataclass(frozen=True, kw_only=True)
class ResidualCourse(Course):
    """How residual networks are trained."""

    architecture: Architecture
    batch: int = 32
    rate: float = 2e-3
    velocity: float = 2.0  # weight of errors of change per frame
    channels: tuple[float, ...] = ()  # weights of errors in each; all 1 by default
    divergence: float = 5e-4  # weight of the latent's divergence from a normal distribution
    sampled: float = 0.4  # share of queries whose answer is known to the latent
    augmented: float = 0.25
    workers: int = 0  # processes that make queries ahead


@dataclass(frozen=True, eq=False)
class Variant:
    """One model of several that are trained together: its seed and its sequences."""

    seed: int
    rows: Ints  # of the training sequences


def train_residual(
    course: ResidualCourse,
    layouts: tuple[Sequences, ...],
    normalisation: Normalisation,
    relative: Bools,
    variants: list[Variant],
    test: Ints,
    checkpoint: Path | None = None,
) -> tuple[Parameters, Progress, bool]:
    """Averaged weights (M, ...), errors at rows `test` held out, and whether the course is done.

    Each batch is of one of the layouts of the same sequences.
    """
    weights = initial(course.architecture, [each.seed for each in variants])
    optimiser = Optimiser.of({n: w.to(course.device) for n, w in weights.items()})
    schedule = Schedule(course.steps, course.rate)
    losses = torch.zeros(3, len(variants), device=course.device)
    channels = torch.tensor(course.channels or (1.0,), device=course.device).sqrt()

    def step(inputs: Inputs, generator: torch.Generator) -> None:
        own = {name: each for name, each in inputs.items() if name != "factors"}
        loss, parts = _loss(course, optimiser.parameters, own, channels, generator)
        names = list(optimiser.parameters)
        found = torch.autograd.grad(loss, [*optimiser.parameters.values()], allow_unused=True)
        gradients = {n: each for n, each in zip(names, found, strict=True) if each is not None}
        optimiser.step(gradients, schedule, inputs["factors"])
        losses.copy_(parts)

    state = [each for group in optimiser.state.values() for each in group.values()]
    repeated: dict[int, Repeated] = {}  # a graph for each number of tokens
    held = _held_out_queries(layouts, normalisation, relative, test)
    rows = tuple(each.rows for each in variants)
    source = Source(layouts, normalisation, relative, rows, course.batch, course.augmented)

    def look() -> Looks:
        frame, velocity, divergence = losses.tolist()
        errors = _held_out(course, optimiser.average, held, len(variants))
        parts = {"frame": frame, "velocity": velocity, "divergence": divergence}
        return parts | {"held_out_frame": errors}

    with batches(source, course.workers) as batch:

        def advance(number: int) -> None:
            seed = course.seed_of(number)
            inputs = dict(batch(seed))
            inputs["factors"] = np.array(schedule.factors(number), np.float32)
            count = inputs["times"].shape[2]
            if count not in repeated:
                own = [*state, losses]
                repeated[count] = Repeated(step, own, course.device, course.graphs)
            repeated[count](inputs, seed)

        progress, done = follow(course, optimiser.state, advance, look, checkpoint)
    return optimiser.average, progress, done


def _held_out_queries(
    layouts: tuple[Sequences, ...], normalisation: Normalisation, relative: Bools, test: Ints
) -> Queries:
    """Sequences held out, of which all virtual keys are known, in the layout of the paper."""
    held = layouts[0].part(test)
    known = virtual_keys(held.keys, *held.states.shape[1:])
    times = np.tile(np.arange(float(known.shape[1])), (len(held), 1))
    slopes = np.full(known.shape, np.nan)
    return Queries.of(normalisation.scored(held.states), known, times, relative, slopes)


@torch.no_grad()
def _held_out(
    course: ResidualCourse, weights: Parameters, held: Queries, models: int
) -> list[float]:
    """Mean squares of z-scored errors of each model's likeliest answer."""
    own = {
        name: torch.from_numpy(value).to(course.device).expand(models, *value.shape)
        for name, value in vars(held).items()
    }
    size = (models, len(held.valid), course.architecture.latent + 1)
    latents = torch.zeros(size, device=course.device)
    found = residuals(
        course.architecture, weights, own["inputs"], own["times"], own["valid"], latents
    )
    error = own["base"] + own["window"] * found - own["target"]
    errors: list[float] = error.square().mean((1, 2, 3)).tolist()
    return errors


def _loss(
    course: ResidualCourse,
    weights: Parameters,
    batch: Inputs,
    channels: Tensor,
    generator: torch.Generator,
) -> tuple[Tensor, Tensor]:
    """The sum over models of their losses, and its parts (3, M)."""
    models, count = batch["valid"].shape[:2]
    window, valid = batch["window"], batch["valid"]
    wanted = batch["target"] - batch["base"]
    mean, log_variance = posterior(weights, batch["inputs"], wanted * (window > 0), window, valid)
    noise = torch.randn(mean.shape, generator=generator, device=mean.device)
    known = torch.zeros(models, count, 1, device=mean.device)
    known[:, : round(course.sampled * count)] = 1.0
    latent = (mean + noise * (log_variance / 2).exp()) * known
    latents = torch.cat([latent[..., : course.architecture.latent], known], dim=-1)
    residual = residuals(
        course.architecture, weights, batch["inputs"], batch["times"], valid, latents
    )
    error = (window * residual - wanted) * valid[..., None] * channels
    tokens = valid.sum(2, keepdim=True)[..., None] * error.shape[-1]
    frame = (error.square() / tokens).sum((2, 3)).mean(1)
    change = torch.diff(error, dim=2) * (valid[:, :, 1:] & valid[:, :, :-1])[..., None]
    velocity = (change.square() / tokens).sum((2, 3)).mean(1)
    own = 0.5 * (mean.square() + log_variance.exp() - 1 - log_variance).sum(-1)
    divergence = (own * known[..., 0]).sum(1) / known[..., 0].sum(1).clamp(min=1)
    share = course.divergence * course.sampled
    total = frame + course.velocity * velocity + share * divergence
    return total.sum(), torch.stack([frame, velocity, divergence]).detach()
