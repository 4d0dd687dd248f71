"""Affected frames: times of a clip that some drags affect, and what is known of it there."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import log

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.kinematics.forward import forward, orientation
from arcwright.kinematics.places import places
from arcwright.kinematics.sample import values_at
from arcwright.scene.point import Point
from arcwright.scene.rig import Kind, Rig
from arcwright.tools.cycle.shaping.changed_ranges import Span, merged
from arcwright.tools.cycle.shaping.loop_keys import LoopKeys
from arcwright.tools.cycle.shaping.sampled_curves import ChangedSamples
from arcwright.tools.cycle.shaping.shaped_clip import SAME_TIME, ShapedClip
from arcwright.tools.cycle.shaping.space_edit import Falloff, blended
from arcwright.tools.gesture import Drag


@dataclass(frozen=True, eq=False)
class AffectedFrames:
    """Times in the affected range of some drags."""

    clip: ShapedClip
    times: Floats  # (T,) s, growing
    exact: Bools  # (T,) times of the drags themselves
    ranges: tuple[Span, ...]  # s, not wrapped
    falloff: Falloff
    _keys: dict[Hashable, LoopKeys] = field(default_factory=dict)
    _places: dict[Hashable, Floats] = field(default_factory=dict)

    @classmethod
    def of(
        cls, clip: ShapedClip, held: Sequence[float], reach: float, left: float
    ) -> AffectedFrames:
        """Of drags at times that grow, which reach so far, s, where `left` is left of them."""
        rate = clip.clip.rate
        falloff = Falloff(reach * rate, -log(left) / (reach * rate) ** 2)
        frames = clip.frames
        near = np.zeros(len(frames), bool)
        spans: list[Span] = []
        for time in held:
            away = np.abs(frames - time)
            if clip.period is not None:
                away = np.minimum(away, clip.period - away)
            near |= away < reach
            spans.append((time - reach, time + reach))
        for time in held:  # a frame at which a drag is held is not there twice
            near &= np.abs(frames - time) > SAME_TIME
        times = np.concatenate([frames[near], held])
        order = np.argsort(times)
        exact = np.arange(len(times))[order] >= int(near.sum())
        return cls(clip, times[order], exact, merged(spans), falloff)

    @cached_property
    def was(self) -> Floats:
        """(T, C) values of the take."""
        return values_at(self.clip.take, self.times)

    def place(self, point: Point) -> Floats:
        """(T, 3) m, where a point of the take is."""
        key = point.joint, point.offset.tobytes()
        if key not in self._places:
            self._places[key] = place_at(self.clip.rig, self.was, point)
        return self._places[key]

    def keys(self, points: Sequence[Point]) -> LoopKeys:
        """What fits keys to values at these frames; points are those that are dragged."""
        key = tuple((point.joint, point.offset.tobytes()) for point in points)
        if key not in self._keys:
            where = ChangedSamples(self.times, self.ranges, self.exact)
            clip, metres = self.clip, self._metres(points)
            self._keys[key] = LoopKeys(clip.take, clip.packed, metres, where)
        return self._keys[key]

    def _metres(self, points: Sequence[Point]) -> Floats:
        """(C,) levers of channels, those above a dragged point as long as to that point."""
        rig, metres = self.clip.rig, self.clip.metres.copy()
        kind, joint = rig.channels.kind, rig.channels.joint
        turns = (kind >= Kind.ROTATE_X) & (kind <= Kind.QUATERNION_Z)
        factor = np.where(kind >= Kind.QUATERNION_W, 2.0, 1.0)
        for point in points:
            above = [rig.is_below(rig.joint(point.joint), each) for each in range(len(rig.names))]
            far = float(np.linalg.norm(point.offset))
            metres += np.where(turns & np.array(above)[joint], factor * far, 0.0)
        return metres

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


def place_at(rig: Rig, values: Floats, point: Point) -> Floats:
    """(T, 3) m, where a point is at values (T, C)."""
    where = places(rig, [point])
    world = forward(rig, values, where.joints.tolist())[:, 0]
    return np.asarray(world[:, :3, :3] @ where.offsets[0] + world[:, :3, 3])


def orientation_at(rig: Rig, values: Floats, point: Point) -> Floats:
    """(T, 4) how the joint of a point is rotated."""
    return orientation(rig, values, [rig.joint(point.joint)])[:, 0]
