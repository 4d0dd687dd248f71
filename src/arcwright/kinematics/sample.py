"""Sample a take: evaluate its base and layers to channel values."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike

from arcwright.arrays import Bools, Floats, Ints, frozen
from arcwright.curves.evaluate import evaluate
from arcwright.curves.pack import PackedCurves, pack
from arcwright.kinematics.layering import with_layer
from arcwright.kinematics.layout import ZERO, layout
from arcwright.kinematics.rotation import quaternion_normalise, wrap
from arcwright.scene.clip import Clip
from arcwright.scene.motion import Motion
from arcwright.scene.rig import Kind, Rig
from arcwright.scene.take import Take

_packed: WeakKeyDictionary[Rig, WeakKeyDictionary[Clip, PackedCurves]] = WeakKeyDictionary()


def sample(take: Take, times: ArrayLike) -> Motion:
    """The values of a take at increasing times: base, quaternions normalised, layers composed.

    Values are interpolated linearly between the samples of a motion, angles and quaternions along
    the shorter arc; before the first and after the last sample they are constant.
    """
    moments = frozen(times, "times", ("T",))
    values = values_at(take, moments)
    values.setflags(write=False)
    return Motion(take.name, moments, values, take.rate)


def values_at(take: Take, times: Floats) -> Floats:
    """As `sample`, but only the values (T, C), and for times in any order, none included."""
    if isinstance(take.base, Clip):
        values = evaluate(_packed_form(take.base, take.rig), times)
    else:
        values = _between(take.base, take.rig, times)
    _normalise(take.rig, values)
    for layer in take.layers:
        if not layer.muted and layer.weight > 0:
            values = with_layer(take.rig, layer, times, values)
    return values


def quarter_frames(start: float, end: float, rate: float, most: int | None = None) -> Floats:
    """Times from start to end, both included, a quarter frame apart; at most so many intervals."""
    count = int(np.ceil((end - start) * rate * 4))
    return np.linspace(start, end, (count if most is None else min(count, most)) + 1)


def quaternion_channels(rig: Rig) -> Ints:
    """(Q, 4) channels w, x, y, z of each joint with quaternion channels."""
    four = layout(rig).quaternion
    found: Ints = four[four[:, 0] != ZERO]
    return found


def _packed_form(clip: Clip, rig: Rig) -> PackedCurves:
    known = _packed.setdefault(rig, WeakKeyDictionary())
    found = known.get(clip)
    if found is None:
        found = known[clip] = pack(clip, rig)
    return found


def _normalise(rig: Rig, values: Floats) -> None:
    four = quaternion_channels(rig)
    if len(four):
        values[:, four] = quaternion_normalise(values[:, four])


def _between(motion: Motion, rig: Rig, times: Floats) -> Floats:
    known, count = motion.time, len(motion.time)
    if count == 1:
        return np.repeat(motion.values, len(times), axis=0)
    if np.array_equal(times, known):
        return motion.values.copy()
    after = np.clip(np.searchsorted(known, times, side="right"), 1, count - 1)
    share = (times - known[after - 1]) / (known[after] - known[after - 1])
    share = np.clip(share, 0.0, 1.0)[:, None]
    start, end = motion.values[after - 1], motion.values[after]
    four = quaternion_channels(rig)
    if len(four):
        a, b = start[:, four], end[:, four]
        end[:, four] = np.where((a * b).sum(axis=-1, keepdims=True) < 0, -b, b)
    step = end - start
    angles = angle_channels(rig)
    if np.abs(step).max(initial=0.0) > np.pi and angles.any():
        step[:, angles] = wrap(step[:, angles])
    whole: Floats = np.where(share < 1, start + share * step, motion.values[after])
    return whole


def angle_channels(rig: Rig) -> Bools:
    """(C,) which channels are Euler angles."""
    kind = rig.channels.kind
    return (kind >= Kind.ROTATE_X) & (kind <= Kind.ROTATE_Z)
