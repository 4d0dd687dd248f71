"""The door of spacetime editing: name, options, begin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields

from arcwright.errors import BadValue
from arcwright.scene.constraint import Constraint
from arcwright.scene.scene import Scene
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.apply import applied
from arcwright.tools.spacetime.session import SpacetimeSession
from arcwright.tools.spacetime.written import asked_of
from arcwright.tools.tool import Target


@dataclass(frozen=True)
class SpacetimeOptions:
    """How far an edit reaches and what it keeps."""

    spacing: float = field(
        default=0.07,
        metadata={
            "label": "Knot spacing",
            "help": "time between two knots of the edit: long for broad changes, short for exact"
            " ones; at least two frames and at most a fifth of the range, less where footplants"
            " need it",
            "unit": "s",
            "range": (0.02, 2.0),
        },
    )
    start: float = field(
        default=0.0,
        metadata={
            "label": "Start",
            "help": "where the edit starts",
            "unit": "s",
            "range": (0.0, 1e6),
        },
    )
    end: float = field(
        default=0.0,
        metadata={
            "label": "End",
            "help": "where the edit ends; 0 for the end of the take, or 3 s after the dragged frame"
            " where the take is longer than 6 s",
            "unit": "s",
            "range": (0.0, 1e6),
        },
    )
    smooth: float = field(
        default=7.0,
        metadata={
            "label": "Smoothness",
            "help": "how much the edit avoids quick bends; higher values spread it over more time",
            "range": (0.0, 1e5),
        },
    )
    ramp: float = field(
        default=0.15,
        metadata={
            "label": "Contact ease",
            "help": "time in which contacts and footplants blend in and out",
            "unit": "s",
            "range": (0.0, 1.0),
        },
    )
    whole_body: bool = field(
        default=False,
        metadata={
            "label": "Whole body",
            "help": "the torso and all limbs may change, not only the dragged limb",
        },
    )
    floating: bool = field(
        default=False,
        metadata={
            "label": "Floating footplants",
            "help": "footplants may move to other places, without sliding",
        },
    )
    floor: bool = field(
        default=False,
        metadata={
            "label": "Floor limit",
            "help": "feet never go lower than they do in the source motion",
        },
    )
    clean: bool = field(
        default=True,
        metadata={
            "label": "Fix foot skate",
            "help": "footplants that slide in the source motion are held still",
        },
    )
    grab_feet: bool = field(
        default=True,
        metadata={
            "label": "Drag foot moves footplant",
            "help": "dragging a planted foot moves its footplant",
        },
    )
    find_plants: bool = field(
        default=True,
        metadata={
            "label": "Auto-detect footplants",
            "help": "detect footplants where the take has no contacts; contacts of the scene are"
            " kept in any case",
        },
    )
    heels: bool = field(
        default=False,
        metadata={
            "label": "Include heels",
            "help": "plant heels as well as toes, also beside contacts of toes; needs auto-detect"
            " footplants",
        },
    )
    keep_ends: bool = field(
        default=False,
        metadata={
            "label": "Lock ends",
            "help": "the first and last pose of the take stay as they are",
        },
    )

    def __post_init__(self) -> None:
        for each in fields(self):
            value, where = getattr(self, each.name), f"SpacetimeOptions.{each.name}"
            if "range" not in each.metadata:
                if not isinstance(value, bool):
                    raise BadValue(where, "on or off", value)
                continue
            low, high = each.metadata["range"]
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise BadValue(where, "a number", value)
            if not low <= value <= high:
                raise BadValue(where, f"{low:g} to {high:g}", value)


class SpacetimeTool:
    """Drag any point at any frame, a footplant, or a held prop; the whole motion adapts."""

    name = "spacetime"
    gestures = (Drag,)
    Options = SpacetimeOptions
    one_frame = False
    asked = staticmethod(asked_of)  # reads further wishes of a gesture file
    applied = staticmethod(applied)  # meets them without a drag

    def begin(
        self,
        scene: Scene,
        target: Target,
        options: SpacetimeOptions,
        more: Sequence[Constraint] = (),
    ) -> SpacetimeSession:
        """Take hold of a take of keys or samples, with or without layers."""
        return SpacetimeSession(scene, target, options, more)
