"""Loop keys: curves that take new values over a part of a loop, with the keys that are there.

Inside the changed ranges the values and handles of keys are fitted to samples (`key_fit.py`). Keys
are added only at the ends of a range, at samples that must be met and are far from any key, and
where joints would be off by more than a tolerance. All other keys stay bit for bit. Where a curve
repeats, its first and last key are one key, and it is edited within its own cycle.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.curves.local_key import with_local_handles
from arcwright.curves.pack import PackedCurves, pack
from arcwright.errors import BadValue
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve
from arcwright.scene.take import Take
from arcwright.tools.cycle.shaping.sampled_curves import ChangedSamples, Part, SampledCurves

TRIES = 8  # to keep joints within the tolerance, each time with less of it for single channels


@dataclass(frozen=True, eq=False)
class NewValues(ChangedSamples):
    """What a take should be at these times."""

    values: Floats  # (T, C)


@dataclass(frozen=True, eq=False)
class FittedKeys:
    """New curves, how far joints are from the samples, and how many keys were added."""

    curves: dict[int, Curve] = field(default_factory=dict)  # by channel
    error: float = 0.0  # m
    added: int = 0  # keys
    repeating: tuple[int, ...] = ()  # channels whose cycle is shorter than the take


class LoopKeys:
    """Fits keys of a take to new values; `metres` (C,) is how far a unit of each channel moves."""

    def __init__(
        self, take: Take, packed: PackedCurves, metres: Floats, where: ChangedSamples
    ) -> None:
        if not isinstance(take.base, Clip):
            raise BadValue(f"take {take.name!r}", "keys", "samples")
        self.take, self.where = take, where
        self._work = SampledCurves(take, take.base, packed, where)
        self._metres = metres
        self._prepared: Ints = np.zeros(0, np.int64)  # channels
        self._sparse: list[Part] = []
        self._dense: list[Part] = []
        self._every_sample = False  # whether previews have keys there

    def fitted(self, values: Floats, channels: Ints, tolerance: float) -> FittedKeys:
        """The curves of these channels with values (T, C); joints within `tolerance`, m."""
        work, wanted = self._work, self._work.as_keyed(values)
        moved = work.moved(wanted, channels)
        parts, error = self._fit(wanted, moved, tolerance)
        made = [pair for part in parts for pair in work.curves(part, wanted)]
        curves = {channel: _stored(curve) for channel, curve in sorted(made, key=_channel)}
        before = [work.clip.curves[channel] for channel in curves]
        added = sum(map(len, curves.values())) - sum(len(each) for each in before if each)
        return FittedKeys(curves, error, added, tuple(work.repeating(moved)))

    def prepare(self, channels: Ints) -> None:
        """Compute what previews of these channels need, whatever their values will be."""
        fresh = np.setdiff1d(channels, self._prepared)
        for group in self._work.groups(fresh):
            self._dense += self._work.prepared(group)
        self._prepared = np.union1d(fresh, self._prepared)

    def previewed(self, values: Floats, channels: Ints, tolerance: float) -> dict[int, Curve]:
        """As `fitted`, but quick: with the keys of the first preview, or with one at every sample.

        Once the first are not enough for the tolerance, they are not tried again.
        """
        work, wanted = self._work, self._work.as_keyed(values)
        moved = work.moved(wanted, channels)
        self.prepare(moved)
        if len(moved) and not self._sparse:
            self._sparse = self._fit(wanted, moved, tolerance)[0]
        known = [part.channels for part in self._sparse]
        if len(moved) and not np.isin(moved, np.concatenate([moved[:0], *known])).all():
            self._every_sample = True
        if not self._every_sample:
            found, error = work.previewed(self._sparse, wanted, moved)
            self._every_sample = error > tolerance
        if self._every_sample:
            found = work.previewed(self._dense, wanted, moved)[0]
        return found

    def _fit(self, wanted: Floats, moved: Ints, tolerance: float) -> tuple[list[Part], float]:
        """Curves of all moved channels, and how far joints are off.

        Where a joint is off by more than the tolerance, less is asked of the channels above it.
        """
        work, asked = self._work, np.full(len(self._metres), tolerance)
        groups = work.groups(moved)
        parts: list[list[Part]] = [[] for _ in groups]
        stale, error = np.ones(len(self._metres), bool), 0.0
        for left in range(TRIES if len(moved) else 0, 0, -1):
            for own, group in zip(parts, groups, strict=True):
                if stale[group].any():
                    own[:] = work.fitted(group, wanted, asked[group] / self._metres[group])
            off = work.errors(wanted, [part for own in parts for part in own])
            error = float(off.max(initial=0.0))
            if error <= tolerance:
                break
            stale = work.above(np.flatnonzero(off > tolerance))
            asked[stale] *= max(0.9 * tolerance / error, 0.5) if left > 2 else 0.5
        return [part for own in parts for part in own], error


def fit_keys(
    take: Take, new: NewValues, channels: Ints, tolerance: float, metres: Floats
) -> FittedKeys:
    """The curves of these channels with new values; joints within `tolerance`, m, at the samples.

    `metres` (C,) is how far a unit of each channel moves a joint, at most.
    """
    if not isinstance(take.base, Clip):
        raise BadValue(f"take {take.name!r}", "keys", "samples")
    keys = LoopKeys(take, pack(take.base, take.rig), metres, new)
    return keys.fitted(new.values, channels, tolerance)


def _stored(curve: Curve) -> Curve:
    """The curve with automatic handles that would follow stored as they are."""
    return with_local_handles(curve, np.ones(len(curve), bool))


def _channel(pair: tuple[int, Curve]) -> int:
    return pair[0]
