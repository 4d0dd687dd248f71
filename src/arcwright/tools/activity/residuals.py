"""Residuals: how exactly an edited scene does what was asked, measured in its takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from arcwright.kinematics.rotation import (
    quaternion_conjugate,
    quaternion_multiply,
    vector_from_quaternion,
)
from arcwright.scene.activity import element_of
from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.tools.activity.placement import ElementEdits, follow
from arcwright.tools.activity.prepared import PreparedActivity, SolvedActivity


@dataclass(frozen=True)
class Residual:
    """How far one element is from where it should be."""

    kind: str  # "edit", "event" of what was not edited, "pair" over its frames
    event: str
    element: str
    away: float  # m

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        about = {"kind": self.kind, "event": self.event, "element": self.element}
        return about | {"residual_m": self.away}


def residuals(asked: ElementEdits, solved: SolvedActivity, after: Scene) -> list[Residual]:
    """Of everything edited, of unedited events, and of all pairs while they hold."""
    before = solved.prepared
    target = Target(before.actor.name, before.take.name, activity=before.activity.name)
    now = PreparedActivity(after, target, 0.0)
    return [*_at_events(asked, solved, now), *_pairs(solved, now)]


def _at_events(
    asked: ElementEdits, solved: SolvedActivity, now: PreparedActivity
) -> Iterator[Residual]:
    before = solved.prepared
    for index, (event, frame) in enumerate(zip(before.activity.events, before.frames, strict=True)):
        for element in sorted(event.involved & before.tracks.keys()):
            edit = asked.displaced.get((index, element))
            knots = before.knots[element]
            move = solved.placed.moves[element][knots.at_event(index)]
            if edit is not None and edit.move is not None:
                move = edit.move
            goal = before.tracks[element].position[frame] + move
            away = float(np.linalg.norm(now.tracks[element].position[frame] - goal))
            yield Residual("event" if edit is None else "edit", _name(event, index), element, away)


def _pairs(solved: SolvedActivity, now: PreparedActivity) -> Iterator[Residual]:
    """The largest distance of a paired point from its place on the other, while they hold."""
    before = solved.prepared
    for hold in before.holds:
        own, leader = element_of(hold.pair.constrained), element_of(hold.pair.constraining)
        moves = [now.tracks[name].position - before.tracks[name].position for name in (own, leader)]
        turns = [_turned(before, now, name)[hold.frames] for name in (own, leader)]
        leading = moves[1][hold.frames], turns[1]
        goal, _ = follow(
            hold.pair, before.tracks, solved.placed.tracks, hold.frames, leading, turns[0]
        )
        away = np.linalg.norm(moves[0][hold.frames] - goal, axis=1)
        index = before.frames.index(hold.first)
        name = f"{hold.pair.constrained} to {hold.pair.constraining}"
        event = _name(before.activity.events[index], index)
        yield Residual("pair", event, name, float(away.max()))


def _turned(before: PreparedActivity, now: PreparedActivity, name: str) -> Any:
    old, new = before.tracks[name].orientation, now.tracks[name].orientation
    return vector_from_quaternion(quaternion_multiply(new, quaternion_conjugate(old)))


def _name(event: Any, index: int) -> str:
    return event.name or f"event {index + 1}"
