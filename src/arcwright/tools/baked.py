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
from arcwright.errors import BadValue
from arcwright.kinematics.forward import forward
from arcwright.kinematics.reduce import as_played, is_baked
from arcwright.kinematics.reduction import Reduced, Reduction
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
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve
from arcwright.scene.edit import Change, Edit
from arcwright.scene.rig import Kind, Rig
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.tools.gesture import Drag, Gesture
from arcwright.tools.hold import Hold
from arcwright.tools.missed import SHORT, Missed, worst
from arcwright.tools.tool import Note, Offer, Preview, Session

BLEND = 0.25  # s before and after a pose, over which it is blended in
TOLERANCE = 0.003  # of the character's size, of the reduction that is offered
MOST_FRAMES = 1500  # of a take: longer ones take too long to be reduced without being asked for
EVERY_FRAME = "This clip has a key on every frame"

_known: WeakKeyDictionary[Clip, bool] = WeakKeyDictionary()
_reduced: WeakKeyDictionary[Take, Reduced] = WeakKeyDictionary()


def has_key_on_every_frame(hold: Hold) -> bool:
    """Whether a take is baked; remembered for each clip."""
    clip = hold.clip
    if clip not in _known:
        _known[clip] = is_baked(clip)
    return _known[clip]


class BakedSession:
    """A tool's session on a clip with a key on every frame."""

    def __init__(
        self,
        scene: Scene,
        hold: Hold,
        begin: Callable[[Scene], Session],
        *,
        blends: bool,
    ) -> None:
        self.scene, self.hold = scene, hold
        self.body = begin(scene)
        self._begin = begin
        self._blends = blends  # whether the tool sets keys at one frame
        self._drags: dict[tuple[str, bytes, float], Drag] = {}
        self._time = 0.0

    def update(self, gesture: Gesture) -> Preview:
        """The edit as it would be with this gesture."""
        if not isinstance(gesture, Drag):
            raise BadValue("gesture", "a Drag", type(gesture).__name__)
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
        """What there is, as it is."""
        take = self.hold.take
        place = trail(take, drag.point, [drag.time]).position[0]
        pose = values_at(take, np.array([drag.time]))[0]
        short = self._missed(drag).short
        nothing = Edit(f"Drag {drag.point.joint}")
        moment = drag.time, drag.time
        return Preview(lambda: nothing, self.notes, short, place, pose, lambda: moment)

    def _missed(self, drag: Drag) -> Missed:
        world = trail(self.hold.take, drag.point, [drag.time])
        return Missed.of(drag, world.position[0], matrix_from_quaternion(world.orientation[0]))

    def _frames(self) -> tuple[float, float]:
        return max(self._time - BLEND, 0.0), min(self._time + BLEND, self.hold.take.duration)

    def finish(self) -> Edit:
        """One undo step."""
        return self._blended(self.body.finish(), self._time) if self._blends else Edit("Drag")

    def _blended(self, edit: Edit, time: float) -> Edit:
        if edit.empty:
            return edit
        after = edit.apply(self.scene).actor(self.hold.actor.name).take(self.hold.take.name)
        curves = blended(self.hold.take, after, time)
        changes = tuple(
            Change((*self.hold.curves, channel), self.hold.clip.curves[channel], curve)
            for channel, curve in curves.items()
        )
        return Edit(edit.label, changes)

    def notes(self) -> tuple[Note, ...]:
        """What the tool has to say, and that the clip is baked."""
        if not self._drags:
            return ()
        if self._blends:
            frames = round(BLEND * self.hold.take.rate)
            text = f"{EVERY_FRAME}: the pose is blended in over {frames} frames before and after"
            return (*self.body.notes(), Note(text, "said"))
        missed = worst(self._missed(drag) for drag in self._drags.values())
        if missed is None and not any(drag.time_scale for drag in self._drags.values()):
            return ()
        text = f"{EVERY_FRAME}: its motion curves have nothing to bend"
        return (Note(text, "short", missed.size if missed else 0.0, "keys on every frame"),)

    def offer(self) -> Offer | None:
        """The same edit of the clip with few key poses; None where that is not to be had."""
        take = self.hold.take
        if not self._drags or take.duration * take.rate > MOST_FRAMES:
            return None
        if take not in _reduced:
            tolerance = float(f"{TOLERANCE * _size(take):.0e}")  # one digit, as people say it
            _reduced[take] = Reduction(take).at(tolerance)
        found = _reduced[take]
        base = self.hold.curves[:-1]
        fewer = Change(base, self.hold.clip, as_played(take, found.fit))
        reduced = Edit("Reduce", (fewer,)).apply(self.scene)
        session = self._begin(reduced)
        for drag in self._drags.values():
            preview = session.update(drag)
        edit = session.finish()
        whole = edit.apply(reduced).actor(self.hold.actor.name).take(take.name)
        change = Change(base, self.hold.clip, whole.base)
        count, error = found.key_poses, f"{1000 * found.error:.1f} mm"
        text = f"Reduce the clip to {count} key poses, at most {error} off, and make the edit there"
        label = f"{edit.label}, reduced to {count} key poses"
        left = preview.short if preview.short > SHORT else 0.0
        ask = f"Reduce to {count} key poses within {error}?"
        return Offer(text, Edit(label, (change,)), left, ask)

    def aside(self) -> BakedSession:
        """A session that stands where this one does, for another thread."""
        other = copy.copy(self)
        other.body, other._drags = self.body.aside(), dict(self._drags)
        return other


def blended(before: Take, after: Take, time: float) -> dict[int, Curve]:
    """Curves whose keys around a time move by a share of what the pose changes at that time."""
    was, now = (values_at(take, np.array([time]))[0] for take in (before, after))
    assert isinstance(before.base, Clip)
    assert isinstance(after.base, Clip)
    moved = set(np.flatnonzero(np.abs(now - was) > 1e-12).tolist())
    curves: dict[int, Curve] = {}
    for channels in _quaternions(before.rig):
        if moved & set(channels) and all(before.base.curves[c] is not None for c in channels):
            curves |= _turned(before.base, channels, was[list(channels)], now[list(channels)], time)
            moved -= set(channels)
    for channel in sorted(moved):
        curve = before.base.curves[channel]
        if curve is None:
            added = after.base.curves[channel]
            assert added is not None
            curves[channel] = added
            continue
        share = _share(curve.time, time)
        curves[channel] = replace(curve, value=curve.value + share * (now - was)[channel])
    return curves


def _turned(
    clip: Clip, channels: tuple[int, ...], was: Floats, now: Floats, time: float
) -> dict[int, Curve]:
    """The four curves of a joint, with a share of a rotation put before each key."""
    found = [clip.curves[channel] for channel in channels]
    kept = [curve for curve in found if curve is not None]
    times = kept[0].time
    if not all(np.array_equal(curve.time, times) for curve in kept):
        share = [_share(curve.time, time) for curve in kept]
        pairs = zip(channels, kept, share, now - was, strict=True)
        return {c: replace(curve, value=curve.value + part * by) for c, curve, part, by in pairs}
    turn = quaternion_multiply(
        quaternion_normalise(now), quaternion_conjugate(quaternion_normalise(was))
    )
    vector = vector_from_quaternion(turn[None])[0]
    parts = quaternion_from_vector(_share(times, time)[:, None] * vector)
    values = np.stack([curve.value for curve in kept], axis=-1)
    turned = quaternion_multiply(parts, values)
    return {
        c: replace(curve, value=turned[:, i])
        for i, (c, curve) in enumerate(zip(channels, kept, strict=True))
    }


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
