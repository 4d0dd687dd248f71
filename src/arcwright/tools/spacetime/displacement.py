"""Displacement d(t): its unknowns, its range and knots, and how it closes in a loop.

d is a cubic B-spline with control values x (N, D): N over the range, D unknowns at each of them.

In a loop, d ends as it begins in position, velocity and acceleration. With s, v, u free, the
control values at the two ends are s, s + v, u + 3 v and u - 3 v, s - v, s. They couple with both
ends of the range, so they are a border around the blocks of the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.curves.spline import refine
from arcwright.errors import BadValue
from arcwright.kinematics.layout import ZERO, layout
from arcwright.scene.clip import Clip
from arcwright.scene.rig import Rig
from arcwright.scene.take import Take
from arcwright.solve.blocks import WIDE, System

if TYPE_CHECKING:
    from arcwright.tools.spacetime.tool import SpacetimeOptions

NO_CHANNELS: Ints = np.zeros(0, np.int64)
LONG_TAKE = 6.0  # s; longer takes are edited around the drag only, if no range is chosen
MIN_CONTROLS = 8  # control values
MIN_SPACING = 2.0  # frames between two knots
DENSE_RATE = 50.0  # frames a second, from which half frames need no samples
LOCKED_CONTROLS = 2  # control values that stay 0 at a locked end, for position and velocity
LOOP_CONTROLS = 3  # control values at each end that a loop ties together
LOOP_TIES = np.array([[1, 0, 0], [1, 1, 0], [0, 3, 1], [0, -3, 1], [1, -1, 0], [1, 0, 0]], float)


@dataclass(frozen=True, eq=False)
class Unknowns:
    """D unknowns at a time: a rotation vector for each joint, then a number for each channel."""

    joints: Ints  # (R,) joints with three rotational degrees of freedom
    channels: Ints  # (E,) translations, and angles of joints that have one or two

    @property
    def rotation_count(self) -> int:
        """How many unknowns belong to rotation vectors: 3 R."""
        return 3 * len(self.joints)

    @property
    def count(self) -> int:
        """D."""
        return self.rotation_count + len(self.channels)

    def split(self, x: Floats) -> tuple[Floats, Floats]:
        """Rotation vectors (N, R, 3) and additions to channels (N, E) of unknowns (N, D)."""
        return x[:, : self.rotation_count].reshape(len(x), -1, 3), x[:, self.rotation_count :]


def unknowns_of(
    rig: Rig,
    joints: Ints | None = None,
    values: Floats | None = None,
    *,
    captured: bool = False,
    rigid: Ints = NO_CHANNELS,
) -> Unknowns:
    """The unknowns of some joints and their ancestors, or of the whole rig.

    `rigid` channels stay as they are, so that bones keep their length; so do joints that never
    rotate in a captured motion of values (T, C).
    """
    plan = layout(rig, None if joints is None else sorted(set(joints.tolist())))
    angle_count = (plan.rotate != ZERO).sum(axis=1)
    ball = (angle_count == 3) | (plan.quaternion[:, 0] != ZERO)
    angles, translations = plan.rotate[~ball], plan.translate
    rotating = ball
    if values is not None:
        moved = np.append(np.ptp(values, axis=0), [0.0, 0.0])  # ONE and ZERO stand for none
        rotated = moved[np.concatenate([plan.rotate, plan.quaternion], axis=1)].max(axis=1) > 0
        if captured and rotated.any():
            rotating = ball & rotated
    added = np.concatenate([translations[translations != ZERO], angles[angles != ZERO]])
    return Unknowns(np.sort(plan.joints[rotating]), np.setdiff1d(added, rigid))


@dataclass(frozen=True, eq=False)
class EditRange:
    """The range of a take that changes, its control values and its sample times."""

    start: float  # s
    end: float  # s
    count: int  # N control values
    free: slice  # of the control values; those outside stay 0
    times: Floats  # (T,) s, sample times, rising
    on_frame: Bools  # (T,) which of them are frames
    loops: bool = False  # d ends as it begins
    halvings: int = 0  # times that the knots are twice as dense as in a preview

    @property
    def preview_spacing(self) -> float:
        """Time between two knots in previews, s."""
        return float(self.spacing * 2**self.halvings)

    @property
    def spacing(self) -> float:
        """Time between two knots, s."""
        return (self.end - self.start) / (self.count - 3)

    @property
    def used(self) -> dict[str, float]:
        """Values used for the options that depend on the take, s."""
        return {"knot_spacing": self.spacing, "start": self.start, "end": self.end}

    def end_fade(self, ramp: float) -> Floats:
        """(T,) 0 at a locked end of the range, rising to 1 within two ramps (s)."""
        fade, length = np.ones_like(self.times), max(2 * ramp, 1e-9)
        if self.free.start > 0:
            fade = np.minimum(fade, (self.times - self.start) / length)
        if self.free.stop < self.count:
            fade = np.minimum(fade, (self.end - self.times) / length)
        return smoothstep(fade)


def smoothstep(share: Floats) -> Floats:
    """From 0 to 1 with zero slope at both ends."""
    at = np.clip(share, 0.0, 1.0)
    eased: Floats = at * at * (3 - 2 * at)
    return eased


def take_end(take: Take) -> float:
    """The end of a take, s; the duration in a file may end a little before the last frame."""
    return max(take.duration, (take.frame_count - 1) / take.rate)


def edit_range(
    take: Take,
    options: SpacetimeOptions,
    drag_times: Sequence[float],
    extra_times: Sequence[float] = (),
    refinement: int = 0,
) -> EditRange:
    """The range that the options choose; ends inside the take are locked.

    Samples are all frames, the times of drags, and `extra_times` inside the range. Refinement 1
    adds half frames where frames are few; each further one halves the knot spacing.
    """
    every = take.frame_times()
    last = take_end(take)
    start, end = options.start, options.end if options.end > 0 else last
    if options.start <= 0 and options.end <= 0 and last > LONG_TAKE:
        start, end = min(drag_times) - LONG_TAKE / 2, max(drag_times) + LONG_TAKE / 2
    near = 0.5 / take.rate  # a range that all but begins or ends with the take does so
    start, end = 0.0 if start < near else start, last if end > last - near else end
    if end - start < 2 / take.rate:
        raise BadValue("range", "two frames or more", f"{start:g} to {end:g} s")
    for time in drag_times:
        if not start - 1e-9 <= time <= end + 1e-9:
            raise BadValue("Drag.time", f"within the range, {start:g} to {end:g} s", time)
    spacing = max(options.knot_spacing, MIN_SPACING / take.rate)
    spans = max(int(np.ceil((end - start) / spacing)), MIN_CONTROLS - 3)
    halvings = max(refinement - 1, 0)
    count = spans * 2**halvings + 3
    loops = isinstance(take.base, Clip) and take.base.loops
    locks = options.lock_ends or (loops and (start > 0 or end < last))  # or the loop would open
    head = LOCKED_CONTROLS if locks or start > 0 else 0
    tail = LOCKED_CONTROLS if locks or end < last else 0
    frames = every
    if refinement and take.rate < DENSE_RATE:
        frames = np.union1d(frames, (frames[1:] + frames[:-1]) / 2)
    frames = frames[(frames >= start - 1e-9) & (frames <= end + 1e-9)]
    extra = [time for time in extra_times if start < time < end]
    times = np.clip(np.union1d(frames, [*drag_times, *extra]), start, end)
    times = times[np.append(np.diff(times) > 1e-7, True)]
    on_frame = np.abs(every[np.searchsorted(every[:-1], times - 1e-6)] - times) < 1e-6
    free = slice(head, count - tail)
    return EditRange(start, end, count, free, times, on_frame, loops and not locks, halvings)


def refine_to(x: Floats, count: int) -> Floats:
    """The same displacement with at least so many control values (N, D)."""
    while len(x) < count:
        x = refine(x)
    return x


def second_differences(count: int, weight: Floats) -> Floats:
    """(N, D, 4, D) squares of second differences, with a weight (D,) for each unknown."""
    own = np.diag(weight)
    added = np.zeros((count, len(weight), WIDE, len(weight)))
    for at, (low, middle, high) in enumerate(((1, -2, 1), (-2, 4, -2), (1, -2, 1))):
        for k, part in enumerate((low, middle, high)[at:]):
            added[at : count - 2 + at, :, k] += part * own
    return added


def close_loop(system: System) -> System:
    """The system of the control values between the ends, with s, v, u as further unknowns."""
    count, size = system.slope.shape
    ends = [*range(LOOP_CONTROLS), *range(count - LOOP_CONTROLS, count)]
    inner = range(LOOP_CONTROLS, count - LOOP_CONTROLS)
    further = len(system.further_slope)
    tie_count = LOOP_CONTROLS * size
    whole = np.zeros((len(ends) * size, len(ends) * size))
    border = np.zeros((len(inner), size, tie_count + further))
    border[..., tie_count:] = system.border[LOOP_CONTROLS:-LOOP_CONTROLS]
    tied = np.kron(LOOP_TIES, np.eye(size))  # (6 D, 3 D)
    for a, row in enumerate(ends):
        own = slice(a * size, (a + 1) * size)
        for b, column in enumerate(ends):
            whole[own, b * size : (b + 1) * size] = _block(system.blocks, row, column)
        first = max(row - WIDE + 1, LOOP_CONTROLS)
        for step in range(first, min(row + WIDE, count - LOOP_CONTROLS)):
            coupling = _block(system.blocks, step, row) @ tied[own]
            border[step - LOOP_CONTROLS, :, :tie_count] += coupling
    across = system.border[ends].reshape(len(ends) * size, further)
    corner = np.block([[tied.T @ whole @ tied, tied.T @ across], [across.T @ tied, system.corner]])
    right = np.concatenate([tied.T @ system.slope[ends].ravel(), system.further_slope])
    inside = slice(LOOP_CONTROLS, count - LOOP_CONTROLS)
    return System(system.blocks[inside], system.slope[inside], border, corner, right)


def open_loop(inner: Floats, further: Floats, shape: tuple[int, ...]) -> tuple[Floats, Floats]:
    """All control values (N, D), and the further unknowns besides s, v, u."""
    size = shape[1]
    tie_count = LOOP_CONTROLS * size
    tied = LOOP_TIES @ further[:tie_count].reshape(LOOP_CONTROLS, size)
    ends = tied.reshape(2, LOOP_CONTROLS, size)
    return np.concatenate([ends[0], inner, ends[1]]), further[tie_count:]


def _block(blocks: Floats, row: int, column: int) -> Floats:
    """(D, D) of a symmetric matrix given by its upper blocks."""
    away = abs(row - column)
    if away >= WIDE:
        return np.zeros((blocks.shape[1], blocks.shape[1]))
    block: Floats = blocks[min(row, column), :, away]
    return block if row <= column else block.T
