"""Shaped clip: a clip while it is shaped, and what does not depend on the drags."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import log

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.curves.pack import PackedCurves, pack
from arcwright.kinematics.deviation import Deviation
from arcwright.kinematics.lever_arms import units_per_metre
from arcwright.kinematics.sample import values_at
from arcwright.objectives.edited_clip import EditedClip, find_clip
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve
from arcwright.scene.edit import Change, Edit
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.cycle.shaping.changed_ranges import Span, merged
from arcwright.tools.cycle.shaping.space_edit import Falloff, blended
from arcwright.tools.cycle.shaping.time_keys import Cycle, cycles_of
from arcwright.tools.gesture import Drag

SAME_TIME = 1e-6  # s
MOST_POSES = 24  # of a take, from which levers are measured


@dataclass(frozen=True, eq=False)
class ShapedClip:
    """A clip in its scene."""

    scene: Scene
    target: Target
    known_metres: Floats | None = field(default=None, repr=False)

    @cached_property
    def edited(self) -> EditedClip:
        """The clip and its address; one without keys raises, with what to do."""
        return find_clip(self.scene, self.target)

    def prepare(self) -> None:
        """Compute now what every drag needs."""
        assert len(self.metres) == len(self.packed.group)
        assert self.cycles is not None

    @property
    def take(self) -> Take:
        """The take whose base is the clip."""
        return self.edited.take

    @property
    def clip(self) -> Clip:
        """The clip."""
        return self.edited.clip

    @property
    def rig(self) -> Rig:
        """The rig that it moves."""
        return self.edited.take.rig

    @cached_property
    def packed(self) -> PackedCurves:
        """Its curves, to be evaluated."""
        return pack(self.clip, self.rig)

    @cached_property
    def cycles(self) -> dict[Cycle, Ints]:
        """Channels that move, by the cycle that they repeat."""
        return cycles_of(self.clip)

    @cached_property
    def metres(self) -> Floats:
        """(C,) how far a unit of each channel moves a joint, at most; m."""
        if self.known_metres is not None:
            return self.known_metres
        aim = Deviation.of(self.rig, self.frame_values[:: max(len(self.frames) // MOST_POSES, 1)])
        return np.asarray(1.0 / units_per_metre(self.rig, aim))

    @cached_property
    def frames(self) -> Floats:
        """(F,) times of whole frames; of a loop without its end, which is its start."""
        times = self.take.frame_times()
        loops = self.clip.loops and self.clip.duration > SAME_TIME
        return times[times < self.clip.duration - SAME_TIME] if loops else times

    @cached_property
    def frame_values(self) -> Floats:
        """(F, C) channel values at the frames."""
        values = values_at(self.take, self.frames)
        values.setflags(write=False)
        return values

    @property
    def period(self) -> float | None:
        """Of the loop, s; None for a take that does not loop."""
        loops = self.clip.loops and self.clip.duration > SAME_TIME
        return self.clip.duration if loops else None

    def folded(self, time: float) -> float:
        """A time on the loop, or inside the take."""
        if self.period is None:
            return min(max(time, 0.0), self.clip.duration)
        inside = time % self.period
        return 0.0 if self.period - inside < SAME_TIME else inside

    def inside(self, time: float) -> float:
        """A time of the take; its end stays its end."""
        return time if 0.0 <= time <= self.clip.duration else self.folded(time)

    def with_curves(self, curves: Mapping[int, Curve]) -> ShapedClip:
        """The clip with other curves of some channels."""
        if not curves:
            return self
        at, old = self.edited.curves, self.clip.curves
        changes = [Change((*at, channel), old[channel], each) for channel, each in curves.items()]
        after = Edit("Shape", tuple(changes)).apply(self.scene)
        return ShapedClip(after, self.target, self.metres)


@dataclass(frozen=True, eq=False)
class AffectedFrames:
    """Times in the affected range of some drags."""

    clip: ShapedClip
    times: Floats  # (T,) s, growing
    exact: Bools  # (T,) times of the drags themselves
    ranges: tuple[Span, ...]  # s, not wrapped
    falloff: Falloff

    @classmethod
    def of(
        cls, clip: ShapedClip, drags: Sequence[Drag], reach: float, left: float
    ) -> AffectedFrames:
        """Of drags that reach so far, s, where `left` is left of them there."""
        rate = clip.clip.rate
        falloff = Falloff(reach * rate, -log(left) / (reach * rate) ** 2)
        held = sorted({clip.folded(drag.time) for drag in drags})
        frames = clip.frames
        near = np.zeros(len(frames), bool)
        spans: list[Span] = []
        for time in held:
            away = np.abs(frames - time)
            if clip.period is not None:
                away = np.minimum(away, clip.period - away)
            near |= away < reach
            near &= away > SAME_TIME
            spans.append((time - reach, time + reach))
        for time in held:  # a frame at which another drag is held is not there twice
            near &= np.abs(frames - time) > SAME_TIME
        times = np.concatenate([frames[near], held])
        order = np.argsort(times)
        exact = np.arange(len(times))[order] >= int(near.sum())
        return cls(clip, times[order], exact, merged(spans), falloff)

    @cached_property
    def was(self) -> Floats:
        """(T, C) values of the take."""
        return values_at(self.clip.take, self.times)

    def index(self, drag: Drag) -> int:
        """Where the time of a drag is among the times."""
        return int(np.abs(self.times - self.clip.folded(drag.time)).argmin())

    def spread(self, drags: Sequence[Drag], wanted: Floats) -> Floats:
        """(T, D) changes, of which these drags ask for `wanted` (N, D) at their times."""
        rate, period = self.clip.clip.rate, self.clip.period
        chosen: Ints = np.array([self.index(drag) for drag in drags], np.int64)
        turn = None if period is None else period * rate
        left = np.stack(
            [self.falloff.around((self.times - self.times[at]) * rate, turn) for at in chosen]
        )
        return blended(left, wanted, chosen)
