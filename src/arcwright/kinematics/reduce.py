"""Keyframe reduction: fit a clip with few key poses to any take, within a position tolerance."""

from __future__ import annotations

from dataclasses import replace
from weakref import WeakKeyDictionary

import numpy as np

from arcwright.curves.fit import Fit
from arcwright.kinematics.reduction import Poses, Progress, Reduction, check_tolerance
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve
from arcwright.scene.take import Take

BAKED_SPAN = 0.9  # of a clip's frames: a curve with keys at as many is baked
BAKED_SHARE = 0.5  # of the moving curves: a clip with as many baked ones is baked
SHORTEST = 8  # frames; no shorter clip counts as baked
STILL = 1e-5  # of a curve's size: what changes less is the noise of exporters

_baked: WeakKeyDictionary[Clip, bool] = WeakKeyDictionary()


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
    has a key at every key pose; with "per-channel" only at those it needs. With `smooth`, handles
    are aligned except where the motion has an impact; else all are broken.
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


def is_baked(clip: Clip) -> bool:
    """Whether most curves that move have a key on nearly every frame; remembered for each clip.

    Exporters write still channels with two keys that differ by the noise of 32-bit numbers.
    """
    if clip not in _baked:
        _baked[clip] = _has_key_on_every_frame(clip)
    return _baked[clip]


def _has_key_on_every_frame(clip: Clip) -> bool:
    frames = int(np.floor(clip.duration * clip.rate + 1e-3)) + 1
    if frames < SHORTEST:
        return False
    moving = [c for c in clip.curves if c is not None and _moves(c.value)]
    baked = [_frames_with_keys(curve.time, clip) >= BAKED_SPAN * frames for curve in moving]
    return bool(moving) and sum(baked) >= BAKED_SHARE * len(moving)


def _moves(values: np.ndarray) -> bool:
    return bool(np.ptp(values) > STILL * max(1.0, float(np.abs(values).max())))


def _frames_with_keys(time: np.ndarray, clip: Clip) -> int:
    within = time[(time >= 0) & (time <= clip.duration + 1e-6)]
    return len(np.unique(np.round(within * clip.rate)))


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
