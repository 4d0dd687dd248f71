"""State machine of a puppet: what it does, by how its stick is moved and what is around it.

locomotion ⇄ crouch                      by the height of the grip
locomotion → anticipation → jump → landing → locomotion       a flick upwards
locomotion → held                        lifted slowly; jump → held where no jump goes like that
held → landing                           put down
held, jump → fall → landing | fallen     released in the air; by how deep it falls, and how
fallen → get-up → locomotion             fallen, get-up → held where it is lifted
locomotion, crouch → action → locomotion          a gesture of the stick, or a button
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import StrEnum


class State(StrEnum):
    """What a puppet does."""

    LOCOMOTION = "locomotion"
    CROUCH = "crouch"
    ANTICIPATION = "anticipation"
    JUMP = "jump"
    LANDING = "landing"
    HELD = "held"
    FALL = "fall"
    FALLEN = "fallen"
    GET_UP = "get-up"
    ACTION = "action"


LEADS = (State.LOCOMOTION, State.CROUCH)  # it goes where the stick leads it
ON_FEET = (*LEADS, State.ANTICIPATION, State.LANDING, State.ACTION)
IN_AIR = (State.JUMP, State.HELD, State.FALL)
LIMP = (State.HELD, State.FALL, State.FALLEN)


SHOWN = {
    State.LOCOMOTION: "on its feet",
    State.CROUCH: "crouching",
    State.ANTICIPATION: "about to jump",
    State.JUMP: "jumping",
    State.HELD: "hanging",
    State.FALL: "falling",
    State.FALLEN: "lying",
    State.GET_UP: "getting up",
    State.LANDING: "landing",
    State.ACTION: "acting",
}
"""What a puppet does, in words."""


@dataclass(frozen=True)
class Thresholds:
    """When states change, for a body of 1 m; lengths grow with size, speeds with its root.

    So does the longest rise.
    """

    flick: float = 0.95  # m/s upwards, faster begins a jump
    lifted: float = 0.055  # m above standing, from which a puppet hangs
    lifted_seconds: float = 0.12
    crouched: float = 0.5  # of the way from standing to crouching, and back with some slack
    slack: float = 0.1
    anticipation: float = 0.14  # s
    landing: float = 0.28  # s
    landed: float = 0.02  # m above standing
    deep: float = 0.6  # m of falling, from which it does not land on its feet
    fallen: float = 0.7  # s of lying
    fallen_longest: float = 4.0  # s, after which it gets up even while it slides or rolls
    rises: float = 0.45  # m/s upwards after going down: no jump does that
    turns: float = 0.5  # cosine of the angle by which a jump may turn in the air
    turning_speed: float = 0.4  # m/s over the ground from which its direction counts
    stops: float = 0.12  # m/s, slower in the air for a while is no jump
    stops_seconds: float = 0.22
    longest_rise: float = 0.6  # s in the air without coming down: no jump takes so long

    def sized(self, size: float) -> Thresholds:
        """For a body of this size, m."""
        root = size**0.5
        lengths = {name: getattr(self, name) * size for name in ("lifted", "landed", "deep")}
        by_root = ("flick", "rises", "turning_speed", "stops", "longest_rise")
        return replace(self, **lengths, **{name: getattr(self, name) * root for name in by_root})


@dataclass(frozen=True)
class Signals:
    """What the state machine sees at one tick."""

    held: bool = False  # whether the stick holds the puppet
    lift: float = 0.0  # m of the grip above where it is when the puppet stands
    rise: float = 0.0  # m/s upwards, of the stick
    speed: float = 0.0  # m/s over the ground, of the stick
    straight: float = 1.0  # cosine of the angle between the jump's direction and the stick's now
    crouch: float = 0.0  # 0 standing to 1 crouching as low as it can
    depth: float = 0.0  # m that it has fallen
    on_ground: bool = True  # whether a falling puppet has reached the ground
    upright: bool = True  # whether a falling puppet can land on its feet
    at_rest: bool = True  # whether a fallen puppet lies still
    action_over: bool = False  # whether the clip of the state has ended
    action: bool = False  # whether an action is asked for: a punch, a kick, a throw
    undecided: bool = False  # whether the stick may be in the middle of a gesture that asks for one


@dataclass(frozen=True)
class StateMachine:
    """The active state, and what led to it."""

    state: State = State.LOCOMOTION
    seconds: float = 0.0  # in this state
    lifted: float = 0.0  # s that the puppet has been above the ground without a jump
    stopped: float = 0.0  # s that the stick has stood still in the air
    descended: bool = False  # in a jump: whether it has gone down already

    def advance(self, seen: Signals, seconds: float, at: Thresholds) -> StateMachine:
        """The machine after one more tick."""
        high = seen.held and seen.lift > at.lifted
        still = seen.speed < at.stops and abs(seen.rise) < at.stops
        now = replace(
            self,
            seconds=self.seconds + seconds,
            lifted=self.lifted + seconds if high else 0.0,
            stopped=self.stopped + seconds if high and still else 0.0,
            descended=self.descended or seen.rise < -at.rises,
        )
        state = now._next(seen, at)
        return now if state is None else StateMachine(state, lifted=now.lifted)

    def squat(self, at: Thresholds) -> float:
        """How much it squats, before a jump and after landing: 0 not at all to 1."""
        if self.state is State.ANTICIPATION:
            return min(self.seconds / at.anticipation, 1.0)
        if self.state is State.LANDING:
            return math.sin(math.pi * min(1.3 * self.seconds / at.landing, 1.0)) ** 2
        return 0.0

    def _next(self, seen: Signals, at: Thresholds) -> State | None:
        match self.state:
            case State.LOCOMOTION | State.CROUCH:
                return self._on_feet(seen, at)
            case State.ANTICIPATION:
                return State.JUMP if self.seconds >= at.anticipation else None
            case State.JUMP:
                return self._in_jump(seen, at)
            case State.LANDING:
                return State.LOCOMOTION if self.seconds >= at.landing else None
            case State.HELD:
                return self._in_hand(seen, at)
            case State.FALL:
                if not seen.on_ground:
                    return State.HELD if seen.held else None
                lands = seen.upright and seen.depth <= at.deep
                return State.LANDING if lands else State.FALLEN
            case State.FALLEN | State.GET_UP if self.lifted > at.lifted_seconds:
                return State.HELD
            case State.FALLEN:
                rests = seen.at_rest or self.seconds >= at.fallen_longest
                return State.GET_UP if rests and self.seconds >= at.fallen else None
            case State.ACTION:
                if self.lifted > at.lifted_seconds and not seen.undecided:
                    return State.HELD
                return State.LOCOMOTION if seen.action_over else None
            case State.GET_UP:
                return State.LOCOMOTION if seen.action_over else None

    def _on_feet(self, seen: Signals, at: Thresholds) -> State | None:
        if seen.action:
            return State.ACTION
        if seen.held and seen.rise > at.flick and seen.lift > -at.landed and not seen.undecided:
            return State.ANTICIPATION
        if self.lifted > at.lifted_seconds and not seen.undecided:
            return State.HELD
        if self.state is State.LOCOMOTION and seen.crouch > at.crouched + at.slack:
            return State.CROUCH
        if self.state is State.CROUCH and seen.crouch < at.crouched - at.slack:
            return State.LOCOMOTION
        return None

    def _in_jump(self, seen: Signals, at: Thresholds) -> State | None:
        if not seen.held:
            return State.FALL
        if self.descended and seen.lift < at.landed:
            return State.LANDING
        if self.seconds > at.landing and seen.lift < at.landed:
            return State.LANDING  # the stick went up for a moment only
        risen = self.descended and seen.rise > at.rises
        turned = seen.speed > at.turning_speed and seen.straight < at.turns
        floats = not self.descended and self.seconds > at.longest_rise
        if risen or turned or floats or self.stopped > at.stops_seconds:
            return State.HELD
        return None

    def _in_hand(self, seen: Signals, at: Thresholds) -> State | None:
        if not seen.held:
            return State.FALL
        return State.LANDING if seen.lift < at.landed else None
