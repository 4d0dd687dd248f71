"""Clip: keyed animation curves. (A motion has samples instead of keys.)"""

from __future__ import annotations

from dataclasses import dataclass

from arcwright.errors import BadValue
from arcwright.scene.curve import Curve


@dataclass(frozen=True, eq=False)
class Clip:
    """One curve per channel of a rig, each with its own key times; None where nothing is keyed."""

    name: str
    curves: tuple[Curve | None, ...]  # (C,)
    duration: float  # s; the clip plays from 0 to this time
    rate: float = 24.0  # frames per second, for display and snapping
    loops: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "curves", tuple(self.curves))
        object.__setattr__(self, "duration", float(self.duration))
        object.__setattr__(self, "rate", float(self.rate))
        for index, curve in enumerate(self.curves):
            if curve is not None and not isinstance(curve, Curve):
                raise BadValue(f"Clip.curves[{index}]", "a Curve or None", type(curve).__name__)
        if not 0 <= self.duration < float("inf"):
            raise BadValue("Clip.duration", "seconds, 0 or more", self.duration)
        if not 0 < self.rate < float("inf"):
            raise BadValue("Clip.rate", "frames per second above 0", self.rate)

    @property
    def key_count(self) -> int:
        """The number of keys of all curves."""
        return sum(len(curve) for curve in self.curves if curve is not None)
