"""Loop setting: the length of a whole loop, and the phase of some of its channels."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.curves.evaluate import evaluate
from arcwright.curves.local_key import with_local_handles
from arcwright.curves.pack import PackedCurves
from arcwright.errors import BadValue
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve
from arcwright.tools.cycle.shaping.key_table import KeyTable, alike, repeats

LEAST_PHASE = 1e-9  # s


def shift_phase(clip: Clip, packed: PackedCurves, channels: Ints, phase: float) -> dict[int, Curve]:
    """Curves of these channels that play `phase` seconds later, over the seam of the loop.

    All keys stay as they are, but for one more where the curve is cut at the seam.
    """
    if not clip.loops:
        raise BadValue("phase", "a take that loops", f"{clip.name!r}, which does not")
    groups: dict[tuple[bytes, ...], list[int]] = {}
    for channel in channels.tolist():
        curve = clip.curves[channel]
        if curve is not None and len(curve) > 1:
            groups.setdefault(alike(curve), []).append(channel)
    found: dict[int, Curve] = {}
    for own in groups.values():
        group = np.array(own, np.int64)
        curves = [curve for each in own if (curve := clip.curves[each]) is not None]
        table = _shifted(clip, packed, group, curves, phase)
        if table is not None:
            stay = np.ones(len(table), bool)
            pairs = zip(own, table.curves(), strict=True)
            found |= {channel: with_local_handles(curve, stay) for channel, curve in pairs}
    return dict(sorted(found.items()))


def _shifted(
    clip: Clip, packed: PackedCurves, group: Ints, curves: list[Curve], phase: float
) -> KeyTable | None:
    """The keys of alike curves, later by the phase; None where that is a whole cycle."""

    def was(time: float) -> Floats:
        found: Floats = evaluate(packed, np.array([time]), group)[0]
        return found

    table, first = KeyTable.of(curves), curves[0]
    start, period = 0.0, clip.duration
    if repeats(first):
        start, period = float(first.time[0]), float(np.ptp(first.time))
    rest = phase % period
    if min(rest, period - rest) < LEAST_PHASE:
        return None
    table = table.inserted((start, start + period), was)
    table = table.between(start, start + period)
    cut = start + period - rest
    climb = table.value[-1] - table.value[0]
    turns = round((cut - start + phase) / period)
    near = table.key_at(cut)
    cut = cut if near is None else float(table.time[near])
    table = table.inserted([cut], was).rotated(cut, period)
    value = table.value - turns * climb
    time = table.time + (start - table.time[0])
    time[-1] = start + period
    return replace(table, time=time, value=value)
