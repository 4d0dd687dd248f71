"""Walker: one pose after another of a puppet that goes where its frame goes, feet on the ground."""

from __future__ import annotations

import copy
from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.kinematics.jacobian import point_jacobian
from arcwright.tools.puppet.locomotion.blend_space import BlendSpace
from arcwright.tools.puppet.locomotion.foot_lock import ASIDE, TWIST, Foot, turned_by
from arcwright.tools.puppet.locomotion.ground_clearance import FootTargets, GroundClearance
from arcwright.tools.puppet.locomotion.leg_ik import Legs, foot_points, reach, solve_legs
from arcwright.tools.puppet.locomotion.root_frame import RootWriter, in_world
from arcwright.tools.puppet.locomotion.sole_points import SolePoints
from arcwright.tools.puppet.locomotion.speed_map import SpeedMap
from arcwright.tools.puppet.locomotion.toe_bend import ToeBend
from arcwright.tools.puppet.terrain import Ground

STARTS, STOPS = 0.11, 0.06  # of the leg's length a second at which a puppet begins to walk, stops
BLEND_RATE = 16.0  # 1/s, of the critically damped change from one clip to another
LEANS = 0.07  # of the leg's length: a standing puppet that is moved less far does not step
HALF, TOES, HEEL = 0.5, 1, 2  # from which a foot carries, and by what
LOW = 0.03  # of the leg's length above the ground: a foot that is higher does not stand
MISSED = 5e-4  # of the leg, at most MISSED_MOST: a foot farther from where it stands steps
MISSED_MOST = 4e-4  # m
DROP_MOST = 0.08  # of the leg's length by which hips give way for feet that stand
DROP_SECONDS = 0.08  # in which they do


@dataclass(frozen=True, eq=False)
class Gaits:
    """What a walker needs to know of its character."""

    space: BlendSpace
    speeds: SpeedMap
    writer: RootWriter
    legs: Legs
    sole: Floats  # (F,) m of the toes above the ground when they stand
    soles: SolePoints


@dataclass(frozen=True, eq=False)
class Step:
    """One pose, and what the feet did."""

    values: Floats  # (C,)
    locked: Bools  # (F,) feet that stand
    error: float  # m by which feet that stand are off


@dataclass(frozen=True, eq=False)
class PoseOffset:
    """What is added to the blended pose of a step."""

    values: Floats  # (C,)
    root: Floats  # (7,) m in the puppet's frame, and a rotation about the root's origin there
    planted: Floats  # (F,) 0 for feet that leave the ground, else 1


@dataclass(frozen=True, eq=False)
class _PlacedFeet(FootTargets):
    """Where feet should be, and where legs and clip are."""

    hips: Floats  # (F, 3) m, where the legs begin
    clip: Floats  # (F, 3) m, where the clip has the toes


class Walker:
    """The state of a walk: phase, feet, and how far the hips give way."""

    def __init__(self, gaits: Gaits) -> None:
        self.gaits = gaits
        self.phase = 0.0
        self.walks = False
        self.times = np.zeros(len(gaits.space.clips))  # s, of clips that stand
        self.feet = [Foot(float(length)) for length in gaits.legs.length]
        self.drop = 0.0
        self._dropping = 0.0  # m/s
        self._aside = 0.0  # m, by how much feet that stand are off from where the clip has them
        self.grip: Floats | None = None  # (3,) m, where the blend has the grip, in the frame
        self.blend_point: Floats | None = None  # (2,) of the blend space
        self._points = foot_points(gaits.legs)
        self._toe_bend = ToeBend(gaits.legs)
        self._clearance = GroundClearance(gaits.legs, gaits.soles)
        self._last: tuple[Floats, Floats] | None = None  # blended and solved values
        self._weights: Floats | None = None  # (K,) of the last blend
        self._weighing = np.zeros(0)  # (K,) 1/s, at which they change

    def fork(self) -> Walker:
        """A walker that stands where this one does."""
        other = copy.copy(self)
        other.times, other.feet = self.times.copy(), [copy.copy(foot) for foot in self.feet]
        return other

    @property
    def ground(self) -> float | None:
        """Height, m, of the ground on which it stands: the mean under feet that do, if any."""
        stand = [foot.under for foot in self.feet if foot.locked]
        return sum(stand) / len(stand) if stand else None

    def above_ground(self, values: Floats, ground: Ground) -> Floats:
        """(C,) a pose on its way to that of a step, whose legs lift its soles to the ground."""
        clearance = self._clearance
        return clearance.lifted(values, ground, clearance.targets(values), values)[0]

    def step(
        self,
        seconds: float,
        place: Floats,
        heading: float,
        speed: float,
        height: float,
        ground: Ground,
        *,
        may_stand: bool = True,
        added: PoseOffset | None = None,
    ) -> Step:
        """The pose after some seconds, with the puppet's frame at a place of the ground.

        `speed` is over the ground, `height` that of the grip above it. Without `may_stand` no foot
        is locked, because what is shown is still on its way to this pose. `added` is played over
        the blended pose.
        """
        space, writer = self.gaits.space, self.gaits.writer
        weights, rate, sink = self._blend(seconds, speed, height)
        self.phase = (self.phase + seconds * rate) % 1.0
        self.times += seconds
        pose = space.pose(weights, self.phase, self.times)
        if added is not None:
            pose = space.offset(pose, added.values, added.root)
        root = in_world(pose.root, place, heading)
        near = None if self._last is None else self._last[1]
        values = writer.written(pose.values, root, near)
        if not self.feet:
            return Step(values, np.zeros(0, bool), 0.0)
        toes, heels = space.planted(weights, self.phase), space.heels(weights, self.phase)
        carries = np.where(toes >= HALF, TOES, np.where(toes + heels >= HALF, HEEL, 0)) * may_stand
        if added is not None:
            carries = carries * (added.planted >= HALF)
        feet = self._placed_feet(seconds, values, place[1], heading, ground, carries)
        root[1] -= sink + self._drop(seconds, sink, feet)
        lowered = writer.moved(values, root[:3])
        solved, error = self._solved(values, lowered, feet.position, feet.orientation)
        self._last = values, solved
        solved = self._toe_bend.bent(solved, feet.toes)
        solved, _ = self._clearance.lifted(solved, ground, feet, values)
        self._release_missed(error, feet, heading)
        locked = np.array([foot.stands for foot in self.feet])
        return Step(solved, locked, float(error[locked].max(initial=0.0)))

    def _blend(self, seconds: float, speed: float, height: float) -> tuple[Floats, float, float]:
        """(K,) weights of the clips, cycles a second, and m by which legs must bend besides."""
        scale = float(self.gaits.legs.length.mean()) if len(self.feet) else 1.0
        leans = not self.feet or self._aside > LEANS * scale
        self.walks = speed > (STOPS if self.walks else STARTS) * scale and (self.walks or leans)
        found = self.gaits.speeds.invert(speed if self.walks else 0.0, height)
        weights = self.gaits.space.weights(found.point)
        still = weights * ~self.gaits.space.moves
        if not self.walks and still.any():  # a gait that is a little higher takes no part
            weights = still / still.sum()
        weights = self._eased(weights, seconds)
        rate = self.gaits.space.cycles_per_second(weights) * found.playback
        self.grip, self.blend_point = found.grip, found.point
        return weights, rate, max(float(found.grip[1]) - height, 0.0)

    def _eased(self, wanted: Floats, seconds: float) -> Floats:
        """(K,) weights after some seconds on their way to the wanted ones, without a jolt."""
        if self._weights is None:
            self._weights, self._weighing = wanted, np.zeros(len(wanted))
        decay, rate = np.exp(-BLEND_RATE * seconds), BLEND_RATE
        away, moves = self._weights - wanted, self._weighing  # a critically damped spring, exactly
        follows = moves + rate * away
        self._weighing = decay * (moves - rate * seconds * follows)
        weights = np.maximum(wanted + decay * (away + seconds * follows), 0.0)
        self._weights = weights / weights.sum()
        return self._weights

    def _placed_feet(
        self,
        seconds: float,
        values: Floats,
        level: float,
        heading: float,
        ground: Ground,
        carries: Ints,
    ) -> _PlacedFeet:
        """Where the feet should be: as the clip has them, or where they stand."""
        legs, count = self.gaits.legs, len(self.feet)
        there = point_jacobian(legs.rig, values[None], self._points, [])
        toes, hips = there.position[0, :count].copy(), there.position[0, 2 * count :]
        ankles = there.orientation[0, count : 2 * count]
        least = self.gaits.soles.level + self.gaits.soles.below(
            ankles, there.orientation[0, :count]
        )
        position, turned = np.empty((count, 3)), np.empty((count, 3, 3))
        bent = there.orientation[0, :count].copy()
        self._aside = 0.0
        for index, foot in enumerate(self.feet):
            clip = toes[index]
            clip[1] -= level  # heights of feet are above the ground under them
            foot.advance(seconds)
            twist = foot.turned(heading)
            turned[index], bent[index] = (
                turned_by(twist, ankles[index]),
                turned_by(twist, bent[index]),
            )
            foot.turn(-self.gaits.soles.heel(index, turned[index]))
            self._lock(index, clip, heading, int(carries[index]), hips[index], ground, seconds)
            place = foot.target(clip.copy())
            if foot.locked:
                place[1] = clip[1]
            high = foot.lifted(place, float(least[index]), seconds)
            position[index] = foot.clear(np.array([place[0], high, place[2]]), ground, seconds)
            foot.see(clip, seconds)
        return _PlacedFeet(position, turned, bent, hips, toes)

    def _release_missed(self, error: Floats, feet: _PlacedFeet, heading: float) -> None:
        """Let feet step that legs do not hold where they stand."""
        for index, foot in enumerate(self.feet):
            if foot.locked and error[index] > min(MISSED * foot.length, MISSED_MOST):
                foot.release(feet.clip[index], heading)

    def _lock(
        self,
        index: int,
        clip: Floats,
        heading: float,
        carries: int,
        hip: Floats,
        ground: Ground,
        seconds: float,
    ) -> None:
        """Lock or release a foot."""
        foot = self.feet[index]
        if foot.locked and foot.on_heel and carries == TOES:
            foot.lock(foot.target(clip), foot.heading, seconds)
        if foot.locked:
            stands = foot.standing_place
            aside = float(np.hypot(clip[0] - stands[0], clip[2] - stands[2]))
            self._aside = max(self._aside, aside)
            away = stands - hip
            far = np.linalg.norm(away) > reach(self.gaits.legs)[index] * (1 + DROP_MOST)
            twisted = abs(foot.heading - heading) > TWIST
            others = any(each.steps for each in self.feet)
            misplaced = not self.walks and aside > ASIDE * foot.length and not others
            lifts = carries != (HEEL if foot.on_heel else TOES)
            if lifts or far or misplaced or (twisted and not others):
                foot.release(clip, heading)
            return
        if not carries or foot.steps:
            return
        place, on_heel = foot.target(clip.copy()), carries == HEEL
        if foot.waits:
            place[[0, 2]] = foot.seen[[0, 2]]
        hovers = foot.under - ground(float(place[0]), float(place[2]))
        level = self.gaits.soles.level[index] + foot.arm[1] if on_heel else self.gaits.sole[index]
        if place[1] - level + hovers < LOW * foot.length:
            foot.lock(place, heading + foot.turned(heading), seconds, on_heel=on_heel)

    def _drop(self, seconds: float, sink: float, feet: _PlacedFeet) -> float:
        """How far, m, hips give way for feet that stand."""
        most, needed = reach(self.gaits.legs), 0.0
        for index, foot in enumerate(self.feet):
            if foot.locked:
                away = feet.hips[index] - feet.position[index]
                upright = max(float(most[index] ** 2 - away[0] ** 2 - away[2] ** 2), 0.0) ** 0.5
                needed = max(needed, float(away[1]) - sink - upright)
        needed = min(needed, DROP_MOST * float(self.gaits.legs.length.max()))
        stiff = 2.0 / DROP_SECONDS  # a critically damped spring, so that the body has no kinks
        pulled = stiff * (needed - self.drop) - 2.0 * self._dropping
        self._dropping += min(seconds * stiff, 0.5) * pulled
        self.drop += seconds * self._dropping
        return self.drop

    def _solved(
        self, blended: Floats, values: Floats, position: Floats, turned: Floats
    ) -> tuple[Floats, Floats]:
        start = values
        if self._last is not None:
            channels = self.gaits.legs.channels
            before, solved = self._last
            start = values.copy()
            start[channels] += solved[channels] - before[channels]
        return solve_legs(self.gaits.legs, start, position, turned, blended)
