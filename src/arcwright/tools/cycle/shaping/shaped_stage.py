"""Shaped stage: new values of a clip at the frames that drags affect, and keys for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.sample import values_at
from arcwright.scene.curve import Curve
from arcwright.scene.point import Point
from arcwright.tools.cycle.shaping.affected_frames import AffectedFrames
from arcwright.tools.cycle.shaping.few_channels import few_channels
from arcwright.tools.cycle.shaping.loop_keys import FittedKeys
from arcwright.tools.cycle.shaping.shaped_clip import ShapedClip
from arcwright.tools.gesture import Drag

SAME_MOMENT = 1e-9  # s
Curves = tuple[Curve | None, ...]


@dataclass(frozen=True, eq=False)
class Stage:
    """New values of one stage, of a clip that the stages before have made."""

    clip: ShapedClip
    frames: AffectedFrames
    values: Floats  # (T, C)
    left: Floats | None = None  # (T, P) m, of points that the body was solved for
    points: tuple[Point, ...] = ()  # that are dragged
    rotated: tuple[bool, ...] = ()  # whether these are rotated, too

    def fitted(self, tolerance: float) -> FittedKeys:
        """The keys for them; of a solved body, without those of channels that hardly change."""
        keys, values, was = self.frames.keys(self.points), self.values, self.frames.was
        if self.left is not None:
            dragged = list(zip(self.points, self.rotated, strict=True))
            rig, metres = self.clip.rig, self.clip.metres
            values, away = few_channels(rig, was, values, metres, tolerance, dragged)
            tolerance -= away
        return keys.fitted(values, np.flatnonzero((values != was).any(axis=0)), tolerance)

    def previewed(self, tolerance: float) -> Curves:
        """The curves with the keys of a preview."""
        keys = self.frames.keys(self.points)
        found = keys.previewed(self.values, self.changed, tolerance)
        return with_curves(self.clip.clip.curves, found)

    @cached_property
    def changed(self) -> Ints:
        """Channels that change."""
        return np.flatnonzero((self.values != self.frames.was).any(axis=0))

    def holds(self, drag: Drag) -> bool:
        """Whether the time of a drag is among the frames."""
        time = self.clip.folded(drag.time)
        return bool(np.abs(self.frames.times - time).min() < SAME_MOMENT)

    def pose(self, drag: Drag) -> Floats:
        """(C,) the pose at the time of a drag."""
        return pose_at(self.frames, self.values, drag)


def with_curves(curves: Curves, others: Mapping[int, Curve]) -> Curves:
    """The curves of a clip with others of some channels."""
    found = list(curves)
    for channel, curve in others.items():
        found[channel] = curve
    return tuple(found)


def pose_at(frames: AffectedFrames, values: Floats, drag: Drag) -> Floats:
    """(C,) of values (T, C) those at the time of a drag; a travelling loop has an end, too."""
    at, time = frames.index(drag), frames.clip.inside(drag.time)
    if abs(frames.times[at] - time) < SAME_MOMENT:
        return np.asarray(values[at])
    before: Floats = values_at(frames.clip.take, np.array([time]))[0]
    return np.asarray(before + values[at] - frames.was[at])
