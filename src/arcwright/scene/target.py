"""Target: what a tool works on, by name."""

from __future__ import annotations

from dataclasses import dataclass

from arcwright.scene.point import Point


@dataclass(frozen=True)
class Target:
    """An actor and one of its takes; for tools that are performed, what of it is performed."""

    character: str = ""  # a character or prop; "" is the first character
    take: str = ""  # "" is its first take
    point: Point | None = None  # that follows a performance
    channels: tuple[str, ...] = ()  # that follow the axes of a device, such as "Jaw.rotate.x"
