"""Notes: what of an activity is not met, by how much, and why."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from arcwright.scene.activity import element_of
from arcwright.tools.activity.dragged_elements import event_name
from arcwright.tools.activity.placement import ElementEdits
from arcwright.tools.activity.prepared import PreparedActivity, SolvedActivity
from arcwright.tools.tool import Note

MISSED = 1e-3  # m
TURNED = np.radians(20.0)  # of a hand against what it holds


def activity_notes(solved: SolvedActivity, asked: ElementEdits) -> tuple[Note, ...]:
    """Edits out of reach, effectors that are off at events or while they hold, broken pairs."""
    prepared = solved.prepared
    return (
        *_out_of_reach(prepared, solved, asked),
        *_missed(prepared, solved),
        *_turned(solved),
        *_overruled(prepared, solved),
        *_unmarked(prepared, asked),
    )


def _out_of_reach(
    prepared: PreparedActivity, solved: SolvedActivity, asked: ElementEdits
) -> Iterator[Note]:
    for (event, element), edit in asked.displaced.items():
        got = solved.edits.displaced[event, element]
        if edit.move is None or got.move is None:
            continue
        short = float(np.linalg.norm(edit.move - got.move))
        if short > MISSED:
            where = event_name(prepared, event)
            text = f"{element} stops {100 * short:.1f} cm short at {where}: out of reach"
            yield Note(text, "residual", short)


def _missed(prepared: PreparedActivity, solved: SolvedActivity) -> Iterator[Note]:
    for name, away in solved.body.missed.away.items():
        at_events = [prepared.frames[at] for at in prepared.knots[name].events if at >= 0]
        held = solved.paths[name].held
        worst = max(float(away[at_events].max(initial=0.0)), float(away[held].max(initial=0.0)))
        if worst > MISSED:
            text = f"{name} is {100 * worst:.1f} cm off its path: out of reach"
            yield Note(text, "residual", worst)


def _turned(solved: SolvedActivity) -> Iterator[Note]:
    """Hands that hold something and cannot turn as it does."""
    for name, turned in solved.body.missed.turned.items():
        worst = float(turned[solved.paths[name].held].max(initial=0.0))
        if worst > TURNED:
            text = f"{name} turns by up to {np.degrees(worst):.0f}° in its grip"
            yield Note(text, "info", worst)


def _overruled(prepared: PreparedActivity, solved: SolvedActivity) -> Iterator[Note]:
    for event, pair in solved.placed.overruled:
        own = element_of(pair.constrained)
        text = f"{own} no longer keeps to {pair.constraining} at {event_name(prepared, event)}"
        yield Note(text, "info")


def _unmarked(prepared: PreparedActivity, asked: ElementEdits) -> Iterator[Note]:
    """Anchors that a new prop does not mark."""
    for name, swapped in asked.swaps.items():
        known = prepared.activity.object(name).anchor_names
        missing = [each for each in known if each not in swapped.anchor_names]
        if missing:
            text = f"the new {name} marks no {', '.join(missing)}: taken from the old one"
            yield Note(text, "info")
