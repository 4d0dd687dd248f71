"""Retargeted feet: where the feet of the source stand, those of the target stand still, too.

While a foot stands it turns about its heel, then about its ball, and neither slides. It stands as
near as that allows to where retargeting alone would put it; before and after it comes and goes
smoothly. Where legs are too short the body is lowered, smoothly as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.kinematics.forward import forward, orientation
from arcwright.kinematics.oriented_pose import moved_joint, oriented_values
from arcwright.kinematics.reference_pose import ReferencePose, SolePoints
from arcwright.kinematics.resting import runs_of
from arcwright.kinematics.rotation import (
    quaternion_conjugate,
    quaternion_from_vector,
    quaternion_multiply,
    quaternion_rotate,
    slerp,
    vector_from_quaternion,
)
from arcwright.kinematics.standing_feet import Standing, ball_path, standing, standing_height
from arcwright.kinematics.two_bone_ik import STRAIGHT, reaching
from arcwright.scene.take import Take

EASE = 0.25  # s, in which a foot comes to where it stands, and leaves it
SETTLE = 0.12  # s, in which a sole becomes flat, and rises
LOWER = 0.15  # s, over which the body is lowered before and after legs are too short
STEP = 0.12  # of the leg's length: ground that differs less is level
SUNK = 2.0  # lengths of the foot: what is deeper in the ground does not stand on it
HALVINGS = 14
LEG = ("upper_leg", "lower_leg", "foot")


@dataclass(frozen=True, eq=False)
class CarriedTake:
    """A take of the source, and its poses as they were carried to the target."""

    take: Take
    times: Floats  # (T,) s
    own: ReferencePose  # of the source
    new: ReferencePose  # of the target
    poses: Floats  # (T, C) of the source, on its actor's own rig
    values: Floats  # (T, C) of the target
    root: int  # joint of the target that carries the body

    @property
    def scale(self) -> float:
        """Of places of the source."""
        return self.new.leg_length / self.own.leg_length

    @cached_property
    def heights(self) -> tuple[float, float]:
        """m, of the balls of standing feet in source and target."""
        low, known = standing_height(self.take, self.own), self.new.ball_height
        return low, self.scale * low if known is None else known

    @cached_property
    def across(self) -> Floats:
        """(T, 3) unit vectors from the right to the left leg of the target."""
        tops = [self.new.chains[f"{side}_upper_leg"][0] for side in ("right", "left")]
        place = forward(self.new.body.rig, self.values, tops)[..., :3, 3]
        way = place[:, 1] - place[:, 0]
        return np.asarray(way / np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-9))


@dataclass(frozen=True, eq=False)
class _Foot:
    """A foot of the target on its way."""

    leg: tuple[int, int, int]
    tip: int  # the joint of the toes, or -1
    sole: SolePoints
    standing: Standing
    ground: Floats  # (T,) m
    ankle: Floats  # (T, 3) m
    orientation: Floats  # (T, 4)
    toes: Floats  # (T, 4)


def plant_feet(carried: CarriedTake) -> Floats:
    """(T, C) poses of the target with its feet on the ground where those of the source stand."""
    found = [_foot(carried, side) for side in ("left", "right")]
    feet = [foot for foot in found if foot is not None]
    if len(feet) < 2:
        return carried.values
    goals = [_goal(foot, carried.times) for foot in feet]
    rig, values = carried.new.body.rig, _lowered(carried, feet, goals)
    wanted: dict[int, Floats] = {}
    for foot, goal in zip(feet, goals, strict=True):
        wanted |= reaching(rig, values, foot.leg, goal, carried.across)
        wanted[foot.leg[-1]] = foot.orientation
        if foot.tip >= 0:
            hinge = goal + quaternion_rotate(foot.orientation, foot.sole.toes)
            rest, room = carried.new.orientation[foot.tip], hinge[:, 1] - foot.ground
            wanted[foot.tip] = _above_ground(foot.toes, rest, [foot.sole.tip], room)
    return oriented_values(rig, values, wanted)


def _foot(carried: CarriedTake, side: str) -> _Foot | None:
    """A foot as it is carried, turned so that it does not sink in; None where one has no leg."""
    own, new, times = carried.own, carried.new, carried.times
    if not all(f"{side}_{part}" in each.chains for each in (own, new) for part in LEG):
        return None
    low, high = carried.heights
    sole = new.sole(side, high)
    if sole is None:
        return None
    state = standing(carried.take, own, side, times)
    height = ball_path(own, side, carried.poses) - low
    ground = carried.scale * _ground(height, state.runs, STEP * own.leg_length)
    upper, lower, foot = (new.chains[f"{side}_{part}"][0] for part in LEG)
    tip = new.chains.get(f"{side}_toes", (-1,))[0]
    joints = [foot, max(tip, 0)]
    turned, toes = np.moveaxis(orientation(new.body.rig, carried.values, joints), 1, 0)
    ankle = forward(new.body.rig, carried.values, [foot])[:, 0, :3, 3]
    rest, arms = new.orientation[foot], [sole.heel, sole.ball]
    raised = _above_ground(turned, rest, arms, ankle[:, 1] - ground)
    raise_by = vector_from_quaternion(quaternion_multiply(raised, quaternion_conjugate(turned)))
    raise_by = _smoothed(raise_by, times, SETTLE / 2)
    turned = quaternion_multiply(quaternion_from_vector(raise_by), turned)
    turned = _flattened(turned, rest, state.heel & state.ball, times)
    toes = _flattened(toes, new.orientation[joints[1]], state.ball, times)
    return _Foot((upper, lower, foot), tip, sole, state, ground, ankle, turned, toes)


def _ground(height: Floats, runs: list[tuple[int, int]], level: float) -> Floats:
    """(T,) m, of the ground under a foot: that of the last and the next run, the lower between."""
    ground = np.zeros(len(height))
    steps = [float(np.median(height[first : last + 1])) for first, last in runs]
    steps = [step if abs(step) > level else 0.0 for step in steps]
    for (first, last), step in zip(runs, steps, strict=True):
        ground[first : last + 1] = step
    for index in range(len(runs) + 1):
        start = runs[index - 1][1] + 1 if index else 0
        end = runs[index][0] if index < len(runs) else len(height)
        ground[start:end] = min(steps[max(index - 1, 0) : index + 1], default=0.0)
    return ground


def _flattened(turned: Floats, rest: Floats, flat: Bools, times: Floats) -> Floats:
    """(T, 4) orientations of a foot that is flat at some frames, as in its reference pose."""
    runs = runs_of(flat)
    if not runs:
        return turned
    away = quaternion_multiply(turned, quaternion_conjugate(rest))
    heading = np.unwrap(2 * np.arctan2(away[:, 2], away[:, 0]), period=2 * np.pi)
    target, parts = turned.copy(), np.zeros((len(times), 3))
    for first, last in runs:
        half = 0.5 * float(heading[first : last + 1].mean())
        level = np.array([np.cos(half), 0.0, np.sin(half), 0.0])
        target[first : last + 1] = quaternion_multiply(level, rest)
    parts = vector_from_quaternion(quaternion_multiply(target, quaternion_conjugate(turned)))
    return quaternion_multiply(quaternion_from_vector(_eased(parts, runs, times, SETTLE)), turned)


def _eased(parts: Floats, runs: list[tuple[int, int]], times: Floats, over: float) -> Floats:
    """(T, N) what is known in runs of frames; it comes and goes over some seconds between them."""
    found = parts.copy()
    for index in range(len(runs) + 1):
        start = runs[index - 1][1] + 1 if index else 0
        end = runs[index][0] if index < len(runs) else len(times)
        if start == end:
            continue
        gap = times[start:end]
        fades = []
        if index:
            fades.append((_smooth(1 - (gap - times[start - 1]) / over), parts[start - 1]))
        if index < len(runs):
            fades.append((_smooth(1 - (times[end] - gap) / over), parts[end]))
        total = np.maximum(sum(share for share, _ in fades), 1.0)
        found[start:end] = sum((share / total)[:, None] * part for share, part in fades)
    return found


def _smooth(share: Floats) -> Floats:
    share = np.clip(share, 0.0, 1.0)
    return np.asarray(share * share * (3 - 2 * share))


def _goal(foot: _Foot, times: Floats) -> Floats:
    """(T, 3) m, where the ankle should be."""
    away = np.zeros_like(foot.ankle)
    for first, last in foot.standing.runs:
        part = slice(first, last + 1)
        path = _rolled_path(foot, first, last)
        path[:, [0, 2]] += (foot.ankle[part] - path)[:, [0, 2]].mean(axis=0)
        away[part] = path - foot.ankle[part]
    goal = foot.ankle + _eased(away, foot.standing.runs, times, EASE)
    depth = foot.ground - goal[:, 1] - _lowest(foot.orientation, [foot.sole.heel, foot.sole.ball])
    depth[depth > SUNK * np.linalg.norm(foot.sole.heel - foot.sole.ball)] = 0.0
    goal[:, 1] += np.maximum(depth, 0.0)
    return goal


def _lowest(turned: Floats, arms: list[Floats]) -> Floats:
    """(T,) m, height of the lowest of some points of a joint above it."""
    return np.asarray(np.min([quaternion_rotate(turned, arm)[:, 1] for arm in arms], axis=0))


def _above_ground(turned: Floats, rest: Floats, arms: list[Floats], room: Floats) -> Floats:
    """(T, 4) orientations, as much nearer to flat as the room (T,) m below the joint asks for."""
    flat = _level(turned, rest)
    low, high = np.zeros(len(turned)), np.ones(len(turned))
    fits = _lowest(turned, arms) >= -room
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        enough = _lowest(slerp(flat, turned, middle), arms) >= -room
        low, high = np.where(enough, middle, low), np.where(enough, high, middle)
    return slerp(flat, turned, np.where(fits, 1.0, low))


def _level(turned: Floats, rest: Floats) -> Floats:
    """(T, 4) the reference orientation of a foot, turned about the vertical to where it points."""
    away = quaternion_multiply(turned, quaternion_conjugate(rest))
    half = np.arctan2(away[:, 2], away[:, 0])
    zero = np.zeros_like(half)
    return quaternion_multiply(np.stack([np.cos(half), zero, np.sin(half), zero], axis=-1), rest)


def _rolled_path(foot: _Foot, first: int, last: int) -> Floats:
    """(T, 3) m, the ankle while the foot turns about its heel or its ball on the ground."""
    part = slice(first, last + 1)
    arms = [
        quaternion_rotate(foot.orientation[part], each) for each in (foot.sole.heel, foot.sole.ball)
    ]
    heel, ball = foot.standing.heel[part], foot.standing.ball[part]
    lower = arms[1][:, 1] <= arms[0][:, 1]
    on_ball = ball | (~heel & lower)
    path = np.zeros((last + 1 - first, 3))
    spot = np.zeros(3)
    for frame, pivot in enumerate(on_ball.astype(int)):
        if frame and pivot != on_ball[frame - 1]:
            spot = path[frame - 1] + arms[pivot][frame - 1]
        path[frame] = spot - arms[pivot][frame]
        path[frame, 1] = foot.ground[first + frame] - arms[pivot][frame, 1]
    return path


def _lowered(carried: CarriedTake, feet: list[_Foot], goals: list[Floats]) -> Floats:
    """(T, C) poses with the body so low that legs reach the ground they stand on."""
    rig, drop = carried.new.body.rig, np.zeros(len(carried.times))
    for foot, goal in zip(feet, goals, strict=True):
        place = forward(rig, carried.values, foot.leg)[..., :3, 3]
        reach = STRAIGHT * np.linalg.norm(np.diff(place, axis=1), axis=-1).sum(axis=1)
        way = place[:, 0] - goal
        level = np.linalg.norm(way[:, [0, 2]], axis=1)
        needed = way[:, 1] - np.sqrt(np.maximum(reach**2 - level**2, 0.0))
        for first, last in foot.standing.runs:
            part = slice(first, last + 1)
            drop[part] = np.maximum(drop[part], needed[part])
    if not drop.any():
        return carried.values
    shift = np.zeros((len(drop), 3))
    shift[:, 1] = -_envelope(drop, carried.times)
    return moved_joint(rig, carried.root, carried.values, shift)


def _envelope(needed: Floats, times: Floats) -> Floats:
    """(T,) smooth, and nowhere less than needed."""
    half = _frames(times, LOWER)
    padded = np.pad(needed, half, mode="edge")
    widest = np.lib.stride_tricks.sliding_window_view(padded, 2 * half + 1).max(axis=1)
    return _smoothed(widest[:, None], times, LOWER)[:, 0]


def _smoothed(values: Floats, times: Floats, over: float) -> Floats:
    """(T, N) weighted means of values over some seconds before and after."""
    half = _frames(times, over)
    window = np.hanning(2 * half + 3)[1:-1]
    padded = np.pad(values, ((half, half), (0, 0)), mode="edge")
    near = np.lib.stride_tricks.sliding_window_view(padded, 2 * half + 1, axis=0)
    return np.asarray(near @ (window / window.sum()))


def _frames(times: Floats, span: float) -> int:
    """How many frames some seconds are, at least one."""
    frame = (times[-1] - times[0]) / max(len(times) - 1, 1)
    return max(round(span / frame), 1) if frame > 0 else 1
