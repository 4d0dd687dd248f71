"""Few keys for a long layer, by keyframe reduction: its time grows with the length only."""

from __future__ import annotations

import numpy as np

from arcwright.kinematics.deviation import Deviation
from arcwright.kinematics.reduction import Reduction
from arcwright.kinematics.sample import values_at
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve
from arcwright.scene.motion import Motion
from arcwright.scene.rig import Kind
from arcwright.scene.take import Take
from arcwright.tools.cycle.extraction.loop_clip import LoopReduction
from arcwright.tools.cycle.extraction.loop_seam import Carry
from arcwright.tools.cycle.recording.layer_curves import CLIMBS, LayerFit, LayerPoses, repeated
from arcwright.tools.cycle.recording.limited_curve import limited_curve


def fitted_long(layer: LayerPoses, tolerance: float) -> LayerFit:
    """All channels at the same key times; joint limits are kept afterwards."""
    rig, own = layer.take.rig, layer.channels
    clip = _reduced(layer, tolerance)
    curves: dict[int, Curve] = {}
    for channel in own.tolist():
        curve, values = clip.curves[channel], layer.values[:, channel]
        if curve is not None:
            low = min(float(rig.channels.low[channel]), float(values.min()))
            high = max(float(rig.channels.high[channel]), float(values.max()))
            curve = repeated(curve) if layer.closed else curve
            curves[channel] = limited_curve(curve, low, high)
    every = tuple(curves.get(channel) for channel in range(len(rig.channels)))
    made, times = layer.values[layer.rows].copy(), layer.times[layer.rows]
    found = values_at(Take(rig, Clip(clip.name, every, clip.duration, clip.rate)), times)
    made[:, own] = found[:, own]
    off = Deviation.of(rig, layer.values[layer.rows]).joints(made)
    return LayerFit(curves, float(off.max(initial=0.0)))


def _reduced(layer: LayerPoses, tolerance: float) -> Clip:
    """The layer's channels alone, with few keys."""
    rig, step = layer.take.rig, layer.span / layer.frames
    alone = np.tile(layer.values[len(layer.values) // 2], (len(layer.values), 1))
    alone[:, layer.channels] = layer.values[:, layer.channels]
    time = np.arange(float(len(alone))) * step
    motion = Motion(layer.take.name, time, alone, 1 / step)
    if layer.closed:
        return LoopReduction(rig, motion, layer.frames, _carry(layer)).at(tolerance)
    return Reduction(Take(rig, motion)).at(tolerance).fit.clip


def _carry(layer: LayerPoses) -> Carry:
    """What climbs in a span, such as the place of a root that travels, goes on climbing."""
    first = layer.frames // 2
    climb = layer.values[first + layer.frames] - layer.values[first]
    kind = layer.take.rig.channels.kind
    turns = (kind >= Kind.ROTATE_X) & (kind <= Kind.QUATERNION_Z)  # these come round
    climb = np.where(turns | (np.abs(climb) < CLIMBS), 0.0, climb)
    return lambda values, phases: values + np.outer(phases, climb)
