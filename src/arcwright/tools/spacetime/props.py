"""Props: a thing is moved; where it lies it lies elsewhere, and hands that hold it can follow.

Its displacement is the same for as long as it is carried or lies still around the hand's time, and
goes back to nothing until it lies still again: nothing slides by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
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
from arcwright.tools.spacetime.displacement import Range, range_of

if TYPE_CHECKING:
    from arcwright.tools.spacetime.tool import SpacetimeOptions

STILL = 1e-9  # m or rad
LYING = 0.02  # m/s, below which a thing lies
EASE = 1.0  # s before a kept end, where a thing that is carried over it goes back
MOST_CONTROLS = 4000  # control values
TOUCH = 0.1  # s between lying and being carried that does not part them
REACH = 0.2  # m around the held point: a thing that turns does not lie


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


def spread(
    take: Take, span: Range, drag: Drag, carried: Sequence[tuple[float, float]], spacing: float
) -> tuple[Floats, Floats]:
    """Of control values over a range: how much of the displacement they have (N,), and when (N,) s.

    All of it while the thing is carried, or lies still, around the hand's time.
    """
    lies = _lies(take, drag, span.times)
    start, end = _full(span.times, lies, drag.time, carried)
    before, after = _kept(span, lies, start, end)
    ease = min(EASE, (span.end - span.start) / 4)
    if before == span.start:
        start = min(max(start, before + ease), drag.time)
    if after == span.end:
        end = max(min(end, after - ease), drag.time)
    gaps = [gap for gap in (start - before, after - end) if np.isfinite(gap)]
    step = min([spacing, *(max(gap, 1 / take.rate) / 8 for gap in gaps)])
    count = int(np.clip(np.ceil((span.end - span.start) / step) + 3, 8, MOST_CONTROLS))
    knots = np.clip(np.arange(-3, count + 1), 0, count - 3) / (count - 3)
    knots = span.start + knots * (span.end - span.start)
    middle = (knots[1:-3] + knots[2:-2] + knots[3:-1]) / 3
    share = np.minimum(_rise(middle, before, start), _rise(-middle, -after, -end))
    low, high = knots[:-4], knots[4:]
    share[(high > start - 1e-9) & (low < end + 1e-9)] = 1.0
    share[(low < before) | (high > after)] = 0.0
    return share, middle


def _rise(times: Floats, zero: float, one: float) -> Floats:
    if not np.isfinite(zero):
        return np.ones_like(times)
    at = np.clip((times - zero) / max(one - zero, 1e-9), 0.0, 1.0)
    risen: Floats = at * at * (3 - 2 * at)
    return risen


def _full(
    times: Floats, lies: Bools, moment: float, carried: Sequence[tuple[float, float]]
) -> tuple[float, float]:
    """The time around a moment in which the thing is carried, and lies before and after that."""
    held = np.zeros(len(times), bool)
    for start, end in carried:
        held |= (times >= start - TOUCH) & (times <= end + TOUCH)
    at = int(np.argmin(np.abs(times - moment)))
    own = lies.copy()
    if held[at]:
        first, last = _run(held, at)
        own[first : last + 1] = True
    if not own[at]:
        return moment, moment
    first, last = _run(own, at)
    return float(times[first]), float(times[last])


def _kept(span: Range, lies: Bools, start: float, end: float) -> tuple[float, float]:
    """Until when before, and from when after, nothing changes; infinite where all does."""
    before = span.times[lies & (span.times < start - 1e-9)]
    after = span.times[lies & (span.times > end + 1e-9)]
    first = span.start if span.free.start > 0 else -np.inf
    last = span.end if span.free.stop < span.count else np.inf
    return float(before.max(initial=first)), float(after.min(initial=last))


def _lies(take: Take, drag: Drag, times: Floats) -> Bools:
    """(T,) whether the thing is at rest."""
    point = drag.point
    marks = [(point.joint, point.offset + REACH * way) for way in np.eye(3)]
    speeds = [trail(take, [mark], times)[0].speed for mark in marks]
    lies: Bools = np.max(speeds, axis=0) < LYING
    return lies


def _run(flags: Bools, at: int) -> tuple[int, int]:
    """First and last index of the run of True around an index."""
    gaps = np.flatnonzero(~flags)
    before, after = gaps[gaps < at], gaps[gaps > at]
    return int(before.max(initial=-1)) + 1, int(after.min(initial=len(flags))) - 1
