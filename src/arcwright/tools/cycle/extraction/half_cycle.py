"""A loop made of half a cycle: its second half is the first one in the mirror."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats
from arcwright.errors import BadValue
from arcwright.kinematics.mirror import mirror_of
from arcwright.scene.rig import Rig
from arcwright.tools.cycle.extraction.loop import smooth_step
from arcwright.tools.cycle.extraction.rotation_columns import RotationColumns
from arcwright.tools.cycle.extraction.travel import Travel

ASYMMETRIC = 0.05  # of a rig's size: sides that differ more cannot be mirrored
BLEND = 0.2  # of a cycle, over which one half goes over into the other


def mirrored_half(rig: Rig, root: int, values: Floats, way: Travel | None) -> Floats:
    """(M, C) a loop in place whose second half is the first, mirrored; M is even.

    With weights w that add up to 1 half a cycle apart, the mean of the loop and of its mirror
    image half a cycle later is its own mirror image, wherever one goes over into the other.
    """
    frames = len(values)
    mirror = mirror_of(rig)
    if not mirror.pairs:
        raise BadValue("rig", "joints with counterparts on the other side", "none")
    if mirror.asymmetry > ASYMMETRIC:
        off = f"sides that differ by {mirror.asymmetry:.0%} of its size"
        raise BadValue("rig", "a rest pose whose two sides are alike, to be mirrored", off)
    heading, centre = (0.0, None) if way is None else (way.start_heading, way.start)
    image = mirror.mirrored(np.roll(values, -(frames // 2), axis=0), root, heading, centre)
    columns = RotationColumns.of(rig)
    phase = np.arange(frames) / frames
    mean = columns.blended(
        columns.from_channels(image), columns.from_channels(values), _first_half(phase)
    )
    return columns.to_channels(mean, values[0])


def straightened(way: Travel) -> Travel:
    """The travel of a loop that is its own mirror image: straight ahead."""
    stride = way.stride * [0.0, 1.0, 1.0]
    return Travel(way.place, way.heading, way.start, way.start_heading, stride, 0.0)


def _first_half(phase: Floats) -> Floats:
    """1 in the first half of a cycle, 0 in the second, smooth between; 1 in all half apart."""
    rise = smooth_step(((phase + 0.5) % 1 - 0.5) / BLEND + 0.5)
    fall = smooth_step((phase - 0.5) / BLEND + 0.5)
    return np.where(phase < 0.25, rise, np.where(phase < 0.75, 1 - fall, rise))
