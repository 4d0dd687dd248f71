"""Active constraints: pins and contacts that affect an edit, as tasks at sample times."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats, Ints, same
from arcwright.kinematics.columns import channels_moving
from arcwright.kinematics.forward import forward
from arcwright.kinematics.jacobian import point_jacobian
from arcwright.kinematics.places import places
from arcwright.kinematics.rotation import matrix_from_vector, vector_from_matrix
from arcwright.kinematics.sample import values_at
from arcwright.objectives.point_tasks import CONSTRAINT_WEIGHT, PointTask
from arcwright.scene.constraint import Contact, Pin
from arcwright.scene.point import Point
from arcwright.scene.scene import Actor, Scene
from arcwright.scene.take import Take


@dataclass(frozen=True, eq=False)
class ActiveConstraint:
    """A pin or contact of the character that is edited."""

    constraint: Pin | Contact
    name: str  # "LeftFoot contact"
    channels: Ints  # channels that move its point, or the point it is relative to

    @property
    def whole(self) -> bool:
        """Whether it is a pin of both position and orientation."""
        return (
            isinstance(self.constraint, Pin)
            and self.constraint.position
            and self.constraint.orientation
        )


def active_constraints(
    scene: Scene, actor: Actor, take: Take, span: tuple[float, float], rigid: Ints | None = None
) -> list[ActiveConstraint]:
    """The pins and contacts of this actor and clip that affect a span of time.

    Channels in `rigid` are not counted among those that can keep them.
    """
    found: list[ActiveConstraint] = []
    candidates: tuple[Pin | Contact, ...] = (*scene.pins, *scene.contacts)
    for constraint in candidates:
        if scene.actor(constraint.point.character).name != actor.name:
            continue
        if (
            constraint.take not in ("", take.name)
            or constraint.end < span[0]
            or constraint.start > span[1]
        ):
            continue
        word = "pin" if isinstance(constraint, Pin) else "contact"
        points = [constraint.point]
        holder = constraint.relative_to if isinstance(constraint, Contact) else None
        if holder is not None and scene.actor(holder.character).name == actor.name:
            points.append(holder)
        if not any(same(constraint, known.constraint) for known in found):
            channels = channels_moving(take.rig, points)
            if rigid is not None:
                channels = np.setdiff1d(channels, rigid)
            found.append(ActiveConstraint(constraint, f"{constraint.point.joint} {word}", channels))
    return found


def constraint_task(
    scene: Scene,
    take: Take,
    active: ActiveConstraint,
    place: int,
    times: Floats,
    samples: Ints,
    fixed: Floats,
) -> tuple[PointTask, Point | None]:
    """The task of a constraint at samples of `times`, and the point of the rig it is relative to.

    The targets of a pin are the path of its point before the edit. Those of a contact are the
    position at its start; where the positions at its ends or at `fixed` times differ, which the
    edit cannot change, they are interpolated between these.
    """
    constraint = active.constraint
    moments = times[samples]
    if isinstance(constraint, Pin):
        position, orientation = _path(take, constraint.point, moments)
        other = None
    else:
        position, orientation, other = _contact_targets(scene, take, constraint, moments, fixed)
    return (
        PointTask(
            active.name,
            place,
            samples,
            position if constraint.position else None,
            orientation if constraint.orientation else None,
            CONSTRAINT_WEIGHT,
        ),
        other,
    )


def hold_task(take: Take, active: ActiveConstraint, place: int, time: float) -> PointTask:
    """The task to stay where the point is at one time."""
    position, orientation = _path(take, active.constraint.point, np.array([time]))
    return PointTask(
        active.name,
        place,
        np.array([0]),
        position if active.constraint.position else None,
        orientation if active.constraint.orientation else None,
        CONSTRAINT_WEIGHT,
    )


def _path(take: Take, point: Point, times: Floats) -> tuple[Floats, Floats]:
    found = point_jacobian(take.rig, values_at(take, times), places(take.rig, [point]), [])
    return found.position[:, 0], found.orientation[:, 0]


def _contact_targets(
    scene: Scene, take: Take, constraint: Contact, times: Floats, fixed: Floats
) -> tuple[Floats, Floats, Point | None]:
    if constraint.relative_to is None:
        inside = fixed[(fixed > constraint.start) & (fixed < constraint.end)]
        knots = np.concatenate([[constraint.start], inside, [constraint.end]])
        position, orientation = _path(take, constraint.point, knots)
        before = np.clip(np.searchsorted(knots, times, "right") - 1, 0, len(knots) - 2)
        after = before + 1
        length = np.maximum(knots[after] - knots[before], 1e-9)
        share = ((times - knots[before]) / length)[:, None]
        rotation = vector_from_matrix(orientation[after] @ orientation[before].swapaxes(-1, -2))
        return (
            position[before] + share * (position[after] - position[before]),
            matrix_from_vector(share * rotation) @ orientation[before],
            None,
        )
    position, orientation = _path(take, constraint.point, np.array([constraint.start]))
    holder = scene.actor(constraint.relative_to.character)
    own = holder.rig is take.rig
    played = take if own else holder.takes[0] if holder.takes else None
    then, now = _holder(holder, played, constraint.relative_to, np.append(constraint.start, times))
    local = np.linalg.inv(then) @ np.append(position[0], 1.0)
    turned_orientation = now[:, :3, :3] @ then[:3, :3].T @ orientation[0]
    if own:
        anchor = Point(constraint.relative_to.joint, local[:3], constraint.relative_to.character)
        return np.zeros((len(times), 3)), turned_orientation, anchor
    return (now @ local)[:, :3], turned_orientation, None


def _holder(actor: Actor, take: Take | None, point: Point, times: Floats) -> tuple[Floats, Floats]:
    """World matrices of a joint at the first time, and at the others."""
    values = (
        np.tile(actor.rig.channels.default, (len(times), 1))
        if take is None
        else values_at(take, times)
    )
    world = forward(actor.rig, values, [actor.rig.joint(point.joint)])[:, 0]
    return world[0], world[1:]
