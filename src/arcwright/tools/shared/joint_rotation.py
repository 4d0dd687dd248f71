"""Joint rotation: channel values and curves that give joints an orientation (forward kinematics).

Only the rotation channels of the rotated joints are written, so their positions and everything that
is not below them stay as they are, bit for bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.curves.first_key import first_key, key_poses_around, with_guard_keys
from arcwright.curves.local_key import set_key_locally
from arcwright.curves.pack import excerpt
from arcwright.curves.set_key import has_key, key_time
from arcwright.kinematics.forward import orientation
from arcwright.kinematics.rotation import (
    euler_from_matrix,
    matrix_from_euler,
    matrix_from_quaternion,
    quaternion_from_matrix,
    quaternion_multiply,
    quaternion_normalise,
    vector_from_matrix,
    wrap,
)
from arcwright.kinematics.sample import values_at
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve
from arcwright.scene.rig import QUATERNION, Kind, Rig
from arcwright.scene.take import Take
from arcwright.solve.descent import StoppingCriteria, descend
from arcwright.solve.model import Linearisation
from arcwright.solve.problem import Box
from arcwright.tools.gesture import Drag

LEAST_ROTATION = 1e-7  # rad; smaller rotations leave a joint unchanged
MET = 1e-9  # rad; an orientation this near is met
_REGULARISATION = 1e-9
_CLOSELY = StoppingCriteria(max_iterations=60, step_tolerance=1e-12, cost_tolerance=1e-14)


class Reach(NamedTuple):
    """Current values and bounds of n channels at a time."""

    start: Floats  # (n,) current values
    low: Floats  # (n,)
    high: Floats  # (n,)


class CurveWriter(Protocol):
    """How a tool changes curves so that channels have other values at some times."""

    def reach(self, clip: Clip, channels: Ints, pose: Floats, time: float) -> Reach:
        """The values that can be written; `pose` (C,) is how the clip is at the time."""
        ...

    def written(self, clip: Clip, channels: Ints, times: Floats, values: Floats) -> Clip:
        """The clip with values (T, n) at the times, as near as can be."""
        ...


def rotation_channels(rig: Rig, joint: int) -> Ints:
    """(n,) w, x, y, z of a quaternion, or the Euler angles that exist, as the mode's letters go."""
    mode, table = rig.modes[joint], rig.channels
    letters = [Kind[f"QUATERNION_{c}"] for c in "WXYZ"]
    if mode != QUATERNION:
        letters = [Kind[f"ROTATE_{c}"] for c in mode]
    own = {int(table.kind[c]): c for c in np.flatnonzero(table.joint == joint).tolist()}
    return np.array([own[kind] for kind in letters if kind in own], np.int64)


def rotated(take: Take, drags: Sequence[Drag], writer: CurveWriter) -> Take:
    """The take with every dragged joint in the requested orientation, parents before children."""
    rig, clip = take.rig, take.base
    assert isinstance(clip, Clip)
    asked: dict[int, dict[float, Floats]] = {}
    for drag in drags:
        assert drag.orientation is not None
        asked.setdefault(rig.joint(drag.point.joint), {})[drag.time] = drag.orientation
    for joint, turns in sorted(asked.items()):
        channels = rotation_channels(rig, joint)
        times = np.array(list(turns))
        poses = values_at(replace(take, base=clip), times)
        wanted = matrix_from_quaternion(np.array(list(turns.values())))
        if not len(channels) or (_angles(rig, poses, joint, wanted) < LEAST_ROTATION).all():
            continue
        local = _above(rig, poses, joint).swapaxes(-1, -2) @ wanted
        values = np.empty((len(times), len(channels)))
        for each, time in enumerate(times.tolist()):
            start, low, high = writer.reach(clip, channels, poses[each], time)
            values[each] = nearest_rotation(rig, joint, local[each], start, Box(low, high))
        clip = writer.written(clip, channels, times, values)
    return replace(take, base=clip)


def angle_residual(before: Take, take: Take, drag: Drag) -> float:
    """How far a joint of an edited take is from the requested orientation, rad."""
    assert drag.orientation is not None
    pose, joint = pose_at(before, take, drag.time), take.rig.joint(drag.point.joint)
    return float(_angles(take.rig, pose[None], joint, matrix_from_quaternion(drag.orientation))[0])


def pose_at(before: Take, after: Take, time: float) -> Floats:
    """(C,) values of an edited take; only joints whose curves changed are evaluated anew."""
    assert isinstance(before.base, Clip)
    assert isinstance(after.base, Clip)
    pose: Floats = values_at(before, np.array([time]))[0]
    pairs = enumerate(zip(before.base.curves, after.base.curves, strict=True))
    changed = [channel for channel, (old, new) in pairs if old is not new]
    if changed:
        owner = after.rig.channels.joint
        channels = np.flatnonzero(np.isin(owner, owner[changed]))
        near = replace(after, base=excerpt(after.base, channels, (time, time)))
        pose[channels] = values_at(near, np.array([time]))[0, channels]
    return pose


def _angles(rig: Rig, poses: Floats, joint: int, wanted: Floats) -> Floats:
    """(T,) rad between an orientation and the requested one."""
    is_now = matrix_from_quaternion(orientation(rig, poses, [joint])[:, 0])
    return np.asarray(np.linalg.norm(vector_from_matrix(wanted @ is_now.swapaxes(-1, -2)), axis=-1))


def _above(rig: Rig, poses: Floats, joint: int) -> Floats:
    """(T, 3, 3) orientation of a joint whose channels do not rotate it."""
    parent, rest = int(rig.parents[joint]), rig.rest[joint]
    if parent < 0:
        return np.broadcast_to(matrix_from_quaternion(rest), (len(poses), 3, 3))
    return matrix_from_quaternion(
        quaternion_multiply(orientation(rig, poses, [parent])[:, 0], rest)
    )


def nearest_rotation(rig: Rig, joint: int, wanted: Floats, start: Floats, box: Box) -> Floats:
    """(n,) values of `rotation_channels` in the box that come nearest to a local rotation (3, 3).

    Of equally near ones those near `start`: angles do not jump by whole turns, quaternions keep
    their sign and length.
    """
    model = _Rotation(rig, joint, wanted)
    nearest = min((box.clip(guess) for guess in model.guesses(start)), key=model.angle)
    if model.angle(nearest) <= MET:
        return nearest
    regularisation = np.full(len(start), _REGULARISATION)
    return descend(model, nearest, regularisation, nearest, box, _CLOSELY).x


class _Rotation:
    """How far the rotation of a joint is from a wanted one, as a function of its channels."""

    def __init__(self, rig: Rig, joint: int, wanted: Floats) -> None:
        self.mode, self.wanted = rig.modes[joint], wanted
        kinds = rig.channels.kind[rotation_channels(rig, joint)].tolist()
        letters = [Kind(kind).name[-1] for kind in kinds]
        self.held: Bools = np.array([letter in letters for letter in self.mode], bool)

    def guesses(self, start: Floats) -> list[Floats]:
        """Values that would do if no channel were missing and nothing bounded them."""
        if self.mode == QUATERNION:
            found = quaternion_from_matrix(self.wanted) * max(float(np.linalg.norm(start)), 1e-6)
            return [found if found @ start >= 0 else -found, start]
        near = self._all_angles(start)
        first = euler_from_matrix(self.wanted, self.mode, near)
        other = first * [1.0, -1.0, 1.0] + [np.pi, np.pi, np.pi]  # the same rotation
        flipped = near + wrap(other - near)
        return [first[self.held], flipped[self.held], start]

    def _all_angles(self, values: Floats) -> Floats:
        angles = np.zeros(3)
        angles[self.held] = values
        return angles

    def matrix(self, values: Floats) -> Floats:
        """(3, 3)."""
        if self.mode == QUATERNION:
            return matrix_from_quaternion(quaternion_normalise(values))
        return matrix_from_euler(self._all_angles(values), self.mode)

    def _missing(self, values: Floats) -> Floats:
        return vector_from_matrix(self.wanted @ self.matrix(values).T)

    def angle(self, values: Floats) -> float:
        """Rad to the wanted rotation."""
        return float(np.linalg.norm(self._missing(values)))

    def linearise(self, x: Floats) -> Linearisation:
        """The rotation vector that is missing, and how channels change it."""
        residual = self._missing(x)
        return Linearisation(residual, self._axes(x), np.ones(3), 0.5 * float(residual @ residual))

    def _axes(self, values: Floats) -> Floats:
        """(3, n) rotation vector for a unit of each channel."""
        if self.mode == QUATERNION:
            w, x, y, z = values
            around = [[-x, w, -z, y], [-y, z, w, -x], [-z, -y, x, w]]
            return 2 * np.array(around) / max(float(values @ values), 1e-12)
        turn, columns = np.eye(3), []
        for letter, angle in zip(self.mode, self._all_angles(values), strict=True):
            axis = np.eye(3)["XYZ".index(letter)]
            columns.append(turn @ axis)
            turn = turn @ _around(axis, angle)
        return np.stack(columns, axis=-1)[:, self.held]


def _around(axis: Floats, angle: float) -> Floats:
    """(3, 3) rotation about a unit axis."""
    x, y, z = axis
    across = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    turned: Floats = np.eye(3) + np.sin(angle) * across + (1 - np.cos(angle)) * across @ across
    return turned


@dataclass(frozen=True)
class KeyWriter:
    """Sets keys: all rotation channels of a joint get one at the time."""

    rig: Rig
    limited: bool = True  # joint limits count
    only_existing: bool = False  # no key is added where there is none

    def reach(self, clip: Clip, channels: Ints, pose: Floats, time: float) -> Reach:
        """Joint limits; a pose that breaks them may stay where it is."""
        now, table = pose[channels], self.rig.channels
        low, high = table.low[channels], table.high[channels]
        if not self.limited:
            low, high = np.full(len(now), -np.inf), np.full(len(now), np.inf)
        fixed = ~np.array([self._can_have_key(clip.curves[c], time) for c in channels], bool)
        low, high = np.minimum(low, now), np.maximum(high, now)
        return Reach(now, np.where(fixed, now, low), np.where(fixed, now, high))

    def _can_have_key(self, curve: Curve | None, time: float) -> bool:
        if curve is None:
            return not self.only_existing
        return has_key(curve, time) if self.only_existing else key_time(curve, time) is not None

    def written(self, clip: Clip, channels: Ints, times: Floats, values: Floats) -> Clip:
        """With keys on all channels that can have one."""
        curves = list(clip.curves)
        for time, row in zip(times.tolist(), values.tolist(), strict=True):
            around = key_poses_around(clip, time)
            for channel, value in zip(channels.tolist(), row, strict=True):
                curve = curves[channel]
                if not self._can_have_key(curve, time):
                    continue
                if curve is None:
                    was = float(self.rig.channels.default[channel])
                    curves[channel] = first_key(clip, time, was, value)
                else:
                    guarded = curve
                    if not self.only_existing:
                        guarded = with_guard_keys(curve, time, value, around)
                    curves[channel] = set_key_locally(guarded, time, value)
        return replace(clip, curves=tuple(curves))
