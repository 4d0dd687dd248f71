"""Tool, Session, Preview, Note: the interface every tool shares. Cancelling is forgetting."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Protocol, TypeAlias

from arcwright.arrays import Floats
from arcwright.scene.edit import Edit
from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.tools.gesture import Gesture

Unchanged: TypeAlias = Literal["no constraints", "all met", "no gain"]


@dataclass(frozen=True, eq=False)
class Note:
    """Something people should know, in plain words; never an exception."""

    text: str
    kind: str  # "short" (a task was missed), "blocked", "swings", "jumps", "said"
    amount: float = 0.0  # m or rad, as the text says
    blocker: str = ""  # the task that is in the way, by name


@dataclass(frozen=True, eq=False)
class Preview:
    """The edit as it would be now, and what a face draws while the drag moves."""

    make_edit: Callable[[], Edit]
    make_notes: Callable[[], tuple[Note, ...]]
    remaining: float  # m, from the dragged point to its target now; finishing may bring it closer
    reached: Floats  # (3,) m, where the held point is now
    pose: Floats  # (C,) channel values at the held time
    make_span: Callable[[], tuple[float, float]]

    @cached_property
    def edit(self) -> Edit:
        """The edit, made when it is asked for: many previews are drawn without."""
        return self.make_edit()

    @cached_property
    def span(self) -> tuple[float, float]:
        """Seconds; elsewhere in the clip nothing changes, now or at the end."""
        return self.make_span()

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """What letting go now would leave undone; worked out when this is asked for.

        Once the drag has moved on, it only tells how far the preview itself was off.
        """
        return self.make_notes()


@dataclass(frozen=True, eq=False)
class Offer:
    """More than was asked for: done only if the animator says so."""

    text: str
    edit: Edit
    remaining: float  # m, how far the point would still be off


@dataclass(frozen=True, eq=False)
class Applied:
    """The outcome of solving constraints without a drag."""

    edit: Edit  # one undo step; empty where everything holds already, or nothing would be gained
    notes: tuple[Note, ...]  # what still does not edited, and by how much
    used: Mapping[str, float]  # what was made of options that depend on the take, s
    unchanged: Unchanged | None = None  # why there is no step, where there is none

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        notes = [{"text": each.text, "amount": each.amount} for each in self.notes]
        changed = {"changed": not self.edit.empty, "unchanged": self.unchanged}
        return changed | {"notes": notes, "used": dict(self.used)}


class Session(Protocol):
    """One gesture's life. The scene it began with is never touched."""

    def update(self, gesture: Gesture) -> Preview:
        """Follow the gesture: the edit as it would be now."""
        ...

    def finish(self) -> Edit:
        """End the gesture: one undo step."""
        ...

    def notes(self) -> tuple[Note, ...]:
        """What letting go now would leave undone."""
        ...

    def fork(self) -> Session:
        """A session that stands where this one does, for another thread to ask."""
        ...


class Tool(Protocol):
    """A way to edit: its name is its folder, its command word and its message tag."""

    name: str
    gestures: tuple[type[Any], ...]
    Options: type[Any]
    one_frame: bool  # whether pins hold at the held time only, and may slide between keys

    def begin(self, scene: Scene, target: Target, options: Any) -> Session:
        """Prepare an edit; everything slow is done here."""
        ...
