"""Retargeted feet: where the feet of the source stand, those of the target stand still, too.

While a foot stands it turns about its heel, then about its ball, and neither slides. It stands as
near as that allows to where retargeting alone would put it; before and after it comes and goes
smoothly. Where legs are too short the body is lowered, smoothly as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.kinematics.contact import footplants
from arcwright.kinematics.forward import forward, orientation
from arcwright.kinematics.oriented_pose import hinge_axis, moved_joint, oriented_values
from arcwright.kinematics.reference_pose import ReferencePose, SolePoints
from arcwright.kinematics.rotation import (
    cross,
    quaternion_conjugate,
    quaternion_from_vector,
    quaternion_multiply,
    quaternion_rotate,
    slerp,
    vector_from_quaternion,
)
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.stances import stances
from arcwright.scene.take import Take

EASE = 0.25  # s, in which a foot comes to where it stands, and leaves it
SETTLE = 0.12  # s, in which a sole becomes flat, and rises
LOWER = 0.15  # s, over which the body is lowered before and after legs are too short
STEP = 0.12  # of the leg's length: ground that differs less is level
SUNK = 2.0  # lengths of the foot: what is deeper in the ground does not stand on it
HALVINGS = 14
STRAIGHT = 0.9995  # of both bones: how far a leg reaches
SIDEWAYS = 0.05  # how much the way from hip to hip counts for the axis of a straight knee


class Standing(NamedTuple):
    """When a foot of the source stands, and on which ground."""

    heel: Bools  # (T,)
    ball: Bools  # (T,)
    runs: list[tuple[int, int]]  # first and last frame of each time on the ground
    ground: Floats  # (T,) m above the floor, in the source


@dataclass(frozen=True, eq=False)
class _Foot:
    """A foot of the target on its way."""

    side: str
    sole: SolePoints
    standing: Standing
    ground: Floats  # (T,) m
    orientation: Floats  # (T, 4)
    toes: Floats | None  # (T, 4)
    ankle: Floats  # (T, 3) m


def standing_height(take: Take, own: ReferencePose) -> float:
    """m, how high the joints of the balls of the feet are above the ground while they stand.

    From the mesh where there is one; else from the take, whose floor is at a height of 0.
    """
    if own.ball_height is not None:
        return own.ball_height
    heights = []
    times = take.frame_times()
    for side in ("left", "right"):
        path = _ball_path(take, own, side)
        if path is not None:
            on = standing(take, own, side, times).ball if _stands(take) else np.zeros(0, bool)
            heights.append(
                float(np.median(path[on])) if on.any() else float(np.quantile(path, 0.02))
            )
    return max(float(np.mean(heights)), 0.0) if heights else 0.0


def _ball_path(take: Take, own: ReferencePose, side: str) -> Floats | None:
    """(T,) m, height of the joint of the ball of a foot at the frames of a take."""
    role = f"{side}_toes" if f"{side}_toes" in own.chains else f"{side}_foot"
    if role not in own.chains:
        return None
    name = own.body.rig.names[own.chains[role][0]]
    world = forward(take.rig, values_at(take, take.frame_times()), [take.rig.joint(name)])
    return np.asarray(world[:, 0, 1, 3])


def _stands(take: Take) -> bool:
    return bool(footplants(take))


def standing(take: Take, own: ReferencePose, side: str, times: Floats) -> Standing:
    """When a foot of the source stands on its heel and on its ball, and on which ground."""
    rig, foot = own.body.rig, own.chains[f"{side}_foot"][0]
    toes = own.chains.get(f"{side}_toes")
    heel, ball = np.zeros((2, len(times)), bool)
    for plant in footplants(take, heels=True):
        joint = rig.joint(plant.point.joint)
        if not rig.is_below(joint, foot):
            continue
        during = (times >= plant.start - 1e-6) & (times <= plant.end + 1e-6)
        if joint == foot or not toes:
            heel |= during
        if joint != foot or not toes:
            ball |= during
    return Standing(heel, ball, _runs(take, own, side, times, heel | ball), np.zeros(len(times)))


def _runs(
    take: Take, own: ReferencePose, side: str, times: Floats, on: Bools
) -> list[tuple[int, int]]:
    """First and last frame of each time on the ground; gaps within a stance are closed."""
    rig, foot = own.body.rig, own.chains[f"{side}_foot"][0]
    closed = on.copy()
    for stance in stances(take) if on.any() else ():
        if rig.is_below(rig.joint(stance.joint), foot):
            inside = on & (times >= stance.start - 1e-6) & (times <= stance.end + 1e-6)
            if inside.any():
                first, last = np.flatnonzero(inside)[[0, -1]]
                closed[first : last + 1] = True
    edge = np.flatnonzero(np.diff(np.concatenate([[False], closed, [False]]).astype(int)))
    return [(int(a), int(b) - 1) for a, b in zip(edge[::2], edge[1::2], strict=True)]


def plant_feet(
    take: Take,
    times: Floats,
    own: ReferencePose,
    new: ReferencePose,
    poses: Floats,
    values: Floats,
    root: int,
) -> Floats:
    """(T, C) poses of the target with its feet on the ground where those of the source stand."""
    scale = new.leg_length / own.leg_length
    feet = [
        foot
        for side in ("left", "right")
        if (foot := _foot(side, scale, take, times, own, new, poses, values)) is not None
    ]
    if not feet:
        return values
    goals = {foot.side: _goal(foot, times) for foot in feet}
    values = _lowered(new, times, values, goals, feet, root)
    wanted: dict[int, Floats] = {}
    for foot in feet:
        wanted |= _leg(new, foot, values, goals[foot.side])
    return oriented_values(new.body.rig, values, wanted)


def _foot(
    side: str,
    scale: float,
    take: Take,
    times: Floats,
    own: ReferencePose,
    new: ReferencePose,
    poses: Floats,
    values: Floats,
) -> _Foot | None:
    if not all(
        f"{side}_{part}" in each.chains for each in (own, new) for part in ("lower_leg", "foot")
    ):
        return None
    low = standing_height(take, own)
    high = new.ball_height if new.ball_height is not None else scale * low
    sole = new.sole(side, high)
    if sole is None:
        return None
    state = standing(take, own, side, times)
    role = f"{side}_toes" if f"{side}_toes" in own.chains else f"{side}_foot"
    height = forward(own.body.rig, poses, own.chains[role][:1])[:, 0, 1, 3] - low
    joint = new.chains[f"{side}_foot"][0]
    turned = orientation(new.body.rig, values, [joint])[:, 0]
    ankle = forward(new.body.rig, values, [joint])[:, 0, :3, 3]
    ground = _ground(height, state.runs, times, STEP * own.leg_length) * scale
    room = ankle[:, 1] - ground
    arms = [sole.heel, sole.ball]
    turned = _above_ground(turned, new.orientation[joint], arms, room)
    flat = state.heel & state.ball
    turned = _flattened(turned, new.orientation[joint], flat, times)
    toes = None
    if f"{side}_toes" in new.chains:
        tip = new.chains[f"{side}_toes"][0]
        bent = orientation(new.body.rig, values, [tip])[:, 0]
        toes = _flattened(bent, new.orientation[tip], state.ball, times)
    return _Foot(
        side,
        sole,
        state,
        ground,
        turned,
        toes,
        ankle,
    )


def _ground(height: Floats, runs: list[tuple[int, int]], times: Floats, level: float) -> Floats:
    """(T,) m, of the ground under a foot: that of the last and the next run, the lower between."""
    ground = np.zeros(len(times))
    steps = [float(np.median(height[first : last + 1])) for first, last in runs]
    steps = [step if abs(step) > level else 0.0 for step in steps]
    for (first, last), step in zip(runs, steps, strict=True):
        ground[first : last + 1] = step
    for index in range(len(runs) + 1):
        start = runs[index - 1][1] + 1 if index else 0
        end = runs[index][0] if index < len(runs) else len(times)
        ground[start:end] = min(steps[max(index - 1, 0) : index + 1], default=0.0)
    return ground


def _flattened(turned: Floats, rest: Floats, flat: Bools, times: Floats) -> Floats:
    """(T, 4) orientations of a foot that is flat at some frames, as in its reference pose."""
    runs = _spans(flat)
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


def _spans(flags: Bools) -> list[tuple[int, int]]:
    """First and last frame of each run of True."""
    edge = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(int)))
    return [(int(a), int(b) - 1) for a, b in zip(edge[::2], edge[1::2], strict=True)]


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


def _lowered(
    new: ReferencePose,
    times: Floats,
    values: Floats,
    goals: dict[str, Floats],
    feet: list[_Foot],
    root: int,
) -> Floats:
    """(T, C) poses with the body so low that legs reach the ground they stand on."""
    drop = np.zeros(len(times))
    for foot in feet:
        upper, lower, ankle = (
            new.chains[f"{foot.side}_{part}"][0] for part in ("upper_leg", "lower_leg", "foot")
        )
        place = forward(new.body.rig, values, [upper, lower, ankle])[..., :3, 3]
        reach = STRAIGHT * np.linalg.norm(np.diff(place, axis=1), axis=-1).sum(axis=1)
        way = place[:, 0] - goals[foot.side]
        level = np.linalg.norm(way[:, [0, 2]], axis=1)
        most = np.sqrt(np.maximum(reach**2 - level**2, 0.0))
        own = np.maximum(way[:, 1] - most, 0.0)
        for first, last in foot.standing.runs:
            drop[first : last + 1] = np.maximum(drop[first : last + 1], own[first : last + 1])
    if not drop.any():
        return values
    shift = np.zeros((len(times), 3))
    shift[:, 1] = -_envelope(drop, times)
    return moved_joint(new.body.rig, root, values, shift)


def _envelope(needed: Floats, times: Floats) -> Floats:
    """(T,) smooth, and nowhere less than needed."""
    frame = (times[-1] - times[0]) / max(len(times) - 1, 1)
    half = max(round(LOWER / frame), 1) if frame > 0 else 1
    padded = np.pad(needed, half, mode="edge")
    widest = np.lib.stride_tricks.sliding_window_view(padded, 2 * half + 1).max(axis=1)
    window = np.hanning(2 * half + 3)[1:-1]
    return np.asarray(
        np.convolve(np.pad(widest, half, mode="edge"), window / window.sum(), "valid")
    )


def _leg(new: ReferencePose, foot: _Foot, values: Floats, goal: Floats) -> dict[int, Floats]:
    """(T, 4) of the joints of a leg whose ankle is at a goal (T, 3)."""
    rig, side = new.body.rig, foot.side
    upper, lower, ankle = (
        new.chains[f"{side}_{part}"][0] for part in ("upper_leg", "lower_leg", "foot")
    )
    place = forward(rig, values, [upper, lower, ankle])[..., :3, 3]
    turned = orientation(rig, values, [upper, lower])
    thigh, shin = place[:, 1] - place[:, 0], place[:, 2] - place[:, 1]
    bend = _knee_turn(new, values, turned[:, 1], lower, thigh, shin, goal - place[:, 0])
    foot_now = thigh + quaternion_rotate(bend, shin)
    swing = _swings(foot_now, goal - place[:, 0])
    wanted = {
        upper: quaternion_multiply(swing, turned[:, 0]),
        lower: quaternion_multiply(swing, quaternion_multiply(bend, turned[:, 1])),
        ankle: foot.orientation,
    }
    if foot.toes is not None:
        joint = new.chains[f"{side}_toes"][0]
        room = (goal + quaternion_rotate(foot.orientation, foot.sole.toes))[:, 1] - foot.ground
        wanted[joint] = _above_ground(foot.toes, new.orientation[joint], [foot.sole.tip], room)
    return wanted


def _knee_turn(
    new: ReferencePose,
    values: Floats,
    turned: Floats,
    lower: int,
    thigh: Floats,
    shin: Floats,
    way: Floats,
) -> Floats:
    """(T, 4) by how much to turn the lower leg about the knee, so that the foot is far enough."""
    bones = [np.linalg.norm(each, axis=1) for each in (thigh, shin)]
    far = np.clip(
        np.linalg.norm(way, axis=1),
        np.abs(bones[0] - bones[1]) + 1e-6,
        STRAIGHT * (bones[0] + bones[1]),
    )
    cosine = (far**2 - bones[0] ** 2 - bones[1] ** 2) / 2  # times both bones
    hinge = hinge_axis(new.body.rig, lower)
    if hinge is not None:
        axis = quaternion_rotate(turned, hinge[0])
    else:
        axis = _knee_axis(new, values, thigh, shin)
    along = (axis * shin).sum(axis=1, keepdims=True) * axis
    a = (thigh * (shin - along)).sum(axis=1)
    b = (thigh * cross(axis, shin)).sum(axis=1)
    size = np.maximum(np.hypot(a, b), 1e-12)
    half = np.arccos(np.clip((cosine - (thigh * along).sum(axis=1)) / size, -1.0, 1.0))
    middle = np.arctan2(b, a)
    both = np.stack([middle + half, middle - half])
    both = both - 2 * np.pi * np.round(both / (2 * np.pi))
    angle = np.take_along_axis(both, np.abs(both).argmin(axis=0)[None], axis=0)[0]
    return quaternion_from_vector(angle[:, None] * axis)


def _knee_axis(new: ReferencePose, values: Floats, thigh: Floats, shin: Floats) -> Floats:
    """(T, 3) unit axes about which knees bend; of straight ones the way from hip to hip."""
    tops = [new.chains[f"{side}_upper_leg"][0] for side in ("right", "left")]
    place = forward(new.body.rig, values, tops)[..., :3, 3]
    across = place[:, 1] - place[:, 0]
    across /= np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-9)
    sizes = np.linalg.norm(thigh, axis=1, keepdims=True) * np.linalg.norm(
        shin, axis=1, keepdims=True
    )
    axis = cross(thigh, shin) / sizes + SIDEWAYS * across
    axis -= (
        (axis * shin).sum(axis=1, keepdims=True) * shin / (shin * shin).sum(axis=1, keepdims=True)
    )
    unit: Floats = axis / np.maximum(np.linalg.norm(axis, axis=1, keepdims=True), 1e-9)
    return unit


def _swings(start: Floats, end: Floats) -> Floats:
    """(T, 4) the shortest rotations between directions (T, 3)."""
    start = start / np.maximum(np.linalg.norm(start, axis=1, keepdims=True), 1e-12)
    end = end / np.maximum(np.linalg.norm(end, axis=1, keepdims=True), 1e-12)
    found = np.concatenate(
        [1 + (start * end).sum(axis=1, keepdims=True), cross(start, end)], axis=1
    )
    unit: Floats = found / np.linalg.norm(found, axis=1, keepdims=True)
    return unit
