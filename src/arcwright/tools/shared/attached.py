"""Attached: sessions of any tool on rigs with attached joints, which the edit then carries.

The tool works on the assembled rig, in which a foot beside the body is a child of its leg; what it
makes is converted back to the rig as it is.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from arcwright.arrays import Floats
from arcwright.errors import BadValue
from arcwright.kinematics.assembled_rig import AssembledRig, assemble
from arcwright.kinematics.detached_take import detached_clip, detached_layer
from arcwright.kinematics.rotation import quaternion_from_matrix, quaternion_multiply
from arcwright.objectives.edited_clip import find_take
from arcwright.scene.clip import Clip
from arcwright.scene.edit import Address, Change, Edit
from arcwright.scene.point import Point
from arcwright.scene.scene import Actor, Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag, Gesture
from arcwright.tools.overlay import Overlay
from arcwright.tools.tool import (
    DrawsAtRest,
    Note,
    Offer,
    Offers,
    Preview,
    PreviewPose,
    Progress,
    ReplacesObjects,
    Session,
    SolvesFurther,
)


@dataclass(frozen=True, eq=False)
class AssembledScene:
    """A scene in which the edited actor is assembled, and the way back from it."""

    rig: AssembledRig
    scene: Scene
    address: Address  # of the edited take

    def back(self, edit: Edit) -> Edit:
        """An edit of the scene as it is, from one of the assembled one."""
        if edit.empty:
            return edit
        after = edit.apply(self.scene).actor(self.rig.actor.name)
        take = after.takes[self.rig.actor.takes.index(self.rig.take)]
        kept: list[Change] = []
        moved = base = False
        for change in edit.changes:
            inside = change.address[: len(self.address)] == self.address
            moved |= inside
            base |= inside and change.address == (*self.address, "base")
            if not inside:
                kept.append(change)
        if not moved:
            return edit
        if take.layers[len(self.rig.take.layers) :]:
            old = self.rig.take.layers
            new = tuple(detached_layer(self.rig, take, each) for each in take.layers[len(old) :])
            kept.append(Change((*self.address, "layers"), old, (*old, *new)))
        elif isinstance(take.base, Clip):
            kept += self._clip_changes(edit, take, new_keys=base)
        return Edit(edit.label, tuple(kept))

    def _clip_changes(self, edit: Edit, after: Take, *, new_keys: bool) -> list[Change]:
        """Changes of the clip as it is: of its curves, and of what else an edit changes in it."""
        clip, was = detached_clip(self.rig, after, new_keys=new_keys), self.rig.take.base
        assert isinstance(was, Clip)
        base = (*self.address, "base")
        if new_keys:
            return [Change(base, was, clip)]
        curves = (*base, "curves")
        changed = [
            Change((*curves, channel), before, now)
            for channel, (before, now) in enumerate(zip(was.curves, clip.curves, strict=True))
            if now is not before
        ]
        others = (each for each in edit.changes if each.address[:-1] == base)
        return [*changed, *(each for each in others if each.address != curves)]

    def drag_there(self, drag: Drag) -> Drag:
        """The same drag in the assembled scene.

        Between keys an attached joint is not exactly where it is in the take; the held point is.
        """
        rig, point = self.rig, drag.handle
        if not isinstance(point, Point) or point.character not in ("", rig.actor.name):
            return drag
        joint = rig.actor.rig.joint(point.joint)
        if not any(rig.actor.rig.is_below(joint, each.joint) for each in rig.attached):
            return drag
        here = rig.pose(drag.time, joint)
        there = rig.assembled_pose(drag.time, joint)
        offset = np.linalg.solve(there, here @ np.append(point.offset, 1.0))[:3]
        if np.allclose(offset, point.offset, rtol=0.0, atol=1e-9):
            return drag
        drag = replace(drag, handle=replace(point, offset=offset))
        if drag.orientation is None:
            return drag
        turn = quaternion_from_matrix(_rotation(here).T @ _rotation(there))
        return replace(drag, orientation=quaternion_multiply(drag.orientation, turn))

    def pose_back(self, pose: PreviewPose) -> PreviewPose:
        """A pose of the rig as it is."""
        if pose.target.character != self.rig.actor.name:
            return pose
        values = self.rig.detached_values(np.array([pose.time]), pose.values[None])[0]
        return replace(pose, values=values)

    def preview_back(self, preview: Preview) -> Preview:
        """A preview of the scene as it is."""
        poses = tuple(map(self.pose_back, preview.poses))
        return replace(preview, make_edit=lambda: self.back(preview.edit), poses=poses)


class AttachedSession:
    """A session on the assembled scene, as if it were on the scene as it is."""

    def __init__(self, assembled: AssembledScene, session: Session) -> None:
        self.assembled, self.session = assembled, session

    def update(self, gesture: Gesture) -> Preview:
        """The edit as it would be now."""
        if isinstance(gesture, Drag):
            gesture = self.assembled.drag_there(gesture)
        return self.assembled.preview_back(self.session.update(gesture))

    def set_options(self, options: Any) -> Preview:
        """The edit as it would be with other options."""
        return self.assembled.preview_back(self.session.set_options(options))

    def finish(self) -> Edit:
        """One undo step."""
        return self.assembled.back(self.session.finish())

    def notes(self) -> tuple[Note, ...]:
        """What finishing now would leave undone."""
        return self.session.notes()

    def rest_overlays(self) -> tuple[Overlay, ...]:
        """What the tool draws before the first gesture."""
        return self.session.rest_overlays() if isinstance(self.session, DrawsAtRest) else ()

    def replace_object(self, element: str, new: Actor) -> Preview:
        """Put another prop in the place of an object, where the tool can."""
        if not isinstance(self.session, ReplacesObjects):
            raise BadValue("tool", "one that replaces objects", "another one")
        return self.assembled.preview_back(self.session.replace_object(element, new))

    @property
    def used(self) -> Mapping[str, float]:
        """What the tool made of options that depend on the take, s."""
        found: Mapping[str, float] = getattr(self.session, "used", {})
        return found

    def offer(self) -> Offer | None:
        """What the tool offers besides."""
        found = self.session.offer() if isinstance(self.session, Offers) else None
        return None if found is None else replace(found, edit=self.assembled.back(found.edit))

    def solve_further(self, progress: Progress) -> Edit:
        """The undo step with more time, where the tool has a limit."""
        if not isinstance(self.session, SolvesFurther):
            return self.finish()
        return self.assembled.back(self.session.solve_further(progress))

    def fork(self) -> AttachedSession:
        """A session that stands where this one does, for another thread."""
        other = copy.copy(self)
        other.session = self.session.fork()
        return other


def _rotation(matrix: Floats) -> Floats:
    return np.asarray(matrix[:3, :3] / np.linalg.norm(matrix[:3, :3], axis=0))


def assembled_scene(scene: Scene, target: Target) -> AssembledScene | None:
    """The scene with the target assembled; None where it has no attached joints."""
    actor = scene.actor(target.character)
    if not actor.takes:
        return None
    actor, take, address = find_take(scene, target)
    rig = assemble(actor, take)
    if rig is None:
        return None
    swap = Edit("Assemble", (Change(address[:2], actor, rig.assembled_actor),))
    return AssembledScene(rig, swap.apply(scene), address)


def begin_assembled(scene: Scene, target: Target, begin: Callable[[Scene], Session]) -> Session:
    """Begin a session, on the assembled scene where the target has attached joints."""
    assembled = assembled_scene(scene, target)
    if assembled is None:
        return begin(scene)
    return AttachedSession(assembled, begin(assembled.scene))
