"""Options of tools that drag points of a body."""

from __future__ import annotations

from typing import Any

from arcwright.tools.options import option


def body_option() -> Any:
    """The option of tools that drag a point of a body: how much the rest comes along."""
    return option(
        0.0,
        "Body follows",
        "how much the body follows: 0 moves the limb first, 1 all joints alike",
        low=0.0,
        high=1.0,
    )


def chain_option() -> Any:
    """The option that limits a drag to a number of joints above the dragged one."""
    return option(
        0, "Chain length", "joints above the dragged one that may rotate; 0 for all", low=0, high=64
    )


def stretch_option() -> Any:
    """The option that lets bones change their length."""
    return option(
        False, "Stretch bones", "bones may change length and scale, as if every joint were free"
    )


def plant_feet_option() -> Any:
    """The option that keeps planted feet where they are."""
    return option(
        True, "Plant feet", "planted feet stay where they are, unless the foot or leg is dragged"
    )
