"""Props: move a prop by a drag, with a displacement of its own take; hands that hold it follow.

The displacement is constant while the prop is carried or lies still around the time of the drag,
and fades out until it lies still again: a prop that lies still never slides.
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
from arcwright.tools.spacetime.displacement import EditRange, edit_range, smoothstep

if TYPE_CHECKING:
    from arcwright.tools.spacetime.tool import SpacetimeOptions

ZERO_DISPLACEMENT = 1e-9  # m or rad
STILL_SPEED = 0.02  # m/s, below which a prop lies still
LOCKED_EASE = 1.0  # s before a locked end, over which a prop that is carried across it returns
MAX_CONTROLS = 4000  # control values
CARRY_GAP = 0.1  # s between lying still and being carried that counts as none
ROTATION_RADIUS = 0.2  # m around the held point, where rotation counts as motion


@dataclass(frozen=True, eq=False)
class PropTake:
    """A prop, its take, and when it is carried."""

    prop: Prop
    address: Address  # of its takes
    take: Take  # of a prop without any: one in which it lies still
    carried: tuple[tuple[float, float], ...]  # s, from and to


def prop_take(scene: Scene, prop: Prop, clip: str, like: Take | None) -> PropTake:
    """A prop of the scene; one without a take gets one as long as `like`."""
    address: Address = ("props", scene.props.index(prop), "takes")
    carried = tuple(
        (each.start, each.end)
        for each in scene.contacts
        if each.relative_to is not None and each.relative_to.character == prop.name
    )
    if prop.takes:
        return PropTake(prop, address, prop.take(clip) if clip else prop.takes[0], carried)
    if like is None:
        raise BadValue(f"prop {prop.name!r}", "a clip, of its own or of a character", "none")
    curves = (None,) * len(prop.rig.channels)
    still = Clip(like.name, curves, like.duration, like.rate)
    return PropTake(prop, address, Take(prop.rig, still), carried)


@dataclass(frozen=True, eq=False)
class MovedProp:
    """A prop with a displacement."""

    source: PropTake
    take: Take  # with the displacement
    span: tuple[float, float]  # s

    @property
    def unmoved(self) -> bool:
        """Whether the displacement is zero."""
        layer = self.take.layers[-1]
        return not (
            np.abs(layer.turn).max(initial=0) > ZERO_DISPLACEMENT
            or np.abs(layer.add).max() > ZERO_DISPLACEMENT
        )

    @property
    def controls(self) -> Floats:
        """The control values of the displacement, in one row."""
        layer = self.take.layers[-1]
        return np.concatenate([layer.turn.ravel(), layer.add.ravel()])

    @property
    def change(self) -> Change:
        """The change of the prop's takes: an added layer, or a clip with one key per channel."""
        source = self.source
        before = source.prop.takes
        if not before:
            return Change(source.address, before, (_still_take(self.take),))
        at = before.index(source.take)
        where = (*source.address, at, "layers")
        return Change(where, source.take.layers, self.take.layers)

    def displacement(self, joint: int, times: Floats, path: Floats) -> Floats:
        """(T, 3) m, of points at (T, 3) that are fixed to a joint of the prop."""
        rig, takes = self.take.rig, (self.source.take, self.take)
        was, now = (forward(rig, values_at(each, times), [joint])[:, 0] for each in takes)
        wide = np.concatenate([path, np.ones((len(path), 1))], axis=1)[..., None]
        moved: Floats = (now @ np.linalg.solve(was, wide))[:, :3, 0] - path
        return moved


def move_prop(source: PropTake, drag: Drag, options: SpacetimeOptions) -> MovedProp:
    """Move a prop so that the held point reaches the target of a drag."""
    take, rig = source.take, source.take.rig
    span = edit_range(take, options, [drag.time])
    share, times = displacement_shares(take, span, drag, source.carried, options.knot_spacing)
    top, channels = _translation_channels(rig, rig.joint(drag.point.joint))
    values = values_at(take, times)
    directions = _channel_directions(rig, top, channels, values[:1])
    rotation, translation = _drag_motion(take, drag)
    origin = forward(rig, values, [top])[:, 0]
    pivot = trail(take, drag.point, times).position
    rotations = share[:, None] * rotation
    arm = origin[:, :3, 3] - pivot
    rotated = (matrix_from_vector(rotations) @ arm[..., None])[..., 0]
    moved = rotated - arm + share[:, None] * translation
    local = (origin[:, :3, :3].swapaxes(1, 2) @ rotations[..., None])[:, None, :, 0]
    joints = np.array([top] if np.any(rotation) else [], np.int64)
    name = f"{source.prop.name} at frame {drag.time * take.rate:g}"
    layer = Layer(
        name, span.start, span.end, joints, local[:, : len(joints)], channels,
        moved @ np.linalg.pinv(directions).T,
    )  # fmt: skip
    rough = replace(take, layers=(*take.layers, layer))
    left = _remaining(rough, drag)  # the spline only nearly follows a prop that rotates itself
    exact = replace(layer, add=layer.add + np.outer(share, np.linalg.pinv(directions) @ left))
    ends = span.start, span.end
    return MovedProp(source, replace(take, layers=(*take.layers, exact)), ends)


def _drag_motion(take: Take, drag: Drag) -> tuple[Floats, Floats]:
    """Rotation vector (3,) about the held point and translation (3,) m of a drag."""
    rotation = np.zeros(3)
    if drag.orientation is not None:
        now = matrix_from_quaternion(trail(take, drag.point, [drag.time]).orientation[0])
        rotation = vector_from_matrix((matrix_from_quaternion(drag.orientation) @ now.T)[None])[0]
    return rotation, _remaining(take, drag)


def _remaining(take: Take, drag: Drag) -> Floats:
    """(3,) m from the held point to the target, along the axes that count."""
    position = trail(take, drag.point, [drag.time]).position[0]
    if drag.position is None:
        return np.zeros(3)
    left: Floats = drag.position - position
    return left if drag.axes is None else np.linalg.pinv(drag.axes) @ drag.axes @ left


def _translation_channels(rig: Rig, joint: int) -> tuple[int, Ints]:
    """The topmost joint above that has translations, and their channels."""
    line = [joint]
    while rig.parents[line[-1]] >= 0:
        line.append(int(rig.parents[line[-1]]))
    for each in reversed(line):
        kind = rig.channels.kind
        own = np.flatnonzero((rig.channels.joint == each) & (kind <= Kind.TRANSLATE_Z))
        if len(own):
            return each, own
    raise BadValue(f"prop {rig.names[0]!r}", "a joint with translations", "none")


def _channel_directions(rig: Rig, joint: int, channels: Ints, values: Floats) -> Floats:
    """(3, A) directions in which channels move a joint."""
    tries = np.tile(values, (len(channels) + 1, 1))
    tries[np.arange(len(channels)) + 1, channels] += 1.0
    position = forward(rig, tries, [joint])[:, 0, :3, 3]
    directions: Floats = (position[1:] - position[0]).T
    return directions


def _still_take(take: Take) -> Take:
    """A take of a prop that lies still: one key for each channel that is not at its default."""
    values = values_at(take, np.zeros(1))[0]
    away = np.abs(values - take.rig.channels.default) > 1e-12
    curves = tuple(
        keyed(np.zeros(1), np.array([value])) if moved else None
        for value, moved in zip(values.tolist(), away.tolist(), strict=True)
    )
    base = take.base
    return Take(take.rig, Clip(base.name, curves, base.duration, base.rate))


def displacement_shares(
    take: Take, span: EditRange, drag: Drag, carried: Sequence[tuple[float, float]], spacing: float
) -> tuple[Floats, Floats]:
    """(N,) share of the displacement of control values over a range, and their times (N,) s.

    1 while the prop is carried, or lies still, around the time of the drag.
    """
    still = _lies_still(take, drag, span.times)
    start, end = _moved_interval(span.times, still, drag.time, carried)
    before, after = _unchanged_until(span, still, start, end)
    ease = min(LOCKED_EASE, (span.end - span.start) / 4)
    if before == span.start:
        start = min(max(start, before + ease), drag.time)
    if after == span.end:
        end = max(min(end, after - ease), drag.time)
    gaps = [gap for gap in (start - before, after - end) if np.isfinite(gap)]
    step = min([spacing, *(max(gap, 1 / take.rate) / 8 for gap in gaps)])
    count = int(np.clip(np.ceil((span.end - span.start) / step) + 3, 8, MAX_CONTROLS))
    knots = np.clip(np.arange(-3, count + 1), 0, count - 3) / (count - 3)
    knots = span.start + knots * (span.end - span.start)
    middle = (knots[1:-3] + knots[2:-2] + knots[3:-1]) / 3
    share = np.minimum(_ramp(middle, before, start), _ramp(-middle, -after, -end))
    low, high = knots[:-4], knots[4:]
    share[(high > start - 1e-9) & (low < end + 1e-9)] = 1.0
    share[(low < before) | (high > after)] = 0.0
    return share, middle


def _ramp(times: Floats, zero: float, one: float) -> Floats:
    if not np.isfinite(zero):
        return np.ones_like(times)
    return smoothstep((times - zero) / max(one - zero, 1e-9))


def _moved_interval(
    times: Floats, still: Bools, time: float, carried: Sequence[tuple[float, float]]
) -> tuple[float, float]:
    """The interval around a time in which the prop is carried, and lies still before and after."""
    held = np.zeros(len(times), bool)
    for start, end in carried:
        held |= (times >= start - CARRY_GAP) & (times <= end + CARRY_GAP)
    at = int(np.argmin(np.abs(times - time)))
    own = still.copy()
    if held[at]:
        first, last = _run_around(held, at)
        own[first : last + 1] = True
    if not own[at]:
        return time, time
    first, last = _run_around(own, at)
    return float(times[first]), float(times[last])


def _unchanged_until(
    span: EditRange, still: Bools, start: float, end: float
) -> tuple[float, float]:
    """The times until and from which nothing changes; infinite where there are none."""
    before = span.times[still & (span.times < start - 1e-9)]
    after = span.times[still & (span.times > end + 1e-9)]
    first = span.start if span.free.start > 0 else -np.inf
    last = span.end if span.free.stop < span.count else np.inf
    return float(before.max(initial=first)), float(after.min(initial=last))


def _lies_still(take: Take, drag: Drag, times: Floats) -> Bools:
    """(T,) whether the prop lies still."""
    point = drag.point
    marks = [(point.joint, point.offset + ROTATION_RADIUS * axis) for axis in np.eye(3)]
    speeds = [trail(take, [mark], times)[0].speed for mark in marks]
    still: Bools = np.max(speeds, axis=0) < STILL_SPEED
    return still


def _run_around(flags: Bools, at: int) -> tuple[int, int]:
    """First and last index of the run of True around an index."""
    gaps = np.flatnonzero(~flags)
    before, after = gaps[gaps < at], gaps[gaps > at]
    return int(before.max(initial=-1)) + 1, int(after.min(initial=len(flags))) - 1
