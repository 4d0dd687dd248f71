"""The travel of a character: where it goes and where it heads, apart from what repeats.

Averaged over one cycle around each moment, position and heading of the root have no sway any
more: that is the travel. Without it the root repeats like every other joint.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.forward import forward, orientation
from arcwright.kinematics.layout import ZERO, layout
from arcwright.kinematics.rotation import (
    euler_from_quaternion,
    quaternion_conjugate,
    quaternion_multiply,
    quaternion_rotate,
)
from arcwright.scene.rig import QUATERNION, Rig
from arcwright.tools.cycle.extraction.phase import Alignment
from arcwright.tools.cycle.extraction.signal import MotionSignal

FINE = 64  # moments of a cycle at which travel is averaged
STILL_FRAME = 1e-5  # m or quaternion: joints above the root that move more keep the root as it is
STRAIGHT = np.radians(4.0)  # turning less than this in a cycle is walking straight
IN_PLACE = 0.03  # of the body's size: going or climbing less than this in a cycle is none


@dataclass(frozen=True, eq=False)
class RootPath:
    """The movement of a rig's root in the world, and how to write it back to its channels."""

    rig: Rig
    joint: int
    position: Floats  # (N, 3) m
    rotation: Floats  # (N, 4) wxyz
    heading: Floats  # (N,) rad about the vertical axis, without jumps
    frame: Floats  # (4, 4) the fixed frame in which its channels move it
    frame_rotation: Floats  # (4,) wxyz

    def written(self, values: Floats, position: Floats, rotation: Floats) -> Floats:
        """Channel values (T, C) with the root at these places and rotations in the world."""
        changed = values.copy()
        plan = layout(self.rig)
        own = int(plan.wanted[self.joint])
        local = (position - self.frame[:3, 3]) @ np.linalg.inv(self.frame[:3, :3]).T
        changed[:, plan.translate[own]] = local
        turned = quaternion_multiply(quaternion_conjugate(self.frame_rotation), rotation)
        mode = self.rig.modes[self.joint]
        if mode == QUATERNION:
            four = plan.quaternion[own]
            near = (turned * values[:, four]).sum(axis=-1, keepdims=True) < 0
            changed[:, four] = np.where(near, -turned, turned)
        else:
            angles = plan.rotate[own]
            changed[:, angles] = euler_from_quaternion(turned, mode, near=values[:, angles])
        return changed


@dataclass(frozen=True, eq=False)
class Travel:
    """The travel of a root along a motion, and in one cycle."""

    place: Floats  # (N, 3) m, the smooth path
    heading: Floats  # (N,) rad
    start: Floats  # (3,) m, where the first cycle that counts starts
    start_heading: float  # rad
    stride: Floats  # (3,) m, the way of one cycle, seen from its own heading
    turn: float  # rad, in one cycle


def root_path(rig: Rig, joint: int, values: Floats) -> RootPath | None:
    """The path of a root joint; None if its channels cannot move and rotate it freely."""
    plan = layout(rig)
    own = int(plan.wanted[joint])
    angles = plan.quaternion[own] if rig.modes[joint] == QUATERNION else plan.rotate[own]
    if (plan.translate[own] == ZERO).any() or (angles == ZERO).any():
        return None
    above = int(rig.parents[joint])
    frame, turned = np.eye(4), np.array([1.0, 0.0, 0.0, 0.0])
    if above >= 0:
        parents, turns = (
            forward(rig, values, [above])[:, 0],
            orientation(rig, values, [above])[:, 0],
        )
        if max(np.ptp(parents, axis=0).max(), np.ptp(turns, axis=0).max()) > STILL_FRAME:
            return None
        frame[: parents.shape[1]], turned = parents[0], turns[0]
    rest = rig.rest[joint]
    local = np.eye(4)
    local[:3, :3] = np.stack([quaternion_rotate(rest, axis) for axis in np.eye(3)], axis=1)
    local[:3, 3] = rig.offset[joint]
    world = forward(rig, values, [joint])[:, 0]
    rotation = orientation(rig, values, [joint])[:, 0]
    default = orientation(rig, rig.channels.default[None], [joint])[0, 0]
    away = quaternion_multiply(rotation, quaternion_conjugate(default))
    heading = np.unwrap(2 * np.arctan2(away[:, 2], away[:, 0]), period=2 * np.pi)
    frame_rotation = quaternion_multiply(turned, rest)
    return RootPath(rig, joint, world[:, :3, 3], rotation, heading, frame @ local, frame_rotation)


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
    seen = _turned(-(starts[:, 3] + 0.5 * steps[:, 3]), steps[:, :3])
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
    place = way.start + _turned(turn, root.position - way.place)
    return root.written(values, place, quaternion_multiply(_about_vertical(turn), root.rotation))


def with_travel(root: RootPath, values: Floats, way: Travel, phases: Floats) -> Floats:
    """Channel values (T, C) of a loop in place, at phases (T,), travelling again."""
    joint = root.joint
    place = forward(root.rig, values, [joint])[:, 0, :3, 3]
    rotation = orientation(root.rig, values, [joint])[:, 0]
    turn = way.turn * phases
    ahead = _turned(np.full(len(phases), way.start_heading), _arc(way.stride, way.turn, phases))
    moved = way.start + ahead + _turned(turn, place - way.start)
    return root.written(values, moved, quaternion_multiply(_about_vertical(turn), rotation))


def moved_root(
    root: RootPath, values: Floats, turn: float, origin: Floats, target: Floats
) -> Floats:
    """Channel values (T, C) turned about the vertical axis and moved from one place to another."""
    joint = root.joint
    place = forward(root.rig, values, [joint])[:, 0, :3, 3]
    rotation = orientation(root.rig, values, [joint])[:, 0]
    angle = np.full(len(values), turn)
    moved = target + _turned(angle, place - origin)
    return root.written(values, moved, quaternion_multiply(_about_vertical(angle), rotation))


def end_of_travel(way: Travel, cycles: float) -> tuple[Floats, float]:
    """Where a loop is, m, and heads, rad, after so many cycles."""
    ahead = _arc(way.stride, way.turn, np.array([cycles]))
    place = way.start + _turned(np.array([way.start_heading]), ahead)[0]
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


def _turned(angle: Floats, vectors: Floats) -> Floats:
    """Vectors (N, 3) rotated about the vertical axis."""
    cosine, sine = np.cos(angle), np.sin(angle)
    x, y, z = vectors.T
    return np.stack([cosine * x + sine * z, y, cosine * z - sine * x], axis=1)


def _about_vertical(angle: Floats) -> Floats:
    zero = np.zeros_like(angle)
    return np.stack([np.cos(angle / 2), zero, np.sin(angle / 2), zero], axis=-1)
