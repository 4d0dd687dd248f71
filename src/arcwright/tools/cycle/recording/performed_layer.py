"""A performance as a layer of a take: from device samples to poses at every frame."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.sample import values_at
from arcwright.scene.take import Take
from arcwright.tools.cycle.options import CycleOptions
from arcwright.tools.cycle.recording.acted_loop import ActedLoop, find_loop
from arcwright.tools.cycle.recording.device_motion import DeviceMotion
from arcwright.tools.cycle.recording.layer_curves import LayerPoses, longer_take
from arcwright.tools.cycle.recording.layer_timing import LayerTiming, layer_timing
from arcwright.tools.cycle.recording.performed_item import InTurn, ItemSamples, PerformedItem
from arcwright.tools.cycle.recording.punch import PunchedPart, blended, is_punched, punched_part
from arcwright.tools.cycle.recording.take_loop import TakeLoop, moving_channels

LEAST_FRAMES = 8  # of a layer
LEAST_BLEND = 0.2  # of a cycle, at each end of a take that does not loop,
MOST_BLEND = 1 / 3  # and of the take
UNCHANGED = 1e-9  # m, rad or plain


@dataclass(frozen=True, eq=False)
class PerformedLayer:
    """What a performance comes to."""

    device: DeviceMotion
    mapped: ItemSamples
    acted: ActedLoop
    refusal: str = ""  # why the item cannot follow
    timing: LayerTiming | None = None
    poses: LayerPoses | None = None  # None where there is no loop
    remaining: Floats | None = None  # (T,) m of the frames
    part: PunchedPart | None = None  # where only a part was acted


def performed_layer(
    device: DeviceMotion,
    item: PerformedItem,
    loop: TakeLoop,
    options: CycleOptions,
    cut: float | None,
) -> PerformedLayer:
    """The layer of a performance; `cut` is the phase of the loop at the take's start, if chosen."""
    mapped = item.mapped(device, options)
    refusal = item.refusal(mapped.parts)
    if not refusal and is_punched(options, loop):
        return _punched(device, item, mapped, loop, options)
    acted = find_loop(mapped.samples, options)
    if refusal or acted.reason is not None:
        return PerformedLayer(device, mapped, acted, refusal)
    if cut is None and options.start is not None:
        cut = acted.phase_of(float(device.time[0]) + options.start)
    moving = moving_channels(loop.take)
    moving[item.channels(mapped.parts)] = False
    replaceable = not moving.any()
    timing = layer_timing(acted, replace(loop, replaceable=replaceable), options, cut)
    poses, remaining = layer_poses(item, mapped.parts, acted, timing, loop)
    return PerformedLayer(device, mapped, acted, "", timing, poses, remaining)


def _punched(
    device: DeviceMotion,
    item: PerformedItem,
    mapped: ItemSamples,
    loop: TakeLoop,
    options: CycleOptions,
) -> PerformedLayer:
    part = punched_part(item, mapped, loop, options)
    if isinstance(part, str):
        return PerformedLayer(device, mapped, ActedLoop(None, ()), part)
    remaining = part.remaining
    return PerformedLayer(device, mapped, ActedLoop(None, ()), part=part, remaining=remaining)


def layer_poses(
    item: PerformedItem,
    parts: tuple[str, ...],
    acted: ActedLoop,
    timing: LayerTiming,
    loop: TakeLoop,
) -> tuple[LayerPoses, Floats]:
    """Poses at every frame of the layer, and how far the item is from where it should be."""
    take = loop.take
    loops = loop.loops or timing.closes
    if loops:
        take = longer_take(take, loop.period or take.duration, timing.duration)
    alone = item.repeats_alone(parts)
    span = timing.period if alone else timing.duration
    closed = alone or loops
    frames = max(LEAST_FRAMES, round(span * take.rate))
    half = frames // 2 if closed else 0
    inside = np.arange(frames + (0 if closed else 1)) * span / frames
    times = (np.arange(frames + 2 * half + 1) - half) * span / frames
    at = inside if item.solves else times
    cycle = max(LEAST_FRAMES, round(timing.period * take.rate))
    columns = acted.at(timing.phases(at))
    if not closed:
        weight = end_weights(at, timing.period)
        columns = blended(item.now(at), columns, weight, acted.quaternions)
    found = item.poses(columns, parts, take, at, InTurn(cycle, closed))
    values = found.values
    if item.solves and closed:
        values = _extended(take, values, span, np.arange(len(times), dtype=np.int64) - half)
    channels = _changed(take, values, times) if item.solves else item.channels(parts)
    return LayerPoses(take, span, closed, frames, channels, times, values), found.remaining


def end_weights(times: Floats, period: float) -> Floats:
    """(T,) of a layer in a take that does not loop: from 0 at its ends to 1 for whole cycles.

    The time that whole cycles leave is shared by both ends; at least a part of a cycle blends.
    """
    span = float(times[-1] - times[0])
    rest = span - period * np.floor(span / period + 1e-6)
    blend = min(max(0.5 * rest, LEAST_BLEND * period), MOST_BLEND * span)
    t = np.clip(np.minimum(times - times[0], times[-1] - times) / blend, 0.0, 1.0)
    return np.asarray(t * t * (3 - 2 * t))


def _extended(take: Take, values: Floats, span: float, frames: Ints) -> Floats:
    """Poses of a span (F, C) at any of its frames: what climbs in the take goes on climbing."""
    ends = values_at(take, np.array([0.0, span]))
    climb = ends[1] - ends[0]
    rounds, inside = np.divmod(frames, len(values))
    extended: Floats = values[inside] + rounds[:, None] * np.where(abs(climb) > 1e-6, climb, 0.0)
    return extended


def _changed(take: Take, values: Floats, times: Floats) -> Ints:
    """Channels that differ from the take's."""
    apart = np.abs(values - values_at(take, times)).max(axis=0)
    return np.flatnonzero(apart > UNCHANGED)
