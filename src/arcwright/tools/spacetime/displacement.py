"""Seam: a displacement that ends as it begins, in place, speed and acceleration.

With s, v, u free, control values at the two ends are s, s + v, u + 3 v and u - 3 v, s - v, s. They
couple with both ends of the range, so they are a border around the blocks of the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.errors import BadValue
from arcwright.kinematics.layout import ZERO, layout
from arcwright.scene.clip import Clip
from arcwright.scene.rig import Rig
from arcwright.scene.take import Take
from arcwright.solve.blocks import WIDE, System

if TYPE_CHECKING:
    from arcwright.tools.spacetime.tool import SpacetimeOptions

NO_CHANNELS: Ints = np.zeros(0, np.int64)
LONG_TAKE = 6.0  # s; of a longer take a part around the hand is edited, if no range is chosen
FEWEST_CONTROLS = 8  # control values
CLOSEST = 2.0  # frames between them, at least
MANY = 50.0  # frames a second, between which little can go wrong
FROZEN = 2  # control values that stay 0 at an end, so that place and speed meet
ENDS = 3  # control values at each end
TIES = np.array([[1, 0, 0], [1, 1, 0], [0, 3, 1], [0, -3, 1], [1, -1, 0], [1, 0, 0]], float)


@dataclass(frozen=True, eq=False)
class Freedom:
    """D unknowns at a moment: three for each joint that turns, then one for each channel."""

    joints: Ints  # (R,) joints that turn in every way
    channels: Ints  # (E,) slides, and angles of joints that have one or two

    @property
    def turns(self) -> int:
        """How many unknowns are turns: 3 R."""
        return 3 * len(self.joints)

    @property
    def count(self) -> int:
        """D."""
        return self.turns + len(self.channels)

    def parts(self, x: Floats) -> tuple[Floats, Floats]:
        """Turns (N, R, 3) and what is added (N, E), of unknowns (N, D)."""
        return x[:, : self.turns].reshape(len(x), -1, 3), x[:, self.turns :]


def freedom(
    rig: Rig,
    above: Ints | None = None,
    values: Floats | None = None,
    *,
    captured: bool = False,
    rigid: Ints = NO_CHANNELS,
) -> Freedom:
    """What may change: of the joints given and their ancestors, or of the whole rig.

    Channels that keep bones `rigid` stay as they are; where a motion of values (T, C) was
    captured, so do joints that never turn.
    """
    plan = layout(rig, None if above is None else sorted(set(above.tolist())))
    held = (plan.rotate != ZERO).sum(axis=1)
    whole = (held == 3) | (plan.quaternion[:, 0] != ZERO)
    angles, slides = plan.rotate[~whole], plan.translate
    turning = whole
    if values is not None:
        moved = np.append(np.ptp(values, axis=0), [0.0, 0.0])  # ONE and ZERO stand for none
        turned = moved[np.concatenate([plan.rotate, plan.quaternion], axis=1)].max(axis=1) > 0
        if captured and turned.any():
            turning = whole & turned
    added = np.concatenate([slides[slides != ZERO], angles[angles != ZERO]])
    return Freedom(np.sort(plan.joints[turning]), np.setdiff1d(added, rigid))


@dataclass(frozen=True, eq=False)
class Range:
    """The part of a take that may change; control values outside `free` stay 0."""

    start: float  # s
    end: float  # s
    count: int  # N
    free: slice  # of the control values
    times: Floats  # (T,) s, rising
    framed: Bools  # (T,) which of them are frames
    loops: bool = False  # the end goes on as the beginning does

    @property
    def spacing(self) -> float:
        """From one control value to the next, s."""
        return (self.end - self.start) / (self.count - 3)

    @property
    def used(self) -> dict[str, float]:
        """What was made of the options that depend on the take, s."""
        return {"spacing": self.spacing, "start": self.start, "end": self.end}


def last_moment(take: Take) -> float:
    """The end of a take, s; files may tell it a little before the last frame."""
    return max(take.duration, (take.frame_count - 1) / take.rate)


def range_of(
    take: Take,
    options: SpacetimeOptions,
    moments: Sequence[float],
    more: Sequence[float] = (),
    fine: int = 0,
) -> Range:
    """The range that the options choose; ends inside the take stay as they are.

    All frames are looked at, the moments of hands, and `more` times as far as they lie inside. Once
    `fine`, half frames are as well where frames are few, and each further time control values are
    set twice as close.
    """
    every = take.frame_times()
    last = last_moment(take)
    start, end = options.start, options.end if options.end > 0 else last
    if options.start <= 0 and options.end <= 0 and last > LONG_TAKE:
        start, end = min(moments) - LONG_TAKE / 2, max(moments) + LONG_TAKE / 2
    near = 0.5 / take.rate  # a range that all but begins or ends with the take does so
    start, end = 0.0 if start < near else start, last if end > last - near else end
    if end - start < 2 / take.rate:
        raise BadValue("range", "two frames or more", f"{start:g} to {end:g} s")
    for moment in moments:
        if not start - 1e-9 <= moment <= end + 1e-9:
            raise BadValue("Drag.time", f"within the range, {start:g} to {end:g} s", moment)
    spacing = max(options.spacing, CLOSEST / take.rate)
    spans = max(int(np.ceil((end - start) / spacing)), FEWEST_CONTROLS - 3)
    count = spans * 2 ** max(fine - 1, 0) + 3
    loops = isinstance(take.base, Clip) and take.base.loops
    keeps = options.keep_ends or (loops and (start > 0 or end < last))  # or the seam would open
    head = FROZEN if keeps or start > 0 else 0
    tail = FROZEN if keeps or end < last else 0
    loops = loops and not keeps
    frames = every
    if fine and take.rate < MANY:
        frames = np.union1d(frames, (frames[1:] + frames[:-1]) / 2)
    frames = frames[(frames >= start - 1e-9) & (frames <= end + 1e-9)]
    extra = [time for time in more if start < time < end]
    inside = np.clip(np.union1d(frames, [*moments, *extra]), start, end)
    inside = inside[np.append(np.diff(inside) > 1e-7, True)]
    framed = np.abs(every[np.searchsorted(every[:-1], inside - 1e-6)] - inside) < 1e-6
    return Range(start, end, count, slice(head, count - tail), inside, framed, loops)


def closed(system: System) -> System:
    """The system of the control values between the ends, with s, v, u as further unknowns."""
    count, size = system.slope.shape
    ends = [*range(ENDS), *range(count - ENDS, count)]
    inner = range(ENDS, count - ENDS)
    further = len(system.pull)
    seam = ENDS * size
    whole = np.zeros((len(ends) * size, len(ends) * size))
    border = np.zeros((len(inner), size, seam + further))
    border[..., seam:] = system.border[ENDS:-ENDS]
    tied = np.kron(TIES, np.eye(size))  # (6 D, 3 D)
    for a, row in enumerate(ends):
        mine = slice(a * size, (a + 1) * size)
        for b, column in enumerate(ends):
            whole[mine, b * size : (b + 1) * size] = _block(system.blocks, row, column)
        for step in range(max(row - WIDE + 1, ENDS), min(row + WIDE, count - ENDS)):
            border[step - ENDS, :, :seam] += _block(system.blocks, step, row) @ tied[mine]
    across = system.border[ends].reshape(len(ends) * size, further)
    corner = np.block([[tied.T @ whole @ tied, tied.T @ across], [across.T @ tied, system.corner]])
    pull = np.concatenate([tied.T @ system.slope[ends].ravel(), system.pull])
    inside = slice(ENDS, count - ENDS)
    return System(system.blocks[inside], system.slope[inside], border, corner, pull)


def opened(inner: Floats, further: Floats, shape: tuple[int, ...]) -> tuple[Floats, Floats]:
    """All control values (N, D), and the further unknowns besides the seam."""
    size = shape[1]
    seam = ENDS * size
    ends = (TIES @ further[:seam].reshape(ENDS, size)).reshape(2, ENDS, size)
    return np.concatenate([ends[0], inner, ends[1]]), further[seam:]


def _block(blocks: Floats, row: int, column: int) -> Floats:
    """(D, D) of a symmetric matrix given by its upper blocks."""
    away = abs(row - column)
    if away >= WIDE:
        return np.zeros((blocks.shape[1], blocks.shape[1]))
    block: Floats = blocks[min(row, column), :, away]
    return block if row <= column else block.T
