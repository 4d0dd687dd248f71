"""The networks of Zhang (2018): the ARNN, and the two architectures it is compared with in 4.1.

Poses are z-scored. Several models are worked out at once: weights are (M, ...). The ARNN and the
segregated network go through frames in the same way, so that they are one kind, `recurrent`; what
each of its models sees and does is a `Form`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

Parameters = dict[str, Tensor]

KINDS = ("recurrent", "feed-forward")
POSE = 32  # numbers per pose after its two linear layers
UNITS = 100  # of a GRU layer
LINEAR = 10  # of the linear layers before the output
KEPT = {"gru0": 0.9, "gru1": 0.95, "linear0": 0.8, "linear1": 0.9}  # keep probabilities
INTERPOLATION = 100  # hidden numbers of networks that see keys and no memory


@dataclass(frozen=True)
class Form:
    """A recurrent network: the ARNN, or what is changed of it."""

    sees_keys: bool = True  # on its way; without, it knows the first pose alone
    corrected: bool = False  # frames are corrected by what a second network makes of keys

    @staticmethod
    def gates(forms: list[Form], device: str | torch.device) -> Parameters:
        """(M, 1, 1, 1) 1 where a model has a part, else 0."""
        parts = {
            "sees_keys": [float(each.sees_keys) for each in forms],
            "corrected": [float(each.corrected) for each in forms],
        }
        return {
            name: torch.tensor(each, device=device)[:, None, None, None]
            for name, each in parts.items()
            if name == "sees_keys" or any(each)
        }


@dataclass(frozen=True, eq=False)
class KeyFrames:
    """What is known of every frame after the first."""

    before: Tensor  # (M, B, T, C) the key at or before the frame before
    after: Tensor  # (M, B, T, C) the key after that
    share: Tensor  # (M, B, T, 1) of the gap between them


def initial_arnn(kind: str, channels: int, seeds: list[int]) -> Parameters:
    """Weights of a model for each seed."""
    drawn: dict[str, list[np.ndarray]] = {}
    for seed in seeds:
        draw = np.random.default_rng(seed)
        for name, (rows, columns) in _shapes(kind, channels).items():
            weight = draw.uniform(-1, 1, (rows, columns)) / math.sqrt(rows)
            drawn.setdefault(f"{name}.weight", []).append(weight)
            drawn.setdefault(f"{name}.bias", []).append(np.zeros(columns))
    return {name: torch.tensor(np.stack(each), dtype=torch.float32) for name, each in drawn.items()}


def _shapes(kind: str, channels: int) -> dict[str, tuple[int, int]]:
    recurrent = kind == "recurrent"
    shapes: dict[str, tuple[int, int]] = {}
    for pose in ("previous", "before", "after", "pattern") if recurrent else ("before", "after"):
        shapes |= {f"{pose}0": (channels, POSE), f"{pose}1": (POSE, POSE)}
    if recurrent:
        shapes |= {"gru0.input": (3 * POSE + 1, 3 * UNITS), "gru0.hidden": (UNITS, 3 * UNITS)}
        shapes |= {"gru1.input": (UNITS, 3 * UNITS), "gru1.hidden": (UNITS, 3 * UNITS)}
        shapes |= {"linear0": (UNITS, LINEAR), "linear1": (LINEAR, LINEAR)}
        shapes |= {"output": (LINEAR, channels)}
    inputs = (3 if recurrent else 2) * POSE + 1
    shapes |= {"key0": (inputs, INTERPOLATION), "key1": (INTERPOLATION, INTERPOLATION)}
    return shapes | {"key2": (INTERPOLATION, channels)}


def key_frames(poses: Tensor, known: Tensor) -> KeyFrames:
    """From poses (M, B, T, C) and key frames (M, B, T), for frames 1 to T - 1."""
    count = known.shape[-1]
    token = torch.arange(count, device=known.device)
    before = torch.cummax(token * known, dim=-1).values[..., :-1]
    turned = (count - 1 - (count - 1 - token) * known).flip(-1)
    after = torch.cummin(turned, dim=-1).values.flip(-1)[..., 1:]
    share = (token[1:] - before) / (after - before).clamp(min=1)

    def of(index: Tensor) -> Tensor:
        return torch.gather(poses, 2, index[..., None].expand(*index.shape, poses.shape[-1]))

    return KeyFrames(of(before), of(after), share[..., None].float())


def predicted(
    weights: Parameters,
    poses: Tensor,
    known: Tensor,
    gates: Parameters | None = None,
    *,
    forced: Tensor | None = None,
    generator: torch.Generator | None = None,
) -> Tensor:
    """(M, B, T, C) frames of poses (M, B, T, C) at key frames (M, B, T); the first is given.

    Without `gates` of forms it is the feed-forward network. `forced` (M, B, T) marks frames that
    follow the true pose before them. With a generator, dropout is on.
    """
    keys = key_frames(poses, known)
    seen = (_pose(weights, "before", keys.before), _pose(weights, "after", keys.after), keys.share)
    if gates is None:
        inner = _interpolation(weights, torch.cat(seen, dim=-1))
        return torch.cat([poses[:, :, :1], inner], dim=2)
    keep = _Dropout(poses.shape[:3], poses.device, generator)
    own = torch.cat(seen, dim=-1) * gates["sees_keys"]
    frames = _recurrent(weights, poses, own, forced, keep)
    if "corrected" not in gates:
        return frames
    pattern = _pose(weights, "pattern", frames[:, :, 1:])
    correction = _interpolation(weights, torch.cat([*seen[:2], pattern, seen[2]], dim=-1))
    corrected = frames[:, :, 1:] + gates["corrected"] * correction
    return torch.cat([frames[:, :, :1], corrected], dim=2)


class _Dropout:
    """Factors of dropout for all frames; none without a generator."""

    def __init__(
        self, shape: torch.Size, device: torch.device, generator: torch.Generator | None
    ) -> None:
        self.factors: Parameters = {}
        if generator is not None:
            for name, kept in KEPT.items():
                size = (*shape, UNITS if name[:3] == "gru" else LINEAR)
                drawn = torch.rand(size, generator=generator, device=device) < kept
                self.factors[name] = drawn.float() / kept

    def __call__(self, name: str, frame: int, value: Tensor) -> Tensor:
        factors = self.factors.get(name)
        return value if factors is None else value * factors[:, :, frame]


def _recurrent(
    weights: Parameters, poses: Tensor, own: Tensor, forced: Tensor | None, keep: _Dropout
) -> Tensor:
    """(M, B, T, C) frame by frame, each a residual added to the one before."""
    models, batch, count, _ = poses.shape
    from_pose, from_keys = weights["gru0.input.weight"].split([POSE, own.shape[-1]], dim=1)
    fixed = weights["gru0.input.bias"][:, None, None] + own @ from_keys[:, None]
    hidden = [poses.new_zeros(models, batch, UNITS) for _ in range(2)]
    frames = [poses[:, :, 0]]
    for frame in range(1, count):
        previous = frames[-1]
        if forced is not None:
            previous = torch.where(forced[:, :, frame, None], poses[:, :, frame - 1], previous)
        seen = _pose(weights, "previous", previous)
        entered = torch.baddbmm(fixed[:, :, frame - 1], seen, from_pose)
        hidden[0] = _gru(weights, "gru0", entered, hidden[0])
        passed = functional.selu(keep("gru0", frame, hidden[0]))
        entered = _linear(weights, "gru1.input", passed)
        hidden[1] = _gru(weights, "gru1", entered, hidden[1])
        passed = functional.selu(keep("gru1", frame, hidden[1]))
        passed = keep("linear0", frame, functional.selu(_linear(weights, "linear0", passed)))
        passed = keep("linear1", frame, functional.selu(_linear(weights, "linear1", passed)))
        frames.append(previous + _linear(weights, "output", passed))
    return torch.stack(frames, dim=2)


def _gru(weights: Parameters, name: str, entered: Tensor, hidden: Tensor) -> Tensor:
    """Equation 3.3."""
    remembered = _linear(weights, f"{name}.hidden", hidden)
    both = torch.sigmoid(entered[..., : 2 * UNITS] + remembered[..., : 2 * UNITS])
    reset, update = both.split(UNITS, dim=-1)
    fresh = torch.tanh(entered[..., 2 * UNITS :] + reset * remembered[..., 2 * UNITS :])
    return torch.lerp(fresh, hidden, update)


def _pose(weights: Parameters, name: str, pose: Tensor) -> Tensor:
    return _linear(weights, f"{name}1", functional.selu(_linear(weights, f"{name}0", pose)))


def _interpolation(weights: Parameters, joined: Tensor) -> Tensor:
    hidden = functional.selu(_linear(weights, "key0", joined))
    return _linear(weights, "key2", functional.selu(_linear(weights, "key1", hidden)))


def _linear(weights: Parameters, name: str, x: Tensor) -> Tensor:
    flat = x.flatten(1, -2)
    value = torch.baddbmm(weights[f"{name}.bias"][:, None], flat, weights[f"{name}.weight"])
    return value.reshape(*x.shape[:-1], -1)
