"""Constraints of a loop that becomes longer or shorter: they repeat as the loop does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count, takewhile

from arcwright.edits.actors import constraint_changes
from arcwright.edits.ownership import owner
from arcwright.scene.constraint import Constraint, OverTime
from arcwright.scene.edit import Change
from arcwright.scene.scene import Actor, Scene
from arcwright.scene.take import Take

NEAR = 1e-6  # s


def repeated_constraints(
    scene: Scene, actor: Actor, take: Take, duration: float
) -> tuple[Change, ...]:
    """The changes that give the constraints of a looping take another duration.

    What holds all the time goes on to the new end. What holds for a part of the loop holds again
    in each of its rounds. Nothing is left beyond a new end that is earlier.
    """
    names = (take.name, "") if len(actor.takes) == 1 else (take.name,)
    period = take.duration
    if period <= 0 or abs(duration - period) <= NEAR:
        return ()

    def rounds(each: Constraint) -> Sequence[Constraint]:
        own = owner(scene, each) == actor.name and each.take in names
        return _rounds(each, period, duration) if own and isinstance(each, OverTime) else [each]

    return constraint_changes(scene, rounds)


def _rounds(each: OverTime, period: float, duration: float) -> list[Constraint]:
    if each.start <= NEAR and each.end >= period - NEAR:
        return [replace(each, end=duration)]
    starts = takewhile(
        lambda start: start <= duration - NEAR, (each.start + turn * period for turn in count())
    )
    length = each.end - each.start
    return [replace(each, start=start, end=min(start + length, duration)) for start in starts]
