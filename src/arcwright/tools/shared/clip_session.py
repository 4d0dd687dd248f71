"""Clip session: drags on a clip with keys, with what all tools for such clips share.

Rotations are forward kinematics, and a clip with a key on every frame is edited as that allows.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Hashable
from functools import partial
from typing import Any

from arcwright.errors import BadValue
from arcwright.kinematics.reduce import is_baked
from arcwright.objectives.edited_clip import EditedClip, find_clip
from arcwright.objectives.freedom import freedom_of
from arcwright.scene.edit import Edit
from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag, Gesture
from arcwright.tools.shared.baked import BakedSession
from arcwright.tools.shared.drags import DragSession
from arcwright.tools.shared.rotate import JointRotator, RotateSession, rotates_joints
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
            return RotateSession(scene, rotator, own)

        edited = find_clip(self.scene, self._target)
        if not is_baked(edited.clip):
            return begin(self.scene)
        free = freedom_of(edited, options)
        return BakedSession(self.scene, edited, begin, free, blends=self._one_frame)
