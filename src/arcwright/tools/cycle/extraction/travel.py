"""The travel of a character: where it goes and where it heads, apart from what repeats.

Averaged over one cycle around each moment, position and heading of the root have no sway any
more: that is the travel. Without it the root repeats like every other joint.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.forward import forward, orientation
from arcwright.kinematics.root_path import RootPath, about_vertical, turned_about_vertical
from arcwright.kinematics.rotation import quaternion_multiply
from arcwright.tools.cycle.extraction.phase import Alignment
from arcwright.tools.cycle.extraction.signal import MotionSignal

FINE = 64  # moments of a cycle at which travel is averaged
STRAIGHT = np.radians(4.0)  # turning less than this in a cycle is walking straight
IN_PLACE = 0.03  # of the body's size: going or climbing less than this in a cycle is none


@dataclass(frozen=True, eq=False)
class Travel:
    """The travel of a root along a motion, and in one cycle."""

    place: Floats  # (N, 3) m, the smooth path
    heading: Floats  # (N,) rad
    start: Floats  # (3,) m, where the first cycle that counts starts
    start_heading: float  # rad
    stride: Floats  # (3,) m, the way of one cycle, seen from its own heading
    turn: float  # rad, in one cycle


def travel(
    root: RootPath,
    time: Floats,
    signal: MotionSignal,
    alignment: Alignment,
    weights: Floats,
    size: float,
) -> Travel:
    """The travel of a root whose cycles are aligned and weighted (K,); the body is `size` m."""
    count = len(alignment)
    phases = np.arange(count * FINE + 1) / FINE
    moments = signal.times(alignment.at(phases))
    path = np.column_stack([root.position, root.heading])
    fine = np.stack([np.interp(moments, time, column) for column in path.T], axis=1)
    middle = _cycle_means(fine)
    smooth = np.stack([_extended(time, moments, column) for column in middle.T], axis=1)
    starts = middle[::FINE][:count]
    steps = np.diff(middle[::FINE], axis=0)
    seen = turned_about_vertical(-(starts[:, 3] + 0.5 * steps[:, 3]), steps[:, :3])
    share = weights / weights.sum()
    stride, turn = share @ seen, float(share @ steps[:, 3])
    if abs(turn) < STRAIGHT:
        turn = 0.0
    first = starts[int(np.argmax(weights > 0))]
    if abs(_climb(root, time, signal, alignment)) < IN_PLACE * size:
        stride[1] = 0.0
        smooth[:, 1] = first[1]  # on level ground heights stay what they are
    if np.hypot(stride[0], stride[2]) < IN_PLACE * size:
        stride[[0, 2]] = 0.0
    return Travel(smooth[:, :3], smooth[:, 3], first[:3], float(first[3]), stride, turn)


def _climb(root: RootPath, time: Floats, signal: MotionSignal, alignment: Alignment) -> float:
    """How much higher, m, the root is a cycle later, over all moments of which that is known."""
    before, after = alignment.parts
    phases = np.linspace(-before, max(len(alignment) - 1 + after, FINE**-1.0), FINE)
    now, later = (signal.times(alignment.at(phases + cycle)) for cycle in (0, 1))
    height = root.position[:, 1]
    return float(np.mean(np.interp(later, time, height) - np.interp(now, time, height)))


def without_travel(root: RootPath, values: Floats, way: Travel) -> Floats:
    """Channel values (N, C) with the root in place, heading as at the start."""
    turn = way.start_heading - way.heading
    place = way.start + turned_about_vertical(turn, root.position - way.place)
    return root.written(values, place, quaternion_multiply(about_vertical(turn), root.rotation))


def with_travel(root: RootPath, values: Floats, way: Travel, phases: Floats) -> Floats:
    """Channel values (T, C) of a loop in place, at phases (T,), travelling again."""
    joint = root.joint
    place = forward(root.rig, values, [joint])[:, 0, :3, 3]
    rotation = orientation(root.rig, values, [joint])[:, 0]
    turn = way.turn * phases
    ahead = turned_about_vertical(
        np.full(len(phases), way.start_heading), _arc(way.stride, way.turn, phases)
    )
    moved = way.start + ahead + turned_about_vertical(turn, place - way.start)
    return root.written(values, moved, quaternion_multiply(about_vertical(turn), rotation))


def moved_root(
    root: RootPath, values: Floats, turn: float, origin: Floats, target: Floats
) -> Floats:
    """Channel values (T, C) turned about the vertical axis and moved from one place to another."""
    joint = root.joint
    place = forward(root.rig, values, [joint])[:, 0, :3, 3]
    rotation = orientation(root.rig, values, [joint])[:, 0]
    angle = np.full(len(values), turn)
    moved = target + turned_about_vertical(angle, place - origin)
    return root.written(values, moved, quaternion_multiply(about_vertical(angle), rotation))


def end_of_travel(way: Travel, cycles: float) -> tuple[Floats, float]:
    """Where a loop is, m, and heads, rad, after so many cycles."""
    ahead = _arc(way.stride, way.turn, np.array([cycles]))
    place = way.start + turned_about_vertical(np.array([way.start_heading]), ahead)[0]
    return place, way.start_heading + way.turn * cycles


def _cycle_means(fine: Floats) -> Floats:
    """(K FINE + 1, D) the mean over a cycle around each moment; straight on at the ends."""
    total = np.concatenate(
        [np.zeros((1, fine.shape[1])), np.cumsum(0.5 * (fine[1:] + fine[:-1]), 0)]
    )
    inner = (total[FINE:] - total[:-FINE]) / FINE  # centred on FINE/2, ...
    half = FINE // 2
    before, after = fine[FINE] - fine[0], fine[-1] - fine[-1 - FINE]
    reach = np.arange(half, 0, -1)[:, None] / FINE
    return np.concatenate([inner[0] - reach * before, inner, inner[-1] + reach[::-1] * after])


def _extended(time: Floats, moments: Floats, values: Floats) -> Floats:
    """(N,) values between moments, and beyond them at the speed of the first and last cycle."""
    inside = np.interp(time, moments, values)
    reach = min(FINE, len(moments) - 1)
    for end, other in ((0, reach), (-1, -1 - reach)):
        speed = (values[other] - values[end]) / (moments[other] - moments[end])
        beyond = time < moments[0] if end == 0 else time > moments[-1]
        inside[beyond] = values[end] + speed * (time[beyond] - moments[end])
    return inside


def _arc(stride: Floats, turn: float, phases: Floats) -> Floats:
    """(T, 3) the way along an arc, from its start, heading along z there."""
    if turn == 0:
        return phases[:, None] * stride
    # The stride is a chord of the arc, seen from the heading in the middle of the cycle.
    chord = 2 * np.sin(turn / 2) / turn
    angle = turn * phases
    forward_part, side = np.sin(angle) / turn, (1 - np.cos(angle)) / turn
    x, y, z = stride / np.array([chord, 1.0, chord])
    return np.stack([x * forward_part + z * side, y * phases, z * forward_part - x * side], axis=1)
