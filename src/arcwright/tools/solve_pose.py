"""Posed: from one pose to the one that drags want; for poses, and for keys that are offered."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arcwright.arrays import Floats
from arcwright.solve.descent import Descent, Patience, descend
from arcwright.tools.point_tasks import TaskList, Wish
from arcwright.tools.pose_model import PoseModel
from arcwright.tools.waypoints import stretches

BRISK = Patience(steps=12, move=1e-7, gain=1e-2, met=3e-5)
THOROUGH = Patience(steps=24)
LONG = Patience(steps=60)
MOST_WAYPOINTS = 24
TORN = 1e-3  # m; a pin missed by more is torn off


def settled(model: PoseModel, start: Floats, patience: Patience) -> Descent:
    """Steps from some unknowns."""
    return descend(model, start, model.pull, np.zeros_like(start), model.box, patience)


def walked(model: PoseModel, start: Floats, hand: Sequence[Wish]) -> Descent:
    """Brisk steps for each short stretch of a long way: a leap over pins goes nowhere."""
    usual = model.tasks
    position = model.places_at(start).position
    found = Descent(start, model.wishes(start), 1, settled=False)
    for part in stretches(hand, position, MOST_WAYPOINTS):
        model.tasks = TaskList(part, model.kept)
        found = settled(model, found.x, BRISK)
    model.tasks = usual
    return found


def posed(model: PoseModel) -> Descent:
    """From the pose as it was to what the model's drags want, whatever way the hand came."""
    found = walked(model, np.zeros(len(model.channels)), model.tasks.own)
    return settled(model, found.x, LONG)


def torn(model: PoseModel, x: Floats) -> bool:
    """Whether a pin or contact is far from its place."""
    rows = model.kept.rows(model.places_at(x))
    return bool(np.abs(rows.miss).max(initial=0.0) > TORN)
