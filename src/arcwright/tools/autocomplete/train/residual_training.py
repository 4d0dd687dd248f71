"""Training of residual networks: random keys, a latent for alternatives, many models at once."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from arcwright.arrays import Bools, Ints
from arcwright.tools.autocomplete.network.architecture import Architecture
from arcwright.tools.autocomplete.train.adam import Optimiser, Schedule
from arcwright.tools.autocomplete.train.checkpoint import load_checkpoint, save_checkpoint
from arcwright.tools.autocomplete.train.queries import Queries, augmented, excerpts, random_known
from arcwright.tools.autocomplete.train.residual_network import (
    Parameters,
    initial,
    posterior,
    residuals,
)
from arcwright.tools.autocomplete.train.sequences import Normalisation, Sequences


@dataclass(frozen=True)
class ResidualCourse:
    """How residual networks are trained."""

    architecture: Architecture
    steps: int = 4000
    batch: int = 32
    rate: float = 2e-3
    velocity: float = 2.0  # weight of errors of change per frame
    channels: tuple[float, ...] = ()  # weights of errors in each; all 1 by default
    divergence: float = 5e-4  # weight of the latent's divergence from a normal distribution
    sampled: float = 0.4  # share of queries whose answer is known to the latent
    augmented: float = 0.25
    seed: int = 0
    device: str = "cpu"
    seconds: float = 480.0  # of one command; the rest is for the next
    save_every: float = 60.0  # s
    report: Callable[[str], None] = field(default=lambda _: None)


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
    checkpoint: Path | None = None,
) -> tuple[Parameters, bool]:
    """Averaged weights (M, ...) of the variants, and whether the course is done.

    Each batch is of one of the layouts of the same sequences.
    A checkpoint that exists is continued, and written every minute and at the end.
    """
    weights = initial(course.architecture, [each.seed for each in variants])
    optimiser = Optimiser.of({n: w.to(course.device) for n, w in weights.items()})
    state = {
        "parameters": optimiser.parameters,
        "mean": optimiser.mean,
        "square": optimiser.square,
        "average": optimiser.average,
    }
    step, draw = 0, np.random.default_rng(course.seed)
    if checkpoint is not None and checkpoint.exists():
        progress = load_checkpoint(checkpoint, state)
        step = progress["step"]
        draw.bit_generator.state = progress["draw"]
    schedule = Schedule(course.steps, course.rate)
    start = saved = time.perf_counter()
    totals: list[list[float]] = []

    def keep() -> None:
        if checkpoint is not None:
            save_checkpoint(checkpoint, state, {"step": step, "draw": draw.bit_generator.state})

    while step < course.steps and time.perf_counter() - start < course.seconds:
        examples = layouts[int(draw.integers(len(layouts)))]
        batch = _batch(course, examples, normalisation, relative, variants, draw)
        generator = torch.Generator().manual_seed(course.seed * 1_000_003 + step)
        loss, parts = _loss(course, optimiser.parameters, batch, generator)
        torch.autograd.backward(loss)
        optimiser.step(step, schedule)
        totals.append(parts)
        step += 1
        if step % 100 == 0 or step == course.steps:
            course.report(_line(step, time.perf_counter() - start, totals))
            totals = []
        if time.perf_counter() - saved > course.save_every:
            saved = time.perf_counter()
            keep()
    keep()
    return optimiser.average, step >= course.steps


def _line(step: int, seconds: float, totals: list[list[float]]) -> str:
    frame, velocity, divergence = np.mean(totals, axis=0)
    numbers = {"frame": frame, "velocity": velocity, "divergence": divergence}
    return json.dumps(
        {"step": step, "seconds": round(seconds, 1)}
        | {name: round(float(value), 5) for name, value in numbers.items()}
    )


def _batch(
    course: ResidualCourse,
    examples: Sequences,
    normalisation: Normalisation,
    relative: Bools,
    variants: list[Variant],
    draw: np.random.Generator,
) -> dict[str, Tensor]:
    """Tensors (M, B, ...): each model's queries are of its own sequences."""
    rows = np.concatenate([draw.choice(each.rows, course.batch) for each in variants])
    states, keys = excerpts(examples.states[rows], examples.keys[rows], examples.excerpt, draw)
    known = random_known(keys, states.shape[1], states.shape[2], draw)
    states, times, slopes = augmented(states, known, draw, course.augmented)
    scored = normalisation.scored(states)
    query = Queries.of(scored, known, times, relative, slopes / normalisation.deviation)
    shape = (len(variants), course.batch)
    return {
        name: torch.from_numpy(value.reshape(*shape, *value.shape[1:])).to(course.device)
        for name, value in vars(query).items()
    }


def _loss(
    course: ResidualCourse,
    weights: Parameters,
    batch: dict[str, Tensor],
    generator: torch.Generator,
) -> tuple[Tensor, list[float]]:
    """The sum over models of their losses, and the means of its parts."""
    models, count = batch["valid"].shape[:2]
    window, valid = batch["window"], batch["valid"]
    wanted = batch["target"] - batch["base"]
    mean, log_variance = posterior(weights, batch["inputs"], wanted * (window > 0), window, valid)
    noise = torch.randn(mean.shape, generator=generator).to(mean.device)
    known = torch.zeros(models, count, 1, device=mean.device)
    known[:, : round(course.sampled * count)] = 1.0
    latent = (mean + noise * (log_variance / 2).exp()) * known
    latents = torch.cat([latent[..., : course.architecture.latent], known], dim=-1)
    residual = residuals(
        course.architecture, weights, batch["inputs"], batch["times"], valid, latents
    )
    error = (window * residual - wanted) * valid[..., None]
    if course.channels:
        error = error * torch.tensor(course.channels, device=error.device).sqrt()
    tokens = valid.sum(2, keepdim=True)[..., None] * error.shape[-1]
    frame = (error.square() / tokens).sum((2, 3)).mean(1)
    change = torch.diff(error, dim=2) * (valid[:, :, 1:] & valid[:, :, :-1])[..., None]
    velocity = (change.square() / tokens).sum((2, 3)).mean(1)
    own = 0.5 * (mean.square() + log_variance.exp() - 1 - log_variance).sum(-1)
    divergence = (own * known[..., 0]).sum(1) / known[..., 0].sum(1).clamp(min=1)
    share = course.divergence * course.sampled
    total = frame + course.velocity * velocity + share * divergence
    return total.sum(), [frame.mean().item(), velocity.mean().item(), divergence.mean().item()]
