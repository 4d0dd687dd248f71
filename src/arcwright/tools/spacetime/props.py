"""Props: a thing is moved; where it lies it lies elsewhere, and hands that hold it can follow.

Its displacement is the same for as long as it is carried or lies still around the hand's time, and
goes back to nothing until it lies still again: nothing slides by itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.curves.keys import keyed
from arcwright.errors import BadValue
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rotation import (
    matrix_from_quaternion,
    matrix_from_vector,
    vector_from_matrix,
)
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.clip import Clip
from arcwright.scene.edit import Address, Change
from arcwright.scene.layer import Layer
from arcwright.scene.rig import Kind, Rig
from arcwright.scene.scene import Prop, Scene
from arcwright.scene.take import Take
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.grip import range_of
from arcwright.tools.spacetime.spread import spread

if TYPE_CHECKING:
    from arcwright.tools.spacetime.tool import SpacetimeOptions

STILL = 1e-9  # m or rad


@dataclass(frozen=True, eq=False)
class Thing:
    """A prop, what it plays, and when it is carried."""

    prop: Prop
    address: Address  # of its takes
    take: Take  # of a prop without any: one in which it lies still
    spans: tuple[tuple[float, float], ...]  # s

    @property
    def bare(self) -> bool:
        """Whether it had no take."""
        return not self.prop.takes


def thing_of(scene: Scene, prop: Prop, clip: str, like: Take | None) -> Thing:
    """A prop of a scene; one without a take plays as long as `like`."""
    address: Address = ("props", scene.props.index(prop), "takes")
    spans = tuple(
        (each.start, each.end)
        for each in scene.contacts
        if each.relative_to is not None and each.relative_to.character == prop.name
    )
    if prop.takes:
        return Thing(prop, address, prop.take(clip) if clip else prop.takes[0], spans)
    if like is None:
        raise BadValue(f"prop {prop.name!r}", "a clip, of its own or of a character", "none")
    curves = (None,) * len(prop.rig.channels)
    lies = Clip(like.name, curves, like.duration, like.rate)
    return Thing(prop, address, Take(prop.rig, lies), spans)


@dataclass(frozen=True, eq=False)
class Pushed:
    """A thing elsewhere."""

    thing: Thing
    take: Take  # with the displacement
    span: tuple[float, float]  # s

    @property
    def still(self) -> bool:
        """Whether it is where it was."""
        layer = self.take.layers[-1]
        return not (np.abs(layer.turn).max(initial=0) > STILL or np.abs(layer.add).max() > STILL)

    @property
    def change(self) -> Change:
        """What becomes of the prop's takes: a layer more, or a clip with one key."""
        thing = self.thing
        before = thing.prop.takes
        if thing.bare:
            return Change(thing.address, before, (_resting(self.take),))
        at = before.index(thing.take)
        where = (*thing.address, at, "layers")
        return Change(where, thing.take.layers, self.take.layers)

    def along(self, joint: int, times: Floats, path: Floats) -> Floats:
        """(T, 3) m, how far points at (T, 3) go that are fixed to a joint of the thing."""
        rig = self.take.rig
        was, now = (forward(rig, values_at(t, times), [joint])[:, 0] for t in self._takes)
        wide = np.concatenate([path, np.ones((len(path), 1))], axis=1)[..., None]
        moved: Floats = (now @ np.linalg.solve(was, wide))[:, :3, 0] - path
        return moved

    @property
    def _takes(self) -> tuple[Take, Take]:
        return self.thing.take, self.take


def pushed(thing: Thing, drag: Drag, options: SpacetimeOptions) -> Pushed:
    """The thing moved so that the held point comes to the hand."""
    take, rig = thing.take, thing.take.rig
    span = range_of(take, options, [drag.time])
    share, times = spread(take, span, drag, thing.spans, options.spacing)
    top, channels = _slides(rig, rig.joint(drag.point.joint))
    values = values_at(take, times)
    way = _way(rig, top, channels, values[:1])
    turn, slide = _wished(take, drag)
    origin = forward(rig, values, [top])[:, 0]
    pivot = trail(take, drag.point, times).position
    turns = share[:, None] * turn
    arm = origin[:, :3, 3] - pivot
    swung = (matrix_from_vector(turns) @ arm[..., None])[..., 0] - arm + share[:, None] * slide
    inner = (origin[:, :3, :3].swapaxes(1, 2) @ turns[..., None])[:, None, :, 0]
    joints = np.array([top] if np.any(turn) else [], np.int64)
    name = f"{thing.prop.name} at frame {drag.time * take.rate:g}"
    layer = Layer(
        name, span.start, span.end, joints, inner[:, : len(joints)], channels,
        swung @ np.linalg.pinv(way).T,
    )  # fmt: skip
    rough = replace(take, layers=(*take.layers, layer))
    left = _left(rough, drag)  # where a thing turns by itself, a spline only nearly follows
    exact = replace(layer, add=layer.add + np.outer(share, np.linalg.pinv(way) @ left))
    ends = span.start, span.end
    return Pushed(thing, replace(take, layers=(*take.layers, exact)), ends)


def _wished(take: Take, drag: Drag) -> tuple[Floats, Floats]:
    """The turn (3,) rad about the held point and the way (3,) m that a drag means."""
    turn = np.zeros(3)
    if drag.orientation is not None:
        now = matrix_from_quaternion(trail(take, drag.point, [drag.time]).orientation[0])
        turn = vector_from_matrix((matrix_from_quaternion(drag.orientation) @ now.T)[None])[0]
    return turn, _left(take, drag)


def _left(take: Take, drag: Drag) -> Floats:
    """(3,) m from the held point to the hand, along the axes that count."""
    place = trail(take, drag.point, [drag.time]).position[0]
    if drag.position is None:
        return np.zeros(3)
    left: Floats = drag.position - place
    return left if drag.axes is None else np.linalg.pinv(drag.axes) @ drag.axes @ left


def _slides(rig: Rig, joint: int) -> tuple[int, Ints]:
    """The topmost joint above that slides, and its channels."""
    line = [joint]
    while rig.parents[line[-1]] >= 0:
        line.append(int(rig.parents[line[-1]]))
    for each in reversed(line):
        kind = rig.channels.kind
        own = np.flatnonzero((rig.channels.joint == each) & (kind <= Kind.TRANSLATE_Z))
        if len(own):
            return each, own
    raise BadValue(f"prop {rig.names[0]!r}", "a joint that slides", "none")


def _way(rig: Rig, joint: int, channels: Ints, values: Floats) -> Floats:
    """(3, A) where a joint goes with its channels."""
    tries = np.tile(values, (len(channels) + 1, 1))
    tries[np.arange(len(channels)) + 1, channels] += 1.0
    place = forward(rig, tries, [joint])[:, 0, :3, 3]
    way: Floats = (place[1:] - place[0]).T
    return way


def _resting(take: Take) -> Take:
    """A take of a thing that lies still: one key for each channel that is not as it was."""
    values = values_at(take, np.zeros(1))[0]
    away = np.abs(values - take.rig.channels.default) > 1e-12
    curves = tuple(
        keyed(np.zeros(1), np.array([value])) if moved else None
        for value, moved in zip(values.tolist(), away.tolist(), strict=True)
    )
    base = take.base
    return Take(take.rig, Clip(base.name, curves, base.duration, base.rate))
