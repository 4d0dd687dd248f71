"""Curves of a layer: a key on every frame for previews, few keys with a stated error at the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.curves.keys import insert_key
from arcwright.kinematics.deviation import Deviation
from arcwright.kinematics.forward import forward
from arcwright.kinematics.reduction import Reduction
from arcwright.kinematics.sample import values_at
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve, Extrapolation, Handle, Interpolation
from arcwright.scene.motion import Motion
from arcwright.scene.rig import Kind
from arcwright.scene.take import Take
from arcwright.tools.cycle.extraction.loop_clip import Carry, LoopReduction
from arcwright.tools.cycle.recording.limited_curve import limited_curve

TRIES = 6  # to stay within the tolerance while everything else moves, too
TIGHTER = 0.75  # of the tolerance, at each further try
DENSE = 1  # tries, after which joints that leave their limits are keyed on every frame
CLIMBS = 1e-6  # m or rad: a curve whose end is further from its start climbs
MOST_OFF = 1e-9  # s
FINE = 0.05  # of the layer's movement: the tolerance of one that moves little, such as a jaw


@dataclass(frozen=True, eq=False)
class LayerPoses:
    """Poses of a take with a layer, at even times of its span."""

    take: Take  # without the layer, but as long as with it
    span: float  # s, after which the layer's channels repeat
    closed: bool  # whether they repeat
    frames: int  # of the span
    channels: Ints  # (n,) that the layer sets
    times: Floats  # (T,) s; with half a span before and after where it is closed
    values: Floats  # (T, C)


@dataclass(frozen=True, eq=False)
class LayerFit:
    """The curves of a layer, and how far joints are from where they should be, m."""

    curves: dict[int, Curve]
    error: float
    key_poses: int


def dense_curves(layer: LayerPoses) -> dict[int, Curve]:
    """A key on every frame, smooth."""
    first = layer.frames // 2 if layer.closed else 0
    rows = slice(first, first + layer.frames + 1)
    step = layer.span / layer.frames
    values = layer.values[:, layer.channels].T  # (n, T)
    slope = np.gradient(values, step, axis=1)[:, rows]
    time = np.arange(layer.frames + 1) * step
    rise = np.stack([np.full_like(slope, step / 3), slope * step / 3], axis=-1)  # (n, K, 2)
    kinds = np.full((len(time), 2), Handle.ALIGNED)
    modes = np.full(len(time), Interpolation.BEZIER)
    tangent = np.stack([rise, rise], axis=2)
    made = Curve.side_by_side(time, values[:, rows], tangent, kinds, modes)
    pairs = zip(layer.channels.tolist(), made, strict=True)
    return {channel: _repeated(curve) if layer.closed else curve for channel, curve in pairs}


def fitted_curves(layer: LayerPoses, tolerance: float) -> LayerFit:
    """Few keys: joints stay within `tolerance` metres, with everything else as it moves."""
    step = layer.span / layer.frames
    alone = np.tile(layer.values[len(layer.values) // 2], (len(layer.values), 1))
    alone[:, layer.channels] = layer.values[:, layer.channels]
    time = np.arange(float(len(alone))) * step
    motion = Motion(layer.take.name, time, alone, 1 / step)
    clip_at = _reduction(layer, motion)
    first = min(tolerance, FINE * _size(layer, alone))
    for attempt in range(TRIES):
        clip = clip_at(first * TIGHTER**attempt)
        fitted = {
            channel: _repeated(own) if layer.closed else own
            for channel in layer.channels.tolist()
            if (own := clip.curves[channel]) is not None
        }
        curves, error = _within_limits(layer, fitted, tolerance, dense=attempt >= DENSE)
        if error <= tolerance:
            break
    keys = np.concatenate([curve.time for curve in curves.values()])
    return LayerFit(curves, error, len(np.unique(np.round(keys, 6))))


def _reduction(layer: LayerPoses, motion: Motion) -> Callable[[float], Clip]:
    """Few keys for any tolerance, m; prepared once."""
    rig = layer.take.rig
    if layer.closed:
        return LoopReduction(rig, motion, layer.frames, _carry(layer)).at
    reduction = Reduction(Take(rig, motion))
    return lambda tolerance: reduction.at(tolerance).fit.clip


def _within_limits(
    layer: LayerPoses, fitted: Mapping[int, Curve], tolerance: float, *, dense: bool
) -> tuple[dict[int, Curve], float]:
    """Curves that keep joint limits, and the error, m.

    Few keys may leave limits by far where angles of a joint nearly cancel each other; then, if
    `dense`, that joint gets a key on every frame.
    """
    table = layer.take.rig.channels
    bounds = {channel: _limits(layer, channel) for channel in fitted}
    curves = {each: limited_curve(curve, *bounds[each]) for each, curve in fitted.items()}
    error = _error(layer, curves)
    joints = {int(table.joint[each]) for each in curves if curves[each] is not fitted[each]}
    if error <= tolerance or not joints or not dense:
        return curves, error
    for channel, curve in dense_curves(layer).items():
        if int(table.joint[channel]) in joints:
            curves[channel] = limited_curve(curve, *bounds[channel])
    return curves, _error(layer, curves)


def _limits(layer: LayerPoses, channel: int) -> tuple[float, float]:
    """Joint limits; poses that break them already may stay where they are."""
    table, values = layer.take.rig.channels, layer.values[:, channel]
    low, high = float(table.low[channel]), float(table.high[channel])
    return min(low, float(values.min())), max(high, float(values.max()))


def _carry(layer: LayerPoses) -> Carry:
    """What climbs in a span, such as the place of a root that travels, goes on climbing."""
    first = layer.frames // 2
    climb = layer.values[first + layer.frames] - layer.values[first]
    kind = layer.take.rig.channels.kind
    turns = (kind >= Kind.ROTATE_X) & (kind <= Kind.QUATERNION_Z)  # these come round
    climb = np.where(turns | (np.abs(climb) < CLIMBS), 0.0, climb)
    return lambda values, phases: values + np.outer(phases, climb)


def _size(layer: LayerPoses, values: Floats) -> float:
    """m, how far the layer moves joints, or points a little off them, from its mean."""
    middle = 0.5 * (values.max(axis=0) + values.min(axis=0))
    aim = Deviation.of(layer.take.rig, values)
    return max(float(aim.largest(np.tile(middle, (len(values), 1))).max()), 1e-5)


def _error(layer: LayerPoses, curves: Mapping[int, Curve]) -> float:
    """m, the largest of any joint at the frames."""
    rig, base = layer.take.rig, layer.take.base
    assert isinstance(base, Clip)
    all_curves = tuple(curves.get(channel, old) for channel, old in enumerate(base.curves))
    found = values_at(Take(rig, replace(base, curves=all_curves)), layer.times)
    off = (forward(rig, found) - forward(rig, layer.values))[..., :3, 3]
    return float(np.linalg.norm(off, axis=-1).max(initial=0.0))


def _repeated(curve: Curve) -> Curve:
    """The curve going on beyond its keys as it began."""
    if len(curve) < 2:
        return curve
    climbs = abs(float(curve.value[-1] - curve.value[0])) > CLIMBS
    way = Extrapolation.CYCLE_OFFSET if climbs else Extrapolation.CYCLE
    return replace(curve, before=way, after=way)


def longer_take(take: Take, period: float, duration: float) -> Take:
    """A looping take of another duration: what moved in its period goes on repeating.

    Keys stay as they are; a curve that has none at the ends of the period gets them.
    """
    base = take.base
    assert isinstance(base, Clip)
    clip = replace(base, duration=duration, loops=True)
    if duration > period * (1 + 1e-9) or not base.loops:
        table = take.rig.channels
        curves = tuple(
            None if curve is None else _repeating(curve, period, Kind(int(table.kind[channel])))
            for channel, curve in enumerate(base.curves)
        )
        clip = replace(clip, curves=curves)
    return replace(take, base=clip)


def _repeating(curve: Curve, period: float, kind: Kind) -> Curve:
    if len(curve) < 2 or curve.cyclic or not np.ptp(curve.value):
        return curve
    for end in (0.0, period):
        if np.abs(curve.time - end).min() > MOST_OFF:
            curve = insert_key(curve, end)
    inside = (curve.time >= -MOST_OFF) & (curve.time <= period + MOST_OFF)
    names = "time", "value", "tangent", "handles", "interpolation"
    curve = replace(curve, **{name: getattr(curve, name)[inside] for name in names})
    rise = float(curve.value[-1] - curve.value[0])
    turns = Kind.ROTATE_X <= kind <= Kind.ROTATE_Z and abs(np.sin(rise / 2)) < CLIMBS
    if kind <= Kind.TRANSLATE_Z or turns:
        return _repeated(curve)
    return replace(curve, before=Extrapolation.CYCLE, after=Extrapolation.CYCLE)  # it jumps there
