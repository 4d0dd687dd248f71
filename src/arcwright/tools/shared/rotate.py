"""Rotate: what becomes of drags that only rotate a joint, with notes on what they break."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import numpy as np

from arcwright.arrays import Floats, same
from arcwright.kinematics.end_effectors import EndEffector, end_effectors
from arcwright.kinematics.forward import forward, orientation
from arcwright.kinematics.rig_analysis import analyse
from arcwright.kinematics.rotation import quaternion_conjugate, quaternion_multiply
from arcwright.kinematics.rotation import vector_from_quaternion as vector_of
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.take_difference import changed_span
from arcwright.objectives.active_constraints import ActiveConstraint, active_constraints
from arcwright.objectives.edited_clip import EditedClip
from arcwright.scene.clip import Clip
from arcwright.scene.constraint import Contact, Pin
from arcwright.scene.edit import Change, Edit
from arcwright.scene.point import Point
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.solve.threads import on_one_thread
from arcwright.tools.gesture import Drag
from arcwright.tools.options import option
from arcwright.tools.shared.drags import DRAG_TOLERANCE
from arcwright.tools.shared.joint_rotation import angle_residual, pose_at, rotation_channels
from arcwright.tools.tool import DragStatus, Note, Offer, Preview, PreviewPose

JOINT, KEEP_ENDS, BODY = "joint", "keep ends", "body"
LIMITS = "joint limits"
OFF = 1e-4  # rad; a larger residual of an orientation gets a note
BROKEN_TURN = 1e-3  # rad; a pinned orientation that changes by more gets a note


def rotate_option() -> Any:
    """The option of tools that rotate a joint: what else may move."""
    return option(
        JOINT,
        "Rotate",
        "joint: rotates that joint, its children follow; keep ends: hands and feet stay in place; "
        "body: the whole body is solved for the orientation",
        choices=(JOINT, KEEP_ENDS, BODY),
    )


class JointRotator(Protocol):
    """How a tool rotates joints."""

    @property
    def edited(self) -> EditedClip:
        """The clip that is edited."""
        ...

    @property
    def one_frame(self) -> bool:
        """Whether only the pose at the dragged time counts."""
        ...

    @property
    def keeps_ends(self) -> bool:
        """Whether hands and feet stay in place."""
        ...

    def rotated(self, drags: Sequence[Drag], *, limited: bool = True, closely: bool = True) -> Take:
        """The take with the joints rotated, as near as can be; a preview need not be as close."""
        ...

    def blocker(self, drag: Drag) -> str:
        """What keeps a joint from its orientation, if joint limits do not."""
        ...

    def offer(self, drags: Sequence[Drag], edit: Edit) -> Offer | None:
        """A further edit, where the rotation falls short."""
        ...


@dataclass(frozen=True, eq=False)
class _Answer:
    drags: tuple[Drag, ...]
    take: Take
    closely: bool  # else a preview


class RotatedJoints:
    """What becomes of drags that only rotate: forward kinematics of their joints."""

    def __init__(self, scene: Scene, rotator: JointRotator) -> None:
        self.scene = scene
        self.rotator = rotator
        self._answer: _Answer | None = None

    @on_one_thread
    def preview(self, drags: tuple[Drag, ...]) -> Preview:
        """The edit as it would be now; its pose is that of the last drag."""
        answer, gesture = self._answered(drags, closely=False), drags[-1]
        pose = pose_at(self.rotator.edited.take, answer.take, gesture.time)
        edited = self.rotator.edited
        target = Target(edited.actor.name, edited.take.name)
        return Preview(
            partial(self._edit, answer),
            partial(self.notes, answer.drags),
            partial(self._span, answer),
            poses=(PreviewPose(target, gesture.time, pose),),
            drag=DragStatus(_place(answer.take.rig, pose, gesture.point), None, 0.0),
        )

    def _answered(self, drags: tuple[Drag, ...], *, closely: bool = True) -> _Answer:
        """The take with the joints rotated; it depends on the start and the drags alone."""
        known = self._answer
        if known is None or known.closely < closely or not same(known.drags, drags):
            take = self.rotator.rotated(drags, closely=closely)
            known = self._answer = _Answer(drags, take, closely or not self.rotator.keeps_ends)
        return known

    def _edit(self, answer: _Answer) -> Edit:
        before, after, address = (
            self.rotator.edited.clip,
            answer.take.base,
            self.rotator.edited.curves,
        )
        assert isinstance(after, Clip)
        pairs = enumerate(zip(before.curves, after.curves, strict=True))
        changes = [Change((*address, c), old, new) for c, (old, new) in pairs if old is not new]
        return Edit(self._label(answer.drags), tuple(changes))

    def _label(self, drags: Sequence[Drag]) -> str:
        frame = drags[-1].time * self.rotator.edited.take.rate
        return f"Rotate {drags[-1].point.joint} at frame {frame:g}"

    def _span(self, answer: _Answer) -> tuple[float, float]:
        """From the first to the last change, inside the clip."""
        before, times = self.rotator.edited.take, [drag.time for drag in answer.drags]
        every = np.arange(len(before.rig.channels))
        low, high = changed_span(before, answer.take, every) or (times[0], times[0])
        low, high = max(low, 0.0), min(high, before.duration)
        return min(low, *times), max(high, *times)

    @on_one_thread
    def edit(self, drags: tuple[Drag, ...]) -> Edit:
        """One undo step."""
        return self._edit(self._answered(drags))

    @on_one_thread
    def notes(self, drags: tuple[Drag, ...]) -> tuple[Note, ...]:
        """Orientations that fall short and constraints that are broken."""
        answer = self._answered(drags)
        short = (self._shortfall(answer, drag) for drag in answer.drags)
        return (*(note for note in short if note is not None), *self._broken(answer))

    def _shortfall(self, answer: _Answer, drag: Drag) -> Note | None:
        before = self.rotator.edited.take
        angle = angle_residual(before, answer.take, drag)
        if angle <= OFF:
            return None
        joint, off = drag.point.joint, f"{np.degrees(angle):.1f}° off"
        rig = answer.take.rig
        if not len(rotation_channels(rig, rig.joint(joint))):
            return Note(f"{joint} has no rotation channels: it stays {off}", "residual", angle)
        free = self.rotator.rotated(answer.drags, limited=False)
        limits = angle_residual(before, free, drag) < 0.98 * angle
        blocker = LIMITS if limits else self.rotator.blocker(drag)
        return Note(f"{blocker} keep {joint} {off}", "residual", angle, blocker)

    def _broken(self, answer: _Answer) -> Iterator[Note]:
        """Hands, feet, pins and contacts that were to stay and move."""
        edited, span = self.rotator.edited, self._span(answer)
        if self.rotator.one_frame:
            span = answer.drags[-1].time, answer.drags[-1].time
        for keep in (
            *self._kept_ends(answer, span),
            *active_constraints(self.scene, edited.actor, edited.take, span),
        ):
            start, end = max(keep.constraint.start, span[0]), min(keep.constraint.end, span[1])
            moved, turned = _moved(self.scene, keep, edited.take, answer.take, _times(start, end))
            if keep.constraint.position and moved > DRAG_TOLERANCE:
                yield Note(f"{keep.name} moves {moved * 100:.1f} cm", "residual", moved, keep.name)
            elif keep.constraint.orientation and turned > BROKEN_TURN:
                text = f"{keep.name} rotates {np.degrees(turned):.1f}°"
                yield Note(text, "residual", turned, keep.name)

    def _kept_ends(self, answer: _Answer, span: tuple[float, float]) -> Iterator[ActiveConstraint]:
        """Hands and feet that stay in place, as pins."""
        edited = self.rotator.edited
        for end in kept_ends(edited, answer.drags) if self.rotator.keeps_ends else ():
            name = edited.take.rig.names[end.joint]
            yield ActiveConstraint(
                Pin(Point(name), *span, orientation=True), name, np.zeros(0, np.int64)
            )

    def offer(self, drags: tuple[Drag, ...]) -> Offer | None:
        """What the tool offers besides."""
        answer = self._answered(drags)
        return self.rotator.offer(answer.drags, self._edit(answer))


def rotates_joints(options: Any) -> bool:
    """Whether a tool's options leave rotations to forward kinematics."""
    return bool(options.rotate != BODY)


def kept_ends(edited: EditedClip, drags: Sequence[Drag]) -> list[EndEffector]:
    """The hands and feet that hang on rotated joints, with the part of the limb below them."""
    rig = edited.take.rig
    rotated = [rig.joint(drag.point.joint) for drag in drags]
    found: list[EndEffector] = []
    for end in end_effectors(rig, analyse(edited.actor, edited.take).deforms):
        if not any(_hangs_on(rig, end.joint, joint) for joint in rotated):
            continue
        part: EndEffector | None = end
        for joint in rotated:
            part = part and part.below(joint)
        if part is not None:
            found.append(part)
    return found


def _hangs_on(rig: Rig, joint: int, above: int) -> bool:
    while joint >= 0:
        joint = int(rig.parents[joint])
        if joint == above:
            return True
    return False


def _place(rig: Rig, pose: Floats, point: Point) -> Floats:
    """(3,) m, where a point is in a pose (C,)."""
    world = forward(rig, pose[None], [rig.joint(point.joint)])[0, 0]
    place: Floats = (world @ np.append(point.offset, 1.0))[:3]
    return place


def _times(start: float, end: float) -> Floats:
    count = int(np.clip(np.ceil((end - start) * 100), 0, 1000))
    return np.linspace(start, end, count + 1)


def _moved(
    scene: Scene, keep: ActiveConstraint, before: Take, after: Take, times: Floats
) -> tuple[float, float]:
    """How far, m and rad, the point of a pin or contact goes from where it was."""
    holder = keep.constraint.relative_to if isinstance(keep.constraint, Contact) else None
    if holder is not None and scene.actor(holder.character).rig is not before.rig:
        holder = None  # it does not move with the edited character
    (was, was_turned), (now, now_turned) = (
        _placed(take, keep.constraint.point, holder, times) for take in (before, after)
    )
    turn = quaternion_multiply(now_turned, quaternion_conjugate(was_turned))
    moved = np.linalg.norm(now - was, axis=-1).max(initial=0.0)
    return float(moved), float(np.linalg.norm(vector_of(turn), axis=-1).max(initial=0.0))


def _placed(take: Take, point: Point, holder: Point | None, times: Floats) -> tuple[Floats, Floats]:
    """(T, 3) and (T, 4) where a point is and how its joint is oriented, seen from the holder."""
    values, joint = values_at(take, times), take.rig.joint(point.joint)
    world, turned = forward(take.rig, values, [joint])[:, 0], orientation(take.rig, values, [joint])
    place = world @ np.append(point.offset, 1.0)
    if holder is None:
        return place[:, :3], turned[:, 0]
    other = take.rig.joint(holder.joint)
    seen = np.linalg.inv(forward(take.rig, values, [other])[:, 0])
    back = quaternion_conjugate(orientation(take.rig, values, [other])[:, 0])
    return (seen @ place[..., None])[:, :3, 0], quaternion_multiply(back, turned[:, 0])
