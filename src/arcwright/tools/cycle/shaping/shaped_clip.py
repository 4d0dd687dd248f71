"""Shaped clip: a clip while it is shaped, and what does not depend on the drags."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from arcwright.arrays import Floats, Ints
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
from arcwright.tools.cycle.shaping.time_keys import Cycle, cycles_of

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
