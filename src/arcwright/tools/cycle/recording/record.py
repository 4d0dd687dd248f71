"""Recording: one performance, from the first sample to a layer of the loop."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from arcwright.arrays import Floats, same
from arcwright.errors import BadValue
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rig_analysis import analyse
from arcwright.kinematics.sample import values_at
from arcwright.objectives.edited_clip import EditedClip, find_clip
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve
from arcwright.scene.edit import Address, Change, Edit
from arcwright.scene.point import Point
from arcwright.scene.recording import MOST_BYTES, with_recording
from arcwright.scene.scene import Actor, Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.solve.threads import on_one_thread
from arcwright.tools.cycle.options import CycleOptions
from arcwright.tools.cycle.recording.acting_overlays import (
    CUT,
    acting_overlays,
    nearest_phase,
    shape_choices,
)
from arcwright.tools.cycle.recording.device_motion import device_motion
from arcwright.tools.cycle.recording.item_start import item_start
from arcwright.tools.cycle.recording.kept_recording import (
    recording_of,
    without_layer,
)
from arcwright.tools.cycle.recording.layer_curves import dense_curves
from arcwright.tools.cycle.recording.layer_edit import layer_edit
from arcwright.tools.cycle.recording.layer_fit import fitted_curves
from arcwright.tools.cycle.recording.loop_constraints import repeated_constraints
from arcwright.tools.cycle.recording.needed_channels import needed_channels
from arcwright.tools.cycle.recording.performed_body import PerformedBody
from arcwright.tools.cycle.recording.performed_channels import PerformedChannels
from arcwright.tools.cycle.recording.performed_item import PerformedItem, PerformedPoint
from arcwright.tools.cycle.recording.performed_layer import PerformedLayer, performed_layer
from arcwright.tools.cycle.recording.punch import PunchedPart
from arcwright.tools.cycle.recording.sample_buffer import SampleBuffer
from arcwright.tools.cycle.recording.take_loop import take_loop
from arcwright.tools.gesture import Drag, Gesture, Performance, ToolHandle
from arcwright.tools.overlay import Overlay
from arcwright.tools.shared.kept_recording import performance_of
from arcwright.tools.tool import DragStatus, Note, Preview, PreviewPose

GROWN = 0.25, 0.05  # s and share by which a recording grows before it is looked at again
LIVE = 240  # samples of the live path
GAP = 0.3  # s without a sample, above which there is a note
SHORT = 1e-3  # m; a point that stays further off gets a note
NEW_TAKE, NEW_RATE = "loop", 24.0  # of an actor that has no take


class RecordingSession:
    """Samples are appended; the loop in them is looked for every now and then, and at the end.

    A target with a recording brings its samples along: they are made into a layer again.
    """

    def __init__(self, scene: Scene, target: Target, options: CycleOptions) -> None:
        self.scene, self.options = scene, options
        self.actor = scene.actor(target.character)
        self._before, self._take, self._address = _edited(scene, self.actor, target)
        if target.recording is not None:
            self._take = without_layer(scene, self._take, target.recording)
        self._target = replace(target, character=self.actor.name, take=self._take.name)
        self._loop = take_loop(scene, self.actor, self._take)
        self._item = self._performed_item(options)
        self._samples = SampleBuffer()
        self._cut: float | None = None  # the phase to which the handle was dragged
        self._layer: PerformedLayer | None = None  # as last looked for,
        self._layer_length = 0.0  # s, when the recording was this long
        self._final: tuple[int, PerformedLayer, Edit] | None = None  # of so many samples
        if target.recording is not None:
            self._samples.append(performance_of(target.recording))
            self._look()

    @on_one_thread
    def update(self, gesture: Gesture) -> Preview:
        """More samples, or the cut dragged along the loop."""
        if isinstance(gesture, Performance):
            self._samples.append(gesture)
            if len(gesture):
                self._final = None
            if self._due():
                self._look()
            return self._preview()
        if isinstance(gesture, Drag) and gesture.handle == ToolHandle(CUT):
            return self._move_cut(gesture)
        raise BadValue("gesture", "a Performance, or a drag of its cut", type(gesture).__name__)

    @on_one_thread
    def set_options(self, options: CycleOptions) -> Preview:
        """The layer as it would be with other options."""
        self.options, self._final = options, None
        self._item = self._performed_item(options)
        if len(self._samples):
            self._look()
        return self._preview()

    @on_one_thread
    def finish(self) -> Edit:
        """One undo step; empty where nothing repeats."""
        return self._finished()[1] if len(self._samples) else Edit(self._label)

    @on_one_thread
    def notes(self) -> tuple[Note, ...]:
        """Why there is no loop, or what is not as it was acted."""
        return self._notes_of(self._finished()[0]) if len(self._samples) else ()

    @on_one_thread
    def result_overlays(self) -> tuple[Overlay, ...] | None:
        """The loop and the choices of all samples: a preview may be of fewer."""
        return self._overlays(self._finished()[0], None) if len(self._samples) else None

    def fork(self) -> RecordingSession:
        """A session that stands where this one does, for another thread."""
        other = copy.copy(self)
        other._samples = self._samples.fork()
        return other

    def _performed_item(self, options: CycleOptions) -> PerformedItem:
        """What the target says is performed; a recording goes on from where it was acted."""
        item = self._item_of_target(options)
        recorded = self._target.recording
        item.start = None if recorded is None else recorded.start
        return item

    def _item_of_target(self, options: CycleOptions) -> PerformedItem:
        """What the target says is performed; by default the root of the actor."""
        loop, target, actor = self._loop, self._target, self.actor
        about = analyse(actor, loop.take)
        if target.channels:
            return PerformedChannels(loop, target.channels, about.size)
        point = target.point or Point(actor.rig.names[about.root])
        if point.character not in ("", actor.name):
            raise BadValue("point", f"a point of {actor.name}", f"one of {point.character}")
        point = replace(point, character=actor.name)
        if options.drive == "joint" or actor in self.scene.props or len(actor.rig.names) == 1:
            return PerformedPoint(loop, point, about.size)
        clip = self._take.base
        assert isinstance(clip, Clip)
        edited = EditedClip(actor, self._take, clip, (*self._address, "base", "curves"))
        return PerformedBody(self.scene, edited, loop, point, about.size, options)

    def _due(self) -> bool:
        length, last = self._samples.length, self._layer_length
        return length >= last + max(GROWN[0], GROWN[1] * last)

    def _look(self) -> None:
        self._layer, self._layer_length = self._performed(), self._samples.length

    def _performed(self) -> PerformedLayer:
        device = device_motion(self._samples)
        cut = self._cut
        if cut is None and self._first and self.options.start is None:
            cut = 0.0  # it made the loop, so its own start is that of the take
        return performed_layer(device, self._item, self._loop, self.options, cut)

    @property
    def _first(self) -> bool:
        """Whether nothing moved before what is recorded."""
        recorded = self._target.recording
        return self._loop.period is None if recorded is None else recorded.first

    def _finished(self) -> tuple[PerformedLayer, Edit]:
        """The layer of all samples, with few keys; computed once."""
        if self._final is None or self._final[0] != len(self._samples):
            layer, edit = self._performed(), Edit(self._label)
            curves: Mapping[int, Curve] = {}
            if layer.poses is not None:
                parts, tolerance = layer.mapped.parts, self.options.tolerance
                curves = fitted_curves(
                    *needed_channels(layer.poses, self._item, parts, tolerance)
                ).curves
                edit = self._edit(layer.poses.take, curves)
            elif layer.part is not None:
                curves = layer.part.fitted(self._loop, self.options.tolerance).curves
                edit = self._edit(self._take, curves)
            edit = replace(edit, changes=(*edit.changes, *self._kept(layer, curves)))
            self._final = len(self._samples), layer, edit
        return self._final[1:]

    def _edit(self, take: Take, curves: Mapping[int, Curve]) -> Edit:
        edit = layer_edit(self._label, self._before, self._address, take, curves)
        held = repeated_constraints(self.scene, self.actor, self._take, take.duration)
        return replace(edit, changes=(*edit.changes, *held))

    def _part_edit(self, part: PunchedPart) -> Edit:
        fitted = part.fitted(self._loop, self.options.tolerance)
        return self._edit(self._take, fitted.curves)

    def _kept(self, layer: PerformedLayer, curves: Mapping[int, Curve]) -> tuple[Change, ...]:
        """The change by which the scene keeps the samples of a layer."""
        if not curves or self._samples.size > MOST_BYTES:
            return ()
        start = item_start(self._item, self._loop, layer.device)
        options, cut = self._kept_options, self._cut
        made = recording_of(
            *(self._samples, self._target, start, options, layer, cut, self._take),
            curves,
            self._first,
        )
        before = self.scene.recordings
        after = with_recording(before, made)
        return () if same(before, after) else (Change(("recordings",), before, after),)

    @property
    def _kept_options(self) -> CycleOptions:
        """With the space in which a body was performed: its take may be a loop afterwards."""
        along = self._item.solves and self.options.space == "auto" and not self._loop.loops
        return replace(self.options, space="body") if along else self.options

    @property
    def _label(self) -> str:
        return f"Perform {self._item.label}"

    def _move_cut(self, drag: Drag) -> Preview:
        if self._layer_length < self._samples.length:
            self._look()
        if self._layer is None or self._layer.timing is None:
            raise BadValue("drag of the cut", "a loop that was found", "none yet")
        phase = None
        if drag.position is not None:
            phase = nearest_phase(self._layer, self._item, drag.position)
        elif drag.to_time is not None:
            phase = self._layer.acted.phase_of(drag.to_time)
        if phase is None:
            raise BadValue("drag of the cut", "a position on the loop or a time", "neither")
        self._cut, self._final = phase, None
        self._look()
        shown = self._preview()
        path = self._item.path(self._layer.acted.at(np.array([phase])))
        if path is None:
            return shown
        away = 0.0 if drag.position is None else float(np.linalg.norm(path[0] - drag.position))
        return replace(shown, drag=DragStatus(path[0], drag.position, away))

    def _preview(self) -> Preview:
        layer = self._layer
        if not len(self._samples):
            return Preview(partial(Edit, self._label))
        acting = self._target.recording is None
        live, pose = self._live() if acting else (None, None)
        return Preview(
            partial(self._dense_edit, layer),
            partial(self._notes_of, layer),
            lambda: None if layer is None or layer.timing is None else self._span(layer),
            () if pose is None else (pose,),
            self._overlays(layer, live),
        )

    def _overlays(self, layer: PerformedLayer | None, live: Floats | None) -> tuple[Overlay, ...]:
        overlays = acting_overlays(layer, self._item, live, self._text_place())
        made_again = self._target.recording is not None
        return (*overlays, shape_choices(self.options.shape)) if made_again else overlays

    def _span(self, layer: PerformedLayer) -> tuple[float, float]:
        assert layer.timing is not None
        return 0.0, max(layer.timing.duration, self._take.duration)

    def _dense_edit(self, layer: PerformedLayer | None) -> Edit:
        if layer is not None and layer.part is not None:
            return self._part_edit(layer.part)
        if layer is None or layer.poses is None:
            return Edit(self._label)
        return self._edit(layer.poses.take, dense_curves(layer.poses))

    def _live(self) -> tuple[Floats | None, PreviewPose | None]:
        """The latest path of the item, and the pose in which it is where the device is."""
        mapped = self._item.mapped(device_motion(self._samples.latest(LIVE)), self.options)
        if self._item.refusal(mapped.parts):
            return None, None
        path = self._item.path(mapped.samples.values[1:])
        at = self._loop.wrapped(mapped.samples.time[-1:])
        pose = self._item.pose(mapped.samples.values[-1], mapped.parts, float(at[0]))
        return path, PreviewPose(self._target, float(at[0]), pose)

    def _text_place(self) -> Floats:
        """Above the first channel's joint."""
        values = values_at(self._take, np.zeros(1))
        channels = self._item.channels(("position",)) if len(values) else np.zeros(0, int)
        joint = int(self._take.rig.channels.joint[channels[0]]) if len(channels) else 0
        place: Floats = forward(self._take.rig, values, [joint])[0, 0, :3, 3]
        return place

    def _notes_of(self, layer: PerformedLayer | None) -> tuple[Note, ...]:
        if layer is None:
            return ()
        found = []
        if layer.refusal:
            found.append(Note(layer.refusal, "info"))
        elif layer.acted.reason is not None:
            found.append(Note(_not_cyclic(layer), "info"))
        elif layer.timing is not None and layer.timing.note:
            found.append(Note(layer.timing.note, "info"))
        if layer.acted.caution is not None:
            found.append(Note(f"Check the loop: {layer.acted.caution}", "info"))
        if layer.remaining is not None and layer.remaining.max(initial=0.0) > SHORT:
            worst, frames = float(layer.remaining.max()), int((layer.remaining > SHORT).sum())
            where = "1 frame" if frames == 1 else f"{frames} frames"
            text = f"{self._item.label} stays up to {100 * worst:.1f} cm short in {where}"
            if self.options.chain_length and self._item.solves:
                text += ": more joints may follow (Chain length)"
            found.append(Note(text, "residual", worst))
        if self._target.recording is not None and layer.timing is not None:
            text = "Made again, it replaces what was changed on its channels since the recording"
            found.append(Note(text, "info"))
        start, gap = layer.device.longest_gap
        if gap > GAP:
            text = f"The device gave no samples for {gap:.1f} s, {start:.1f} s after the start"
            found.append(Note(text, "info", gap))
        if self._samples.size > MOST_BYTES and layer.timing is not None:
            minutes = self._samples.length / 60
            found.append(
                Note(f"The samples, {minutes:.0f} minutes, are too many to be kept", "info")
            )
        return tuple(found)


def _not_cyclic(layer: PerformedLayer) -> str:
    single = layer.acted.single
    what = f"No loop: {layer.acted.reason}. Act it at least twice"
    return what if single is None else f"{what}, or close this one as a cycle of {single:.2f} s"


def _edited(scene: Scene, actor: Actor, target: Target) -> tuple[Take | None, Take, Address]:
    """The take before (None if there is none), the take to work on, the address of either."""
    if actor.takes:
        edited = find_clip(scene, target)
        return edited.take, edited.take, edited.curves[:-2]
    group = "characters" if actor in scene.characters else "props"
    place = getattr(scene, group).index(actor)
    still = Clip(NEW_TAKE, (None,) * len(actor.rig.channels), 1.0, NEW_RATE, loops=True)
    return None, Take(actor.rig, still), (group, place, "takes")
