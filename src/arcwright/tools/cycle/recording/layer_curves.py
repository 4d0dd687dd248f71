"""Curves of a layer with a key on every frame, and the take that it is a layer of."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.curves.keys import insert_key
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve, Extrapolation, Handle, Interpolation
from arcwright.scene.rig import Kind
from arcwright.scene.take import Take

CLIMBS = 1e-6  # m or rad: a curve whose end is further from its start climbs
MOST_OFF = 1e-9  # s


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

    @property
    def rows(self) -> slice:
        """The span itself, both ends included."""
        first = self.frames // 2 if self.closed else 0
        return slice(first, first + self.frames + 1)


@dataclass(frozen=True, eq=False)
class LayerFit:
    """The curves of a layer, and how far joints are from where they should be, m."""

    curves: dict[int, Curve]
    error: float


def dense_curves(layer: LayerPoses) -> dict[int, Curve]:
    """A key on every frame, smooth."""
    rows, step = layer.rows, layer.span / layer.frames
    values = layer.values[:, layer.channels].T  # (n, T)
    slope = np.gradient(values, step, axis=1)[:, rows]
    time = np.arange(layer.frames + 1) * step
    rise = np.stack([np.full_like(slope, step / 3), slope * step / 3], axis=-1)  # (n, K, 2)
    kinds = np.full((len(time), 2), Handle.ALIGNED)
    modes = np.full(len(time), Interpolation.BEZIER)
    tangent = np.stack([rise, rise], axis=2)
    made = Curve.side_by_side(time, values[:, rows], tangent, kinds, modes)
    pairs = zip(layer.channels.tolist(), made, strict=True)
    return {channel: repeated(curve) if layer.closed else curve for channel, curve in pairs}


def repeated(curve: Curve, same_sign: bool = True) -> Curve:
    """The curve going on beyond its keys as it began; nothing climbs where its sign changes."""
    if len(curve) < 2:
        return curve
    climbs = same_sign and abs(float(curve.value[-1] - curve.value[0])) > CLIMBS
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
        return repeated(curve)
    return replace(curve, before=Extrapolation.CYCLE, after=Extrapolation.CYCLE)  # it jumps there
