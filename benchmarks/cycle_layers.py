"""What a person acts for one cycle: layers, and the loops of which they are made.

Places are metres, angles degrees, both from the still pose; loops are values at even phases.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from arcwright.arrays import Floats
from arcwright.scene.scene import Scene


@dataclass(frozen=True, eq=False)
class Layer:
    """One performance: a point that follows a device, or channels that follow its axes."""

    name: str
    device: str
    point: str = ""  # joint; performed by `path`
    path: Floats | None = None  # (P, 3) m, or (P, 6) with a rotation vector in degrees
    channels: Mapping[str, Floats] = field(default_factory=dict)  # (P,) m or degrees
    actor: str = ""  # the first character by default
    ratio: float = 1.0  # of its period to that of the row
    cycles: int = 5  # the first layer of a row is acted once more
    beats: int = 1  # of a cycle, by which one keeps time
    offset: tuple[float, float, float] | None = None  # m, of the point in its joint
    options: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Paper:
    """A row of the table: animated elements and transforms, and minutes where they are stated."""

    elements: int
    transforms: int
    minutes: str = ""


@dataclass(frozen=True, eq=False)
class Row:
    """One cycle."""

    name: str
    scene: str
    frames: int  # of 24 per second, in a cycle
    paper: Paper
    layers: Sequence[Layer]
    seed: int = 2  # with which the first layer gives a loop of `frames`: the others follow that
    shaped: Callable[[Scene], list[dict[str, Any]]] | None = None  # drags after all was acted


NOVICE = "< 60"
PHASES = np.arange(48) / 48  # of every loop
ROOT = {"drive": "joint"}  # the root moves and carries all with it
LIMB = {"chain_length": 2}  # what carries the limb stays as it is
ARM = {"chain_length": 5}  # with shoulder and chest, which reach farther than an arm


def wave(size: float, late: float = 0.0, middle: float = 0.0, often: int = 1) -> Floats:
    """A cosine that is at its most at phase `late`."""
    return middle + size * np.cos(2 * np.pi * often * (PHASES - late))


def pulse(size: float, at: float, wide: float = 0.25, middle: float = 0.0) -> Floats:
    """One soft push a cycle, `wide` of it long."""
    near = np.abs((PHASES - at + 0.5) % 1 - 0.5) / wide
    return middle + size * np.where(near < 1, np.cos(np.pi * near / 2) ** 2, 0.0)


def path(
    x: Floats | float = 0.0,
    y: Floats | float = 0.0,
    z: Floats | float = 0.0,
    turn: tuple[Floats | float, Floats | float, Floats | float] | None = None,
) -> Floats:
    """(48, 3) places, or (48, 6) with rotation vectors in degrees."""
    columns = [x, y, z, *(turn or ())]
    return np.stack([np.broadcast_to(np.asarray(each, float), 48) for each in columns], axis=1)


def angles(rows: Mapping[str, Floats]) -> dict[str, Floats]:
    """`Neck1.x` and the like as names of rotation channels."""
    return {f"{name[:-2]}.rotate{name[-2:]}": values for name, values in rows.items()}


def pad(name: str, rows: Mapping[str, Floats], **more: object) -> Layer:
    """Up to six angles with the sticks and triggers of a gamepad."""
    return Layer(name, "gamepad", channels=angles(rows), **more)  # type: ignore[arg-type]


def chain(
    joint: str, numbers: Sequence[int], axis: str, size: float, lag: float, late: float = 0.0
) -> dict[str, Floats]:
    """A wave that runs down a chain of joints."""
    return {f"{joint}{n}.{axis}": wave(size, late + lag * n) for n in numbers}


def held(name: str, point: str, moved: Floats, **more: object) -> Layer:
    """A point with a tracked controller."""
    return Layer(name, "controller", point=point, path=moved, **more)  # type: ignore[arg-type]
