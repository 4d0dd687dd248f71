"""Wished: the pins and contacts of a scene that bear on an edit, as wishes at sample times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats, Ints, same
from arcwright.kinematics.columns import columns
from arcwright.kinematics.forward import forward
from arcwright.kinematics.jacobian import point_jacobian
from arcwright.kinematics.layout import layout
from arcwright.kinematics.places import places
from arcwright.kinematics.rotation import matrix_from_vector, vector_from_matrix
from arcwright.kinematics.sample import values_at
from arcwright.scene.point import Contact, Pin, Point
from arcwright.scene.scene import Actor, Scene
from arcwright.scene.take import Take
from arcwright.tools.point_tasks import HARD, Wish


@dataclass(frozen=True, eq=False)
class Keep:
    """A pin or contact of the character that is edited."""

    wish: Pin | Contact
    name: str  # "LeftFoot contact"
    channels: Ints  # channels that move its point, or the point it is relative to

    @property
    def whole(self) -> bool:
        """Whether it keeps place and turn of its point along the path it has."""
        return isinstance(self.wish, Pin) and self.wish.position and self.wish.orientation


def keeps(
    scene: Scene, actor: Actor, take: Take, span: tuple[float, float], rigid: Ints | None = None
) -> list[Keep]:
    """The pins and contacts of this actor and clip that bear on a span of time.

    Channels in `rigid` are not counted among those that can keep them.
    """
    found: list[Keep] = []
    wishes: tuple[Pin | Contact, ...] = (*scene.pins, *scene.contacts)
    for wish in wishes:
        if scene.actor(wish.point.character).name != actor.name:
            continue
        if wish.clip not in ("", take.name) or wish.end < span[0] or wish.start > span[1]:
            continue
        word = "pin" if isinstance(wish, Pin) else "contact"
        points = [wish.point]
        holder = wish.relative_to if isinstance(wish, Contact) else None
        if holder is not None and scene.actor(holder.character).name == actor.name:
            points.append(holder)
        if not any(same(wish, known.wish) for known in found):
            channels = channels_moving(take, points)
            if rigid is not None:
                channels = np.setdiff1d(channels, rigid)
            found.append(Keep(wish, f"{wish.point.joint} {word}", channels))
    return found


def channels_moving(take: Take, points: Sequence[Point]) -> Ints:
    """The channels that move or turn any of the points."""
    joints = places(take.rig, list(points)).joints
    return columns(layout(take.rig, joints.tolist())).channels


def constraint_task(
    scene: Scene,
    take: Take,
    kept: Keep,
    place: int,
    times: Floats,
    samples: Ints,
    fixed: Floats,
) -> tuple[Wish, Point | None]:
    """The wish at the given samples of `times`; and a point of the same rig it is relative to.

    A pin wants the path of the beginning. A contact wants the place of its beginning, or,
    where the poses at its ends or at `fixed` times differ, which the edit cannot change, the
    straight way between them.
    """
    wish = kept.wish
    moments = times[samples]
    if isinstance(wish, Pin):
        position, orientation = _path(take, wish.point, moments)
        other = None
    else:
        position, orientation, other = _still(scene, take, wish, moments, fixed)
    return (
        Wish(
            kept.name,
            place,
            samples,
            position if wish.position else None,
            orientation if wish.orientation else None,
            HARD,
        ),
        other,
    )


def hold_task(take: Take, kept: Keep, place: int, time: float) -> Wish:
    """The wish to stay where the point is at one moment."""
    position, orientation = _path(take, kept.wish.point, np.array([time]))
    return Wish(
        kept.name,
        place,
        np.array([0]),
        position if kept.wish.position else None,
        orientation if kept.wish.orientation else None,
        HARD,
    )


def _path(take: Take, point: Point, times: Floats) -> tuple[Floats, Floats]:
    found = point_jacobian(take.rig, values_at(take, times), places(take.rig, [point]), [])
    return found.position[:, 0], found.orientation[:, 0]


def _still(
    scene: Scene, take: Take, wish: Contact, times: Floats, fixed: Floats
) -> tuple[Floats, Floats, Point | None]:
    if wish.relative_to is None:
        inside = fixed[(fixed > wish.start) & (fixed < wish.end)]
        knots = np.concatenate([[wish.start], inside, [wish.end]])
        position, orientation = _path(take, wish.point, knots)
        before = np.clip(np.searchsorted(knots, times, "right") - 1, 0, len(knots) - 2)
        after = before + 1
        length = np.maximum(knots[after] - knots[before], 1e-9)
        share = ((times - knots[before]) / length)[:, None]
        turn = vector_from_matrix(orientation[after] @ orientation[before].swapaxes(-1, -2))
        return (
            position[before] + share * (position[after] - position[before]),
            matrix_from_vector(share * turn) @ orientation[before],
            None,
        )
    position, orientation = _path(take, wish.point, np.array([wish.start]))
    holder = scene.actor(wish.relative_to.character)
    own = holder.rig is take.rig
    played = take if own else holder.takes[0] if holder.takes else None
    then, now = _holder(holder, played, wish.relative_to, np.append(wish.start, times))
    local = np.linalg.inv(then) @ np.append(position[0], 1.0)
    turned = now[:, :3, :3] @ then[:3, :3].T @ orientation[0]
    if own:
        anchor = Point(wish.relative_to.joint, local[:3], wish.relative_to.character)
        return np.zeros((len(times), 3)), turned, anchor
    return (now @ local)[:, :3], turned, None


def _holder(actor: Actor, take: Take | None, point: Point, times: Floats) -> tuple[Floats, Floats]:
    """World matrices of a joint at the first time, and at the others."""
    values = (
        np.tile(actor.rig.channels.default, (len(times), 1))
        if take is None
        else values_at(take, times)
    )
    world = forward(actor.rig, values, [actor.rig.joint(point.joint)])[:, 0]
    return world[0], world[1:]
