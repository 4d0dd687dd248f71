"""Pose fades: the last poses of a puppet, and what fades from them into the next state's poses."""

from __future__ import annotations

import copy
from collections.abc import Callable

import numpy as np

from arcwright.arrays import Floats
from arcwright.tools.puppet.puppet_character import PuppetCharacter
from arcwright.tools.puppet.transition import Pose, Transition, with_root

FADE = 0.22  # s from one state's pose to the next one's


class PoseFades:
    """Keeps two poses on the played rig, and at most one transition."""

    def __init__(self, character: PuppetCharacter) -> None:
        self._character = character
        self._writer = character.gaits.writer
        self._transition: Transition | None = None
        self._last: Floats | None = None  # (C,) of the last pose
        self._before: Floats | None = None  # (C,) of the one before it
        self._begins = False

    def begin_in(self, values: Floats, before: Floats) -> None:
        """Begin in a pose (C,) of the character's own rig that is not the puppet's."""
        self._before, self._last = self._character.own.played_values(np.stack([before, values]))
        self._begins = True

    def fork(self) -> PoseFades:
        """The same poses, for another future."""
        other = copy.copy(self)
        other._transition = copy.copy(self._transition)
        return other

    @property
    def begins(self) -> bool:
        """Whether the next pose is the first one after a pose that was not the puppet's."""
        return self._begins

    @property
    def fading(self) -> bool:
        """Whether something is left of a transition."""
        return self._transition is not None

    @property
    def last_poses(self) -> tuple[Pose | None, Pose | None]:
        """The pose before the last one, and the last one."""
        read = self._writer.read
        return with_root(self._before, read), with_root(self._last, read)

    def begin(self, now: Pose, tick: float, seconds: float, *, keep_velocity: bool) -> None:
        """Fade from the last pose to one that is a tick later, or at the same time at the start."""
        before, last = self.last_poses
        lead = 0.0 if self._begins else tick
        self._begins = False
        if last is None:
            return
        self._transition = Transition(
            last,
            now,
            self._character.angles,
            self._character.quaternions,
            seconds,
            before=before if keep_velocity else None,
            tick=tick,
            lead=lead,
        )

    def applied(self, pose: Pose, seconds: float, raised: Callable[[Floats], Floats]) -> Floats:
        """(C,) a pose with what is left of the transition, `raised` out of the ground."""
        values, root = pose
        near = values if self._last is None else self._last
        if self._transition is None:
            return self.kept(self._writer.written(values, root, near))
        self._transition.passed += seconds
        mixed = self._writer.written(*self._transition.applied(values, root), near)
        if self._transition.over:
            self._transition = None
        return self.kept(raised(mixed))

    def kept(self, values: Floats) -> Floats:
        """Take note of the pose (C,) of this tick."""
        self._before, self._last = self._last, values
        return values
