"""Key poses: the keys of a take between which a motion is completed, each channel with its own."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.curves.fit import continuous
from arcwright.curves.keys import some_keys
from arcwright.errors import BadValue
from arcwright.kinematics.sample import sample, values_at
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve, Interpolation
from arcwright.scene.take import Take
from arcwright.tools.autocomplete.key_spline import KeyedValues

NEAR = 1e-6  # s; keys this near to each other are at one time
BESIDE = 1e-5  # s, over which the slope beside the first and last key is measured
ENTRY = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s*(?:-\s*(\d+(?:\.\d+)?))?\s*")
DENSE = 4.0  # keys a second
EXPECTED = "frames, such as 0, 24, 60, or 0-60"
TWO = "two keys or more, between which to complete"


@dataclass(frozen=True, eq=False)
class KeyPoses:
    """Keys of all channels over one list of times; a channel knows some of them."""

    times: Floats  # (K,) s
    values: Floats  # (K, C)
    known: Bools  # (K, C) what the motion passes through
    free: Bools  # (C,) channels that may change
    slopes: Floats  # (K, C) 1/s; NaN where the completion chooses
    loops: bool  # whether the first key follows the last one

    @property
    def keyed(self) -> KeyedValues:
        """For interpolation."""
        return KeyedValues(self.times, self.values, self.known, self.slopes, self.values[0])

    @property
    def range(self) -> tuple[float, float]:
        """s, from the first to the last key."""
        return float(self.times[0]), float(self.times[-1])

    @property
    def dense(self) -> bool:
        """Whether they stand so close that they are a motion already."""
        start, end = self.range
        return len(self.times) > DENSE * (end - start)

    def row(self, time: float, near: float) -> int | None:
        """The key nearest to a time, if it is that near."""
        nearest = int(abs(self.times - time).argmin())
        return nearest if abs(self.times[nearest] - time) <= near else None


def read_keys(take: Take, chosen: str, joints: Bools) -> KeyPoses:
    """The keys of a take, at the chosen frames or all, for some joints (J,).

    Of a range of frames, or of all, each channel knows its own keys. At the first and the last
    key, and at frames that are chosen one by one, all channels are known.
    """
    clip = own_keys(take)
    times, whole_poses = _key_times(take, clip, chosen)
    values = _values(take, clip, times)
    known = np.zeros(values.shape, bool)
    for channel, curve in enumerate(() if clip is None else clip.curves):
        if curve is not None:
            row, key = np.nonzero(abs(times[:, None] - curve.time) <= NEAR)
            known[row, channel], values[row, channel] = True, curve.value[key]
    known[whole_poses] = True
    known[[0, -1]] = True
    free = joints[take.rig.channels.joint]
    if clip is not None:
        free &= [_may_change(curve, times) for curve in clip.curves]
    slopes = np.full(values.shape, np.nan)
    whole = times[0] <= NEAR and times[-1] >= take.duration - NEAR
    _set_outer_slopes(take, clip, times, slopes)
    loops = clip is not None and clip.loops and whole and take.duration > 0
    return KeyPoses(times, values, known, free, slopes, loops)


def own_keys(take: Take) -> Clip | None:
    """The clip without the keys that a completion made; None for samples and layers.

    A key that was edited since is the user's own.
    """
    if not isinstance(take.base, Clip) or take.layers:
        return None
    if not take.inbetweens:
        return take.base
    pairs = zip(take.base.curves, take.inbetweens, strict=True)
    return replace(take.base, curves=tuple(_own_of(*pair) for pair in pairs))


def _own_of(curve: Curve | None, made: Curve | None) -> Curve | None:
    """The keys of a curve that are not among others, bit for bit in time and value."""
    if curve is None or made is None:
        return curve
    others = set(zip(made.time.tolist(), made.value.tolist(), strict=True))
    each = zip(curve.time.tolist(), curve.value.tolist(), strict=True)
    stays = np.array([key not in others for key in each])
    return some_keys(curve, stays) if stays.any() else None


def _key_times(take: Take, clip: Clip | None, chosen: str) -> tuple[Floats, Bools]:
    """(K,) s, rising, and (K,) which are chosen as whole poses."""
    curves = [] if clip is None else [curve for curve in clip.curves if curve is not None]
    own = _merged(np.concatenate([curve.time for curve in curves])) if curves else np.zeros(0)
    if not chosen.strip():
        if clip is None:
            what = "layers" if isinstance(take.base, Clip) else "samples"
            raise BadValue("keys", f"{EXPECTED}, as the take has {what}", "none")
        times, whole = own, np.zeros(len(own), bool)
    else:
        times, whole = _chosen_times(take, own, chosen)
    if len(times) < 2:
        raise BadValue("keys", TWO, len(times))
    return times, whole


def _merged(times: Floats) -> Floats:
    rising = np.unique(times)
    merged: Floats = rising[np.diff(rising, prepend=-np.inf) > NEAR]
    return merged


def _chosen_times(take: Take, own: Floats, chosen: str) -> tuple[Floats, Bools]:
    """The times of frames and ranges of frames, as an option names them; which are frames."""
    found: list[tuple[float, bool]] = []
    for entry in chosen.split(","):
        match = ENTRY.fullmatch(entry)
        if match is None:
            raise BadValue("keys", EXPECTED, chosen)
        first, last = (None if each is None else float(each) for each in match.groups())
        for frame in (first, last):
            if frame is not None and not 0 <= frame / take.rate <= take.duration + NEAR:
                expected = f"frames from 0 to {take.duration * take.rate:g}"
                raise BadValue("keys", expected, f"{frame:g}")
        assert first is not None
        if last is None:
            near = own[abs(own - first / take.rate) <= NEAR]
            found.append((float(near[0]) if len(near) else first / take.rate, True))
        else:
            within = (own >= first / take.rate - NEAR) & (own <= last / take.rate + NEAR)
            found += [(time, False) for time in own[within].tolist()]
    found.sort()
    times, whole = np.array([time for time, _ in found]), np.array([one for _, one in found], bool)
    for early, late in pairwise(times.tolist()):
        if late - early <= NEAR:
            raise BadValue("keys", "one key at a time", f"frame {early * take.rate:g} twice")
    return times, whole


def _values(take: Take, clip: Clip | None, times: Floats) -> Floats:
    """(K, C) poses of the take; those of samples without jumps of a whole turn."""
    if clip is not None:
        return values_at(take, times)
    moments = _merged(np.concatenate([take.frame_times(), times]))
    smooth = continuous(sample(take, moments), take.rig).T
    rows = abs(moments[:, None] - times).argmin(axis=0)
    return np.array(smooth[rows])


def _may_change(curve: Curve | None, times: Floats) -> bool:
    """Not what steps, and not what repeats with another period."""
    if curve is None:
        return True
    inside = (curve.time >= times[0] - NEAR) & (curve.time <= times[-1] + NEAR)
    if (curve.interpolation[inside] == Interpolation.STEP).any():
        return False
    ends = abs(curve.time[[0, -1]] - times[[0, -1]]).max()
    return not curve.cyclic or bool(ends <= NEAR)


def _set_outer_slopes(take: Take, clip: Clip | None, times: Floats, slopes: Floats) -> None:
    """Where a channel goes on beyond the first or last key, it does so with its slope."""
    beside = BESIDE if clip is not None else 1 / take.rate
    for row, way in ((0, -1.0), (-1, 1.0)):
        end = float(times[row])
        if not -NEAR <= end + way * beside <= take.duration + NEAR:
            continue
        pair = values_at(take, np.array([end, end + way * beside]))
        slope = way * (pair[1] - pair[0]) / beside
        curves = (None,) * len(slope) if clip is None else clip.curves
        for channel, curve in enumerate(curves):
            beyond = clip is None or (curve is not None and (way * (curve.time - end) > NEAR).any())
            if beyond:
                slopes[row, channel] = slope[channel]
