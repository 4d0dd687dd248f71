"""Baked: edits of clips with a key on every frame.

Such a clip has no segments to bend, and a key changed alone is a pop of one frame. A pose is
blended in over the frames around it; besides, the same edit of the clip reduced to few key poses
is offered.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from weakref import WeakKeyDictionary

import numpy as np

from arcwright.arrays import Floats
from arcwright.curves.first_key import key_poses_around
from arcwright.curves.keys import insert_key
from arcwright.curves.set_key import has_key
from arcwright.kinematics.forward import forward
from arcwright.kinematics.reduction import Reduced, Reduction, as_played
from arcwright.kinematics.rotation import (
    matrix_from_quaternion,
    quaternion_conjugate,
    quaternion_from_vector,
    quaternion_multiply,
    quaternion_normalise,
    vector_from_quaternion,
)
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.objectives.edited_clip import EditedClip
from arcwright.objectives.freedom import Freedom
from arcwright.objectives.point_tasks import drag_task
from arcwright.objectives.pose_model import PoseModel, prepare_pose
from arcwright.objectives.solve_pose import solve_from_start
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve, Interpolation
from arcwright.scene.edit import Change, Edit
from arcwright.scene.rig import Kind, Rig
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.shared.drags import DRAG_TOLERANCE, DragResidual, DragSession, worst
from arcwright.tools.tool import DragStatus, Note, Offer, Preview, PreviewPose

BLEND = 0.25  # s before and after a pose, over which it is blended in
TOLERANCE = 0.003  # of the character's size, of the reduction that is offered
KEYED = 2e-3  # s; a key this near to a frame is on it: files store times as single floats
MOST_FRAMES = 1500  # of a take: longer ones take too long to be reduced unrequested
CLOSE = 0.15  # s between key poses: a change between them would be a pop
BESIDE = 0.1  # s from a key pose to the next: changed alone it would be a pop
EVERY_FRAME = "This clip has a key on every frame"

_reduced: WeakKeyDictionary[Take, Reduced] = WeakKeyDictionary()


class BakedSession:
    """A tool's session on a clip with a key on every frame."""

    def __init__(
        self,
        scene: Scene,
        edited: EditedClip,
        begin: Callable[[Scene], DragSession],
        free: Freedom,
        *,
        blends: bool,
    ) -> None:
        self.scene, self.edited, self.free = scene, edited, free
        self.body = begin(scene)
        self._begin = begin
        self._blends = blends  # whether the tool sets keys at one frame
        self._drags: dict[tuple[str, bytes, float], Drag] = {}
        self._time = 0.0

    def update(self, gesture: Drag) -> Preview:
        """The edit as it would be with this gesture."""
        if self._blends and gesture.time != self._time:
            self._drags = {}
        self._drags[gesture.point.joint, gesture.point.offset.tobytes(), gesture.time] = gesture
        self._time = gesture.time
        if not self._blends:
            return self._unmoved(gesture)
        preview, low, high = self.body.update(gesture), *self._frames()
        return replace(
            preview,
            make_edit=lambda: self._blended(preview.edit, gesture.time),
            make_notes=self.notes,
            make_span=lambda: (low, high),
        )

    def _unmoved(self, drag: Drag) -> Preview:
        """A preview that changes nothing."""
        take = self.edited.take
        place = trail(take, drag.point, [drag.time]).position[0]
        pose = values_at(take, np.array([drag.time]))[0]
        remaining = self._residual(drag).remaining
        nothing = Edit(f"Drag {drag.point.joint}")
        moment = drag.time, drag.time
        target = Target(self.edited.actor.name, take.name)
        return Preview(
            lambda: nothing,
            self.notes,
            lambda: moment,
            poses=(PreviewPose(target, drag.time, pose),),
            drag=DragStatus(place, drag.position, remaining),
        )

    def _residual(self, drag: Drag) -> DragResidual:
        world = trail(self.edited.take, drag.point, [drag.time])
        return DragResidual.of(
            drag, world.position[0], matrix_from_quaternion(world.orientation[0])
        )

    def _frames(self) -> tuple[float, float]:
        return max(self._time - BLEND, 0.0), min(self._time + BLEND, self.edited.take.duration)

    def finish(self) -> Edit:
        """One undo step."""
        return self._blended(self.body.finish(), self._time) if self._blends else Edit("Drag")

    def _blended(self, edit: Edit, time: float) -> Edit:
        if edit.empty:
            return edit
        after = edit.apply(self.scene).actor(self.edited.actor.name).take(self.edited.take.name)
        return self._blend(values_at(after, np.array([time]))[0], time, edit.label)

    def _blend(self, pose: Floats, time: float, label: str) -> Edit:
        changes = tuple(
            Change((*self.edited.curves, channel), self.edited.clip.curves[channel], curve)
            for channel, curve in blended(self.edited.take, pose, time).items()
        )
        return Edit(label, changes)

    def notes(self) -> tuple[Note, ...]:
        """What the tool has to say, and that the clip is baked."""
        if not self._drags:
            return ()
        if self._blends:
            text = f"{EVERY_FRAME}: the pose is {self._over()}"
            own = (note for note in self.body.notes() if note.kind != "jumps")  # it is blended in
            return (*own, Note(text, "info"))
        unmet = worst(self._residual(drag) for drag in self._drags.values())
        if unmet is None and not any(drag.time_scale for drag in self._drags.values()):
            return ()
        text = f"{EVERY_FRAME}: its motion curves have nothing to bend"
        return (Note(text, "residual", unmet.size if unmet else 0.0, "keys on every frame"),)

    def _over(self) -> str:
        frames = round(BLEND * self.edited.take.rate)
        return f"blended in over {frames} frames before and after"

    def offer(self) -> Offer | None:
        """The same edit of the clip with few key poses, or where these are close, a blended pose.

        None where neither is to be had, or a blended pose is what the tool makes anyway.
        """
        if not self._drags:
            return None
        reduced = self._reduced()
        close = reduced is not None and self._close(reduced)
        if self._blends:
            return None if close else reduced
        if reduced is not None and not close and reduced.remaining <= DRAG_TOLERANCE:
            return reduced
        posed = self._posed()
        if close or posed is None or reduced is None:
            return posed or (None if close else reduced)
        return posed if posed.remaining < reduced.remaining else reduced

    def _close(self, offer: Offer) -> bool:
        """Whether the key poses around a drag are so close that its change would be a pop."""
        take = (
            offer.edit.apply(self.scene).actor(self.edited.actor.name).take(self.edited.take.name)
        )
        assert isinstance(take.base, Clip)
        return any(_is_close(take.base, drag.time) for drag in self._drags.values())

    def _posed(self) -> Offer | None:
        """The drag as a blended pose; None where it is no drag of positions at one time."""
        drags = list(self._drags.values())
        if any(drag.position is None or drag.time != self._time for drag in drags):
            return None
        points = [drag.point for drag in drags]
        held = prepare_pose(self.scene, self.edited, points, self._time, self.free, plant_feet=True)
        tasks = [drag_task(drag, index, 0) for index, drag in enumerate(drags)]
        model = PoseModel(self.edited.take.rig, held, tasks)
        found = solve_from_start(model)
        there = model.jacobian(found.x)
        unmet = worst(
            DragResidual.of(drag, there.position[0, index], there.orientation[0, index])
            for index, drag in enumerate(drags)
        )
        frame = self._time * self.edited.take.rate
        label = f"Pose {points[-1].joint} at frame {frame:g}"
        edit = self._blend(model.values(found.x), self._time, label)
        return Offer(f"Pose it here, {self._over()}", edit, unmet.size if unmet else 0.0)

    def _reduced(self) -> Offer | None:
        """The same edit of the clip with few key poses; None where that is not to be had."""
        take = self.edited.take
        if take.duration * take.rate > MOST_FRAMES:
            return None
        if take not in _reduced:
            tolerance = float(f"{TOLERANCE * _size(take):.0e}")  # one digit, as people say it
            _reduced[take] = Reduction(take).at(tolerance)
        found = _reduced[take]
        base = self.edited.curves[:-1]
        fewer = Change(base, self.edited.clip, as_played(take, found.fit))
        reduced = Edit("Reduce", (fewer,)).apply(self.scene)
        session = self._begin(reduced)
        for drag in self._drags.values():
            preview = session.update(drag)
        edit = session.finish()
        whole = edit.apply(reduced).actor(self.edited.actor.name).take(take.name)
        change = Change(base, self.edited.clip, whole.base)
        count, error = found.key_poses, f"{1000 * found.error:.1f} mm"
        text = f"Reduce to {count} key poses within {error}, and edit these?"
        label = f"{edit.label}, reduced to {count} key poses"
        left = preview.drag.remaining if preview.drag else 0.0
        return Offer(text, Edit(label, (change,)), left if left > DRAG_TOLERANCE else 0.0)

    def fork(self) -> BakedSession:
        """A session that stands where this one does, for another thread."""
        other = copy.copy(self)
        other.body, other._drags = self.body.fork(), dict(self._drags)
        return other


def _is_close(clip: Clip, time: float) -> bool:
    """Whether key poses around a time are so close that a change there would be a pop."""
    before, after = key_poses_around(clip, time)
    keyed = any(curve is not None and has_key(curve, time) for curve in clip.curves)
    return min(time - before, after - time) < BESIDE if keyed else after - before < CLOSE


def blended(before: Take, pose: Floats, time: float) -> dict[int, Curve]:
    """Curves whose keys around a time move by a share of what a pose (C,) changes at that time.

    Curves without a key on every frame there get them first.
    """
    assert isinstance(before.base, Clip)
    was, now = values_at(before, np.array([time]))[0], pose
    moved = set(np.flatnonzero(np.abs(now - was) > 1e-12).tolist())
    frames = _blend_frames(before.base, time)
    curves: dict[int, Curve] = {}
    for channels in _quaternions(before.rig):
        if moved & set(channels):
            found = [_keyed_on(before.base.curves[c], was[c], frames, True) for c in channels]
            part = list(channels)
            curves |= zip(channels, _rotated(found, was[part], now[part], time), strict=True)
            moved -= set(channels)
    for channel in sorted(moved):
        curve = _keyed_on(before.base.curves[channel], was[channel], frames, False)
        curves[channel] = _shifted(curve, (now - was)[channel], time)
    return curves


def _blend_frames(clip: Clip, time: float) -> Floats:
    """The key times of a baked clip over which a pose is blended in, and the time itself."""
    times = max((c.time for c in clip.curves if c is not None), key=len)
    inside = np.flatnonzero(np.abs(times - time) < BLEND)
    if len(inside) == 0:
        return np.array([time])
    near = times[max(inside[0] - 1, 0) : inside[-1] + 2]
    return near if np.abs(near - time).min() <= KEYED else np.sort(np.append(near, time))


def _keyed_on(curve: Curve | None, value: float, frames: Floats, slerp: bool) -> Curve:
    """The curve with a key on each of the frames; one that has no keys has its value there."""
    if curve is None:
        kind = Interpolation.SLERP if slerp else Interpolation.LINEAR
        return Curve.of(frames, np.full(len(frames), value), interpolation=kind)
    for frame in frames[np.abs(frames[:, None] - curve.time).min(axis=1) > KEYED]:
        if not curve.cyclic or curve.time[0] < frame < curve.time[-1]:
            curve = insert_key(curve, float(frame))
    return curve


def _shifted(curve: Curve, by: float, time: float) -> Curve:
    return replace(curve, value=curve.value + _share(curve.time, time) * by)


def _rotated(curves: list[Curve], was: Floats, now: Floats, time: float) -> list[Curve]:
    """The four curves of a joint, with a share of a rotation put before each key."""
    times = curves[0].time
    if not all(np.array_equal(curve.time, times) for curve in curves):
        return [_shifted(curve, by, time) for curve, by in zip(curves, now - was, strict=True)]
    turn = quaternion_multiply(
        quaternion_normalise(now), quaternion_conjugate(quaternion_normalise(was))
    )
    vector = vector_from_quaternion(turn[None])[0]
    parts = quaternion_from_vector(_share(times, time)[:, None] * vector)
    values = np.stack([curve.value for curve in curves], axis=-1)
    rotated = quaternion_multiply(parts, values)
    return [replace(curve, value=rotated[:, i]) for i, curve in enumerate(curves)]


def _quaternions(rig: Rig) -> list[tuple[int, ...]]:
    """The four channels of each joint that turns by a quaternion."""
    table = rig.channels
    parts = np.flatnonzero((table.kind >= Kind.QUATERNION_W) & (table.kind <= Kind.QUATERNION_Z))
    joints = np.unique(table.joint[parts])
    owned = [parts[table.joint[parts] == joint] for joint in joints]
    return [tuple(own[np.argsort(table.kind[own])].tolist()) for own in owned if len(own) == 4]


def _share(times: Floats, time: float) -> Floats:
    """(K,) 1 at the time, 0 from `BLEND` before to after, smooth between."""
    away = np.clip(np.abs(times - time) / BLEND, 0.0, 1.0)
    share: Floats = (1 - away) ** 2 * (1 + 2 * away)
    return share


def _size(take: Take) -> float:
    """Longest side of the box around the joints, m."""
    place = forward(take.rig, values_at(take, np.zeros(1)))[0, :, :3, 3]
    size = float(np.ptp(place, axis=0).max())
    return size if size > 0 else 1.0
