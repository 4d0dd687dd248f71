"""Options of the autocompletion tool."""

from __future__ import annotations

from dataclasses import dataclass

from arcwright.tools.options import Options, option
from arcwright.tools.shared.body_options import body_option, chain_option, plant_feet_option

AUTOMATIC, NO_MODEL = "", "none"  # names of models


@dataclass(frozen=True)
class AutocompleteOptions(Options):
    """Between which keys a motion is completed, how, and what becomes of it."""

    keys: str = option(
        "",
        "Keys",
        "frames between whose poses the motion is completed, such as 0, 24, 60; 0-60 for the keys "
        "that the take has from frame 0 to 60; empty for all keys of the take",
        free=True,
    )
    model: str = option(
        AUTOMATIC,
        "Model",
        "name or file of the model that completes; empty for the one that knows the character, "
        "none for splines",
        free=True,
    )
    strength: float = option(
        1.0, "Strength", "0 is a spline through the keys, 1 the model", low=0.0, high=1.0
    )
    alternative: int = option(0, "Alternative", "which of several answers", low=0, high=15)
    joints: str = option(
        "",
        "Joints",
        "joints that are completed, such as Hips, Spine; others keep their motion; empty for all",
        free=True,
    )
    contacts: bool = option(
        True,
        "Contacts",
        "feet that rest at two keys stay there between, feet that step lift, none enters the floor",
    )
    tolerance: float = option(
        0.005,
        "Tolerance",
        "how far joints may be off between keys, for fewer in-between keys",
        unit="m",
        low=0.0005,
        high=0.1,
    )
    body_follows: float = body_option()
    chain_length: int = chain_option()
    plant_feet: bool = plant_feet_option()
