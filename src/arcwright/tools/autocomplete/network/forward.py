"""The forward pass of a completion network in NumPy."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from arcwright.tools.autocomplete.network.architecture import Architecture

Singles = NDArray[np.float32]
Weights = Mapping[str, Singles]

EPSILON = 1e-5
BLOCK = 128  # tokens whose attention is worked out at once
SLOWEST = 200.0  # frames a radian: the slowest of the rotary frequencies


def forward(
    architecture: Architecture, weights: Weights, inputs: Singles, times: Singles, latents: Singles
) -> Singles:
    """Residuals (A, T, C), z-scored and not yet windowed, one for each latent (A, latent + 1).

    `inputs` (T, F) are the features of tokens at `times` (T,) in frames.
    """
    tokens = inputs @ weights["input.weight"] + weights["input.bias"]
    tokens = tokens + (latents @ weights["latent.weight"])[:, None]
    turns = rotary(architecture, times)
    for layer in range(architecture.layers):
        own = {name: weights[f"{layer}.{name}"] for name in _BLOCK_WEIGHTS}
        tokens = tokens + _attended(architecture, own, tokens, turns)
        hidden = _normed(tokens, own["norm.gain"], own["norm.bias"]) @ own["up.weight"]
        hidden = silu(hidden + own["up.bias"])
        tokens = tokens + (hidden @ own["down.weight"] + own["down.bias"])
    tokens = _normed(tokens, weights["norm.gain"], weights["norm.bias"])
    residual: Singles = tokens @ weights["output.weight"] + weights["output.bias"]
    return residual


_BLOCK_WEIGHTS = [
    name.removeprefix("0.") for name in Architecture(1).shapes() if name.startswith("0.")
]


def rotary(architecture: Architecture, times: Singles) -> tuple[Singles, Singles]:
    """(T, head width / 2) cosines and sines of rotary positions (Su 2021), time in frames."""
    half = architecture.width // architecture.heads // 2
    speed = SLOWEST ** -(np.arange(half) / max(half - 1, 1))
    angle = np.asarray(times, np.float64)[:, None] * speed
    return np.cos(angle).astype(np.float32), np.sin(angle).astype(np.float32)


def silu(x: Singles) -> Singles:
    """x sigmoid(x)"""
    with np.errstate(over="ignore"):
        activated: Singles = x / (1 + np.exp(-x))
    return activated


def _attended(
    architecture: Architecture, own: Weights, tokens: Singles, turns: tuple[Singles, Singles]
) -> Singles:
    """(A, T, width) what attention adds."""
    answers, count, width = tokens.shape
    normed = _normed(tokens, own["attention_norm.gain"], own["attention_norm.bias"])
    mixed = _convolved(normed, own["convolution.weight"]) @ own["attention.weight"]
    parts = (mixed + own["attention.bias"]).reshape(answers, count, 3, architecture.heads, -1)
    query, key, value = parts.transpose(2, 0, 3, 1, 4)  # (A, H, T, head width) each
    query, key = _rotated(query, *turns), _rotated(key, *turns)
    seen: Singles = np.empty_like(query)
    for start in range(0, count, BLOCK):
        rows = slice(start, min(start + BLOCK, count))
        columns = slice(max(0, start - architecture.reach), rows.stop + architecture.reach)
        seen[:, :, rows] = _attention(
            query[:, :, rows], key[:, :, columns], value[:, :, columns],
            _far(architecture.reach, rows, columns, count),
        )  # fmt: skip
    joined = seen.transpose(0, 2, 1, 3).reshape(answers, count, width)
    added: Singles = joined @ own["attention_output.weight"] + own["attention_output.bias"]
    return added


def _attention(query: Singles, key: Singles, value: Singles, far: NDArray[np.bool_]) -> Singles:
    """(A, H, rows, head width) softmax attention; tokens that are far off do not count."""
    score = query @ key.swapaxes(-1, -2)
    score *= np.float32(query.shape[-1] ** -0.5)
    score[..., far] = -np.inf
    score -= score.max(axis=-1, keepdims=True)
    np.exp(score, out=score)
    score /= score.sum(axis=-1, keepdims=True)
    seen: Singles = (score @ value).astype(np.float32, copy=False)
    return seen


def _far(reach: int, rows: slice, columns: slice, count: int) -> NDArray[np.bool_]:
    """(rows, columns) whether tokens are further apart than the reach."""
    row = np.arange(rows.start, rows.stop)
    column = np.arange(columns.start, min(columns.stop, count))
    far: NDArray[np.bool_] = abs(row[:, None] - column) > reach
    return far


def _rotated(x: Singles, cosine: Singles, sine: Singles) -> Singles:
    half = cosine.shape[-1]
    a, b = x[..., :half], x[..., half:]
    return np.concatenate([a * cosine - b * sine, a * sine + b * cosine], axis=-1)


def _convolved(x: Singles, kernel: Singles) -> Singles:
    """(A, T, width) the tokens plus a depthwise convolution of them, zeros beyond the ends."""
    half = len(kernel) // 2
    padded = np.pad(x, ((0, 0), (half, half), (0, 0)))
    total = x.copy()
    for offset, weight in enumerate(kernel):
        total += padded[:, offset : offset + x.shape[1]] * weight
    return total


def _normed(x: Singles, gain: Singles, bias: Singles) -> Singles:
    """Layer normalisation over the last axis."""
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = np.square(centred).mean(axis=-1, keepdims=True)
    normed: Singles = centred / np.sqrt(variance + np.float32(EPSILON)) * gain + bias
    return normed
