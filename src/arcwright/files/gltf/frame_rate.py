"""Frame rate: glTF has none; one that key times do not show goes into an animation's extras."""

from __future__ import annotations

from math import isclose
from typing import Any

import numpy as np

from arcwright.arrays import Floats
from arcwright.files.gltf.item import Item
from arcwright.files.units import guess_rate

RATE_EXTRA = "arcwright_rate"  # the key in an animation's extras, frames a second


def rate_extras(rate: float, times: list[Floats]) -> dict[str, Any]:
    """What the extras of an animation say, so that its rate comes back."""
    if isclose(guess_rate(np.concatenate(times)), rate, rel_tol=1e-4):
        return {}
    return {RATE_EXTRA: rate}


def stored_rate(animation: Item) -> float | None:
    """The stored frame rate of an animation; None if there is none."""
    extras = animation.value.get("extras")
    rate = extras.get(RATE_EXTRA) if isinstance(extras, dict) else None
    if isinstance(rate, bool) or not isinstance(rate, int | float):
        return None
    return float(rate) if 0 < rate <= 1e4 else None
