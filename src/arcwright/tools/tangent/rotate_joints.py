"""Rotate joints on motion curves: tangents of the rotated joints alone, or of limbs as well.

Handles keep their times, so the value of a curve at a time is linear in what is changed:
value = start + p dY0 - q dY1 (see `model.py`), solved with the smallest change of the handles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.curves.bezier_parameter import bezier_parameter
from arcwright.kinematics.end_effectors import EndEffector
from arcwright.kinematics.places import places
from arcwright.kinematics.rotation import matrix_from_quaternion
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.take_difference import changed_span
from arcwright.kinematics.trail import trail
from arcwright.objectives.edited_clip import EditedClip
from arcwright.objectives.freedom import Freedom
from arcwright.objectives.point_tasks import CONSTRAINT_WEIGHT, PointTask
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve
from arcwright.scene.edit import Change, Edit
from arcwright.scene.take import Take
from arcwright.solve.descent import StoppingCriteria, descend
from arcwright.solve.problem import Box
from arcwright.tools.gesture import Drag
from arcwright.tools.shared.joint_rotation import (
    KeyWriter,
    Reach,
    angle_residual,
    rotated,
    rotation_channels,
)
from arcwright.tools.shared.rotate import KEEP_ENDS, OFF, kept_ends
from arcwright.tools.tangent.diagnosis import KEY_POSES
from arcwright.tools.tangent.free_handles import free_handles, window
from arcwright.tools.tangent.handles import Handles, build_edit
from arcwright.tools.tangent.model import TangentModel
from arcwright.tools.tangent.preparation import PreparedEdit, check_times
from arcwright.tools.tool import Offer

if TYPE_CHECKING:
    from arcwright.tools.tangent.tool import TangentOptions

PREVIEW_CRITERIA = StoppingCriteria(max_iterations=4, step_tolerance=1e-5, cost_tolerance=1e-3)
RELEASE_CRITERIA = StoppingCriteria(max_iterations=32, step_tolerance=1e-6, cost_tolerance=1e-4)
NEXT_FRAME = 1.01  # frames; a key between keys this close causes a jump


@dataclass(frozen=True, eq=False)
class CurveJointRotator:
    """Joints rotated at some times by the tangents of their own curves."""

    edited: EditedClip
    options: TangentOptions
    one_frame: bool = False

    @property
    def keeps_ends(self) -> bool:
        """Whether hands and feet stay on their paths."""
        return self.options.rotate == KEEP_ENDS

    def rotated(self, drags: Sequence[Drag], *, limited: bool = True, closely: bool = True) -> Take:
        """The take with other tangents; smooth keys stay smooth where that is possible."""
        kind, take = self.options.tangents, self.edited.take
        unified = kind != "broken"
        found = rotated(take, drags, _HandleWriter(self.edited, unified, limited))
        if kind == "smooth" and (left := _worst(take, found, drags)) > OFF:
            other = rotated(take, drags, _HandleWriter(self.edited, False, limited))
            found = other if _worst(take, other, drags) < left - OFF else found
        ends = kept_ends(self.edited, drags) if self.keeps_ends else []
        return (
            self._with_ends_kept(found, ends, RELEASE_CRITERIA if closely else PREVIEW_CRITERIA)
            if ends
            else found
        )

    def blocker(self, drag: Drag) -> str:
        """Keys are not touched, and channels without any have no tangents."""
        rig, clip = self.edited.take.rig, self.edited.clip
        own = rotation_channels(rig, rig.joint(drag.point.joint)).tolist()
        without = [rig.channel_names[c] for c in own if clip.curves[c] is None]
        return f"missing keys of {' and '.join(without)}" if without else KEY_POSES

    def offer(self, drags: Sequence[Drag], edit: Edit) -> Offer | None:
        """Keys at the dragged times, on the rotated joints alone."""
        edited, first = self.edited, drags[0]
        writer = KeyWriter(edited.take.rig)
        if self.keeps_ends or len(drags) != 1 or self._pops(first):
            return None
        keyed, applied = rotated(edited.take, drags, writer), self.rotated(drags)
        left = angle_residual(edited.take, applied, first)
        gained = left - angle_residual(edited.take, keyed, first)
        if gained <= OFF:
            return None
        assert isinstance(keyed.base, Clip)
        pairs = enumerate(zip(edited.clip.curves, keyed.base.curves, strict=True))
        changes = [
            Change((*edited.curves, c), old, new) for c, (old, new) in pairs if old is not new
        ]
        frame, joint = first.time * edited.clip.rate, first.point.joint
        text = f"A key at frame {frame:g} rotates {joint} {np.degrees(gained):.1f}° further"
        return Offer(text, Edit(f"{edit.label}, with a key", tuple(changes)), 0.0)

    def _pops(self, drag: Drag) -> bool:
        """Whether keys stand right before and after: another value there would cause a jump."""
        rig, clip = self.edited.take.rig, self.edited.clip
        for channel in rotation_channels(rig, rig.joint(drag.point.joint)).tolist():
            curve = clip.curves[channel]
            away = np.zeros(0) if curve is None else (curve.time - drag.time) * clip.rate
            before, after = away[away < -0.01], away[away > 0.01]
            if before.max(initial=-np.inf) > -NEXT_FRAME and after.min(initial=np.inf) < NEXT_FRAME:
                return True
        return False

    def _with_ends_kept(
        self, take: Take, ends: Sequence[EndEffector], criteria: StoppingCriteria
    ) -> Take:
        """Each limb's tangents solved so that its hand or foot keeps the path it had."""
        span = changed_span(self.edited.take, take, np.arange(len(take.rig.channels)))
        for end in ends if span is not None else ():
            assert span is not None
            inside = max(span[0], 0.0), min(span[1], take.duration)
            take = self._with_end_kept(take, end, inside, criteria)
        return take

    def _with_end_kept(
        self, take: Take, end: EndEffector, span: tuple[float, float], criteria: StoppingCriteria
    ) -> Take:
        rig, clip = take.rig, take.base
        assert isinstance(clip, Clip)
        own = sorted(c for joint in end.limb for c in rotation_channels(rig, joint).tolist())
        channels = np.array(own, np.int64)
        span = window(clip, channels, list(span), 0)
        times = check_times(span, take.rate / 4)  # whole frames
        poses = values_at(take, times)
        free, unified = Freedom(self.edited.actor, take), self.options.tangents == "unified"
        handles = free_handles(free, clip, channels, span, poses, unified=unified)
        path = trail(self.edited.take, end.joint, times)
        turned = matrix_from_quaternion(path.orientation)
        kept = PointTask(
            rig.names[end.joint], 0, np.arange(len(times)), path.position, turned, CONSTRAINT_WEIGHT
        )
        where = places(rig, [end.joint])
        prepared = PreparedEdit((), where, times, poses, handles, (kept,), span, ())
        smooth = 0.0 if self.options.tangents == "broken" else 1.0
        model, reference = (
            TangentModel(rig, prepared, smoothness=smooth),
            np.zeros(len(handles.stiffness)),
        )
        found = descend(model, reference, handles.stiffness**2, reference, handles.box, criteria)
        return replace(take, base=_with(self.edited, clip, handles, found.x))


def _worst(before: Take, after: Take, drags: Sequence[Drag]) -> float:
    return max(angle_residual(before, after, drag) for drag in drags)


def _with(edited: EditedClip, clip: Clip, handles: Handles, x: Floats) -> Clip:
    """The clip with moved handles."""
    curves = list(clip.curves)
    for change in build_edit(replace(edited, clip=clip), handles, x, "").changes:
        assert isinstance(change.after, Curve)
        curves[int(change.address[-1])] = change.after
    return replace(clip, curves=tuple(curves))


class _Row(NamedTuple):
    """One channel at one time: value = start + by @ x[unknown]."""

    start: float
    by: Floats  # (m,)
    unknown: Ints  # (m,)


@dataclass(frozen=True, eq=False)
class _HandleWriter:
    """Changes the values of handles of the segments that hold a time; keys stay."""

    edited: EditedClip
    unified: bool  # smooth keys stay smooth, and take the neighbouring segment along
    limited: bool  # joint limits count

    def _handles(self, clip: Clip, channels: Ints, times: list[float]) -> Handles:
        free = Freedom(self.edited.actor, self.edited.take, follow=1.0)
        poses, span = np.zeros((1, len(clip.curves))), window(clip, channels, times, 0)
        return free_handles(
            free,
            clip,
            channels,
            span,
            poses,
            held=times,
            only_held=True,
            unified=self.unified,
            limited=self.limited,
            tasks_beyond=False,
        )

    def reach(self, clip: Clip, channels: Ints, pose: Floats, time: float) -> Reach:
        """What the handles can do at this time; slerp segments start a little beside the pose."""
        handles, found = self._handles(clip, channels, [time]), []
        for channel in channels.tolist():
            row = _row(handles, channel, time)
            if row is None:
                found.append((float(pose[channel]),) * 3)
                continue
            ends = row.by * handles.box.low[row.unknown], row.by * handles.box.high[row.unknown]
            fall, rise = np.minimum(*ends).sum(), np.maximum(*ends).sum()
            found.append((row.start, row.start + fall, row.start + rise))
        return Reach(*np.array(found).T)

    def written(self, clip: Clip, channels: Ints, times: Floats, values: Floats) -> Clip:
        """With the smallest change of handles that gives the values."""
        handles = self._handles(clip, channels, times.tolist())
        x = np.zeros(len(handles.stiffness))
        for column, channel in enumerate(channels.tolist()):
            rows = [_row(handles, channel, time) for time in times.tolist()]
            target = [
                (row, float(value))
                for row, value in zip(rows, values[:, column], strict=True)
                if row is not None and len(row.unknown)
            ]
            if target:
                unknown = np.unique(np.concatenate([row.unknown for row, _ in target]))
                matrix = np.zeros((len(target), len(unknown)))
                for index, (row, _) in enumerate(target):
                    np.add.at(matrix[index], np.searchsorted(unknown, row.unknown), row.by)
                lacking = np.array([value - row.start for row, value in target])
                box = Box(handles.box.low[unknown], handles.box.high[unknown])
                x[unknown] = _smallest(matrix, lacking, box)
        return _with(self.edited, clip, handles, x)


def _row(handles: Handles, channel: int, time: float) -> _Row | None:
    """How the handles around a time move a channel; None where no segment holds the time."""
    inside: Bools = (handles.begin <= time) & (time <= handles.begin + handles.length)
    found = np.flatnonzero(inside & (handles.channel == channel))
    if not len(found):
        return None
    s = int(found[0])
    (x0, y0), (x1, y1) = handles.start[2 * s : 2 * s + 2]
    length, (first, second) = handles.length[s], handles.value[s]
    out, into = np.minimum(np.array([[x0], [x1]]) / length, 1.0)
    at = float(bezier_parameter(out, into, np.array([(time - handles.begin[s]) / length]))[0])
    p, q = 3 * at * (1 - at) ** 2, 3 * at * at * (1 - at)
    start = first + (at**3 + q) * (second - first) + p * y0 - q * y1
    by = np.array([p, -q]) * handles.factor[2 * s : 2 * s + 2, 1]
    unknown = handles.unknown[2 * s : 2 * s + 2, 1]
    moves = (unknown >= 0) & (np.abs(by) > 1e-9)
    return _Row(float(start), by[moves], unknown[moves])


def _smallest(matrix: Floats, target: Floats, box: Box) -> Floats:
    """The smallest x in the box with matrix @ x = target, or close to it."""
    x, free = np.zeros(matrix.shape[1]), np.ones(matrix.shape[1], bool)
    while free.any():
        left = target - matrix[:, ~free] @ x[~free]
        x[free] = np.linalg.lstsq(matrix[:, free], left, rcond=1e-12)[0]
        outside = free & (x != box.clip(x))
        if not outside.any():
            break
        x, free = box.clip(x), free & ~outside
    return x
