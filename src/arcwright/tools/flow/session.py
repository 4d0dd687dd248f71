"""A session of the flow tool: a stroke adds a layer, handles and settings change one."""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence

import numpy as np

from arcwright.arrays import Floats, same
from arcwright.errors import BadValue
from arcwright.kinematics.trail import trail
from arcwright.scene.camera import Camera
from arcwright.scene.clip import Clip
from arcwright.scene.edit import Edit
from arcwright.scene.flow import Flow, FlowLayer
from arcwright.scene.scene import Scene
from arcwright.scene.shot import Shot
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.flow.active_key import ActiveKey, active_key
from arcwright.tools.flow.animated_flow import blend_weights
from arcwright.tools.flow.curve_edits import edited_curves, objects_below
from arcwright.tools.flow.edited_layers import LayerGestures, edited_layers
from arcwright.tools.flow.handles import dragged, object_at
from arcwright.tools.flow.hermite import lengths, resampled
from arcwright.tools.flow.keyed_offsets import key_offsets
from arcwright.tools.flow.layers import apply_layer, apply_layers, place_now
from arcwright.tools.flow.model import QUICK, Bent, before_layer
from arcwright.tools.flow.notes import notes_of
from arcwright.tools.flow.options import FlowOptions
from arcwright.tools.flow.overlays import overlays_of
from arcwright.tools.flow.prepared_shot import PreparedShot
from arcwright.tools.flow.result import Offsets, edit_of, offsets_of, preview_meshes
from arcwright.tools.flow.scene_objects import composed_take
from arcwright.tools.flow.shot_keys import prepared_keys
from arcwright.tools.gesture import Drag, Gesture, Stroke, ToolHandle
from arcwright.tools.overlay import Overlay
from arcwright.tools.tool import DragStatus, Note, Preview, PreviewMesh

_LABELS = {
    "flow": "Flow stroke",
    "centre": "Centre point",
    "curve": "Draw curve",
    "brush": "Brush flow",
}


class FlowSession:
    """Composes one shot of a scene."""

    def __init__(self, scene: Scene, target: Target, options: FlowOptions) -> None:
        self.scene, self.target, self.options = scene, target, options
        self.active: ActiveKey | None = None
        self.gestures = LayerGestures()
        self.last: Drag | None = None
        self.other_view = False
        self.prepared: PreparedShot | None = None
        self._below: tuple[object, Bent] | None = None
        self.first_shot: Shot | None = None  # of the first stroke of a composition
        self._prepare()

    # Gestures

    def update(self, gesture: Gesture) -> Preview:
        """Follow more of a stroke, or a drag of a handle or of a point of an object."""
        if isinstance(gesture, Stroke):
            if self.gestures.points or self.gestures.handles:
                raise BadValue("gesture of flow", "a stroke of its own", "one after a drag")
            self._add_stroke(gesture)
        elif isinstance(gesture, Drag):
            self._add_drag(gesture)
        else:
            raise BadValue("gesture of flow", "Stroke or Drag or Setting", type(gesture).__name__)
        return self.preview()

    def set_options(self, options: FlowOptions) -> Preview:
        """Follow the options: of the stroke that is drawn, else of the chosen layer."""
        before, self.options = self.options, options
        self.gestures.set = True
        if _shot_options(before) != _shot_options(options):
            self._prepare(self.first_shot)
        return self.preview()

    def fork(self) -> FlowSession:
        """A session that stands where this one does."""
        other = copy.copy(self)
        other.gestures = self.gestures.copy()
        return other

    def _add_stroke(self, stroke: Stroke) -> None:
        begins = not self.gestures.strokes
        if begins and (self.active is None or (not self.active.flow.keys and not self._layers)):
            self.first_shot = Shot("Shot", stroke.camera, self.target.time)
            self._prepare(self.first_shot)
        assert self.prepared is not None
        assert self.active is not None
        points = _in_shot(stroke.points, stroke.camera, self.prepared.shot.camera)
        if points is None and begins and self.active.new:
            self._prepare(self.first_shot, camera=stroke.camera)  # the camera moves
            points = stroke.points
        if points is None:
            self.other_view = True
        elif len(points):
            self.gestures.strokes.append(points)
            if self.options.use == "brush":
                self._paint()

    def _paint(self) -> None:
        """What a brush goes over: objects, and places before the layer that it changes."""
        assert self.prepared is not None
        size = self.options.brush_size
        places = np.concatenate(self.gestures.strokes)
        spaced = resampled(places, int(lengths(places)[-1] / (0.5 * size)) + 2)
        self.gestures.painted = objects_below(self.prepared, spaced, size)
        layers, layer = self._layers, self.options.layer or len(self._layers)
        if layers and layer <= len(layers):
            bent = apply_layers(self.prepared, layers[:layer])
            self.gestures.dabs = before_layer(bent, spaced)

    def _add_drag(self, drag: Drag) -> None:
        if drag.position is None:
            raise BadValue("Drag of flow", "a position", "none")
        if self.prepared is None:
            raise BadValue("Drag of flow", "a scene with a saved camera or a stroke", "neither")
        goal = self.prepared.view.project(drag.position[None])[0]
        if not np.isfinite(goal).all():
            return
        self.last = drag
        if isinstance(drag.handle, ToolHandle):
            if drag.handle.name.startswith("curve "):
                self.gestures.handles[drag.handle.name] = goal
                return
            layer = self._edited()[1]
            if layer is None:
                raise BadValue("handle", "one of a layer, none is there", drag.handle.name)
            dragged(layer, self.prepared.shot.camera.width, {drag.handle.name: goal})
            self.gestures.handles[drag.handle.name] = goal
            return
        if self.gestures.strokes:
            raise BadValue("gesture of flow", "a handle of the stroke", drag.handle)
        start = self._point_of(drag)
        actor = self.scene.actor(drag.point.character or self.target.character)
        number = [each.name for each in self.scene.actors].index(actor.name)
        index = object_at(self.prepared, number, start)
        if index is None:
            raise BadValue("point", "one of an object that can be bent", actor.name)
        self.gestures.points[drag.key] = self.prepared.names[index], start, goal

    def _point_of(self, drag: Drag) -> Floats:
        """Where a dragged point is in the picture, before any flow."""
        assert self.prepared is not None
        actor = self.scene.actor(drag.point.character or self.target.character)
        assert self.active is not None
        rest = Clip("", (None,) * len(actor.rig.channels), 0.0)
        still = composed_take(actor, self.active.flow.takes) or Take(actor.rig, rest)
        at = trail(still, drag.point, np.array([self.prepared.shot.time])).position
        found: Floats = self.prepared.view.project(at)[0]
        return found

    # The shot

    @property
    def _layers(self) -> tuple[FlowLayer, ...]:
        return self.active.key.layers if self.active is not None else ()

    def _prepare(self, shot: Shot | None = None, camera: Camera | None = None) -> None:
        self.active = active_key(self.scene, self.target, self.options, shot)
        if self.active is None:
            return
        if camera is not None:
            self.active = self.active.seen_through(camera)
        self.prepared = prepared_keys(self.scene, self.active.flow)[self.active.index]
        self.prepared.ready()
        self._below = None

    # Layers

    def _edited(self) -> tuple[tuple[FlowLayer, ...], FlowLayer | None]:
        """All layers after the gestures so far, and the one that they are about."""
        assert self.prepared is not None
        width = self.prepared.shot.camera.width
        return edited_layers(self._layers, self.gestures, self.options, width)

    def _edited_flow(self) -> Flow | None:
        """The composition after the gestures so far."""
        if self.active is None:
            return self.scene.flow
        if self.options.remove_key:
            return self.active.without() if self.active.flow.keys else self.scene.flow
        layers, _ = self._edited()
        key = self.active.key
        assert self.prepared is not None
        own = self.gestures
        curves = edited_curves(key.curves, self.prepared, own.strokes, own.handles, self.options)
        unchanged = same(layers, key.layers) and same(curves, key.curves)
        if unchanged and self.active.new and not self.options.add_key:
            return self.scene.flow
        return self.active.edited(layers, curves)

    # Results

    def bent(self) -> Bent:
        """The grids after all layers, exactly."""
        assert self.prepared is not None
        return apply_layers(self.prepared, self._edited()[0])

    def _bent_quickly(self, layers: Sequence[FlowLayer], layer: FlowLayer | None) -> Bent:
        """The same with few steps for a layer on top."""
        assert self.prepared is not None
        on_top = bool(layers) and layer is layers[-1]
        if not on_top:
            return apply_layers(self.prepared, layers)
        below = tuple(layers[:-1])
        if self._below is None or not same(self._below[0], below):
            self._below = below, apply_layers(self.prepared, below)
        return apply_layer(self.prepared, self._below[1], layers[-1], steps=QUICK)

    def preview(self) -> Preview:
        """The edit as it would be now."""
        if self.prepared is None:
            return Preview(lambda: Edit("Flow"))
        layers, layer = self._edited()
        bent = self._bent_quickly(layers, layer)
        stands = self.fork()
        return Preview(
            lambda: stands.edit_with(bent),
            lambda: self._notes(bent, layer),
            lambda: None,
            (),
            self._overlays(bent, layers, layer),
            self._drag_status(bent),
            lambda: self._meshes(bent),
        )

    def _meshes(self, bent: Bent) -> tuple[PreviewMesh, ...]:
        """What moves at the shown frame: this key's flow by its weight there."""
        assert self.prepared is not None
        assert self.active is not None
        takes = self.active.flow.takes
        times = np.array([each.shot.time for each in self.active.flow.all_keys])
        share = blend_weights(times, np.array([self.target.time]))[0, self.active.index]
        offsets = offsets_of(self.scene, self.prepared, bent, takes)
        return preview_meshes(self.scene, offsets, takes, times[self.active.index], share)

    def finish(self) -> Edit:
        """The composition and the bent meshes: one undo step."""
        return Edit("Flow") if self.prepared is None else self.edit_with(self.bent())

    def edit_with(self, bent: Bent) -> Edit:
        """The undo step that gives objects these grids."""
        flow = self._edited_flow()
        if same(flow, self.scene.flow) or self._adds_nothing(bent):
            return Edit("Flow")
        return edit_of(self.scene, flow, self._offsets(flow, bent), self._label())

    def _offsets(self, flow: Flow | None, bent: Bent) -> list[Offsets]:
        """Of every key: of the edited one as given, of others by their layers."""
        assert self.prepared is not None
        assert self.active is not None
        if flow is None:
            return []
        if not flow.keys and not self.active.flow.keys:
            return [offsets_of(self.scene, self.prepared, bent, flow.takes, lift=flow.lift)]
        return key_offsets(self.scene, flow)

    def _adds_nothing(self, bent: Bent) -> bool:
        """Whether a new stroke or dragged point bends nothing."""
        draws = self.gestures.strokes and self.options.use in ("flow", "centre")
        if not (draws or self.gestures.points):
            return False
        if self.options.add_key:
            return False
        assert self.prepared is not None
        before = apply_layers(self.prepared, self._layers)
        for index, state in bent.states.items():
            rest = before.states.get(index, self.prepared.grids[index].rest)
            if np.abs(state - rest).max(initial=0.0) > 1e-9:
                return False
        return True

    def _label(self) -> str:
        if self.gestures.strokes:
            return _LABELS[self.options.use]
        if self.options.add_key or self.options.remove_key:
            return "Add flow key" if self.options.add_key else "Remove flow key"
        return "Drag points" if self.gestures.points else "Change flow"

    def notes(self) -> tuple[Note, ...]:
        """What finishing now would leave undone."""
        if self.prepared is None:
            return ()
        return self._notes(self.bent(), self._edited()[1])

    def _notes(self, bent: Bent, layer: FlowLayer | None) -> tuple[Note, ...]:
        assert self.prepared is not None
        found = notes_of(self.prepared, bent, layer)
        if self.other_view:
            text = "Strokes go through the shot's camera: return to it to draw."
            found = (Note(text, "info"), *found)
        return found

    def _drag_status(self, bent: Bent) -> DragStatus | None:
        """Where the dragged handle or point is now."""
        drag, prepared = self.last, self.prepared
        if drag is None or prepared is None or drag.position is None:
            return None
        if isinstance(drag.handle, ToolHandle):
            return DragStatus(drag.position, drag.position, 0.0)
        name, start, goal = self.gestures.points[drag.key]
        index = prepared.index_of(name)
        assert index is not None
        now = place_now(prepared, bent, index, start)[0]
        away = prepared.view.distance(drag.position[None])
        at = prepared.view.at_distance(now[None], away)[0]
        on_plane = prepared.view.at_distance(goal[None], away)[0]
        return DragStatus(at, drag.position, float(np.linalg.norm(at - on_plane)))

    def rest_overlays(self) -> tuple[Overlay, ...]:
        """The curves and the layers, before the first gesture."""
        if self.prepared is None:
            return ()
        layers = self._layers
        bent = apply_layers(self.prepared, layers)
        return self._overlays(bent, *self._edited())

    def _overlays(
        self, bent: Bent, layers: Sequence[FlowLayer], layer: FlowLayer | None
    ) -> tuple[Overlay, ...]:
        assert self.prepared is not None
        return overlays_of(self.prepared, bent, layers, layer, self.options.curve)


def _shot_options(options: FlowOptions) -> tuple[object, ...]:
    names = "split", "abstraction", "include", "merge", "cut", "regroup", "lift"
    return tuple(getattr(options, each) for each in (*names, "auto_key", "add_key"))


def _in_shot(points: Floats, camera: Camera, shot: Camera) -> Floats | None:
    """Pixels of a camera as pixels of the shot; None where they show different views."""
    one, other = camera, shot
    same_place = np.allclose(one.position, other.position, atol=1e-6)
    turned = abs(float(one.orientation @ other.orientation))
    if not same_place or turned < 1 - 1e-9:
        return None
    lens = math.tan(one.field_of_view / 2) / math.tan(other.field_of_view / 2)
    scale = lens * other.height / one.height
    middle = np.array([one.width, one.height]) / 2
    return (points - middle) * scale + np.array([other.width, other.height]) / 2
