"""Completion: values of all channels between key poses, from splines or a trained model.

A completion is `spline + strength * window * residual`: the window is 0 at each channel's own keys.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
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
FEW = 90  # times at which answers that are not chosen are drawn


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
        self,
        keys: KeyedValues,
        times: Floats,
        answers: int = 1,
        seed: int = 0,
        strength: float = 1,
        only: int | None = None,
    ) -> Floats:
        """(A, T, C) several answers, all through the keys; or `only` one, (1, T, C)."""
        ...

    def distance_to_examples(self, keys: KeyedValues) -> float:
        """How far keys are from those of examples; above 1 they are unlike them."""
        ...


@dataclass(frozen=True, eq=False)
class Completed:
    """Several completions of the same keys, each computed once it is asked for."""

    times: Floats  # (T,) s
    names: tuple[str, ...]  # (A,)
    make: Callable[[int, Floats], Floats]  # an answer at some times, (times, C)
    _known: dict[int, Floats] = field(default_factory=dict)

    def answer(self, number: int) -> Floats:
        """(T, C)"""
        if number not in self._known:
            self._known[number] = self.make(number, self.times)
        return self._known[number]

    def glimpse(self, number: int) -> Floats:
        """(at most FEW, C) at some of the times."""
        if number in self._known or len(self.times) <= FEW:
            return self.answer(number)
        rows = np.unique(np.linspace(0, len(self.times) - 1, FEW).astype(np.int64))
        return self.make(number, self.times[rows])


def complete(
    rig: Rig, keys: KeyPoses, times: Floats, model: CompletionModel | None, strength: float
) -> Completed:
    """The answers of a model, or of splines where there is none."""

    def make(number: int, at: Floats) -> Floats:
        if model is None:
            found = np.array(spline(keys, at, SPLINES[number]))
        else:
            found = np.array(model.complete(keys.keyed, at, ANSWERS, 0, strength, number)[0])
        found[:, ~keys.free] = spline(keys, at, SPLINES[0])[:, ~keys.free]
        _normalise(rig, found)
        return found

    count = len(SPLINES) if model is None else ANSWERS
    named = SPLINES if model is None else tuple(f"Answer {at}" for at in range(1, count + 1))
    return Completed(times, named, make)


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
