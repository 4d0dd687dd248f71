"""Activity files carried out: what `arcwright activity edit` and `vary` do."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from arcwright.activity_file.edit_entries import (
    ActivityEdit,
    ElementEdit,
    EventRetime,
    ObjectEdit,
    Swap,
)
from arcwright.activity_file.read import ActivityFile
from arcwright.arrays import Floats
from arcwright.errors import BadValue
from arcwright.kinematics.rotation import quaternion_from_vector, quaternion_multiply
from arcwright.replay import read_beside
from arcwright.scene.activity import element_of
from arcwright.scene.edit import Edit
from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.tools.activity.new_props import SwappedProp, swapped_with
from arcwright.tools.activity.options import ActivityOptions
from arcwright.tools.activity.session import ActivitySession
from arcwright.tools.gesture import Drag, ToolHandle


@dataclass(frozen=True, eq=False)
class EditedActivity:
    """A scene after the edits of an activity file."""

    scene: Scene
    edit: Edit
    residuals: tuple[dict[str, Any], ...]
    notes: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        worst = max((each["residual_m"] for each in self.residuals), default=0.0)
        report = {"label": self.edit.label, "worst_m": worst, "residuals": list(self.residuals)}
        return report | {"notes": list(self.notes)}


def carry_out(
    file: ActivityFile, path: Path, edits: Sequence[ActivityEdit], options: ActivityOptions
) -> EditedActivity:
    """The scene of an activity file after edits of its activity."""
    about = file.activity
    target = Target(about.character, about.take, activity=about.name)
    session = ActivitySession(file.scene, target, options)
    for edit in edits:
        _follow(session, file, path, edit)
    made = session.finish()
    after = made.apply(file.scene)
    found = tuple(each.as_json() for each in session.residuals(after))
    return EditedActivity(after, made, found, tuple(note.text for note in session.notes()))


def _follow(session: ActivitySession, file: ActivityFile, path: Path, edit: ActivityEdit) -> None:
    events = file.activity.events
    match edit:
        case Swap():
            session.swap(edit.object, _swapped(file, path, edit))
        case EventRetime():
            event = events[edit.event]
            element = next(iter(sorted(event.involved)))
            handle = session.handle(edit.event, element)
            session.update(Drag(ToolHandle(handle), event.time, to_time=edit.time))
        case ElementEdit():
            _drag(session, edit.event, element_of(edit.element), edit.to, edit.by, edit.rotation)
        case ObjectEdit():
            at = _first_event(file, edit) if edit.event is None else edit.event
            _drag(session, at, edit.object, edit.to, edit.by, edit.rotation, edit.scale)


def _first_event(file: ActivityFile, edit: ObjectEdit) -> int:
    """The first event at which an object may be edited like this."""
    for index, event in enumerate(file.activity.events):
        movable = edit.object in map(element_of, event.movable)
        if edit.object in event.scalable if edit.scale is not None else movable:
            return index
    raise BadValue("object", "one that may be edited at some event", edit.object)


def _drag(
    session: ActivitySession,
    event: int,
    element: str,
    to: Floats | None,
    by: Floats | None,
    rotation: Floats | None,
    scale: Floats | None = None,
) -> None:
    place, orientation = session.original_place(event, element)
    position = to if to is not None else None if by is None else place + by
    turned = None
    if rotation is not None:
        turned = quaternion_multiply(quaternion_from_vector(rotation), orientation)
    time = session.event_time(event)
    handle = ToolHandle(session.handle(event, element))
    session.update(Drag(handle, time, position, turned, scale=scale))


def _swapped(file: ActivityFile, path: Path, edit: Swap) -> SwappedProp:
    """The prop of a file, with the anchors that the object has."""
    scene = read_beside(path, edit.file, "its prop")
    actors = scene.actors
    if not actors:
        raise BadValue("swap", "a file with a prop", edit.file)
    known = file.activity.object(edit.object)
    return swapped_with(known, actors[0], edit.anchor_names, edit.anchor_offsets)


def placements(
    columns: int, rows: int, spacing: float, *, random: int | None = None, seed: int = 0
) -> Iterator[Floats]:
    """(3,) m, displacements on the ground: a grid around the original, or random ones in it."""
    wide, deep = (columns - 1) * spacing / 2, (rows - 1) * spacing / 2
    if random is not None:
        generator = np.random.default_rng(seed)
        for _ in range(random):
            x, z = generator.uniform([-wide, -deep], [wide, deep])
            yield np.array([x, 0.0, z])
        return
    for row, column in itertools.product(range(rows), range(columns)):
        yield np.array([column * spacing - wide, 0.0, row * spacing - deep])


def event_of_object(file: ActivityFile, element: str) -> int:
    """The first event at which an element may be moved."""
    for index, event in enumerate(file.activity.events):
        if element in map(element_of, event.movable):
            return index
    known = sorted({element_of(m) for event in file.activity.events for m in event.movable})
    raise BadValue("object", f"one that may be moved: {', '.join(known)}", element)
