"""Heels of planted toes: along motion curves they stay as high as they stood, or rise."""

from __future__ import annotations

from collections.abc import Sequence
from weakref import WeakKeyDictionary

from arcwright.arrays import Floats
from arcwright.errors import BadValue
from arcwright.kinematics.feet import whole_feet
from arcwright.kinematics.jacobian import point_jacobian
from arcwright.kinematics.places import places
from arcwright.kinematics.sample import quarter_frames, values_at
from arcwright.objectives.active_constraints import ActiveConstraint
from arcwright.objectives.point_tasks import CONSTRAINT_WEIGHT, PointTask
from arcwright.scene.constraint import Contact
from arcwright.scene.point import Point
from arcwright.scene.rig import Rig
from arcwright.scene.take import Take

HEEL_SHARE = 0.1  # of the weight of a contact
MOST_MOMENTS = 200  # at which the heel is looked at
_known: WeakKeyDictionary[Rig, tuple[tuple[str, Point], ...]] = WeakKeyDictionary()


def heels_of(
    take: Take, chosen: Sequence[ActiveConstraint], held: Sequence[Point]
) -> tuple[Point | None, ...]:
    """The heel behind each contact of toes with the world; None for other constraints.

    A foot that is dragged itself may be taken anywhere.
    """
    toes = {each.constraint.point.joint for each in chosen if is_planted(each)}
    if not toes:
        return (None,) * len(chosen)
    dragged = {point.joint for point in held}
    behind = {toe: heel for toe, heel in heels_behind(take.rig) if not dragged & {toe, heel.joint}}
    joints = [each.constraint.point.joint if is_planted(each) else "" for each in chosen]
    return tuple(behind.get(joint) for joint in joints)


def heel_task(
    take: Take,
    active: ActiveConstraint,
    toes: PointTask,
    heel: Point,
    place: int,
    span: tuple[float, float],
) -> PointTask:
    """The task of a heel, at the samples of its toes' task.

    Its lowest height above the toes in the span is that of a sole on the ground. Where it was
    raised it may come down to it; where hips are pulled up it may rise.
    """
    assert toes.position is not None
    start = max(active.constraint.start, span[0])
    end = max(min(active.constraint.end, span[1]), start)
    moments = quarter_frames(start, end, take.rate, MOST_MOMENTS)
    both = places(take.rig, [heel, active.constraint.point])
    there = point_jacobian(take.rig, values_at(take, moments), both, []).position
    above = float((there[:, 0, 1] - there[:, 1, 1]).min())
    lowest: Floats = toes.position * [0.0, 1.0, 0.0] + [0.0, above, 0.0]
    weight = HEEL_SHARE * CONSTRAINT_WEIGHT
    return PointTask(active.name, place, toes.samples, lowest, None, weight, above=True)


def heels_behind(rig: Rig) -> tuple[tuple[str, Point], ...]:
    """Toe joints and the heels behind them; remembered, as finding legs takes a while."""
    if rig not in _known:
        try:
            found = whole_feet(rig)
        except BadValue:  # a rig without feet
            found = []
        _known[rig] = tuple((foot.toe.joint, foot.heel) for foot in found if foot.heel is not None)
    return _known[rig]


def is_planted(each: ActiveConstraint) -> bool:
    """Whether it is a contact of a point with the world."""
    own = each.constraint
    return isinstance(own, Contact) and own.position and own.relative_to is None
