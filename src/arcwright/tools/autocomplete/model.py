"""Completion: values of all channels between key poses, from splines or a trained model.

A completion is `spline + strength * window * residual`: the window is 0 at each channel's own keys.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.rotation import quaternion_normalise
from arcwright.kinematics.sample import quaternion_channels
from arcwright.scene.rig import Rig
from arcwright.tools.autocomplete.key_poses import NEAR, KeyPoses
from arcwright.tools.autocomplete.key_spline import KeyedValues, interpolated

SPLINES = ("Smooth", "Loose", "Eased")  # what splines offer: see `spline`
AROUND = 2  # keys of a loop that are repeated before and after it
ANSWERS = 4  # alternatives of a model


class CompletionModel(Protocol):
    """A trained model that knows the channels of one rig."""

    @property
    def name(self) -> str:
        """As people read it."""
        ...

    @property
    def steps(self) -> bool:
        """Whether answers show where feet step between keys."""
        ...

    def complete(
        self, keys: KeyedValues, times: Floats, answers: int = 1, seed: int = 0, strength: float = 1
    ) -> Floats:
        """(A, T, C) several answers, all of which pass through the keys."""
        ...

    def distance_to_examples(self, keys: KeyedValues) -> float:
        """How far keys are from those of examples; above 1 they are unlike them."""
        ...


@dataclass(frozen=True, eq=False)
class Completed:
    """Several completions of the same keys."""

    times: Floats  # (T,) s
    answers: Floats  # (A, T, C)
    names: tuple[str, ...]  # (A,)


def complete(
    rig: Rig, keys: KeyPoses, times: Floats, model: CompletionModel | None, strength: float
) -> Completed:
    """The answers of a model, or of splines where there is none."""
    if model is None:
        answers = np.stack([spline(keys, times, name) for name in SPLINES])
        names: tuple[str, ...] = SPLINES
    else:
        answers = model.complete(keys.keyed, times, ANSWERS, 0, strength)
        names = tuple(f"Answer {number}" for number in range(1, len(answers) + 1))
    answers = np.array(answers)
    answers[:, :, ~keys.free] = spline(keys, times, SPLINES[0])[:, ~keys.free]
    _normalise(rig, answers)
    return Completed(times, answers, names)


def spline(keys: KeyPoses, times: Floats, name: str) -> Floats:
    """(T, C) cubic segments through the keys of each channel.

    Smooth ones never overshoot; loose ones pass keys with the mean speed of both sides, so that a
    motion does not stop at its extremes; eased ones stop at every key.
    """
    keyed = keys.keyed
    if keys.loops:
        keyed = _around(keyed)
    if name != SPLINES[0]:
        chosen = _mean_slopes(keyed) if name == SPLINES[1] else np.zeros(keyed.values.shape)
        keyed = replace(keyed, slopes=np.where(np.isnan(keyed.slopes), chosen, keyed.slopes))
    return interpolated(keyed, times)


def sample_times(keys: KeyPoses, rate: float) -> Floats:
    """(T,) s: all frames and half frames from the first to the last key, and all keys."""
    first, last = keys.range
    rate = 2 * rate
    frames = np.arange(np.ceil((first - NEAR) * rate), np.floor((last + NEAR) * rate) + 1) / rate
    off = abs(frames[:, None] - keys.times).min(axis=1, initial=np.inf) > NEAR
    return np.sort(np.concatenate([frames[off], keys.times]))


def _around(keyed: KeyedValues) -> KeyedValues:
    """The keys of a loop with some of its last ones before it, and some of its first ones after."""
    count = len(keyed.times)
    own: Ints = np.arange(-AROUND, count + AROUND)
    round_of = np.floor_divide(own, count - 1)
    at = own - round_of * (count - 1)
    period, climb = keyed.times[-1] - keyed.times[0], keyed.values[-1] - keyed.values[0]
    inside = (own >= 0) & (own < count)
    at, round_of = np.where(inside, own, at), np.where(inside, 0, round_of)
    return KeyedValues(
        keyed.times[at] + round_of * period,
        keyed.values[at] + round_of[:, None] * climb,
        keyed.known[at],
        keyed.slopes[at],
        keyed.rest,
    )


def _mean_slopes(keyed: KeyedValues) -> Floats:
    """(K, C) of Catmull-Rom splines: from the key before to the key after, of each channel."""
    slopes = np.zeros(keyed.values.shape)
    patterns, pattern = np.unique(keyed.known, axis=1, return_inverse=True)
    for index in range(patterns.shape[1]):
        rows = np.flatnonzero(patterns[:, index])
        channels = np.flatnonzero(pattern.reshape(-1) == index)
        if len(rows) > 1:
            time, value = keyed.times[rows], keyed.values[np.ix_(rows, channels)]
            before, after = np.maximum(np.arange(len(rows)) - 1, 0), np.arange(1, len(rows) + 1)
            after[-1] -= 1
            run = (time[after] - time[before])[:, None]
            slopes[np.ix_(rows, channels)] = (value[after] - value[before]) / run
    return slopes


def _normalise(rig: Rig, values: Floats) -> None:
    four = quaternion_channels(rig)
    if len(four):
        values[..., four] = quaternion_normalise(values[..., four])
