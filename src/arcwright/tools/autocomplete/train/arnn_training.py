"""Training of the networks of Zhang (2018), 3.4: key loss, curriculum and scheduled sampling."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from arcwright.tools.autocomplete.train.adam import Optimiser, Schedule
from arcwright.tools.autocomplete.train.arnn import Parameters, initial_arnn, predicted
from arcwright.tools.autocomplete.train.checkpoint import load_checkpoint, save_checkpoint
from arcwright.tools.autocomplete.train.queries import DELETED, deleted, virtual_keys
from arcwright.tools.autocomplete.train.residual_training import Variant
from arcwright.tools.autocomplete.train.sequences import Normalisation, Sequences

KEY_WEIGHT = 100.0
STEEPNESS = 12.0  # of the sigmoids, over the half of the epochs in which they run


@dataclass(frozen=True)
class ArnnCourse:
    """How networks of the paper are trained; every epoch is one step over all sequences."""

    kind: str = "arnn"
    epochs: int = 4000
    rate: float = 1e-3
    curriculum: bool = True
    seed: int = 0
    device: str = "cpu"
    seconds: float = 480.0  # of one command; the rest is for the next
    save_every: float = 60.0  # s
    report: Callable[[str], None] = field(default=lambda _: None)


def teacher_forcing(share: float) -> float:
    """The probability that a frame follows the true one, at a share of all epochs (fig. 3.7)."""
    return 1 / (1 + math.exp(STEEPNESS * (2 * share - 0.5)))


def key_importance(share: float) -> float:
    """The weight ω of the key loss: 0 in the first half of the epochs, then to 1."""
    return 0.0 if share < 0.5 else 1 / (1 + math.exp(-STEEPNESS * (2 * share - 1.5)))


def train_arnn(
    course: ArnnCourse,
    examples: Sequences,
    normalisation: Normalisation,
    variants: list[Variant],
    checkpoint: Path | None = None,
) -> tuple[Parameters, bool]:
    """Weights (M, ...) of the variants, which have equally many sequences, and whether it is done.

    A checkpoint that exists is continued, and written every minute and at the end.
    """
    seeds = [each.seed for each in variants]
    weights = initial_arnn(course.kind, examples.states.shape[2], seeds)
    optimiser = Optimiser.of({n: w.to(course.device) for n, w in weights.items()})
    state = {
        "parameters": optimiser.parameters,
        "mean": optimiser.mean,
        "square": optimiser.square,
        "average": optimiser.average,
    }
    epoch, draw = 0, np.random.default_rng(course.seed)
    if checkpoint is not None and checkpoint.exists():
        progress = load_checkpoint(checkpoint, state)
        epoch = progress["epoch"]
        draw.bit_generator.state = progress["draw"]
    schedule = Schedule(course.epochs, course.rate, warm_up=0, decay=0.0, clip=5.0, falls=False)
    scored = normalisation.scored(np.stack([examples.states[each.rows] for each in variants]))
    poses = torch.from_numpy(scored.astype(np.float32)).to(course.device)
    keys = np.concatenate([examples.keys[each.rows] for each in variants])
    start = saved = time.perf_counter()

    def keep() -> None:
        if checkpoint is not None:
            save_checkpoint(checkpoint, state, {"epoch": epoch, "draw": draw.bit_generator.state})

    while epoch < course.epochs and time.perf_counter() - start < course.seconds:
        known = deleted(virtual_keys(keys, poses.shape[2], 1), DELETED, draw)[..., 0]
        marked = torch.from_numpy(known.reshape(poses.shape[:3])).to(course.device)
        frame, key, omega = _losses(course, optimiser.parameters, poses, marked, epoch)
        torch.autograd.backward((KEY_WEIGHT * omega * key + frame).sum())
        optimiser.step(epoch, schedule)
        epoch += 1
        if epoch % 50 == 0 or epoch == course.epochs:
            numbers = {"epoch": epoch, "seconds": round(time.perf_counter() - start, 1)}
            losses = {"frame": frame.mean().item(), "key": key.mean().item()}
            course.report(json.dumps(numbers | {n: round(v, 5) for n, v in losses.items()}))
        if time.perf_counter() - saved > course.save_every:
            saved = time.perf_counter()
            keep()
    keep()
    done = epoch >= course.epochs
    return {name: each.detach() for name, each in optimiser.parameters.items()}, done


def _losses(
    course: ArnnCourse, weights: Parameters, poses: Tensor, known: Tensor, epoch: int
) -> tuple[Tensor, Tensor, float]:
    """(M,) frame loss and key loss (eq. 3.4), and the weight ω of the latter."""
    share = epoch / course.epochs
    generator = torch.Generator().manual_seed(course.seed * 1_000_003 + epoch)
    forcing = teacher_forcing(share) if course.curriculum else 0.0
    forced = None
    if forcing > 0.001:
        forced = (torch.rand(known.shape, generator=generator) < forcing).to(known.device)
    frames = predicted(course.kind, weights, poses, known, forced=forced, generator=generator)
    error = (frames - poses).square()
    keys = (error * known[..., None]).sum((2, 3)).mean(1)
    omega = key_importance(share) if course.curriculum else 1.0
    return error.mean((1, 2, 3)), keys, omega
