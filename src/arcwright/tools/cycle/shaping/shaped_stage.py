"""Shaped stage: new values of a clip at the frames that drags affect, and keys for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from arcwright.arrays import Floats, Ints, same
from arcwright.kinematics.sample import values_at
from arcwright.scene.curve import Curve
from arcwright.scene.point import Point
from arcwright.scene.rig import Kind
from arcwright.tools.cycle.shaping.loop_keys import ChangedSamples, FittedKeys, LoopKeys
from arcwright.tools.cycle.shaping.shaped_clip import AffectedFrames, ShapedClip
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

    def fitted(self, tolerance: float) -> FittedKeys:
        """The keys for them."""
        return self.keys.fitted(self.values, self.changed, tolerance)

    def previewed(self, tolerance: float, known: LoopKeys | None) -> tuple[Curves, LoopKeys]:
        """The curves with the keys of a preview, which serve while the drag goes on."""
        keys, fresh = known, self.keys
        if keys is None or keys.take is not self.clip.take or not same(keys.where, fresh.where):
            keys = fresh
        found = keys.previewed(self.values, self.changed, tolerance)
        return with_curves(self.clip.clip.curves, found), keys

    @cached_property
    def keys(self) -> LoopKeys:
        """What fits keys to values at these frames."""
        frames, clip = self.frames, self.clip
        where = ChangedSamples(frames.times, frames.ranges, frames.exact)
        return LoopKeys(clip.take, clip.packed, self._metres(), where)

    def _metres(self) -> Floats:
        """(C,) levers of channels, those above a dragged point as long as to that point."""
        rig, metres = self.clip.rig, self.clip.metres.copy()
        kind, joint = rig.channels.kind, rig.channels.joint
        turns = (kind >= Kind.ROTATE_X) & (kind <= Kind.QUATERNION_Z)
        factor = np.where(kind >= Kind.QUATERNION_W, 2.0, 1.0)
        for point in self.points:
            above = [rig.is_below(rig.joint(point.joint), each) for each in range(len(rig.names))]
            far = float(np.linalg.norm(point.offset))
            metres += np.where(turns & np.array(above)[joint], factor * far, 0.0)
        return metres

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
