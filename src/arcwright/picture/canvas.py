"""Canvas: composite fragments from far to near, then tone map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arcwright.arrays import AnyArray, Ints

SUPERSAMPLING = 2  # samples per pixel each way


@dataclass(frozen=True, eq=False)
class Fragments:
    """Coloured samples to composite."""

    sample: Ints  # (N,) y * width + x on the finer grid
    nearness: AnyArray  # (N,) larger is nearer
    colour: AnyArray  # (N, 3) linear light
    alpha: AnyArray  # (N,) 0 to 1


def composite(layers: Sequence[Fragments], backdrop: AnyArray) -> AnyArray:
    """Composite fragments over a backdrop (H, W, 3), far ones first; colours are linear light."""
    height, width = backdrop.shape[:2]
    sample = np.concatenate([layer.sample for layer in layers] or [np.zeros(0, np.int64)])
    if len(sample) == 0:
        return backdrop.copy()
    near = np.concatenate([layer.nearness for layer in layers]).astype(np.float32)
    order = _far_to_near(sample, near)
    sample = sample[order]
    colour = np.concatenate([layer.colour for layer in layers]).astype(np.float32)[order]
    alpha = np.concatenate([layer.alpha for layer in layers]).astype(np.float32)[order]
    fresh = np.append(True, sample[1:] != sample[:-1])
    first = np.flatnonzero(fresh)
    count = np.diff(np.append(first, len(sample)))
    light = np.zeros((len(first), 3), np.float32)
    through = np.ones(len(first), np.float32)
    for depth in range(int(count.max())):
        has = np.flatnonzero(count > depth)
        at = first[has] + depth
        light[has] += (colour[at] - light[has]) * alpha[at, None]
        through[has] *= 1 - alpha[at]
    pixel = _pixel_of(sample[first], width)
    return _gather(backdrop, pixel, light, through, (height, width))


def _far_to_near(sample: Ints, near: AnyArray) -> Ints:
    bits = np.maximum(near, 1e-30).view(np.uint32).astype(np.uint64)
    return np.argsort((sample.astype(np.uint64) << np.uint64(32)) | bits, kind="stable")


def _pixel_of(sample: Ints, width: int) -> Ints:
    y, x = np.divmod(sample, width * SUPERSAMPLING)
    pixel: Ints = y // SUPERSAMPLING * width + x // SUPERSAMPLING
    return pixel


def _gather(
    backdrop: AnyArray, pixel: Ints, light: AnyArray, through: AnyArray, size: tuple[int, int]
) -> AnyArray:
    share = 1 / SUPERSAMPLING**2
    total = size[0] * size[1]
    out = backdrop.reshape(total, 3).astype(np.float64)
    covered = np.bincount(pixel, 1 - through, total) * share
    out *= (1 - covered)[:, None]
    for channel in range(3):
        out[:, channel] += np.bincount(pixel, light[:, channel], total) * share
    return out.reshape(*size, 3)


def tone_map(light: AnyArray) -> AnyArray:
    """Linear light (H, W, 3) as sRGB bytes, highlights rolled off, dithered against banding."""
    knee = 0.8
    over = np.maximum(light - knee, 0)
    soft = np.minimum(light, knee) + (1 - knee) * over / (over + (1 - knee))
    shown = to_srgb(soft) * 255
    y, x = np.mgrid[: light.shape[0], : light.shape[1]]
    # Interleaved gradient noise: the same for every picture, so output is repeatable.
    noise = np.mod(52.9829189 * np.mod(0.06711056 * x + 0.00583715 * y, 1), 1)
    image: AnyArray = np.clip(np.floor(shown + noise[..., None]), 0, 255).astype(np.uint8)
    return image


def to_srgb(linear: AnyArray) -> AnyArray:
    """Linear light 0..1 as sRGB 0..1."""
    value = np.clip(linear, 0, 1)
    return np.where(value <= 0.0031308, 12.92 * value, 1.055 * value ** (1 / 2.4) - 0.055)


def from_srgb(shown: AnyArray) -> AnyArray:
    """sRGB 0..1 as linear light 0..1."""
    value = np.clip(shown, 0, 1)
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def colour(code: str) -> AnyArray:
    """A web colour such as `#ff9a1f` as linear light (3,)."""
    return from_srgb(np.array([int(code[i : i + 2], 16) for i in (1, 3, 5)]) / 255)
