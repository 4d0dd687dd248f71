"""Steering: gear, speed and curvature of a car that goes after its stick (a bicycle model).

The stick holds the car ahead of its rear axle. That point has the velocity (v, lead · ω) along and
across the car, so a wanted velocity gives v and the yaw rate ω = curvature · v directly
(input-output linearisation); acceleration, steering angle and its rate are bounded.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from arcwright.arrays import Floats
from arcwright.tools.puppet.driving.wheels import Chassis

GAIN = 6.0  # 1/s from a distance to the speed at which it is made up
SOFT = 0.8  # 1/s, the same for the direction in which a car goes backwards
LOOKAHEAD = 2.0  # wheelbases, of a car that goes backwards
ACCELERATES = 16.0  # wheelbases/s²
STEERS = 6.0  # rad/s, of the front wheels
BEHIND = -0.75  # cosine: a stick that pulls into this cone behind the car is followed backwards
AHEAD = -0.5  # cosine, from which a car that backs up goes ahead again
LEAST = 0.35  # of the wanted speed, at which a car that does not head there goes on turning
BACKS_UP = 1.5  # wheelbases/s, to get room for a turn
ROOM = 1.08  # of the tightest turn: a place this far out of it can be reached
ASIDE = 0.16  # wheelbases that a car may be beside its stick: it cannot move sideways
NEAR = 0.015  # wheelbases along it that it may be off
SLOW = 0.12  # wheelbases/s: a stick that is slower stands
COASTS = 2.0  # wheelbases/s² by which a car that nothing leads becomes slower


class Gear(StrEnum):
    """How a car is driven."""

    PARKED = "parked"
    FORWARD = "forward"
    REVERSE = "reverse"
    BACK_UP = "back up"  # to get room for a turn ahead


@dataclass(frozen=True)
class Driving:
    """How a car moves."""

    gear: Gear = Gear.PARKED
    speed: float = 0.0  # m/s, of the middle of the rear axle; below 0 backwards
    curvature: float = 0.0  # 1/m, of its path, above 0 towards +x of the car

    def advance(self, away: Floats, wanted: Floats, seconds: float, car: Chassis) -> Driving:
        """After a tick in which the stick is `away` (2,) m and goes with `wanted` (2,) m/s.

        Both along the car and across it, towards its +x.
        """
        pull = wanted + GAIN * away
        gear = self._next_gear(away, wanted, pull, car)
        speed, curvature = _led(gear, away, wanted, pull, car)
        most = ACCELERATES * car.wheelbase * seconds
        changed = min(max(speed - self.speed, -most), most)
        return Driving(gear, self.speed + changed, self._steered(curvature, seconds, car))

    def coast(self, seconds: float, car: Chassis) -> Driving:
        """After a tick in which nothing leads it."""
        slower = COASTS * car.wheelbase * seconds
        left = float(np.copysign(max(abs(self.speed) - slower, 0.0), self.speed))
        return replace(self, gear=Gear.PARKED, speed=left)

    def _steered(self, wanted: float, seconds: float, car: Chassis) -> float:
        """The curvature, with a bounded rate of the steering angle."""
        now, then = (np.arctan(car.wheelbase * each) for each in (self.curvature, wanted))
        angle = now + np.clip(then - now, -STEERS * seconds, STEERS * seconds)
        return float(np.clip(np.tan(angle) / car.wheelbase, -car.sharpest, car.sharpest))

    def _next_gear(self, away: Floats, wanted: Floats, pull: Floats, car: Chassis) -> Gear:
        stands = float(np.linalg.norm(wanted)) < SLOW * car.wheelbase
        slack = 2.0 if self.gear is Gear.PARKED else 1.0
        along, aside = np.abs(away) / car.wheelbase
        if stands and along < slack * NEAR and aside < slack * ASIDE:
            return Gear.PARKED
        size = float(np.linalg.norm(pull))
        cosine = float(pull[0]) / max(size, 1e-9)
        if aside < slack * ASIDE and stands:
            return Gear.FORWARD if away[0] > 0 else Gear.REVERSE
        reached = _out_of_turn(away, car)
        match self.gear:
            case Gear.BACK_UP:
                return Gear.BACK_UP if reached < ROOM else Gear.FORWARD
            case Gear.REVERSE if cosine < AHEAD:
                return Gear.REVERSE
            case _ if cosine < BEHIND:
                return Gear.REVERSE
            case _:
                return Gear.BACK_UP if stands and reached < 1.0 else Gear.FORWARD


def _led(
    gear: Gear, away: Floats, wanted: Floats, pull: Floats, car: Chassis
) -> tuple[float, float]:
    """Speed and curvature that a gear wants."""
    size, most = float(np.linalg.norm(pull)), car.sharpest
    if gear is Gear.PARKED or size < 1e-9:
        return 0.0, 0.0
    along, across = pull.tolist()
    if gear is Gear.BACK_UP:
        speed = -min(LEAST * size + 0.2 * car.wheelbase, BACKS_UP * car.wheelbase)
        return speed, float(-np.copysign(most, away[1]))
    if gear is Gear.FORWARD:
        heads = max(along, LEAST * size)
        speed = along if abs(away[1]) < ASIDE * car.wheelbase else heads
        return speed, float(np.clip(across / (car.lead * heads), -most, most))
    return min(along, 0.0), float(np.clip(_pursuit(away, wanted, car), -most, most))


def _pursuit(away: Floats, wanted: Floats, car: Chassis) -> float:
    """Curvature of the arc from the rear axle to a place that the stick will pass (pure pursuit).

    Backwards, so the rear axle is ahead of the stick by the distance between them.
    """
    towards = wanted + SOFT * away
    size = float(np.linalg.norm(towards))
    heads = towards / size if size > 1e-9 else np.array([-1.0, 0.0])
    place = away + [car.lead, 0.0] + (car.lead + LOOKAHEAD * car.wheelbase) * heads
    return 2.0 * float(place[1]) / max(float(place @ place), 1e-9)


def _out_of_turn(away: Floats, car: Chassis) -> float:
    """Distance of a place from the middle of the tightest turn, by that of the car's grip."""
    middle = np.array([-car.lead, np.copysign(1.0 / car.sharpest, away[1])])
    return float(np.linalg.norm(away - middle) / np.linalg.norm(middle))
