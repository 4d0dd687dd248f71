"""A loop as a clip with few keys, whose end goes on as its start.

Keys are fitted to a loop with half a cycle more on each side. The curves are closed where they
differ least from themselves a cycle later, at a key in the midst of the loop; its start is then a
moment like any other, with the same acceleration before and after.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.forward import forward
from arcwright.kinematics.reduction import Reduction
from arcwright.kinematics.sample import values_at
from arcwright.scene.clip import Clip
from arcwright.scene.motion import Motion
from arcwright.scene.rig import Rig
from arcwright.scene.take import Take
from arcwright.tools.cycle.extraction.closure import CALM, Closure, calm_frame, closure
from arcwright.tools.cycle.extraction.loop_seam import Carry, LoopSeam, part_of

TRIES = 4  # to fit within the tolerance with closed ends, each time 0.8 of it
NEAR = 1e-3  # of a frame: how near to the seam gaps are measured
PLACES = 10  # at which a loop may be closed, in the half cycle before its start


@dataclass(frozen=True, eq=False)
class LoopFit:
    """A looping clip and how far its joints are from the loop, m."""

    clip: Clip
    error: float
    key_poses: int
    closure: Closure  # of the clip itself, in joint positions
    shift: int = 0  # frames by which it starts later than the loop's samples


def in_place(values: Floats, _phases: Floats) -> Floats:
    """Channel values of a loop that does not travel."""
    return values


def extended_phases(frames: int) -> Floats:
    """(2 frames + 1,) phases of a loop and of about half a cycle before and after it."""
    half = frames // 2
    return (np.arange(frames + 2 * half + 1) - half) / frames


def fit_loop(
    rig: Rig,
    extended: Motion,
    frames: int,
    tolerance: float,
    carry: Carry = in_place,
    *,
    straight: bool = True,
    exact_start: bool = False,
) -> LoopFit:
    """A looping clip of the `frames` in the middle of a motion at `extended_phases`.

    `carry` moves channel values by the travel of some cycles, which is `straight` or turns. The
    clip starts a few frames later where that is calmer, unless an exact start is asked for; one
    that turns may start up to half a cycle before or after.
    """
    half = frames // 2
    loop = LoopReduction(rig, extended, frames, carry, straight=straight)
    asked = tolerance
    for _ in range(TRIES):
        clip, shift = loop.started_where_calm(asked) if not exact_start else (loop.at(asked), 0)
        inside = extended.values[half + shift : half + shift + frames + 1]
        error = _largest_error(rig, inside, clip, loop.times)
        if error <= tolerance:
            break
        asked *= 0.8
    times = [curve.time for curve in clip.curves if curve is not None]
    keys = len(np.unique(np.concatenate(times)))
    return LoopFit(clip, error, keys, clip_closure(rig, clip, frames, carry), shift)


class LoopReduction:
    """Keyframe reduction of a loop: prepared once, then a looping clip for any tolerance."""

    def __init__(
        self,
        rig: Rig,
        extended: Motion,
        frames: int,
        carry: Carry = in_place,
        *,
        straight: bool = True,
    ) -> None:
        half = frames // 2
        self._loop = rig, extended, frames, carry
        self._straight = straight
        self._reduction = Reduction(Take(rig, extended))
        self.inside = extended.values[half : half + frames + 1]  # (frames + 1, C)
        self.times = np.arange(frames + 1) / extended.rate  # (frames + 1,) s

    def at(self, tolerance: float) -> Clip:
        """The looping clip; closing it may take it a little further off than the tolerance."""
        return self._closed(tolerance).from_frame(0)

    def started_where_calm(self, tolerance: float) -> tuple[Clip, int]:
        """The same, and how many frames later it starts, so that it has no jerk there."""
        if self._straight:
            closed = self._closed(tolerance)
            shift = closed.calm_shift()
            return closed.from_frame(shift), shift
        closed = self._fitted(tolerance).closed_where_calm()
        return closed.clip, -closed.early

    def _closed(self, tolerance: float) -> _Closed:
        """Closed where it differs least from itself a cycle later.

        A loop that turns on its way is closed at its start: its curves cannot be carried on.
        """
        fitted = self._fitted(tolerance)
        back = fitted.places() if self._straight else [0]
        return fitted.closed(min(back, key=fitted.mismatch))

    def _fitted(self, tolerance: float) -> _Fitted:
        return _Fitted(self._reduction.at(tolerance).fit.clip, *self._loop)


@dataclass(frozen=True, eq=False)
class _Fitted:
    """A loop with half a cycle more on each side as a clip, to be closed at a frame."""

    clip: Clip
    rig: Rig
    extended: Motion
    frames: int
    carry: Carry

    def places(self) -> list[int]:
        """Frames before the loop's start at which it may be closed."""
        back = np.linspace(0, max(self.frames // 2 - 2, 0), PLACES)
        return [int(each) for each in np.unique(back.astype(int))]

    def mismatch(self, early: int) -> float:
        """How much channels differ a cycle later where the loop is closed so much before it."""
        at = self._ends(early)
        first, last = values_at(Take(self.rig, self.clip), self.extended.time[at])
        return float(np.abs(self._seam(early).mismatch(first, last)).sum())

    def closed(self, early: int) -> _Closed:
        """The loop, closed so many frames before its start, or after it below 0."""
        start, end = self.extended.time[self._ends(early)].tolist()
        seam = self._seam(early)
        curves = seam.closed([part_of(curve, start, end) for curve in self.clip.curves])
        clip = replace(self.clip, curves=tuple(curves), duration=end - start, loops=True)
        return _Closed(clip, seam, self.frames, early)

    def closed_where_calm(self) -> _Closed:
        """Closed at the place nearest to its start at which its acceleration hardly jumps."""
        back, tried = self.places(), []
        for early in sorted({*back, *(-each for each in back)}, key=abs):
            closed = self.closed(early)
            jump = clip_closure(self.rig, closed.clip, self.frames, self.carry).acceleration
            if jump <= CALM:
                return closed
            tried.append((jump, closed))
        return min(tried, key=lambda each: each[0])[1]

    def _seam(self, early: int) -> LoopSeam:
        return LoopSeam(self.rig, self.carry, *self.extended.values[self._ends(early)])

    def _ends(self, early: int) -> list[int]:
        """Samples at which the loop starts and ends."""
        start = self.frames // 2 - early
        return [start, start + self.frames]


@dataclass(frozen=True, eq=False)
class _Closed:
    """A loop closed some frames before its start."""

    clip: Clip
    seam: LoopSeam
    frames: int
    early: int  # below 0 where that is after its start

    def calm_shift(self) -> int:
        """How many frames later than its start the loop may start without a jerk there."""
        phases = np.arange(self.frames) / self.frames
        rig, carry = self.seam.rig, self.seam.carry
        values = values_at(Take(rig, self.clip), phases * self.clip.duration)
        places = forward(rig, carry(values, -phases))[..., :3, 3].reshape(self.frames, -1)
        shift = calm_frame(np.roll(places, -self.early, axis=0))
        shift = shift if shift <= self.frames // 2 else shift - self.frames
        return max(-self.early, min(shift, self.frames // 2 - 1))

    def from_frame(self, shift: int) -> Clip:
        """The loop from so many frames after its start on."""
        if self.early + shift == 0:
            return self.clip
        later = (self.early + shift) * self.clip.duration / self.frames
        curves = self.seam.started_later(self.clip.curves, later, self.clip.duration)
        return replace(self.clip, curves=tuple(curves))


def clip_closure(rig: Rig, clip: Clip, frames: int, carry: Carry = in_place) -> Closure:
    """How well a looping clip of so many frames closes, by the positions of its joints."""
    near = NEAR * np.arange(3) / frames
    phases = np.concatenate([near, 1 - near, np.arange(frames) / frames])
    values = values_at(Take(rig, clip), phases * clip.duration)
    places = forward(rig, carry(values, -phases))[..., :3, 3].reshape(len(phases), -1)
    return closure(places[6:], places[:3], places[3:6], NEAR)


def _largest_error(rig: Rig, values: Floats, clip: Clip, time: Floats) -> float:
    places = [forward(rig, each) for each in (values, values_at(Take(rig, clip), time))]
    return float(np.linalg.norm((places[0] - places[1])[..., :3, 3], axis=-1).max())
