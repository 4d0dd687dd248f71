"""Keyframe reduction: few key poses for any take and position tolerance.

`fit` does it at once; a `Reduction` is prepared once and then fast to query for any tolerance.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from arcwright.arrays import Bools, Floats, Ints
from arcwright.curves.evaluate import evaluate
from arcwright.curves.fit import Fit, continuous, spline_curves
from arcwright.curves.key_removal import remove_keys
from arcwright.curves.keyed_spline import LOOSER, NEARLY, Spline, fit_keys
from arcwright.curves.pack import pack_curves, quaternion_channels
from arcwright.curves.spline_part import Target
from arcwright.errors import BadValue
from arcwright.kinematics.channel_key_removal import remove_channel_keys
from arcwright.kinematics.contact import footplants
from arcwright.kinematics.deviation import Deviation
from arcwright.kinematics.lever_arms import units_per_metre
from arcwright.kinematics.sample import sample
from arcwright.scene.clip import Clip
from arcwright.scene.constraint import Contact
from arcwright.scene.curve import Curve, Interpolation
from arcwright.scene.motion import Motion
from arcwright.scene.rig import Kind, Rig
from arcwright.scene.take import Take

Poses: TypeAlias = Literal["aligned", "per-channel"]
Progress: TypeAlias = Callable[[float], None]

MOST_SAMPLES = 2_000_000  # of a clip, whose few keys may last very long; a motion has its samples
SEARCHED = 60.0  # candidate times of key poses per second
CONTACT = 2.0  # cost factor of removing a key at the start or end of a footplant
PLANTED = 2.0  # weight of the deviation of a planted foot
PERSON = 1.7  # m, the size for which the next two are written
IMPACT = 60.0  # m/s2: joints that hit something speed up or slow down more
NEAR = 4  # moments before and after an impact
SUDDEN = 2.0  # how much faster joints speed up or slow down at an impact than near it
JUMP = 0.3  # m/s: where its slope jumps less, a channel stays smooth at an impact
ROOMY = 1.2  # as LOOSER, where single channels lose keys afterwards
QUIET = 0.02  # of the tolerance: channels that move less have one key


@dataclass(frozen=True, eq=False)
class Reduced:
    """Key poses within a tolerance."""

    fit: Fit
    key_poses: int
    error: float  # m, largest of any joint and of points a little off each joint


class Reduction:
    """The key poses of a take: all channels that move are keyed at the same moments.

    With `smooth`, keys have two slopes only where the motion has an impact; else all have.
    """

    def __init__(
        self, take: Take, *, smooth: bool = True, progress: Progress | None = None
    ) -> None:
        _check_length(take)
        self.take, self._stepped = take, _stepped_channels(take)
        motion = sample(take, _fitted_times(take))
        time, values = motion.time, np.ascontiguousarray(continuous(motion, take.rig).T)
        plants = footplants(take)
        self._plain = Deviation.of(take.rig, values)
        aim = replace(self._plain, strict=_strict(self._plain, time, plants))
        self._units = units_per_metre(take.rig, aim)  # (C,)
        cost = np.ones(len(time))
        cost[1:][(np.diff(values[:, self._stepped], axis=0) != 0).any(axis=1)] = np.inf
        self._moments = _moments(time, np.flatnonzero(cost > 1))
        _set_contacts(cost, time, self._moments, plants)
        moving, quaternions = self._moving(values)
        broken = np.full((len(time), len(moving)), not smooth)
        if smooth:
            at = self._moments
            broken[at] = _impacts(time[at], aim.at(at), self._units)[:, moving]
        units = self._units[moving]
        self._target = Target(time, aim, moving, broken, cost, quaternions, units)
        self._removals = remove_keys(self._target, self._moments, progress)
        self._has_sliding_joints = _sliding_joints(take.rig, moving) > 1
        self._known: dict[tuple[float, Poses], Reduced] = {}
        self._last: tuple[tuple[float, Poses], Spline] | None = None

    def at(self, tolerance: float, poses: Poses = "aligned") -> Reduced:
        """The key poses that keep every joint within `tolerance` metres at each sample."""
        check_tolerance(tolerance)
        if poses not in get_args(Poses):
            raise BadValue("poses", " or ".join(get_args(Poses)), repr(poses))
        if (tolerance, poses) not in self._known:
            made = self._fit(self._spline(tolerance, poses), tolerance, poses)
            assert made.deviation is not None
            found = Reduced(made, made.key_poses, made.deviation)
            self._known[tolerance, poses] = found
        return self._known[tolerance, poses]

    def key_poses(self, tolerance: float, poses: Poses = "aligned") -> int:
        """How many key poses a tolerance needs; quicker than `at` per channel."""
        check_tolerance(tolerance)
        return len(self._spline(tolerance, poses).keys)

    def _spline(self, tolerance: float, poses: Poses) -> Spline:
        """The key poses; by least squares where single channels, or joints, need more room."""
        if self._last is None or self._last[0] != (tolerance, poses):
            roomy = poses == "per-channel" or self._has_sliding_joints
            looser, nearly = (ROOMY, 1.0) if roomy else (LOOSER, NEARLY)
            keys, nodes = self._removals.at(self._removals.within(looser * tolerance))
            spline = fit_keys(self._target, keys, nodes, tolerance, nearly)
            self._last = (tolerance, poses), spline
        return self._last[1]

    def _moving(self, values: Floats) -> tuple[Ints, Ints]:
        """(M,) channels to fit, and (Q, 4) the quaternions among them; these move as a whole."""
        moves = np.ptp(values, axis=0) > 0
        four = quaternion_channels(self.take.rig)
        moves[four] = moves[four].any(axis=1, keepdims=True)
        moves[self._stepped] = False
        moving = np.flatnonzero(moves)
        return moving, np.searchsorted(moving, four[moves[four].all(axis=1)])

    def _fit(self, spline: Spline, tolerance: float, poses: Poses) -> Fit:
        """The clip; nearly constant channels have one key if the tolerance allows."""
        target = self._target
        units = self._units[target.moving]
        aligned = poses == "aligned"
        curves = spline_curves(spline) if aligned else remove_channel_keys(spline, units, tolerance)
        quiet = np.ptp(target.aim.values, axis=0)[target.moving] / 2 <= QUIET * tolerance * units
        quiet[target.quaternions] = quiet[target.quaternions].all(axis=1, keepdims=True)
        made = self._clip(curves, quiet)
        if target.aim.largest(self._values(made)).max() > tolerance:
            made = self._clip(curves, np.full(len(quiet), False))
        values, plain = self._values(made), self._plain
        return Fit(
            made,
            abs(values - plain.values).max(axis=0, initial=0.0),
            values.size,
            made.key_count,
            float(plain.joints(values).max()),
            float(plain.largest(values).max()),
        )

    def _clip(self, moving: Sequence[Curve], quiet: Bools) -> Clip:
        target, base = self._target, self.take.base
        time, values = target.time, target.aim.values
        middle = (values.max(axis=0) + values.min(axis=0)) / 2
        curves = [_one_key(time[0], value) for value in middle.tolist()]
        for own in np.flatnonzero(~quiet).tolist():
            curves[int(target.moving[own])] = moving[own]
        for channel in self._stepped.tolist():
            curves[channel] = _stepped_curve(time, values[:, channel])
        return Clip(base.name, tuple(curves), max(float(time[-1]), 0.0), base.rate)

    def _values(self, clip: Clip) -> Floats:
        default = np.zeros(len(clip.curves))
        return evaluate(pack_curves(clip.curves, default), self._target.time)


def _sliding_joints(rig: Rig, moving: Ints) -> int:
    """How many joints are translated: feet beside their legs leave them where both deviate."""
    table = rig.channels
    translated = (table.kind >= Kind.TRANSLATE_X) & (table.kind <= Kind.TRANSLATE_Z)
    return len(set(table.joint[moving[translated[moving]]].tolist()))


def check_tolerance(tolerance: float) -> None:
    """Raise for a tolerance that is not a positive length."""
    if not 0 < tolerance < float("inf"):
        raise BadValue("tolerance", "metres above 0", tolerance)


def _check_length(take: Take) -> None:
    """Refuse clips that would have too many samples."""
    if isinstance(take.base, Clip) and take.frame_count * len(take.rig.channels) > MOST_SAMPLES:
        most = MOST_SAMPLES // max(len(take.rig.channels), 1)
        raise BadValue("length of the take to fit", f"at most {most} frames", take.frame_count)


def _fitted_times(take: Take) -> Floats:
    """A motion is fitted at its samples; a clip at its frames, and at its keys between them."""
    base = take.base
    if isinstance(base, Motion):
        return base.time
    frames = take.frame_times()
    keys = [curve.time for curve in base.curves if curve is not None]
    within = np.unique(np.concatenate(keys)) if keys else np.zeros(0)
    within = within[(within > 0) & (within < take.duration)]
    off = abs(within * take.rate - np.round(within * take.rate)) > 0.01
    return np.unique(np.concatenate([frames, within[off]]))


def _moments(time: Floats, always: Ints) -> Ints:
    """The candidate samples for key poses, at most about `SEARCHED` per second."""
    last = len(time) - 1
    rate = last / (time[-1] - time[0]) if last else 0.0
    every = np.arange(0, last + 1, max(1, round(rate / SEARCHED)))
    return np.unique(np.concatenate([every, always, [last]]))


def _set_contacts(cost: Floats, time: Floats, moments: Ints, plants: Sequence[Contact]) -> None:
    """Raise the cost of keys at which footplants start and end."""
    for moment in (each for plant in plants for each in (plant.start, plant.end)):
        nearest = moments[abs(time[moments] - moment).argmin()]
        cost[nearest] = max(cost[nearest], CONTACT)


def _strict(aim: Deviation, time: Floats, plants: Sequence[Contact]) -> Floats:
    """(T, J) weights of deviations, larger for planted feet."""
    strict = np.ones(aim.world.shape[:2])
    for plant in plants:
        on = (time >= plant.start - 1e-9) & (time <= plant.end + 1e-9)
        strict[on, aim.rig.joint(plant.point.joint)] = PLANTED
    return strict


def _impacts(time: Floats, aim: Deviation, units: Floats) -> Bools:
    """(T, C) impacts: samples at which the slope of a channel jumps."""
    found = np.full(aim.values.shape, False)
    if len(time) < 3:
        return found
    length = (time[2:] - time[:-2]) / 2
    hit = np.linalg.norm(_jumps(time, aim.world[..., 3]), axis=-1).max(axis=1) / length
    near = sliding_window_view(np.pad(hit, NEAR, mode="edge"), 2 * NEAR + 1)
    peak = (hit >= near[:, NEAR - 1]) & (hit >= near[:, NEAR + 1])
    peak &= (hit > IMPACT * aim.size / PERSON) & (hit > SUDDEN * np.median(near, axis=1))
    jump = abs(_jumps(time, aim.values)) / units
    found[1:-1] = peak[:, None] & (jump > JUMP * aim.size / PERSON)
    four = quaternion_channels(aim.rig)
    found[:, four] = found[:, four].any(axis=-1, keepdims=True)
    return found


def _jumps(time: Floats, values: Floats) -> Floats:
    """(T - 2, ...) slope after less slope before each sample but the first and last."""
    length = np.diff(time).reshape(-1, *[1] * (values.ndim - 1))
    return np.asarray(np.diff(np.diff(values, axis=0) / length, axis=0))


def _stepped_channels(take: Take) -> Ints:
    """Channels whose curve only steps from value to value."""
    if not isinstance(take.base, Clip) or take.layers:
        return np.zeros(0, np.int64)
    return np.flatnonzero([curve is not None and _steps_only(curve) for curve in take.base.curves])


def _steps_only(curve: Curve) -> bool:
    return len(curve) > 1 and bool((curve.interpolation[:-1] == Interpolation.STEP).all())


def _one_key(time: float, value: float) -> Curve:
    return Curve.of([time], [value], interpolation=Interpolation.BEZIER)


def _stepped_curve(time: Floats, values: Floats) -> Curve:
    """A key wherever the value changes."""
    keys = np.flatnonzero(np.diff(values, prepend=np.inf) != 0)
    return Curve.of(time[keys], values[keys], interpolation=Interpolation.STEP)


def fit(
    take: Take,
    tolerance: float,
    *,
    poses: Poses = "aligned",
    smooth: bool = True,
    progress: Progress | None = None,
) -> Fit:
    """A clip with few key poses; every joint within `tolerance` metres at each sample.

    The same holds for points a little off each joint, so that no rotation about a bone is lost;
    planted feet stay within half the tolerance. With `poses="aligned"` every channel that moves
    has a key at every key pose; with "per-channel" only at those it needs, of somewhat more. With
    `smooth`, handles are aligned except where the motion has an impact; else all are broken.
    """
    check_tolerance(tolerance)  # before the time it takes
    return Reduction(take, smooth=smooth, progress=progress).at(tolerance, poses).fit


def as_played(take: Take, made: Fit) -> Clip:
    """The clip of a fit with the length, loop and cycles of the take."""
    clip = replace(made.clip, duration=take.duration)
    if isinstance(take.base, Clip):
        each = zip(take.base.curves, clip.curves, take.rig.channels.default, strict=True)
        curves = tuple(
            _with_extrapolation(old, _unless_default(old, new, rest)) for old, new, rest in each
        )
        clip = replace(clip, curves=curves, loops=take.base.loops)
    return clip


def _unless_default(old: Curve | None, new: Curve | None, rest: float) -> Curve | None:
    """None if a channel without keys still has its default value."""
    idle = old is None and new is not None and bool(np.abs(new.value - rest).max() < 1e-9)
    return None if idle else new


def _with_extrapolation(old: Curve | None, new: Curve | None) -> Curve | None:
    """The new curve with the extrapolation of the old one, if first and last time are equal."""
    if old is None or new is None or not old.cyclic:
        return new
    if abs(old.time[[0, -1]] - new.time[[0, -1]]).max() > 1e-9:
        return new
    return replace(new, before=old.before, after=old.after)
