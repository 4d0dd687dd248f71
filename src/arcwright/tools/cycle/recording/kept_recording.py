"""Kept recordings: samples of a layer as a value of the scene."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from arcwright.arrays import Floats
from arcwright.scene.clip import Clip
from arcwright.scene.recording import Recording
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.cycle.options import CycleOptions
from arcwright.tools.cycle.recording.performed_layer import PerformedLayer
from arcwright.tools.cycle.recording.sample_buffer import SampleBuffer
from arcwright.tools.shared.kept_recording import chosen_options

TOOL = "cycle"


def recording_of(
    samples: SampleBuffer,
    target: Target,
    start: Floats,
    options: CycleOptions,
    layer: PerformedLayer,
    cut: float | None,
    under: Take,
    driven: Iterable[int],
    first: bool,
) -> Recording:
    """The recording of a layer over a take; a cut that was dragged becomes the option `start`."""
    if cut is not None and layer.timing is not None:
        options = replace(options, start=_moment(layer, cut))
    base, channels = under.base, sorted(driven)
    assert isinstance(base, Clip)
    point = target.point and replace(target.point, character=target.character)
    return Recording(
        samples.times,
        samples.poses.astype(np.float32),
        samples.axes.astype(np.float32),
        samples.axis_names,
        samples.device,
        target.character,
        target.take,
        point,
        target.channels,
        start,
        TOOL,
        chosen_options(options),
        tuple(under.rig.channel_names[each] for each in channels),
        tuple(base.curves[each] for each in channels),
        first,
    )


def without_layer(scene: Scene, take: Take, recording: Recording) -> Take:
    """The take as it would be without the layer of a recording.

    Where a later layer changed some of its channels, too, it stays as it is.
    """
    base, known = take.base, {name: at for at, name in enumerate(take.rig.channel_names)}
    at = next((i for i, each in enumerate(scene.recordings) if each is recording), None)
    own = set(recording.driven)
    if at is None or not isinstance(base, Clip) or not own <= known.keys():
        return take
    actor = recording.character, recording.take
    later = [each for each in scene.recordings[at + 1 :] if (each.character, each.take) == actor]
    if any(own & set(each.driven) for each in later):
        return take
    curves = list(base.curves)
    for name, curve in zip(recording.driven, recording.before, strict=True):
        curves[known[name]] = curve
    return replace(take, base=replace(base, curves=tuple(curves)))


def _moment(layer: PerformedLayer, phase: float) -> float:
    """When the phase of a cut was acted, s from the first sample."""
    acted = layer.acted
    whole = np.floor(acted.phases[-1] / 2)  # in the midst, where moments are known
    moment = np.interp(whole + phase % 1.0, acted.phases, acted.moments)
    return float(max(moment - layer.device.time[0], 0.0))
