"""Solved body: the poses that edits lead to, in between those that a preview solves, too."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.kinematics.displacement_layer import PoseDisplacement, displacement
from arcwright.kinematics.layering import displaced
from arcwright.scene.rig import Rig

PREVIEW_FRAMES = 24  # that a preview solves at most; it is smooth between them


@dataclass(frozen=True, eq=False)
class Missed:
    """What poses miss."""

    away: Mapping[str, Floats]  # of each effector, (T,) m from where it should be
    turned: Mapping[str, Floats]  # of each effector, (T,) rad from how it should be rotated


@dataclass(frozen=True, eq=False)
class SolvedBody:
    """Poses of all frames, and what they miss."""

    rig: Rig
    before: Floats  # (T, C)
    solved: Floats  # (T, C), in frames that were not solved as before
    frames: Ints  # that were solved
    changed: Bools  # (T,) frames that differ from the original
    measure: Callable[[], Missed]

    @cached_property
    def values(self) -> Floats:
        """(T, C) with displacements blended between frames that were solved."""
        if len(self.frames) in (0, int(self.changed.sum())):
            return self.solved
        rig, frames = self.rig, self.frames
        moved = displacement(rig, self.before[frames], self.solved[frames])
        every = np.flatnonzero(self.changed)
        add, turn = (_between(frames, each, every) for each in (moved.add, moved.turn))
        found = self.before.copy()
        found[every] = displaced(rig, (moved.joints, turn), (moved.channels, add), found[every])
        return found

    def pose(self, frame: int) -> Floats:
        """(C,) at one frame; at those that were solved without the others."""
        known = frame in self.frames or not self.changed[frame]
        pose: Floats = (self.solved if known else self.values)[frame]
        return pose

    @cached_property
    def missed(self) -> Missed:
        """How far effectors are from their paths."""
        return self.measure()

    @cached_property
    def moved(self) -> PoseDisplacement:
        """What takes the original to these poses."""
        return displacement(self.rig, self.before, self.values)


def spread_frames(frames: Ints, events: Sequence[int]) -> Ints:
    """At most so many of the frames as a preview solves: evenly spread, with those of events."""
    if len(frames) <= PREVIEW_FRAMES:
        return frames
    chosen = frames[np.linspace(0, len(frames) - 1, PREVIEW_FRAMES).round().astype(int)]
    return np.unique(np.concatenate([chosen, np.array(events, np.int64)]))


def _between(frames: Ints, values: Floats, every: Ints) -> Floats:
    """(N, ...) values given at some frames, at others: by cubics with slopes of differences."""
    at = np.clip(np.searchsorted(frames, every), 1, len(frames) - 1)
    wide = (-1, *[1] * (values.ndim - 1))
    gap = (frames[at] - frames[at - 1]).reshape(wide)
    u = (every - frames[at - 1]).reshape(wide) / gap
    slopes = np.gradient(values, frames.astype(float), axis=0)
    first, last = values[at - 1], values[at]
    leaving, coming = gap * slopes[at - 1], gap * slopes[at]
    found: Floats = (
        (1 + 2 * u) * (1 - u) ** 2 * first
        + u * (1 - u) ** 2 * leaving
        + u**2 * (3 - 2 * u) * last
        + u**2 * (u - 1) * coming
    )
    return found
