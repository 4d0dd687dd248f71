"""The network of `network.forward` in PyTorch, for several models at once, and its posterior."""

from __future__ import annotations

import math

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from arcwright.tools.autocomplete.network.architecture import Architecture
from arcwright.tools.autocomplete.network.forward import EPSILON, SLOWEST

Parameters = dict[str, Tensor]
POSTERIOR_WIDTH = 96


def initial(architecture: Architecture, seeds: list[int]) -> Parameters:
    """Weights (M, ...) of a model for each seed; what blocks and the output add starts small."""
    shapes = architecture.shapes() | posterior_shapes(architecture)
    drawn: dict[str, list[np.ndarray]] = {name: [] for name in shapes}
    for seed in seeds:
        draw = np.random.default_rng(seed)
        for name, shape in shapes.items():
            drawn[name].append(_drawn(name, shape, architecture, draw))
    return {name: torch.tensor(np.stack(each), dtype=torch.float32) for name, each in drawn.items()}


def _drawn(
    name: str, shape: tuple[int, ...], architecture: Architecture, draw: np.random.Generator
) -> np.ndarray:
    if name.endswith("gain"):
        return np.ones(shape)
    if name.endswith("bias"):
        return np.zeros(shape)
    scale = 1 / math.sqrt(shape[0])
    if name.endswith(("attention_output.weight", "down.weight")):
        scale /= math.sqrt(2 * architecture.layers)
    if name in ("output.weight", "posterior.output.weight"):
        scale *= 0.1
    return draw.normal(size=shape) * scale


def posterior_shapes(architecture: Architecture) -> dict[str, tuple[int, ...]]:
    """Weights of the network that finds the latent of a given answer; only training needs it."""
    wide = POSTERIOR_WIDTH
    return {
        "posterior.input.weight": (architecture.inputs + 2 * architecture.channels, wide),
        "posterior.input.bias": (wide,),
        "posterior.hidden.weight": (wide, wide),
        "posterior.hidden.bias": (wide,),
        "posterior.output.weight": (wide, 2 * max(architecture.latent, 1)),
        "posterior.output.bias": (2 * max(architecture.latent, 1),),
    }


def residuals(
    architecture: Architecture,
    weights: Parameters,
    inputs: Tensor,
    times: Tensor,
    valid: Tensor,
    latents: Tensor,
) -> Tensor:
    """(M, B, T, C) of inputs (M, B, T, F), times, valid (M, B, T), latents (M, B, latent + 1)."""
    tokens = _linear(inputs, weights, "input")
    tokens = tokens + (latents @ weights["latent.weight"])[:, :, None]
    cosine, sine = _rotary(architecture, times)
    mask = _mask(architecture, valid)
    shown = valid[..., None].to(tokens.dtype)
    for layer in range(architecture.layers):
        normed = _norm(tokens, weights, f"{layer}.attention_norm") * shown
        mixed = _convolved(normed, weights[f"{layer}.convolution.weight"])
        parts = _linear(mixed, weights, f"{layer}.attention")
        seen = _attention(architecture, parts, cosine, sine, mask)
        tokens = tokens + _linear(seen, weights, f"{layer}.attention_output")
        hidden = _linear(_norm(tokens, weights, f"{layer}.norm"), weights, f"{layer}.up")
        tokens = tokens + _linear(functional.silu(hidden), weights, f"{layer}.down")
    return _linear(_norm(tokens, weights, "norm"), weights, "output")


def posterior(
    weights: Parameters, inputs: Tensor, residual: Tensor, window: Tensor, valid: Tensor
) -> tuple[Tensor, Tensor]:
    """Mean and log variance (M, B, latent) of the latent that leads to a residual (M, B, T, C)."""
    joined = torch.cat([inputs, residual, window], dim=-1)
    hidden = functional.silu(_linear(joined, weights, "posterior.input"))
    hidden = functional.silu(_linear(hidden, weights, "posterior.hidden"))
    shown = valid[..., None].to(hidden.dtype)
    pooled = (hidden * shown).sum(2, keepdim=True) / shown.sum(2, keepdim=True)
    mean, log_variance = _linear(pooled, weights, "posterior.output")[:, :, 0].chunk(2, dim=-1)
    return mean, log_variance.clamp(-8, 4)


def _linear(x: Tensor, weights: Parameters, name: str) -> Tensor:
    models, batch, count = x.shape[:3]
    weight, bias = weights[f"{name}.weight"], weights[f"{name}.bias"][:, None]
    flat = torch.baddbmm(bias, x.reshape(models, batch * count, -1), weight)
    return flat.reshape(models, batch, count, -1)


def _norm(x: Tensor, weights: Parameters, name: str) -> Tensor:
    normed = functional.layer_norm(x, x.shape[-1:], eps=EPSILON)
    return normed * weights[f"{name}.gain"][:, None, None] + weights[f"{name}.bias"][:, None, None]


def _convolved(x: Tensor, kernel: Tensor) -> Tensor:
    half = kernel.shape[1] // 2
    padded = functional.pad(x, (0, 0, half, half))
    total = x
    for offset in range(kernel.shape[1]):
        shifted = padded[:, :, offset : offset + x.shape[2]]
        total = total + shifted * kernel[:, offset, None, None]
    return total


def _rotary(architecture: Architecture, times: Tensor) -> tuple[Tensor, Tensor]:
    half = architecture.width // architecture.heads // 2
    order = torch.arange(half, dtype=torch.float64, device=times.device)
    speed = SLOWEST ** -(order / max(half - 1, 1))
    angle = times[:, :, None, :, None].double() * speed
    return angle.cos().float(), angle.sin().float()


def _mask(architecture: Architecture, valid: Tensor) -> Tensor:
    """(M B, 1, T, T) added to scores: -inf for far tokens and for those not in use but oneself."""
    token = torch.arange(valid.shape[-1], device=valid.device)
    near = (token[:, None] - token).abs() <= architecture.reach
    own = token[:, None] == token
    seen = ((near & valid[:, :, None]) | own).flatten(0, 1)[:, None]
    return torch.zeros(seen.shape, device=seen.device).masked_fill(~seen, -math.inf)


def _attention(
    architecture: Architecture, parts: Tensor, cosine: Tensor, sine: Tensor, mask: Tensor
) -> Tensor:
    models, batch, count, _ = parts.shape
    split = parts.reshape(models, batch, count, 3, architecture.heads, -1).permute(3, 0, 1, 4, 2, 5)
    query, key, value = _rotated(split[0], cosine, sine), _rotated(split[1], cosine, sine), split[2]
    seen = functional.scaled_dot_product_attention(
        query.flatten(0, 1), key.flatten(0, 1), value.flatten(0, 1), attn_mask=mask
    )
    return seen.transpose(1, 2).reshape(models, batch, count, -1)


def _rotated(x: Tensor, cosine: Tensor, sine: Tensor) -> Tensor:
    a, b = x.chunk(2, dim=-1)
    return torch.cat([a * cosine - b * sine, a * sine + b * cosine], dim=-1)
