"""Handhold detection: when hands hold props, from the motion of both.

A hand holds a prop while it is close and does not slide on it; at a resting prop it must be
closer.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.feet import rig_size
from arcwright.kinematics.forward import forward
from arcwright.kinematics.hands import hands
from arcwright.kinematics.resting import ContactRule, moments, spans
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.skinning import deform
from arcwright.kinematics.trail import trail
from arcwright.scene.constraint import Contact
from arcwright.scene.point import Point
from arcwright.scene.scene import Actor, Prop, Scene
from arcwright.scene.take import Take

_PERSON = 1.7  # m, the size for which a rule is written


@dataclass(frozen=True)
class HandholdRule:
    """Thresholds for a person of 1.7 m; lengths grow with size."""

    slide: float = 0.12  # m/s on the prop, slower is held
    carried: float = 0.16  # m from the prop while it moves
    touched: float = 0.08  # m from it while it lies
    moves: float = 0.05  # m/s, a prop that is slower lies
    smooth: float = 0.08  # s, over which speeds are averaged
    shortest: float = 0.2  # s
    gap: float = 0.1  # s, shorter gaps are closed


def find_handholds(
    scene: Scene, actor: Actor, take: Take, rule: HandholdRule | None = None
) -> tuple[Contact, ...]:
    """Contacts of a character's hands with the props of a scene, in order of start.

    Of the points of a hand, the one that slides least is used. Only the first joint of a prop
    is considered.
    """
    rule = rule or HandholdRule()
    times = moments(take)
    found = []
    for hand in hands(actor.rig):
        for prop in scene.props:
            excess = [_threshold_ratio(prop, take, point, times, rule) for point in hand]
            best = int(np.argmin([float(np.median(each)) for each in excess]))
            timing = ContactRule(slack=1.25, shortest=rule.shortest, gap=rule.gap)
            mark = Point(hand[best].joint, hand[best].offset, actor.name)
            hold = Point(prop.rig.names[0], character=prop.name)
            for start, end in spans(times, excess[best], timing):
                contact = Contact(mark, start, end, relative_to=hold, take=take.name)
                found.append(contact)
    return tuple(sorted(found, key=lambda each: (each.start, each.point.joint)))


def _threshold_ratio(
    prop: Prop, take: Take, point: Point, times: Floats, rule: HandholdRule
) -> Floats:
    """(T,) largest ratio of a measure to its threshold: at most 1 while the prop is held."""
    size = rig_size(take.rig) / _PERSON
    frames = _frames(prop, times)
    position = trail(take, point, times).position
    local = np.linalg.solve(
        frames, np.append(position, np.ones((len(position), 1)), axis=1)[..., None]
    )
    on: Floats = local[:, :3, 0].astype(np.float64)
    moving = _speed(frames[:, :3, 3], times, rule.smooth) > rule.moves
    near = np.where(moving, rule.carried, rule.touched) * size
    excess: Floats = np.maximum(
        _speed(on, times, rule.smooth) / rule.slide, _distance(prop, on) / near
    )
    return excess


def _frames(prop: Prop, times: Floats) -> Floats:
    """(T, 4, 4) world_from_prop."""
    values = np.tile(prop.rig.channels.default, (len(times), 1))
    if prop.takes:
        values = values_at(prop.takes[0], times)
    return forward(prop.rig, values, [0])[:, 0]


def _speed(path: Floats, times: Floats, window: float) -> Floats:
    """(T,) m/s, averaged over a window of seconds."""
    if len(times) < 2:
        return np.zeros(len(times))
    half = np.maximum(times - window / 2, times[0]), np.minimum(times + window / 2, times[-1])
    ends = [np.stack([np.interp(t, times, axis) for axis in path.T], axis=1) for t in half]
    speed: Floats = np.linalg.norm(ends[1] - ends[0], axis=1) / (half[1] - half[0])
    return speed


def _distance(prop: Prop, on: Floats) -> Floats:
    """(T,) m from places on a prop to the box around it; without shapes, to its middle."""
    values = prop.rig.channels.default
    world = forward(prop.rig, values[None])[0]
    parts = [part.positions for part in deform(prop, values, world)]
    corners = np.concatenate(parts) if parts else world[:1, :3, 3]
    inner = np.linalg.inv(world[0])
    own = corners @ inner[:3, :3].T + inner[:3, 3]
    low, high = own.min(axis=0), own.max(axis=0)
    away: Floats = np.linalg.norm(np.maximum(np.maximum(low - on, on - high), 0.0), axis=1)
    return away
