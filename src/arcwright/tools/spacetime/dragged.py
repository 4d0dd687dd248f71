"""Dragged: which plants hands hold and take along."""

from __future__ import annotations

from collections.abc import Sequence

from arcwright.kinematics.feet import foot_joints
from arcwright.scene.rig import Rig
from arcwright.scene.take import Take
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.lanes import NONE
from arcwright.tools.spacetime.model import Range
from arcwright.tools.spacetime.wishes import PLANT, Wish


def fixed(wish: Wish) -> bool:
    """Whether a wish is a plant in the world, which a hand can put elsewhere."""
    return wish.kind == PLANT and wish.position and wish.carrier is None and wish.other == NONE


def held_plant(wishes: Sequence[Wish], place: int, time: float) -> int | None:
    """The plant of the very point that a hand holds, if there is one at that time."""
    for index, wish in enumerate(wishes):
        if fixed(wish) and wish.place == place and wish.start <= time <= wish.end:
            return index
    return None


def dragged_plants(
    take: Take, span: Range, wishes: Sequence[Wish], drag: Drag, own: int | None, *, feet: bool
) -> frozenset[int]:
    """The plants that a hand takes along: its `own` and, at the same time, of joints beside it.

    With `feet`, holding a foot anywhere is holding its plants.
    """
    rig = take.rig
    held = set() if own is None else {own}
    if feet:
        held |= {
            index
            for index, wish in enumerate(wishes)
            if fixed(wish)
            and wish.start <= drag.time <= wish.end
            and _one_foot(rig, wish.point.joint, drag.point.joint)
        }
    firm = [wishes[index] for index in held]
    found = {index for index, wish in enumerate(wishes) if _beside(rig, wish, firm)}
    if span.loops:
        near = 1.5 / take.rate
        found |= {at for each in found for at in _across_the_seam(span, wishes, each, near)}
    return frozenset(found)


def _across_the_seam(span: Range, wishes: Sequence[Wish], which: int, near: float) -> list[int]:
    """The plants with which one goes on where the take begins again, or ends."""
    wish = wishes[which]
    starts = wish.start <= span.start + near
    ends = wish.end >= span.end - near
    return [
        index
        for index, other in enumerate(wishes)
        if fixed(other)
        and other.place == wish.place
        and (
            (starts and other.end >= span.end - near) or (ends and other.start <= span.start + near)
        )
    ]


def _one_foot(rig: Rig, a: str, b: str) -> bool:
    foot = foot_joints(rig)
    return a == b or bool(foot[rig.joint(a)] and foot[rig.joint(b)] and _near(rig, a, b))


def _near(rig: Rig, a: str, b: str) -> bool:
    first, second = rig.joint(a), rig.joint(b)
    return first == second or rig.parents[first] == second or rig.parents[second] == first


def _beside(rig: Rig, wish: Wish, held: Sequence[Wish]) -> bool:
    """Whether a plant stands at a time when one of those held does, on a joint next to it."""
    return fixed(wish) and any(
        _near(rig, wish.point.joint, other.point.joint)
        and wish.start <= other.end
        and wish.end >= other.start
        for other in held
    )
