"""Shaping: the loop of a take changed directly, by drags of its curve, arrows, ticks and channels.

Drags of several points and times add up; of each point and time the latest counts. Without a drag,
options set the length of the loop and the phase of an item.
"""

from __future__ import annotations

import copy
from collections.abc import Hashable
from functools import partial

import numpy as np

from arcwright.arrays import Ints
from arcwright.edits.takes import scale_clip
from arcwright.errors import BadValue
from arcwright.kinematics.sample import values_at
from arcwright.scene.edit import Address, Change, Edit
from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.solve.threads import on_one_thread
from arcwright.tools.cycle.options import CycleOptions
from arcwright.tools.cycle.shaping.loop_setting import shift_phase
from arcwright.tools.cycle.shaping.prepared import Prepared
from arcwright.tools.cycle.shaping.shape_display import drag_status, overlays, shape_notes
from arcwright.tools.cycle.shaping.shaped_clip import ShapedClip
from arcwright.tools.cycle.shaping.shaped_loop import ShapedLoop, channel_name, check_drag
from arcwright.tools.cycle.shaping.shaped_stage import Curves
from arcwright.tools.gesture import Drag, Gesture, Setting, ToolHandle
from arcwright.tools.tool import Note, Preview, PreviewPose

LEAST_CHANGE = 1e-9  # s, of the length of a loop


class Shaping:
    """Keeps the scene it began with; every result is computed from it."""

    def __init__(self, scene: Scene, target: Target, options: CycleOptions) -> None:
        self.scene, self.options = scene, options
        self._target = target
        self._start = ShapedClip(scene, target)
        self._item: Ints = item_of(self._start, target)
        self._drags: dict[Hashable, Drag] = {}
        self._set = False  # whether options were set
        self._loop: ShapedLoop | None = None
        self._prepared = Prepared(options)
        self._start.prepare()

    @on_one_thread
    def update(self, gesture: Gesture) -> Preview:
        """The edit as it would be with the drag where it now is."""
        if isinstance(gesture, Setting):
            return self.set_options(gesture.options)
        if not isinstance(gesture, Drag):
            raise BadValue("gesture", "a Drag or a Setting", type(gesture).__name__)
        check_drag(self._start, gesture)
        drags = {key: drag for key, drag in self._drags.items() if key != gesture.key}
        drags[gesture.key] = gesture
        loop = self._shaped(drags, self.options)
        preview = self._preview(loop, gesture)
        self._drags, self._loop = drags, loop
        return preview

    @on_one_thread
    def set_options(self, options: CycleOptions) -> Preview:
        """The edit as it would be with other options."""
        before, self._prepared = self._prepared, Prepared(options)
        try:
            loop = self._shaped(self._drags, options)
            last = next(reversed(self._drags.values()), None)
            preview = self._setting(options) if last is None else self._preview(loop, last)
        except Exception:
            self._prepared = before
            raise
        self.options, self._loop, self._set = options, loop, True
        return preview

    @on_one_thread
    def finish(self) -> Edit:
        """One undo step."""
        if self._drags:
            return self._edit(self._current())
        return self._setting_edit(self.options)[0] if self._set else Edit("Shape loop")

    @on_one_thread
    def notes(self) -> tuple[Note, ...]:
        """What finishing now would leave undone."""
        if self._drags:
            return shape_notes(self._current())
        return self._setting_edit(self.options)[1] if self._set else ()

    def fork(self) -> Shaping:
        """A session that stands where this one does, for another thread."""
        other = copy.copy(self)
        other._drags, other._loop = dict(self._drags), None
        other._prepared = Prepared(self.options)
        return other

    def _shaped(self, drags: dict[Hashable, Drag], options: CycleOptions) -> ShapedLoop:
        return ShapedLoop(self._start, list(drags.values()), options, self._prepared)

    def _current(self) -> ShapedLoop:
        if self._loop is None:
            self._loop = self._shaped(self._drags, self.options)
        return self._loop

    def _preview(self, loop: ShapedLoop, drag: Drag) -> Preview:
        pose = loop.pose(drag)
        return Preview(
            partial(self._quick_edit, loop),
            partial(shape_notes, loop),
            lambda: loop.span,
            poses=(PreviewPose(self._target, drag.time, pose),),
            overlays=overlays(loop, drag),
            drag=drag_status(loop, drag, pose),
        )

    def _edit(self, loop: ShapedLoop) -> Edit:
        return self._changes(loop, loop.fit[0].clip.curves)

    def _quick_edit(self, loop: ShapedLoop) -> Edit:
        return self._changes(loop, loop.previewed)

    def _changes(self, loop: ShapedLoop, curves: Curves) -> Edit:
        pairs = enumerate(zip(self._start.clip.curves, curves, strict=True))
        at = self._start.edited.curves
        changes = [
            Change((*at, channel), old, new) for channel, (old, new) in pairs if new is not old
        ]
        return Edit(self._label(loop), tuple(changes))

    def _label(self, loop: ShapedLoop) -> str:
        drag = loop.drags[-1]
        frame = f"frame {round(drag.time * self._start.clip.rate, 2):g}"
        if isinstance(drag.handle, ToolHandle):
            return f"Shape {channel_name(drag)} at {frame}"
        timed = drag in loop.ticks
        return f"Retime {frame}" if timed else f"Shape {drag.point.joint} at {frame}"

    def _setting(self, options: CycleOptions) -> Preview:
        """The preview of a new length or phase of the loop."""
        edit, notes = self._setting_edit(options)
        start = self._start
        after = edit.apply(self.scene).actor(start.edited.actor.name).take(start.take.name)
        pose = PreviewPose(self._target, 0.0, values_at(after, np.zeros(1))[0])
        span = 0.0, max(start.take.duration, after.duration)
        return Preview(lambda: edit, lambda: notes, lambda: span, poses=(pose,))

    def _setting_edit(self, options: CycleOptions) -> tuple[Edit, tuple[Note, ...]]:
        start, phase, length = self._start, options.phase, options.loop_period
        changes: list[Change] = []
        label, notes, scene = "Shape loop", [], self.scene
        if phase and start.period is None:
            notes.append(Note("Only a take that loops has a phase", "info"))
        elif phase:
            curves = shift_phase(start.clip, start.packed, self._item, phase)
            after = start.with_curves(curves)
            label, scene = f"Phase of {phase:.3g} s", after.scene
            at, old = start.edited.curves, start.clip.curves
            changes = [Change((*at, each), old[each], new) for each, new in curves.items()]
        if length is not None and abs(length - start.clip.duration) > LEAST_CHANGE:
            names = start.edited.actor.name, start.take.name
            scaled = scale_clip(scene, *names, length)
            label, changes = f"Loop period of {length:.4g} s", [*changes, *scaled.changes]
        return Edit(label, _joined(changes)), tuple(notes)


def _joined(changes: list[Change]) -> tuple[Change, ...]:
    """One change for each address."""
    found: dict[Address, Change] = {}
    for each in changes:
        first = found.get(each.address, each)
        found[each.address] = Change(each.address, first.before, each.after)
    return tuple(found.values())


def item_of(clip: ShapedClip, target: Target) -> Ints:
    """Channels of what a target names: its channels, its point's joint, or all."""
    rig = clip.rig
    if target.channels:
        return np.array(sorted({rig.channel(name) for name in target.channels}), np.int64)
    if target.point is None:
        return np.arange(len(rig.channels))
    return np.flatnonzero(rig.channels.joint == rig.joint(target.point.joint))
