"""One drag on a pose: update while the hand moves, finish when it lets go."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from arcwright.arrays import Floats
from arcwright.curves.keys import insert_key, keyed, move_key
from arcwright.errors import BadValue
from arcwright.scene.curve import Curve
from arcwright.scene.edit import Change, Edit
from arcwright.scene.scene import Scene
from arcwright.solve.descent import Patience, descend
from arcwright.solve.threads import on_one_thread
from arcwright.tools.gesture import Drag, Gesture
from arcwright.tools.hold import drag_wish, hold
from arcwright.tools.posing import PoseGrip, PoseModel, pose_grip
from arcwright.tools.tool import Note, Preview, Target
from arcwright.tools.wishes import Wish, WishList

if TYPE_CHECKING:
    from arcwright.tools.pose.tool import PoseOptions

BRISK = Patience(steps=12, move=1e-7, gain=1e-2, met=3e-5)
THOROUGH = Patience(steps=24)
SHORT = 5e-4  # m
UNCHANGED = 1e-9  # m, rad or plain


class PoseSession:
    """Keeps the scene it began with; every answer is worked out from there."""

    def __init__(self, scene: Scene, target: Target, options: PoseOptions) -> None:
        self.scene = scene
        self.hold = hold(scene, target)
        self.options = options
        self._drags: dict[tuple[str, bytes], Drag] = {}
        self._grip: PoseGrip | None = None
        self._model: PoseModel | None = None
        self._x = np.zeros(0)

    @on_one_thread
    def update(self, gesture: Gesture) -> Preview:
        """The edit as it would be with the hand where it now is."""
        if not isinstance(gesture, Drag):
            raise BadValue("gesture", "a Drag", type(gesture).__name__)
        key = (gesture.point.joint, gesture.point.offset.tobytes())
        if self._grip is None or key not in self._drags or gesture.time != self._grip.time:
            self._drags = (
                {key: gesture} if self._moved_on(gesture) else self._drags | {key: gesture}
            )
            self._grip = pose_grip(
                self.scene,
                self.hold,
                [drag.point for drag in self._drags.values()],
                gesture.time,
            )
            self._x = np.zeros(len(self._grip.channels))
            self._model = PoseModel(self.hold.take.rig, self._grip, ())
        self._drags[key] = gesture
        model = self._model
        assert model is not None
        model.wish_list = WishList(self._wishes(), model.kept)
        self._x = self._settled(model, BRISK)
        index = list(self._drags).index(key)
        reached = model.jacobian(self._x).position[0, index]
        pose = model.values(self._x)
        made = partial(self._edited, self._grip, pose)
        notes = partial(self._notes, gesture, reached)
        short = self._short(gesture, reached)
        return Preview(made, notes, short, reached, pose, (gesture.time, gesture.time))

    @on_one_thread
    def finish(self) -> Edit:
        """One undo step."""
        if self._grip is None or self._model is None:
            return Edit("Pose")
        model = self._model
        self._x = self._settled(model, THOROUGH)
        return self._edited(self._grip, model.values(self._x))

    def _settled(self, model: PoseModel, patience: Patience) -> Floats:
        still = np.zeros_like(self._x)
        return descend(model, self._x, model.pull, still, model.box, patience).x

    def _moved_on(self, gesture: Drag) -> bool:
        return self._grip is not None and gesture.time != self._grip.time

    def _wishes(self) -> list[Wish]:
        return [
            drag_wish(drag, index, 0)
            for index, drag in enumerate(self._drags.values())
            if drag.position is not None or drag.orientation is not None
        ]

    def _short(self, drag: Drag, reached: Floats) -> float:
        if drag.position is None:
            return 0.0
        away = drag.position - reached
        return float(np.linalg.norm(away if drag.axes is None else drag.axes @ away))

    def _notes(self, drag: Drag, reached: Floats) -> tuple[Note, ...]:
        short = self._short(drag, reached)
        if short <= SHORT:
            return ()
        return (Note(f"{drag.point.joint} stays {short * 100:.1f} cm short", "short", short),)

    def _edited(self, held: PoseGrip, values: Floats) -> Edit:
        """Keys at this frame with the new values; set where there is none, if wanted."""
        changes: list[Change] = []
        for channel in held.channels.tolist():
            if abs(values[channel] - held.values[channel]) <= UNCHANGED:
                continue
            before = self.hold.clip.curves[channel]
            after = self._keyed(before, held.time, held.values[channel], values[channel])
            if after is not None:
                changes.append(Change((*self.hold.curves, channel), before, after))
        frame = held.time * self.hold.clip.rate
        joint = next(iter(self._drags.values())).point.joint
        return Edit(f"Pose {joint} at frame {frame:g}", tuple(changes))

    def _keyed(self, curve: Curve | None, time: float, was: float, value: float) -> Curve | None:
        if curve is None:
            return self._first_key(time, was, value) if self.options.key_moved else None
        near = int(np.argmin(np.abs(curve.time - time)))
        if abs(curve.time[near] - time) > 1e-6:
            if not self.options.key_moved:
                return None
            curve = insert_key(curve, time)
            near = int(np.argmin(np.abs(curve.time - time)))
        return move_key(curve, near, value=value)

    def _first_key(self, time: float, was: float, value: float) -> Curve:
        """A channel's first key; the key poses before and after it keep what they had."""
        poses = {
            t for curve in self.hold.clip.curves if curve is not None for t in curve.time.tolist()
        }
        before = max((t for t in poses if t < time - 1e-6), default=None)
        after = min((t for t in poses if t > time + 1e-6), default=None)
        times = [t for t in (before, time, after) if t is not None]
        return keyed(times, [value if t == time else was for t in times])
