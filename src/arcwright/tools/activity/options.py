"""Options of the activity tool."""

from __future__ import annotations

from dataclasses import dataclass

from arcwright.tools.options import Options, option
from arcwright.tools.shared.body_options import body_option


@dataclass(frozen=True)
class ActivityOptions(Options):
    """How an activity adapts, and what becomes of the result."""

    body_follows: float = body_option()
    look_at: bool = option(True, "Look at", "gaze follows what the character looks at")
    out_of_reach: str = option(
        "stop",
        "Out of reach",
        "what happens to a target that a limb cannot get to: stop: the target stays within reach; "
        "walk: steps are added or become longer; try: the limb stretches towards it",
        choices=("stop", "walk", "try"),
    )
    stay_clear: bool = option(
        True, "Stay clear", "limbs and carried objects go around props and the body itself"
    )
    method: str = option(
        "similar",
        "Deformation method",
        "how trajectories bend: similar: details turn and grow with the path; additive: "
        "displacements are added, as published",
        choices=("similar", "additive"),
    )
    result: str = option(
        "layer",
        "Result",
        "layer: the original stays below; keys: few key poses; samples: one pose a frame",
        choices=("layer", "keys", "samples"),
    )
    tolerance: float = option(
        0.005,
        "Tolerance",
        "how far joints may be off where the result is keys",
        unit="m",
        low=0.0005,
        high=0.1,
    )
