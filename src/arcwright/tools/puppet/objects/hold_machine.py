"""Hold machine: what a puppet does with the prop before it, by how the stick is moved.

free → reaching                  crouches before a prop
reaching → carrying              rises again without having gone anywhere; `picked`
reaching, free → moving          goes against it: rolls a ball, pushes what is heavy; `pushed`
carrying → free                  lowers it onto something; `put down`; a throw; `thrown`
moving → free                    rises, stops pushing, or turns away; `left`
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum


class Hold(StrEnum):
    """What hands do."""

    FREE = "free"
    REACHING = "reaching"
    CARRYING = "carrying"
    MOVING = "moving"


class Event(StrEnum):
    """What happened to a prop."""

    NEAR = "near"
    PICKED = "picked"
    PUT_DOWN = "put down"
    PUSHED = "pushed"
    THROWN = "thrown"
    KICKED = "kicked"
    LEFT = "left"
    DROPPED = "dropped"


@dataclass(frozen=True)
class HoldSignals:
    """What the machine sees at one tick."""

    on_feet: bool = True  # whether the puppet stands, walks or crouches
    near: bool = False  # whether a prop is before it, within reach
    light: bool = True  # whether it can be lifted
    crouch: float = 0.0  # 0 standing to 1 crouching as low as it can
    towards: float = 0.0  # m/s over the ground at which the puppet goes towards the prop
    touched: bool = False  # whether the hands are on it
    blocked: bool = False  # whether it stands in the puppet's way
    rests: bool = False  # whether a carried prop lies on something
    thrown: bool = False  # whether a throw has come to where it releases


CROUCHES = 0.3  # from which a puppet reaches for a prop
RISES = 0.12  # by which it rises from its lowest crouch with a prop
UPRIGHT = 0.2  # a puppet that crouches less can reach again, or put down what it carries
GOES = 0.12  # m/s towards a prop, from which it is rolled or pushed
STOPS_SECONDS = 0.4
RESTS_SECONDS = 0.4  # before a puppet that is upright can reach again, or put down


@dataclass(frozen=True)
class HoldMachine:
    """What the hands do, and what led to it."""

    hold: Hold = Hold.FREE
    seconds: float = 0.0  # in this hold
    ready: bool = True  # whether the puppet was upright since the last hold began or ended
    lowest: float = 0.0  # deepest crouch of this reach
    touched: bool = False
    stopped: float = 0.0  # s without going towards a prop that is moved
    low: bool = False  # whether a prop is moved in a crouch
    event: Event | None = None  # of the last tick

    def advance(self, seen: HoldSignals, seconds: float) -> HoldMachine:
        """The machine after one more tick."""
        now = replace(
            self,
            event=None,
            seconds=self.seconds + seconds,
            ready=self.ready or (seen.crouch < UPRIGHT and self.seconds > RESTS_SECONDS),
            lowest=max(self.lowest, seen.crouch),
            touched=self.touched or seen.touched,
            stopped=0.0 if seen.towards > GOES / 2 else self.stopped + seconds,
        )
        match self.hold:
            case Hold.FREE:
                return now._free(seen)
            case Hold.REACHING:
                return now._reaching(seen)
            case Hold.CARRYING:
                return now._carrying(seen)
            case Hold.MOVING:
                return now._moving(seen)

    def _free(self, seen: HoldSignals) -> HoldMachine:
        if not (seen.on_feet and seen.near):
            return self
        if not self.ready:
            return self
        if seen.blocked and seen.towards > GOES and not seen.light:
            return HoldMachine(Hold.MOVING, event=Event.PUSHED, low=seen.crouch > CROUCHES)
        if seen.crouch > CROUCHES:
            return HoldMachine(Hold.REACHING, event=Event.NEAR, lowest=seen.crouch)
        return self

    def _reaching(self, seen: HoldSignals) -> HoldMachine:
        if not (seen.on_feet and seen.near):
            return HoldMachine(ready=False, event=Event.LEFT)
        if self.touched and seen.towards > GOES:
            return HoldMachine(Hold.MOVING, event=Event.PUSHED, low=True)
        if seen.crouch < self.lowest - RISES:
            if self.touched and seen.light:
                return HoldMachine(Hold.CARRYING, ready=False, event=Event.PICKED)
            if seen.crouch < UPRIGHT:
                return HoldMachine(ready=False, event=Event.LEFT)
        return self

    def _carrying(self, seen: HoldSignals) -> HoldMachine:
        if not seen.on_feet:
            return HoldMachine(ready=False, event=Event.DROPPED)
        if seen.thrown:
            return HoldMachine(ready=False, event=Event.THROWN)
        if self.ready and seen.rests and seen.crouch > UPRIGHT:
            return HoldMachine(ready=False, event=Event.PUT_DOWN)
        return self

    def _moving(self, seen: HoldSignals) -> HoldMachine:
        rises = self.low and seen.crouch < CROUCHES / 2
        rests = not self.low and self.stopped > STOPS_SECONDS
        back = seen.towards < -GOES
        if not seen.on_feet or not seen.near or rises or rests or back:
            return HoldMachine(ready=False, event=Event.LEFT)
        return self
