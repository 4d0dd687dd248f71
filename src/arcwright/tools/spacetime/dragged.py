"""Dragged: which plants hands hold and take along."""

from __future__ import annotations

from arcwright.kinematics.feet import is_foot
from arcwright.scene.rig import Rig
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.grip import Grip
from arcwright.tools.spacetime.lanes import NONE
from arcwright.tools.spacetime.wishes import PLANT, Wish


def fixed(wish: Wish) -> bool:
    """Whether a wish is a plant in the world, which a hand can put elsewhere."""
    return wish.kind == PLANT and wish.position and wish.carrier is None and wish.other == NONE


def held_plant(grip: Grip, drag: Drag) -> int | None:
    """The plant of the very point that a hand holds, if there is one at that time."""
    place = grip.of(drag).place
    for index, wish in enumerate(grip.wishes):
        if fixed(wish) and wish.place == place and wish.start <= drag.time <= wish.end:
            return index
    return None


def dragged_plants(grip: Grip, drag: Drag, *, feet: bool) -> set[int]:
    """The plants that a hand takes along: of its point and, at the same time, of joints beside it.

    With `feet`, holding a foot anywhere is holding its plants.
    """
    if drag.position is None:
        return set()
    own = held_plant(grip, drag)
    held = set() if own is None else {own}
    if feet:
        rig = grip.take.rig
        held |= {
            index
            for index, wish in enumerate(grip.wishes)
            if fixed(wish)
            and wish.start <= drag.time <= wish.end
            and _one_foot(rig, wish.point.joint, drag.point.joint)
        }
    if not held:
        return held
    found = {index for index, wish in enumerate(grip.wishes) if _beside(grip, wish, held)}
    if grip.range.loops:
        found |= {at for each in found for at in _across_the_seam(grip, grip.wishes[each])}
    return found


def _across_the_seam(grip: Grip, wish: Wish) -> list[int]:
    """The plants with which one goes on where the take begins again, or ends."""
    frame = 1.5 / grip.take.rate
    starts = wish.start <= grip.range.start + frame
    ends = wish.end >= grip.range.end - frame
    return [
        index
        for index, other in enumerate(grip.wishes)
        if fixed(other)
        and other.place == wish.place
        and (
            (starts and other.end >= grip.range.end - frame)
            or (ends and other.start <= grip.range.start + frame)
        )
    ]


def _one_foot(rig: Rig, a: str, b: str) -> bool:
    return a == b or (is_foot(a) and is_foot(b) and _near(rig, a, b))


def _near(rig: Rig, a: str, b: str) -> bool:
    first, second = rig.joint(a), rig.joint(b)
    return first == second or rig.parents[first] == second or rig.parents[second] == first


def _beside(grip: Grip, wish: Wish, held: set[int]) -> bool:
    for index in held:
        other = grip.wishes[index]
        near = _near(grip.take.rig, wish.point.joint, other.point.joint)
        if fixed(wish) and near and wish.start <= other.end and wish.end >= other.start:
            return True
    return False
