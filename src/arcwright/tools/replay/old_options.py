"""Former names of options, for gesture files written with them. Nothing else accepts them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from arcwright.errors import BadValue

_BODY = {"body": "body_follows", "chain": "chain_length", "stretch": "stretch_bones"}
RENAMED: dict[str, dict[str, str]] = {
    "pose": {"key_moved": "auto_key", "reach": "time_reach", **_BODY},
    "tangent": {"reach": "time_reach", "floor": "floor_height", **_BODY},
    "spacetime": {
        "spacing": "knot_spacing",
        "smooth": "smoothness",
        "ramp": "contact_ease",
        "floating": "floating_footplants",
        "floor": "floor_limit",
        "clean": "fix_foot_skate",
        "grab_feet": "drag_moves_footplant",
        "find_plants": "detect_footplants",
        "heels": "include_heels",
        "keep_ends": "lock_ends",
    },
    "cycle": {},
}


def current_options(tool: str, options: Mapping[str, Any]) -> Mapping[str, Any]:
    """Options with today's names; unknown ones are left for the tool to refuse."""
    renamed, found = RENAMED.get(tool, {}), {}
    for name, value in options.items():
        now = renamed.get(name, name)
        if now != name and now in options:
            raise BadValue("options", f"{now} once", f"{name}, its former name, besides")
        found[now] = _smoothness(value) if name == "smooth" else value
    return found


def _smoothness(weight: object) -> object:
    """Smoothness, 0 to 1, from what was its weight, 0 to 100,000; 32,767 and more give 1."""
    if isinstance(weight, bool) or not isinstance(weight, int | float) or not weight >= 0:
        return weight
    return min(math.log2(1 + weight) / 15, 1.0)
