"""The door of spacetime editing: name, options, begin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields

from arcwright.errors import BadValue
from arcwright.scene.constraint import Constraint
from arcwright.scene.scene import Scene
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.apply import applied
from arcwright.tools.spacetime.plants import plants_of
from arcwright.tools.spacetime.session import SpacetimeSession
from arcwright.tools.spacetime.written import asked_of
from arcwright.tools.tool import Target


@dataclass(frozen=True)
class SpacetimeOptions:
    """How far an edit reaches and what it keeps."""

    spacing: float = field(
        default=0.07,
        metadata={
            "help": "time between two control values: long for broad changes, short for exact ones;"
            " two frames or more, and at most a fifth of the range, whatever is given; down to a"
            " quarter of it where plants could not stay",
            "unit": "s",
            "range": (0.02, 2.0),
        },
    )
    start: float = field(
        default=0.0, metadata={"help": "where the edit begins", "unit": "s", "range": (0.0, 1e6)}
    )
    end: float = field(
        default=0.0,
        metadata={
            "help": "where the edit ends; 0 for the end of the take, or 3 s from the hand where"
            " the take is longer than 6 s",
            "unit": "s",
            "range": (0.0, 1e6),
        },
    )
    smooth: float = field(
        default=7.0,
        metadata={
            "help": "how much the change avoids quick bends: 7 for a part of a second,"
            " 10,000 for a walk",
            "range": (0.0, 1e5),
        },
    )
    ramp: float = field(
        default=0.15,
        metadata={
            "help": "time in which plants come on and go off",
            "unit": "s",
            "range": (0.0, 1.0),
        },
    )
    whole_body: bool = field(
        default=False, metadata={"help": "torso and arms take part, not only what is held"}
    )
    floating: bool = field(
        default=False, metadata={"help": "plants may move to other places, without sliding"}
    )
    floor: bool = field(
        default=False, metadata={"help": "feet never go lower than they do in the original"}
    )
    clean: bool = field(
        default=True, metadata={"help": "plants that slide in the original come to rest"}
    )
    grab_feet: bool = field(
        default=True, metadata={"help": "a hand on a foot that stands takes its footplant along"}
    )
    find_plants: bool = field(
        default=True,
        metadata={
            "help": "find footplants where the take has no contacts; contacts of the scene are"
            " kept in any case"
        },
    )
    heels: bool = field(
        default=False,
        metadata={
            "help": "heels stand as well as toes, also beside contacts of toes; only with"
            " find_plants"
        },
    )
    keep_ends: bool = field(
        default=False, metadata={"help": "the first and last pose of the take stay as they are"}
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
    """Drag any point at any frame, a footplant, or a thing that is held; the motion adapts."""

    name = "spacetime"
    gestures = (Drag,)
    Options = SpacetimeOptions
    one_frame = False
    asked = staticmethod(asked_of)  # reads further wishes of a gesture file
    applied = staticmethod(applied)  # meets them without a drag
    detect_contacts = staticmethod(plants_of)  # contacts of a take, detected where it has none

    def begin(
        self,
        scene: Scene,
        target: Target,
        options: SpacetimeOptions,
        more: Sequence[Constraint] = (),
    ) -> SpacetimeSession:
        """Take hold of a take of keys or samples, with or without layers."""
        return SpacetimeSession(scene, target, options, more)
