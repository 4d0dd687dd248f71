"""Options of the cycle tool: how a performance becomes a loop, and how a loop is edited."""

from __future__ import annotations

from dataclasses import dataclass

from arcwright.tools.options import Options, option
from arcwright.tools.shared.body_options import body_option, chain_option, plant_feet_option


@dataclass(frozen=True)
class CycleOptions(Options):
    """How a loop is performed, shaped and brought into contact with the ground."""

    # Recording
    perform: str = option(
        "auto",
        "Perform",
        "what the device moves; auto follows its position, and its orientation where it rotates",
        choices=("auto", "position", "orientation", "position and orientation", "scale"),
    )
    drive: str = option(
        "body",
        "Drive",
        "the body follows the performed point, or only the point's own joint moves",
        choices=("body", "joint"),
    )
    space: str = option(
        "auto",
        "Space",
        "whether a point moves in the world, or along with the part of the body that carries its "
        "limb; auto does the latter in takes that do not loop",
        choices=("auto", "world", "body"),
    )
    gain: float = option(
        1.0, "Gain", "movement of the character for that of the device", low=0.01, high=100.0
    )
    shape: str = option(
        "average",
        "Loop shape",
        "mean of the acted cycles, the best single one, or a mean in which later ones count more",
        choices=("average", "best", "latest"),
    )
    method: str = option(
        "auto",
        "Method",
        "how the period is found; paper is the published method",
        choices=("auto", "paper"),
    )
    period: float | None = option(
        None,
        "Acted period",
        "the detected period nearest to this one is used",
        unit="s",
        low=0.02,
        high=60.0,
    )
    start: float | None = option(
        None, "Loop start", "where in the recording the loop starts", unit="s", low=0.0, high=3600.0
    )
    ratio: str = option(
        "auto",
        "Period ratio",
        "period of the new layer in periods of the loop; free keeps its own",
        choices=("auto", "1:1", "1:2", "1:3", "2:1", "3:1", "3:2", "free"),
    )
    punch_start: float | None = option(
        None,
        "Punch start",
        "with punch end: only this part of the loop is acted again, in periods from its start",
        low=0.0,
        high=1.0,
    )
    punch_end: float | None = option(
        None,
        "Punch end",
        "where the part ends; before its start: over the loop's end",
        low=0.0,
        high=1.0,
    )
    tolerance: float = option(
        0.005, "Tolerance", "how far the keys may be from the loop", unit="m", low=0.0001, high=1.0
    )
    # Shaping
    affected_range: float = option(
        0.25,
        "Affected range",
        "time on either side that follows an edit of the loop",
        unit="s",
        low=0.01,
        high=60.0,
    )
    falloff: float = option(
        0.01,
        "Falloff",
        "what is left of an edit at the end of the affected range",
        low=0.000001,
        high=0.9,
    )
    retime: str = option(
        "all",
        "Retime",
        "all channels together, or only those of the dragged item",
        choices=("all", "item"),
    )
    loop_period: float | None = option(
        None,
        "Loop period",
        "length of the whole loop; empty keeps it",
        unit="s",
        low=0.02,
        high=600.0,
    )
    phase: float = option(
        0.0, "Phase", "how much later the item plays its loop", unit="s", low=-60.0, high=60.0
    )
    # Contact
    surface: str = option(
        "plane",
        "Surface",
        "what a stroke stands for: level or sloped ground, steps, or its own curve",
        choices=("plane", "steps", "curve"),
    )
    travels: bool = option(True, "Root travels", "the root moves so that contacts do not slide")
    # Body
    body_follows: float = body_option()
    chain_length: int = chain_option()
    plant_feet: bool = plant_feet_option()
