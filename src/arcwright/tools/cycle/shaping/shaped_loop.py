"""Shaped loop: what drags of ticks, channels and points make of a loop.

Ticks are dragged first, then channels and scales, then points: so each dragged frame ends where it
was dragged to. Every stage gives the next one a clip, which has the keys that were there.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.errors import BadValue
from arcwright.kinematics.rig_analysis import analyse
from arcwright.kinematics.rotation import (
    matrix_from_quaternion,
    quaternion_normalise,
)
from arcwright.kinematics.sample import quaternion_channels, values_at
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve
from arcwright.scene.point import Point
from arcwright.scene.scene import Prop
from arcwright.tools.cycle.options import CycleOptions
from arcwright.tools.cycle.shaping.affected_frames import orientation_at, place_at
from arcwright.tools.cycle.shaping.changed_ranges import Span
from arcwright.tools.cycle.shaping.dragged_points import (
    Drags,
    body_stage,
    by,
    direct_values,
    still,
)
from arcwright.tools.cycle.shaping.joint_values import (
    item_channels,
    scale_channels,
    scaled,
    translation_channels,
    within_limits,
)
from arcwright.tools.cycle.shaping.loop_keys import FittedKeys
from arcwright.tools.cycle.shaping.loop_timing import LoopTiming, Tick
from arcwright.tools.cycle.shaping.prepared import Prepared
from arcwright.tools.cycle.shaping.shaped_clip import SAME_TIME, ShapedClip
from arcwright.tools.cycle.shaping.shaped_stage import Curves, Stage, pose_at, with_curves
from arcwright.tools.cycle.shaping.time_keys import CycleKeys, Retimed, TimeEdit
from arcwright.tools.gesture import Drag, ToolHandle
from arcwright.tools.shared.drags import DragResidual
from arcwright.tools.shared.joint_rotation import rotation_channels

CHANNEL = "channel:"  # before a channel's name: its handle


class ShapedLoop:
    """The clip as drags make it; each part is computed once, on demand."""

    def __init__(
        self, start: ShapedClip, drags: Drags, options: CycleOptions, prepared: Prepared
    ) -> None:
        self.start, self.drags, self.options = start, tuple(drags), options
        self._prepared = prepared
        self.ticks = [each for each in drags if _is_timed(each)]
        self.held = [each for each in drags if isinstance(each.handle, ToolHandle)]
        placed = [each for each in drags if isinstance(each.handle, Point)]
        self.scaled = [each for each in placed if each.scale is not None]
        self.moved = [
            each for each in placed if each.position is not None or each.orientation is not None
        ]

    # Time

    @cached_property
    def time_edit(self) -> TimeEdit | None:
        """The dragged ticks."""
        if not self.ticks:
            return None
        ticks = [
            Tick(
                self.start.inside(drag.time),
                drag.time if drag.to_time is None else drag.to_time,
                drag.time_scale or 0.0,
            )
            for drag in self.ticks
        ]
        clip = self.start
        reach = self.options.affected_range
        return TimeEdit(clip.clip, clip.packed, clip.cycles, ticks, reach)

    @cached_property
    def timing(self) -> LoopTiming | None:
        """Which moment each time shows."""
        return None if self.time_edit is None else self.time_edit.timing

    @cached_property
    def timed_channels(self) -> Ints:
        """Channels that follow the ticks: all, or those of the limbs of the dragged points."""
        rig = self.start.rig
        if self.options.retime == "all":
            return np.arange(len(rig.channels))
        found = [
            [rig.channel(channel_name(drag))]
            if isinstance(drag.handle, ToolHandle)
            else item_channels(rig, rig.joint(drag.point.joint)).tolist()
            for drag in self.ticks
        ]
        return np.unique(np.array([each for own in found for each in own], np.int64))

    @cached_property
    def retimed(self) -> tuple[ShapedClip, Retimed | None]:
        """The clip with its keys moved in time."""
        return self._prepared.once("retimed", (*self.ticks,), self._retimed)

    def _retimed(self) -> tuple[ShapedClip, Retimed | None]:
        if self.time_edit is None:
            return self.start, None
        tolerance, metres = self.options.tolerance, self.start.metres
        found = self.time_edit.curves(self.timed_channels, tolerance, metres)
        return self.start.with_curves(found.curves), found

    # Channels and scales

    @cached_property
    def own_stage(self) -> Stage | None:
        """Channels and scales that are dragged."""
        valued = [each for each in self.held if each.position is not None]
        drags = [*valued, *self.scaled]
        if not drags:
            return None
        frames = self._prepared.frames("own channels", self.retimed[0], drags)
        values, rig = frames.was.copy(), frames.clip.rig
        for name, own in by(valued, channel_name).items():
            channel = rig.channel(str(name))
            wanted = np.array([[each.position[1]] for each in own if each.position is not None])
            now = [pose_at(frames, frames.was, each)[[channel]] for each in own]
            step = still(wanted - np.array(now))
            values[:, channel] += frames.spread(own, step)[:, 0]
            values = within_limits(rig, np.array([channel]), frames.was, values)
        for joint, own in by(self.scaled, lambda each: each.point.joint).items():
            factors = np.array([each.scale for each in own])
            powers = frames.spread(own, np.log(factors))
            values = scaled(rig, rig.joint(str(joint)), values, np.exp(powers))
        return Stage(frames.clip, frames, values)

    @cached_property
    def own_fit(self) -> tuple[ShapedClip, FittedKeys | None]:
        """The clip after that."""
        key = self.retimed[0], *self.held, *self.scaled
        return self._prepared.once("own channels", key, self._own_fit)

    def _own_fit(self) -> tuple[ShapedClip, FittedKeys | None]:
        clip = self.retimed[0]
        if self.own_stage is None:
            return clip, None
        fit = self.own_stage.fitted(self.options.tolerance)
        return clip.with_curves(fit.curves), fit

    # Points

    @cached_property
    def stage(self) -> Stage | None:
        """Points that are dragged to places and orientations."""
        if not self.moved:
            return None
        frames = self._prepared.frames("points", self.own_fit[0], self.moved)
        if all(each.position is None or self.is_direct(each.point) for each in self.moved):
            points = tuple(each.point for each in self.moved)
            return Stage(frames.clip, frames, direct_values(frames, self.moved), None, points)
        return body_stage(frames, self.moved, self._prepared)

    def is_direct(self, point: Point) -> bool:
        """Whether a joint is moved by its own channels, without a solver."""
        edited, rig = self.start.edited, self.start.rig
        joint = rig.joint(point.joint)
        if not len(translation_channels(rig, joint)):
            return False
        prop = isinstance(edited.actor, Prop)
        return prop or bool(analyse(edited.actor, edited.take).translates[joint])

    # Results

    @cached_property
    def fit(self) -> tuple[ShapedClip, FittedKeys | None]:
        """The clip with its keys."""
        clip = self.own_fit[0]
        if self.stage is None:
            return clip, None
        fit = self.stage.fitted(self.options.tolerance)
        return clip.with_curves(fit.curves), fit

    @property
    def previewed(self) -> Curves:
        """The curves as a preview shows them."""
        stage = self.stage or self.own_stage
        if stage is not None:
            return stage.previewed(self.options.tolerance)
        if self.time_edit is None:
            return self.start.clip.curves
        channels = self.timed_channels
        keys = self._prepared.once("keys in time", channels.tobytes(), self._cycle_keys)
        return with_curves(self.start.clip.curves, self.time_edit.previewed(keys))

    def _cycle_keys(self) -> list[CycleKeys]:
        clip, timed, cycles = self.start.clip, self.timed_channels, self.start.cycles
        chosen = {cycle: own[np.isin(own, timed)] for cycle, own in cycles.items()}
        return [CycleKeys.of(clip, cycle, own) for cycle, own in chosen.items() if len(own)]

    @cached_property
    def span(self) -> Span:
        """Beyond it nothing changes: the affected ranges, on to the keys beside them; s."""
        found = [
            (span, channel)
            for stage in (self.own_stage, self.stage)
            if stage is not None
            for span in stage.frames.ranges
            for channel in stage.changed.tolist()
        ]
        if self.timing is not None:
            windows = self.timing.windows
            found += [(span, each) for span in windows for each in self.timed_channels.tolist()]
        low, high = np.inf, -np.inf
        for span, channel in found:
            wide = _up_to_keys(span, self.start.clip, self.start.clip.curves[channel])
            low, high = min(low, wide[0]), max(high, wide[1])
        times, duration = [drag.time for drag in self.drags], self.start.clip.duration
        low, high = max(low, min(0.0, *times)), min(high, max(duration, *times))
        return min(low, *times), max(high, *times)

    def pose(self, drag: Drag) -> Floats:
        """(C,) the pose at the time of a drag, before keys are fitted to it."""
        for stage in (self.stage, self.own_stage):
            if stage is not None and stage.holds(drag):
                return stage.pose(drag)
        time = np.array([self.start.inside(drag.time)])
        pose: Floats = values_at(self.start.take, time)[0]
        if self.time_edit is not None:
            pose[self.timed_channels] = self.time_edit.shown(time, self.timed_channels)[0]
            four = quaternion_channels(self.start.rig)
            pose[four] = quaternion_normalise(pose[four])
        return pose

    def residual(self, drag: Drag) -> DragResidual:
        """How far a drag of a point is from its target."""
        rig, pose = self.start.rig, self.pose(drag)[None]
        turned = matrix_from_quaternion(orientation_at(rig, pose, drag.point)[0])
        return DragResidual.of(drag, place_at(rig, pose, drag.point)[0], turned)


def check_drag(clip: ShapedClip, drag: Drag) -> None:
    """Raise for a drag that the rig cannot follow, with the reason."""
    rig = clip.rig
    if isinstance(drag.handle, ToolHandle):
        rig.channel(channel_name(drag))
        return
    if drag.point.character not in ("", clip.edited.actor.name):
        raise BadValue("Drag.handle", f"a point of {clip.edited.actor.name}", drag.point.character)
    joint = rig.joint(drag.point.joint)
    if drag.scale is not None and not len(scale_channels(rig, joint)):
        name = f"scale of {drag.point.joint}"
        raise BadValue(name, "a joint with scale channels", "a rig without them there")
    if drag.only_rotates and not len(rotation_channels(rig, joint)):
        name = f"orientation of {drag.point.joint}"
        raise BadValue(name, "a joint with rotation channels", "a rig without them there")


def channel_name(drag: Drag) -> str:
    """The channel whose handle is dragged."""
    assert isinstance(drag.handle, ToolHandle)
    name = drag.handle.name
    if not name.startswith(CHANNEL):
        raise BadValue("Drag.handle", f"a point of a character, or {CHANNEL} and a name", name)
    return name.removeprefix(CHANNEL)


def _up_to_keys(span: Span, clip: Clip, curve: Curve | None) -> Span:
    """A span up to the keys beside it; on and on where a change may be seen elsewhere, too."""
    low, high = span
    if clip.loops and (low <= 0.0 or high >= clip.duration):
        return -np.inf, np.inf
    if curve is None or len(curve) == 1:
        return low, high
    first, last = float(curve.time[0]), float(curve.time[-1])
    if (curve.cyclic and last - first < clip.duration - SAME_TIME) or (
        clip.loops and not first <= low <= high <= last
    ):
        return -np.inf, np.inf
    before, after = curve.time[curve.time <= low], curve.time[curve.time >= high]
    return (
        float(before[-1]) if len(before) else low,
        float(after[0]) if len(after) else high,
    )


def _is_timed(drag: Drag) -> bool:
    return drag.to_time is not None or bool(drag.time_scale)
