"""Clip session: drags on a clip with keys, with what all tools for such clips share.

Rotations are forward kinematics, and a clip with a key on every frame is edited as that allows.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Hashable
from functools import partial
from typing import Any

from arcwright.errors import BadValue
from arcwright.kinematics.baked_clip import is_baked
from arcwright.objectives.edited_clip import EditedClip, find_clip
from arcwright.objectives.freedom import freedom_of
from arcwright.scene.edit import Edit
from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag, Gesture
from arcwright.tools.shared.baked import BakedSession
from arcwright.tools.shared.drags import DragSession
from arcwright.tools.shared.rotate import JointRotator, RotatedJoints, rotates_joints
from arcwright.tools.tool import Note, Offer, Offers, Preview


class ClipSession:
    """Chooses the session of drags by clip and options; `begin_body` begins the tool's own."""

    def __init__(
        self,
        scene: Scene,
        target: Target,
        options: Any,
        begin_body: Callable[[Scene, Target, Any], DragSession],
        rotator: Callable[[EditedClip, Any], JointRotator],
        *,
        one_frame: bool,
    ) -> None:
        self.scene, self.options = scene, options
        self._target, self._begin_body, self._rotator = target, begin_body, rotator
        self._one_frame = one_frame  # whether the tool sets keys at one frame
        self._drags: dict[Hashable, Drag] = {}
        self.session = self._begin(options)

    def update(self, gesture: Gesture) -> Preview:
        """The edit as it would be with the drag where it now is."""
        if not isinstance(gesture, Drag):
            raise BadValue("gesture", "a Drag", type(gesture).__name__)
        preview = self.session.update(gesture)
        key = gesture.key
        if key in self._drags:
            del self._drags[key]
        elif self._one_frame:
            self._drags = {k: d for k, d in self._drags.items() if d.time == gesture.time}
        self._drags[key] = gesture
        return preview

    def set_options(self, options: Any) -> Preview:
        """The edit as it would be with other options."""
        session = self._begin(options)
        preview = Preview(session.finish)
        for drag in self._drags.values():
            preview = session.update(drag)
        self.session, self.options = session, options
        return preview

    def finish(self) -> Edit:
        """One undo step."""
        return self.session.finish()

    def notes(self) -> tuple[Note, ...]:
        """What finishing now would leave undone."""
        return self.session.notes()

    def offer(self) -> Offer | None:
        """What the tool offers besides."""
        return self.session.offer() if isinstance(self.session, Offers) else None

    def fork(self) -> ClipSession:
        """A session that stands where this one does, for another thread."""
        other = copy.copy(self)
        other.session, other._drags = self.session.fork(), dict(self._drags)
        return other

    def _begin(self, options: Any) -> DragSession:
        def begin(scene: Scene) -> DragSession:
            own = partial(self._begin_body, scene, self._target, options)
            if not rotates_joints(options):
                return own()
            rotator = self._rotator(find_clip(scene, self._target), options)
            return KeyedSession(RotatedJoints(scene, rotator), own, one_frame=self._one_frame)

        edited = find_clip(self.scene, self._target)
        if not is_baked(edited.clip):
            return begin(self.scene)
        free = freedom_of(edited, options)
        return BakedSession(self.scene, edited, begin, free, blends=self._one_frame)


class KeyedSession:
    """Drags on keys: joints are rotated as long as every drag only rotates.

    As soon as one also moves or times a point, all drags go to the tool's own solve (`body`).
    """

    def __init__(
        self, rotated: RotatedJoints, begin_body: Callable[[], DragSession], *, one_frame: bool
    ) -> None:
        self.rotated, self.body = rotated, begin_body()
        self._begin_body, self._one_frame = begin_body, one_frame
        self._drags: dict[Hashable, Drag] = {}
        self._known_to_body: list[Drag] = []

    def update(self, gesture: Drag) -> Preview:
        """The edit as it would be with the drag where it now is."""
        if self._one_frame:
            self._drags = {k: d for k, d in self._drags.items() if d.time == gesture.time}
        self._drags.pop(gesture.key, None)
        self._drags[gesture.key] = gesture
        if self._only_rotates:
            return self.rotated.preview(self._all)
        others = self._all[:-1]
        if not all(any(drag is known for known in self._known_to_body) for drag in others):
            self.body = self._begin_body()
            for drag in others:
                self.body.update(drag)
        self._known_to_body = [*others, gesture]
        return self.body.update(gesture)

    def finish(self) -> Edit:
        """One undo step."""
        return self.rotated.edit(self._all) if self._only_rotates else self.body.finish()

    def notes(self) -> tuple[Note, ...]:
        """What finishing now would leave undone."""
        return self.rotated.notes(self._all) if self._only_rotates else self.body.notes()

    def offer(self) -> Offer | None:
        """What the tool offers besides."""
        if self._only_rotates:
            return self.rotated.offer(self._all)
        return self.body.offer() if isinstance(self.body, Offers) else None

    def fork(self) -> KeyedSession:
        """A session that stands where this one does, for another thread."""
        other = copy.copy(self)
        other.rotated, other.body = copy.copy(self.rotated), self.body.fork()
        other._drags, other._known_to_body = dict(self._drags), list(self._known_to_body)
        return other

    @property
    def _all(self) -> tuple[Drag, ...]:
        return tuple(self._drags.values())

    @property
    def _only_rotates(self) -> bool:
        return bool(self._drags) and all(drag.only_rotates for drag in self._drags.values())
