"""The frame rate that the falls of a take tell.

Between stances, while every foot moves, nothing but gravity acts: the centre of mass follows a
parabola. A take whose label says twice the true frame rate falls at four times g.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from weakref import WeakKeyDictionary

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.errors import BadValue
from arcwright.kinematics.feet import rig_size
from arcwright.kinematics.mass import body_mass
from arcwright.kinematics.places import places
from arcwright.kinematics.resting import rest_speed
from arcwright.kinematics.stances import STANCE, SolePaths, sole_paths, stances
from arcwright.kinematics.trail import trail
from arcwright.scene.motion import Motion
from arcwright.scene.take import Take

GRAVITY = 9.81  # m/s²
LEAST = 5  # moments of a flight that are fitted
EDGE = 0.1  # of a flight, at each end: the body still pushes off, or lands
FIT = 0.1  # of a flight's height: largest root mean square distance from a parabola
DROP = 0.006  # of the rig's size: smallest height of a flight
OFF = 1.8  # times g, or g over it: falls that are further off tell of a wrong frame rate
AGREE = 0.25  # of the median: how much half of the flights may differ from it
NEAR = 0.12  # of a rate: how far off a usual one may be
USUAL = (10, 12, 12.5, 15, 20, 24, 25, 30, 48, 50, 60, 72, 90, 96, 100, 120, 144, 150, 200, 240)


@dataclass(frozen=True)
class Flight:
    """A time in which no foot touches the ground."""

    start: float  # s
    end: float  # s
    gravity: float  # m/s², at which the centre of mass falls


@dataclass(frozen=True)
class RateCheck:
    """A take whose falls do not fit its frame rate."""

    labelled: float  # frames per second that the take says
    true: float  # frames per second at which it falls with g
    gravity: float  # of g, at which it falls as labelled
    flights: int  # that were measured

    @property
    def text(self) -> str:
        """What is wrong, for people."""
        return (
            f"falls at {self.gravity:.1f} g in {self.flights} "
            f"{'flight' if self.flights == 1 else 'flights'}: "
            f"recorded at about {self.true:g} fps, not {self.labelled:.4g}?"
        )


_checked: WeakKeyDictionary[Motion, tuple[RateCheck | None]] = WeakKeyDictionary()


def check_rate(take: Take) -> RateCheck | None:
    """The frame rate that a recorded take's falls tell, where it is not the one it says.

    None for keyed clips, whose jumps are as the animator wants them, and where nothing flies.
    Layers do not count; samples are checked once.
    """
    if not isinstance(take.base, Motion):
        return None
    if take.base not in _checked:
        _checked[take.base] = (_check(Take(take.rig, take.base)),)
    return _checked[take.base][0]


def _check(take: Take) -> RateCheck | None:
    found = np.array([flight.gravity / GRAVITY for flight in flights(take)])
    if not len(found):
        return None
    ratio = float(np.median(found))
    if not ratio > 0 or 1 / OFF < ratio < OFF:
        return None
    if np.median(np.abs(found - ratio)) > AGREE * ratio:
        return None
    rate = take.rate / np.sqrt(ratio)
    usual = min(USUAL, key=lambda each: abs(float(np.log(each / rate))))
    if abs(usual - rate) > NEAR * rate or abs(usual - take.rate) <= NEAR * take.rate:
        return None
    return RateCheck(take.rate, float(usual), ratio, len(found))


def flights(take: Take) -> tuple[Flight, ...]:
    """The flights of a take that are long and high enough to measure; none without feet."""
    try:
        paths = sole_paths(take)
    except BadValue:
        return ()
    if paths.in_place:
        return ()
    spans = [span for span in _airborne(take, paths) if span[1] - span[0] >= LEAST]
    if not spans:
        return ()
    height = _mass_height(take, paths.time)
    size = rig_size(take.rig)
    found = [_flight(paths.time[a:b], height[a:b], size) for a, b in spans]
    return tuple(flight for flight in found if flight is not None)


def _airborne(take: Take, paths: SolePaths) -> list[tuple[int, int]]:
    """First moment and the one after the last of each flight, without its edges.

    Every point of every foot moves: a foot that rests high up stands on something.
    """
    time, rule = paths.time, STANCE.sized(rig_size(take.rig))
    speed = rest_speed(time, paths.positions, rule.step)
    off: Bools = np.asarray((speed > rule.speed).all(axis=1))
    for stance in stances(take):
        off &= (time < stance.start - 1e-9) | (time > stance.end + 1e-9)
    edges = np.flatnonzero(np.diff(np.concatenate([[False], off, [False]]).astype(int)))
    # What is cut by an end of the take may be anything.
    spans = [(a, b) for a, b in pairwise(edges.tolist()) if off[a] and a > 0 and b < len(time)]
    trims = [max(round(EDGE * (b - a)), 1) for a, b in spans]
    return [(a + trim, b - trim) for (a, b), trim in zip(spans, trims, strict=True)]


def _mass_height(take: Take, time: Floats) -> Floats:
    """(T,) m, the height of the centre of mass."""
    mass = body_mass(take.rig)
    paths = trail(take, places(take.rig, mass.points(take.rig)), time)
    height: Floats = np.stack([each.position[:, 1] for each in paths], axis=1) @ mass.share
    return height


def _flight(time: Floats, height: Floats, size: float) -> Flight | None:
    """A parabola through heights; None where they are none, or hardly differ."""
    middle = time - time.mean()
    curve = np.polyfit(middle, height, 2)
    drop = abs(curve[0]) * (middle[-1] - middle[0]) ** 2 / 4
    apart = float(np.sqrt(np.mean((np.polyval(curve, middle) - height) ** 2)))
    if drop < DROP * size or apart > FIT * drop:
        return None
    return Flight(float(time[0]), float(time[-1]), float(-2 * curve[0]))
