"""From residuals to poses in PyTorch: rotations, forward kinematics, and what they cost."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from arcwright.tools.autocomplete.body.skeleton import Skeleton

Batch = dict[str, Tensor]
TINY = 1e-6


@dataclass(frozen=True)
class Costs:
    """Weights of what poses cost, in leg lengths and in differences of rotation matrices."""

    rotation: float = 0.1
    velocity: float = 2.0
    slide: float = 2.0


def completed(skeleton: Skeleton, batch: Batch, residual: Tensor) -> tuple[Tensor, Tensor]:
    """World rotations (B, T, J, 3, 3) and places (B, T, J, 3) of residuals (B, T, 3 J + 3)."""
    joints = len(skeleton.names)
    parts = residual.unflatten(-1, (joints + 1, 3)) * batch["window"][..., None]
    turns, shift = parts[..., :-1, :], parts[..., -1, :]
    base = batch["base_rotations"]
    local = matrices(multiply(base, exponential(turns)))
    root = base[..., 0, :]
    angle = 2 * torch.atan2(root[..., 2], root[..., 0])
    cosine, sine = angle.cos(), angle.sin()
    x, y, z = shift.unbind(-1)
    moved = torch.stack([cosine * x + sine * z, y, cosine * z - sine * x], -1)
    return world(skeleton, local, batch["base_position"] + moved, batch["offsets"])


def world(
    skeleton: Skeleton, local: Tensor, position: Tensor, offsets: Tensor
) -> tuple[Tensor, Tensor]:
    """Forward kinematics of rotations (B, T, J, 3, 3)."""
    turned: list[Tensor | None] = [None] * len(skeleton.names)
    places: list[Tensor | None] = [None] * len(skeleton.names)
    turned[0], places[0] = local[..., 0, :, :], position
    for joints in skeleton.levels:
        above = [int(skeleton.parents[joint]) for joint in joints]
        frame = torch.stack([turned[each] for each in above], -3)
        start = torch.stack([places[each] for each in above], -2)
        own = frame @ local[..., joints.tolist(), :, :]
        step = (frame * offsets[..., joints.tolist(), None, :]).sum(-1)
        at = start + step
        for index, joint in enumerate(joints.tolist()):
            turned[joint], places[joint] = own[..., index, :, :], at[..., index, :]
    return torch.stack(turned, -3), torch.stack(places, -2)


def costs(batch: Batch, turned: Tensor, places: Tensor, feet: list[int]) -> dict[str, Tensor]:
    """(B,) means over the frames that are free: places, rotations, velocities, sliding feet."""
    free = batch["free"].float()
    count = free.sum(1).clamp(min=1)
    off = places - batch["places"]
    place = (_length(off).mean(-1) * free).sum(1) / count
    away = (turned - batch["turned"]).flatten(-2)
    rotation = (_length(away).mean(-1) * free).sum(1) / count
    between = torch.maximum(free[:, 1:], free[:, :-1])
    change = (_length(torch.diff(off, dim=1)).mean(-1) * between).sum(1) / count
    step = torch.diff(places[:, :, feet], dim=1)
    stays = batch["stays"] * between[..., None]
    slide = (_length(step) * stays).sum((1, 2)) / count
    return {"place": place, "rotation": rotation, "velocity": change, "slide": slide}


def total(found: dict[str, Tensor], weights: Costs) -> Tensor:
    """(B,) the sum that training makes small."""
    return (
        found["place"]
        + weights.rotation * found["rotation"]
        + weights.velocity * found["velocity"]
        + weights.slide * found["slide"]
    )


def _length(vector: Tensor) -> Tensor:
    return (vector.square().sum(-1) + TINY).sqrt() - TINY**0.5


def exponential(vector: Tensor) -> Tensor:
    """Unit quaternions of rotation vectors."""
    half = 0.5 * (vector.square().sum(-1, keepdim=True) + 1e-12).sqrt()
    return torch.cat([half.cos(), 0.5 * vector * (half.sin() / half)], -1)


def multiply(a: Tensor, b: Tensor) -> Tensor:
    """The rotation b followed by a."""
    (aw, ax, ay, az), (bw, bx, by, bz) = a.unbind(-1), b.unbind(-1)
    return torch.stack(
        [
            aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
        ],
        -1,
    )


def matrices(q: Tensor) -> Tensor:
    """(..., 3, 3) of unit quaternions."""
    w, x, y, z = q.unbind(-1)
    rows = [
        *(1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        *(2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        *(2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    ]
    return torch.stack(rows, -1).unflatten(-1, (3, 3))
