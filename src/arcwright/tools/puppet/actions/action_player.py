"""Action player: which action is asked for, by a gesture of the stick or a button, and its pose."""

from __future__ import annotations

import copy
from collections.abc import Collection, Mapping

from arcwright.arrays import Floats
from arcwright.tools.puppet.actions.action_overlay import ActionOverlay
from arcwright.tools.puppet.actions.gesture_classifier import stored_classifier
from arcwright.tools.puppet.actions.stick_burst import BurstFinder
from arcwright.tools.puppet.device_path import JUMP
from arcwright.tools.puppet.locomotion.leg_ik import Legs
from arcwright.tools.puppet.locomotion.walker import PoseOffset

FLICK_SECONDS = 0.5  # that the stick of a device goes up and down after its button was pressed


class ActionPlayer:
    """The actions of one puppet."""

    def __init__(
        self, overlays: Mapping[str, ActionOverlay], legs: Legs, size: float, *, gestures: bool
    ) -> None:
        self._overlays, self._legs = overlays, legs
        self._finder = BurstFinder(size) if gestures and overlays else None
        self.wanted = ""  # the action that is asked for now
        self.undecided = False  # whether the stick may be in the middle of a gesture
        self.keeps_heading = False  # whether the stick's movement is no direction to go
        self.name = ""  # the action that is played
        self._walks = False
        self._flicked = 0.0  # s that are left of a flick made by a button: no gesture

    def fork(self) -> ActionPlayer:
        """A player that stands where this one does."""
        other = copy.copy(self)
        other._finder = None if self._finder is None else self._finder.fork()
        return other

    def see(
        self, end: Floats | None, heading: float, seconds: float, pressed: Collection[str] = ()
    ) -> None:
        """Take note of the stick's end (3,) m and of the buttons that were just pressed."""
        self.wanted = next((name for name in pressed if name in self._overlays), "")
        self._flicked = FLICK_SECONDS if JUMP in pressed else max(self._flicked - seconds, 0.0)
        if self._finder is None:
            return
        if end is None or self._flicked > 0:
            self._finder = BurstFinder(self._finder.size)
            self.undecided = self.keeps_heading = False
            return
        burst = self._finder.see(end, heading, seconds)
        self.undecided = self._finder.undecided
        self.keeps_heading = self.undecided or self._finder.comes_back
        if burst is not None and not self.wanted:
            name = stored_classifier().action(burst)
            self.wanted = name if name in self._overlays else ""

    def begin(self, *, walks: bool) -> None:
        """Play what is asked for, over a walk or over standing."""
        self.name = self.wanted
        self._walks = walks and not self._playing.steps

    @property
    def _playing(self) -> ActionOverlay:
        return self._overlays[self.name]

    @property
    def stops(self) -> bool:
        """Whether the puppet stays where it is while the action lasts."""
        return self._playing.steps

    def strikes(self, before: float, now: float) -> bool:
        """Whether its hand or foot strikes between two moments, s."""
        return bool(self.name) and before < self._playing.impact <= now

    def over(self, seconds: float) -> bool:
        """Whether the action has ended after some seconds."""
        return not self.name or seconds >= self._playing.seconds

    def offset(self, seconds: float) -> PoseOffset:
        """What the action adds to the pose after some seconds."""
        return self._playing.at(seconds, self._legs, walks=self._walks)
