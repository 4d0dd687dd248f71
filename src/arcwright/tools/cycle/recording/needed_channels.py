"""Channels that a performance needs: the others keep the keys that they have.

A solved body moves almost all of its channels, most of them by less than can be seen.
"""

from __future__ import annotations

from dataclasses import replace

from arcwright.kinematics.deviation import Deviation
from arcwright.kinematics.lever_arms import units_per_metre
from arcwright.kinematics.sample import values_at
from arcwright.tools.cycle.recording.layer_curves import LayerPoses
from arcwright.tools.cycle.recording.performed_body import PerformedBody
from arcwright.tools.cycle.recording.performed_item import PerformedItem
from arcwright.tools.cycle.shaping.few_channels import few_channels


def needed_channels(
    layer: LayerPoses, item: PerformedItem, parts: tuple[str, ...], tolerance: float
) -> tuple[LayerPoses, float]:
    """The layer without channels that hardly change, and the tolerance that is left for its keys.

    The performed point of a body stays exactly where the layer has it.
    """
    if not isinstance(item, PerformedBody) or "position" not in parts:
        return layer, tolerance
    rig, was = layer.take.rig, values_at(layer.take, layer.times)
    metres = 1.0 / units_per_metre(rig, Deviation.of(rig, layer.values[layer.rows]))
    performed = [(item.point, "orientation" in parts)]
    values, away = few_channels(rig, was, layer.values, metres, tolerance, performed)
    kept = layer.channels[(values != was)[:, layer.channels].any(axis=0)]
    return replace(layer, values=values, channels=kept), tolerance - away
