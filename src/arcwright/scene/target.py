"""Target: what a tool works on, by name."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Target:
    """An actor and one of its takes."""

    character: str = ""  # a character or prop; "" is the first character
    take: str = ""  # "" is its first take
