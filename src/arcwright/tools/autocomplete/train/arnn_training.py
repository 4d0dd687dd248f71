"""Training of the networks of Zhang (2018), 3.4: key loss, curriculum and scheduled sampling.

Several models are one program: a step of them is hardly longer than a step of one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from arcwright.arrays import AnyArray, Floats, Ints
from arcwright.tools.autocomplete.train.adam import Optimiser, Schedule
from arcwright.tools.autocomplete.train.arnn import Form, Parameters, initial_arnn, predicted
from arcwright.tools.autocomplete.train.captured import Inputs, Repeated
from arcwright.tools.autocomplete.train.course import Course, Looks, Progress, follow
from arcwright.tools.autocomplete.train.queries import DELETED, deleted, virtual_keys
from arcwright.tools.autocomplete.train.sequences import Normalisation, Sequences, moves_of

KEY_WEIGHT = 100.0
STEEPNESS = 12.0  # of the sigmoids, over the half of the epochs in which they run
LAST_STAGE = 0.9  # share of the epochs after which a last stage begins
LOWEST_GRAVITY = 0.5  # share of the usual one; flights are as many times higher and further
LIGHTER = 0.5  # share of the sequences that are under less gravity, where any are


@dataclass(frozen=True, kw_only=True)
class ArnnCourse(Course):
    """How networks of the paper are trained; every step is an epoch: one over all sequences."""

    kind: str = "recurrent"
    rate: float = 1e-3


@dataclass(frozen=True)
class Regime:
    """How one network of the paper is trained, and on what."""

    form: Form = field(default_factory=Form)
    curriculum: bool = True
    relative: bool = False  # base positions are those relative to the frame before
    frame_stage: bool = False  # frame loss alone in the last stage
    less_gravity: bool = False  # some sequences are as under less gravity

    def forcing(self, share: float) -> float:
        """The probability of teacher forcing at a share of all epochs."""
        return teacher_forcing(share) if self.curriculum else 0.0

    def importance(self, share: float) -> float:
        """The weight ω of the key loss at a share of all epochs."""
        if self.frame_stage and share >= LAST_STAGE:
            return 0.0
        return key_importance(share) if self.curriculum else 1.0


@dataclass(frozen=True, eq=False)
class PaperVariant:
    """One model of several that are trained together."""

    seed: int
    rows: Ints  # of the training sequences; equally many for all
    regime: Regime = field(default_factory=Regime)


def teacher_forcing(share: float) -> float:
    """The probability that a frame follows the true one, at a share of all epochs (fig. 3.7)."""
    return 1 / (1 + math.exp(STEEPNESS * (2 * share - 0.5)))


def key_importance(share: float) -> float:
    """The weight ω of the key loss: 0 in the first half of the epochs, then to 1."""
    return 0.0 if share < 0.5 else 1 / (1 + math.exp(-STEEPNESS * (2 * share - 1.5)))


def train_arnn(
    course: ArnnCourse,
    examples: Sequences,
    variants: list[PaperVariant],
    test: Ints,
    checkpoint: Path | None = None,
) -> tuple[Parameters, Progress, bool]:
    """Weights (M, ...), errors on the way at rows `test` held out, and whether it is done."""
    weights = initial_arnn(course.kind, examples.states.shape[2], [each.seed for each in variants])
    optimiser = Optimiser.of({n: w.to(course.device) for n, w in weights.items()})
    schedule = Schedule(course.steps, course.rate, warm_up=0, decay=0.0, clip=5.0, falls=False)
    forms = [each.regime.form for each in variants]
    gates = Form.gates(forms, course.device) if course.kind == "recurrent" else None
    normal = normalisations(examples, variants)
    poses = TrainingPoses(examples, variants, normal, course.device)
    losses = torch.zeros(2, len(variants), device=course.device)

    def step(inputs: Inputs, generator: torch.Generator) -> None:
        scored, known = poses.under(inputs["gravity"]), inputs["known"]
        drawn = torch.rand(known.shape, generator=generator, device=known.device)
        forced = drawn < inputs["forcing"][:, None, None]
        found = predicted(
            optimiser.parameters, scored, known, gates, forced=forced, generator=generator
        )
        frame, key = _losses(found, scored, known)
        total = (KEY_WEIGHT * inputs["importance"] * key + frame).sum()
        names = list(optimiser.parameters)
        own = torch.autograd.grad(total, [*optimiser.parameters.values()], allow_unused=True)
        gradients = {n: each for n, each in zip(names, own, strict=True) if each is not None}
        optimiser.step(gradients, schedule, inputs["factors"])
        losses.copy_(torch.stack([frame.detach(), key.detach()]))

    state = [each for group in optimiser.state.values() for each in group.values()]
    repeated = Repeated(step, [*state, losses], course.device, course.graphs)
    keys = np.concatenate([examples.keys[each.rows] for each in variants])

    def advance(epoch: int) -> None:
        draw = np.random.default_rng(course.seed_of(epoch))
        given = _inputs(course, variants, keys, epoch, draw, examples.states.shape[1])
        given["factors"] = np.array(schedule.factors(epoch), np.float32)
        repeated(given, course.seed_of(epoch))

    def look() -> Looks:
        found = _held_out(
            optimiser.parameters, gates, examples, test, variants, normal, course.device
        )
        frame, key = losses.tolist()
        return {"frame": frame, "key": key, **found}

    progress, done = follow(course, optimiser.state, advance, look, checkpoint)
    weights = {name: each.detach() for name, each in optimiser.parameters.items()}
    return weights, progress, done


def _losses(found: Tensor, scored: Tensor, known: Tensor) -> tuple[Tensor, Tensor]:
    """(M,) frame loss and key loss (eq. 3.4)."""
    error = (found - scored).square()
    return error.mean((1, 2, 3)), (error * known[..., None]).sum((2, 3)).mean(1)


def _inputs(
    course: ArnnCourse,
    variants: list[PaperVariant],
    keys: Ints,
    epoch: int,
    draw: np.random.Generator,
    count: int,
) -> dict[str, AnyArray]:
    """What changes from epoch to epoch: known frames, gravity, and the curriculum."""
    share, models = epoch / course.steps, len(variants)
    shape = (models, len(keys) // models)
    known = deleted(virtual_keys(keys, count, 1), DELETED, draw)[..., 0]
    less = draw.uniform(LOWEST_GRAVITY, 1, shape)
    own = np.array([each.regime.less_gravity for each in variants])[:, None]
    lighter = own & (draw.random(shape) < LIGHTER)
    return {
        "known": known.reshape(*shape, count),
        "gravity": np.where(lighter, less, 1.0).astype(np.float32),
        "forcing": np.array([each.regime.forcing(share) for each in variants], np.float32),
        "importance": np.array([each.regime.importance(share) for each in variants], np.float32),
    }


def seen_states(states: Floats, regime: Regime) -> Floats:
    """States (..., T, C) as a network is shown them."""
    return moves_of(states) if regime.relative else states


def normalisations(examples: Sequences, variants: list[PaperVariant]) -> list[Normalisation]:
    """z-scores of each model, of the states that it is shown."""
    return [
        Normalisation.of(seen_states(examples.states[each.rows], each.regime)) for each in variants
    ]


class TrainingPoses:
    """The training poses of each model on the device."""

    def __init__(
        self,
        examples: Sequences,
        variants: list[PaperVariant],
        normal: list[Normalisation],
        device: str,
    ) -> None:
        own = [seen_states(examples.states[each.rows], each.regime) for each in variants]
        self.states = _tensor(np.stack(own), device)
        self.mean = _tensor(np.stack([each.mean for each in normal]), device)[:, None, None]
        deviation = np.stack([each.deviation for each in normal])
        self.deviation = _tensor(deviation, device)[:, None, None]

    def under(self, gravity: Tensor) -> Tensor:
        """(M, B, T, C) z-scores where gravity is (M, B) times the usual one.

        Who jumps off as fast flies as many times longer, higher and further; the paper's frames
        count shares of a flight, so that nothing else changes.
        """
        factor = (1 / gravity)[..., None, None]
        base = self.states[..., :2] * factor
        return (torch.cat([base, self.states[..., 2:]], dim=-1) - self.mean) / self.deviation


def _tensor(values: Floats, device: str) -> Tensor:
    return torch.from_numpy(values.astype(np.float32)).to(device)


@torch.no_grad()
def _held_out(
    weights: Parameters,
    gates: Parameters | None,
    examples: Sequences,
    test: Ints,
    variants: list[PaperVariant],
    normal: list[Normalisation],
    device: str,
) -> Looks:
    """Mean squares of z-scored errors of frames and at keys, all of which are known."""
    held = examples.part(test)
    known = virtual_keys(held.keys, held.states.shape[1], 1)[..., 0]
    states = [seen_states(held.states, each.regime) for each in variants]
    scored = np.stack([own.scored(each) for own, each in zip(normal, states, strict=True)])
    shown = torch.from_numpy(np.repeat(known[None], len(variants), axis=0)).to(device)
    found = predicted(weights, _tensor(scored, device), shown, gates).cpu().numpy()
    frame, key = [], []
    deviation = Normalisation.of(examples.states[variants[0].rows]).deviation
    for each, own, value in zip(variants, normal, found, strict=True):
        places = placed(value * own.deviation + own.mean, held.states, each.regime)
        error = np.square((places - held.states) / deviation)
        frame.append(float(error.mean()))
        key.append(float(error[known].mean()))
    return {"held_out_frame": frame, "held_out_key": key}


def placed(found: Floats, states: Floats, regime: Regime) -> Floats:
    """States (B, T, C) of what a network gave, which knows the base of the first of `states`."""
    if not regime.relative:
        return found
    places = found.copy()
    places[:, 0, :2] = states[:, 0, :2]
    places[..., :2] = np.cumsum(places[..., :2], axis=1)
    return places
