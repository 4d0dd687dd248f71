"""Foot lock: feet that carry stay where they touched down; others go on from there smoothly."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.rotation import matrix_from_vector
from arcwright.tools.puppet.fade import carried_by_fade, left_of_fade
from arcwright.tools.puppet.terrain import Ground

AHEAD = (0.04, 0.08, 0.12, 0.16, 0.2)  # s: a foot is lifted over what it will be above by then
STEP_SPEED = 3.0  # of the leg's length a second, at which a foot is lifted over a step, or lowered
STEP_SMOOTHING = 0.04  # s
FADE = 0.22  # s in which a foot that was released is where the clip has it
STOPPED = 0.02  # of the leg's length a second: slower feet stand at once
LANDS = 0.04  # s in which a foot that touches down comes to a stop
LIFT = 0.25  # of the way that a foot has to step aside: how high it is lifted, at most LIFT_MOST
LIFT_MOST = 0.06  # of the leg's length
LANDED = 0.02  # of the leg's length: a stepping foot this close to the clip's may stand again
CLEARS = 0.016  # of the leg's length: how high a foot is above the ground that goes over it FAST
FAST = 0.4  # of the leg's length a second
CLEAR_RATE = 35.0  # 1/s, at which it gets as high
TWIST = np.radians(50.0)  # a foot turned farther against the body steps
ASIDE = 0.13  # of the leg's length: a foot of a standing puppet farther off steps


@dataclass(eq=False)
class Foot:
    """One foot; heights are above the ground under it."""

    length: float  # m, of its leg
    locked: bool = False
    on_heel: bool = False  # whether it stands on its heel, its toes still up
    arm: Floats = field(default_factory=lambda: np.zeros(3))  # m, from its heel to its toes
    arm_before: Floats = field(default_factory=lambda: np.zeros(3))  # m, at the last tick
    place: Floats = field(default_factory=lambda: np.zeros(3))  # m, where toes or heel stand
    heading: float = 0.0  # rad, of the puppet when it touched down
    offset: Floats = field(default_factory=lambda: np.zeros(3))  # m, when it was released
    drift: Floats = field(default_factory=lambda: np.zeros(3))  # m/s of the offset, then
    runs: Floats = field(default_factory=lambda: np.zeros(3))  # m/s at which it touched down
    landing: float = 1e9  # s since it touched down
    clip: Floats = field(default_factory=lambda: np.full(3, np.nan))  # m, where the clip had it
    moves: Floats = field(default_factory=lambda: np.zeros(3))  # m/s over the ground, in the clip
    twist: float = 0.0  # rad, when it was released
    since: float = 1e9  # s since it was released
    lift: float = 0.0  # m
    over: float = 0.0  # m by which it is lifted where it would touch the ground
    rising: float = 0.0  # m/s of that
    under: float = np.nan  # m, height of the ground that it clears
    waits: bool = False  # in front of a step, to be high enough for it
    seen: Floats = field(default_factory=lambda: np.full(3, np.nan))  # m, where it was last

    @property
    def stands(self) -> bool:
        """Whether it has come to a stop on the ground."""
        return self.locked and self.landing >= LANDS

    def lock(self, toes: Floats, heading: float, seconds: float, *, on_heel: bool = False) -> None:
        """Stop here: it comes to rest at a third of the way that it would go meanwhile."""
        self.on_heel = on_heel
        place, seen = toes - self.arm * on_heel, self.seen - self.arm_before * on_heel
        self.runs = _over_ground(seen, place) / seconds
        slow = float(np.abs(self.runs).max()) < STOPPED * self.length
        self.locked, self.heading, self.landing = True, heading, LANDS if slow else 0.0
        self.place = place + LANDS / 3 * self.runs * (not slow)

    def release(self, clip_place: Floats, heading: float) -> None:
        """Go on from here to where the clip has it, from a standstill."""
        self.offset = self._standing() - clip_place
        if np.isfinite(self.seen[1] + self.clip[1]):
            self.offset[1] = self.seen[1] - self.clip[1]  # its height goes on as in the clip
        self.locked, self.twist, self.drift = False, self.heading - heading, -self.moves
        self.since = 0.0
        aside = float(np.hypot(self.offset[0], self.offset[2]))
        self.lift = min(LIFT * aside, LIFT_MOST * self.length)

    def turned(self, heading: float) -> float:
        """How far it is turned against the puppet, rad."""
        if self.locked:
            return self.heading - heading
        return left_of_fade(self.since / FADE) * self.twist

    def turn(self, arm: Floats) -> None:
        """Note how its toes are from its heel (3,) m."""
        self.arm_before, self.arm = self.arm, arm

    def target(self, clip_place: Floats) -> Floats:
        """(3,) m, where its toes should be."""
        if self.locked:
            return self._standing()
        share = left_of_fade(self.since / FADE)
        carried = FADE * carried_by_fade(self.since / FADE)
        place = clip_place + share * self.offset + carried * self.drift
        if share > 0:
            place[1] += 4 * share * (1 - share) * self.lift
        return np.asarray(place)

    def lifted(self, place: Floats, least: float, seconds: float) -> float:
        """Height, m, of a place that is at least so high: over the ground the more, the faster."""
        x, high, z = place.tolist()
        gone = math.hypot(x - self.seen[0], z - self.seen[2])
        share = min(gone / (seconds * FAST * self.length), 1.0) if gone == gone else 0.0
        most = CLEARS * self.length
        away = self.over - most * share * share * (3 - 2 * share)
        follows = self.rising + CLEAR_RATE * away  # a critically damped spring, exactly
        decay = math.exp(-CLEAR_RATE * seconds)
        self.over += decay * (away + seconds * follows) - away
        self.rising = decay * (self.rising - CLEAR_RATE * seconds * follows)
        gap = max(high - least, 0.0)
        lifted: float = least + gap + max(self.over, 0.0) * math.exp(-gap / most)
        return lifted

    def clear(self, place: Floats, ground: Ground, seconds: float) -> Floats:
        """(3,) m in the world, for a place above the ground: over steps, never through them."""
        x, y, z = place.tolist()
        here = ground(x, z)
        along, aside = (x - self.seen[0]) / seconds, (z - self.seen[2]) / seconds
        if self.locked or not math.isfinite(along + self.under):
            self.under, self.seen, self.waits = here, place.copy(), False
            return np.array([x, here + y, z])
        wanted = max(here, *(ground(x + along * t, z + aside * t) for t in AHEAD))
        most, share = STEP_SPEED * self.length * seconds, min(seconds / STEP_SMOOTHING, 1.0)
        self.under += min(max(share * (wanted - self.under), -most), most)
        self.waits = here > self.under + 1e-9
        if self.waits:
            place = np.array([self.seen[0], y, self.seen[2]])
            self.under = max(self.under, ground(float(place[0]), float(place[2])))
        self.seen = place.copy()
        return np.array([place[0], self.under + y, place[2]])

    def see(self, clip_place: Floats, seconds: float) -> None:
        """Note where the clip has it."""
        self.moves = _over_ground(self.clip, clip_place) / seconds
        self.clip = clip_place

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self.since += seconds
        self.landing += seconds

    def _standing(self) -> Floats:
        """(3,) m, where its toes are while it stands, or is on its way to a stop."""
        left = max(1.0 - self.landing / LANDS, 0.0)
        return self.place - LANDS / 3 * left**3 * self.runs + self.arm * self.on_heel

    @property
    def standing_place(self) -> Floats:
        """(3,) m, of the toes of a foot that is locked, in the world."""
        place = self.place + self.arm * self.on_heel
        return np.array([place[0], self.under + place[1], place[2]])

    @property
    def steps(self) -> bool:
        """Whether it is on its way from where it was released."""
        if self.locked or self.since >= FADE:
            return False
        left = left_of_fade(self.since / FADE) * float(np.hypot(self.offset[0], self.offset[2]))
        return left > LANDED * self.length


def turned_by(angle: float, matrix: Floats) -> Floats:
    """(3, 3) a rotation turned further about the vertical axis."""
    return np.asarray(matrix_from_vector(np.array([0.0, angle, 0.0])) @ matrix)


def _over_ground(before: Floats, after: Floats) -> Floats:
    """(3,) m, the level way between two places; none from an unknown one."""
    if not np.isfinite(before[0]):
        return np.zeros(3)
    return np.array([after[0] - before[0], 0.0, after[2] - before[2]])
