"""Posing: key poses in degrees and metres, inverse kinematics for feet, and clips from poses.

A pose is a mapping from full channel names to values (m, rad); channels it does not name are not
keyed by it. Poses are joined with `|`, the right one wins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from arcwright.arrays import Floats, Ints
from arcwright.characters.skeleton import Vector, other_side
from arcwright.curves.evaluate import evaluate
from arcwright.curves.keys import keyed
from arcwright.curves.pack import pack
from arcwright.errors import BadValue
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rotation import (
    matrix_from_quaternion,
    quaternion_from_euler,
    quaternion_from_matrix,
    vector_from_quaternion,
)
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve, Extrapolation, Handle
from arcwright.scene.rig import Rig

Pose = dict[str, float]
Frames = Mapping[int, Mapping[str, float]] | Mapping[float, Mapping[str, float]]
MAX_ITERATIONS = 60  # of inverse kinematics at most
ROTATION_WEIGHT = 0.2  # m per rad: weight of an orientation error against a position error


def pose(rig: Rig, written: Mapping[str, float | Sequence[float]]) -> Pose:
    """A pose from degrees and metres.

    `"LeftUpperArm": (x, y, z)` or, for joints with fewer channels, the values of those they have
    in the order of x, y, z (a lone number for a hinge); `"Head.y": 20` one channel of a joint;
    `"Hips.translate": (x, y, z)` and `"Hips.translate.y"` in metres.
    """
    values: Pose = {}
    for name, value in written.items():
        channels = _channels(rig, name)
        given = np.atleast_1d(np.asarray(value, float))
        if len(given) != len(channels):
            axes = ", ".join(channel[-1] for channel in channels)
            raise BadValue(f"pose {name}", f"{len(channels)} numbers ({axes})", value)
        angular = ".rotate." in channels[0]
        values |= zip(channels, (np.radians(given) if angular else given).tolist(), strict=True)
    return values


def _channels(rig: Rig, name: str) -> list[str]:
    """The channels that `Joint`, `Joint.x`, `Joint.translate` or `Joint.translate.x` mean."""
    joint, *words = name.split(".")
    rig.joint(joint)
    group = "translate" if "translate" in words else "rotate"
    axes = [word for word in words if word != "translate"]
    if axes:
        return [rig.channel_names[rig.channel(f"{joint}.{group}.{axes[0]}")]]
    found = [f"{joint}.{group}.{axis}" for axis in "xyz"]
    return [channel for channel in found if channel in rig.channel_names]


def mirrored(posed: Pose) -> Pose:
    """The mirrored pose: Left for Right, x translation and y, z rotation negated."""
    flips = ("translate.x", "rotate.y", "rotate.z")
    return {
        other_side(name): -value if name.endswith(flips) else value for name, value in posed.items()
    }


def values_of(rig: Rig, posed: Mapping[str, float]) -> Floats:
    """All channel values (C,) of a pose, with defaults for channels it does not set."""
    values = np.array(rig.channels.default)
    for name, value in posed.items():
        values[rig.channel(name)] = value
    return values


def pose_at(rig: Rig, played: Clip, frame: float) -> Pose:
    """The complete pose of a clip at a frame."""
    values = evaluate(pack(played, rig), np.array([frame / played.rate]))[0]
    return dict(zip(rig.channel_names, values.tolist(), strict=True))


def only(posed: Mapping[str, float], *joints: str) -> Pose:
    """The part of a pose that belongs to these joints."""
    return {name: value for name, value in posed.items() if name.split(".")[0] in joints}


def point_position(
    rig: Rig, posed: Mapping[str, float], joint: str, point: ArrayLike = (0, 0, 0)
) -> Floats:
    """World position (3,) m of a point of a joint in a pose."""
    world = forward(rig, values_of(rig, posed)[None])[0, rig.joint(joint)]
    return np.asarray(world[:3, :3] @ np.asarray(point, float) + world[:3, 3])


def solve_ik(
    rig: Rig,
    posed: Pose,
    joint: str,
    position: Sequence[float],
    rotation: Vector | None = None,
    *,
    point: Vector = (0, 0, 0),
    chain: Sequence[str] = (),
    tolerance: float = 1e-4,
    nudge: float = 0.02,
) -> Pose:
    """Inverse kinematics: `point` of `joint` at `position` (m), rotated from rest by `rotation`.

    `rotation` is in degrees about the world's x, then y, then z. The channels of `chain` (the joint
    and its two parents by default) change within limits; a residual above `tolerance` raises.
    `nudge` (rad) first moves straight limbs off their singularity.
    """
    joints = chain or _two_above(rig, joint)
    names = [n for n in rig.channel_names if n.split(".")[0] in joints and ".rotate." in n]
    columns = np.array([rig.channel(name) for name in names])
    target = _target(rig, joint, position, rotation)
    values, left = _solved(rig, values_of(rig, posed), columns, joint, point, target, nudge)
    if left > tolerance:
        within = f"a target within reach of {', '.join(joints)}"
        raise BadValue(f"target of {joint}", within, f"one missed by {left * 1000:.1f} mm")
    return posed | dict(zip(names, values[columns].tolist(), strict=True))


def _solved(
    rig: Rig,
    values: Floats,
    columns: Ints,
    joint: str,
    point: Vector,
    target: Floats,
    nudge: float,
) -> tuple[Floats, float]:
    """The values after damped steps inside the limits, and the remaining residual."""
    low, high = rig.channels.low[columns], rig.channels.high[columns]
    values[columns] = np.clip(values[columns] + nudge * np.sign(low + high), low, high)
    for _ in range(MAX_ITERATIONS):
        residual, slopes = _residual(rig, values, columns, joint, point, target)
        if np.linalg.norm(residual) < 1e-9:
            break
        values[columns] += _step(slopes, residual, values[columns], low, high)
    return values, float(np.linalg.norm(_residual(rig, values, columns, joint, point, target)[0]))


def _two_above(rig: Rig, joint: str) -> list[str]:
    line = [rig.joint(joint)]
    while len(line) < 3 and rig.parents[line[-1]] >= 0:
        line.append(int(rig.parents[line[-1]]))
    return [rig.names[each] for each in line]


def _target(rig: Rig, joint: str, position: Sequence[float], rotation: Vector | None) -> Floats:
    """4x4 target of world_from_joint; [3, 0] is 1 if the orientation counts."""
    target = forward(rig, rig.channels.default[None])[0, rig.joint(joint)].copy()
    if rotation is not None:
        x, y, z = np.radians(rotation)
        about = matrix_from_quaternion(quaternion_from_euler(np.array([z, y, x]), "ZYX"))
        target[:3, :3] = about @ target[:3, :3]
    target[:3, 3] = position
    target[3, 0] = rotation is not None
    return np.asarray(target)


def _residual(
    rig: Rig, values: Floats, columns: Ints, joint: str, point: Vector, target: Floats
) -> tuple[Floats, Floats]:
    """Residual (6,) and its Jacobian (6, N) by finite differences."""
    small = 1e-6
    tries = np.tile(values, (len(columns) + 1, 1))
    tries[np.arange(len(columns)) + 1, columns] += small
    world = forward(rig, tries, [rig.joint(joint)])[:, 0]
    places = world[:, :3, :3] @ np.asarray(point, float) + world[:, :3, 3]
    residuals = np.zeros((len(tries), 6))
    residuals[:, :3] = target[:3, 3] - places
    if target[3, 0]:
        turned = target[:3, :3] @ np.swapaxes(world[:, :3, :3], 1, 2)
        residuals[:, 3:] = ROTATION_WEIGHT * vector_from_quaternion(quaternion_from_matrix(turned))
    return residuals[0], (residuals[0] - residuals[1:]).T / small


def _step(slopes: Floats, residual: Floats, at: Floats, low: Floats, high: Floats) -> Floats:
    """A damped step; channels at their limit that it would push out stay fixed."""
    free = np.ones(len(at), bool)
    step = np.zeros(len(at))
    for _ in range(4):
        part = slopes[:, free]
        damped = part @ part.T + 1e-8 * np.eye(6)
        step[:] = 0
        step[free] = part.T @ np.linalg.solve(damped, residual)
        step *= min(1.0, 0.4 / max(np.abs(step).max(), 1e-12))
        out = free & ((at + step > high) & (at >= high) | (at + step < low) & (at <= low))
        if not out.any():
            break
        free &= ~out
    return np.clip(at + step, low, high) - at


def clip(
    rig: Rig,
    name: str,
    poses: Frames,
    *,
    rate: float = 24.0,
    loops: bool = False,
    lag: Mapping[str, float] | None = None,
    whole: bool = False,
) -> Clip:
    """A clip with a key wherever a pose (by frame) names a channel; handles are auto-clamped.

    `lag` delays the inner keys of a joint by some frames, so that hands and tails follow through.
    A channel that never leaves its default is not keyed, unless the poses are `whole`: then
    each of them keys every channel. A loop must end as it began; a translation that does not
    continues from there in each cycle.
    """
    poses = {float(frame): poses[frame] for frame in sorted(poses)}  # type: ignore[index]
    last = max(poses)
    if whole:
        still = dict(zip(rig.channel_names, rig.channels.default.tolist(), strict=True))
        poses = {frame: still | dict(posed) for frame, posed in poses.items()}
    curves: list[Curve | None] = []
    for column, channel in enumerate(rig.channel_names):
        late = (lag or {}).get(channel.split(".")[0], 0.0)
        frames = [f for f in poses if channel in poses[f]]
        value = np.array([poses[f][channel] for f in frames])
        idle = not frames or np.allclose(value, rig.channels.default[column], rtol=0, atol=1e-9)
        time = np.array([f + (late if 0 < f < last else 0) for f in frames]) / rate
        curves.append(
            None if idle and not whole else _curve(time, value, last / rate if loops else 0.0)
        )
    return Clip(name, tuple(curves), last / rate, rate, loops)


def _curve(time: Floats, value: Floats, period: float) -> Curve:
    """Keys with auto-clamped handles; in a loop the handles use the keys of the next cycle."""
    if not period or len(time) < 2:
        return keyed(time, value)
    climb = value[-1] - value[0]
    around = keyed(
        np.concatenate([[time[-2] - period], time, [time[1] + period]]),
        np.concatenate([[value[-2] - climb], value, [value[1] + climb]]),
    )
    onward = Extrapolation.CYCLE if abs(climb) < 1e-9 else Extrapolation.CYCLE_OFFSET
    return Curve(
        time=time,
        value=value,
        tangent=around.tangent[1:-1],
        handles=around.handles[1:-1],
        interpolation=around.interpolation[1:-1],
        before=onward,
        after=onward,
    )


def with_fitted_handles(rig: Rig, played: Clip, poses: Frames) -> Clip:
    """The clip with handles fitted so that its curves pass as close as possible by these poses.

    No key is added or moved: in each segment that holds two poses or more, the two handles (at
    one and two thirds of its time) are solved by least squares.
    """
    curves = list(played.curves)
    times = np.array(sorted(poses)) / played.rate
    targets = [poses[frame] for frame in sorted(poses)]  # type: ignore[index]
    for name in targets[0]:
        curve = curves[rig.channel(name)]
        if curve is not None and len(curve) > 1:
            values = np.array([each[name] for each in targets])
            curves[rig.channel(name)] = _with_segment_handles(curve, times, values)
    return replace(played, curves=tuple(curves))


def _with_segment_handles(curve: Curve, times: Floats, values: Floats) -> Curve:
    tangent, handles = curve.tangent.copy(), curve.handles.copy()
    for key in range(len(curve) - 1):
        (start, end), (first, last) = curve.time[key : key + 2], curve.value[key : key + 2]
        inside = (times > start + 1e-9) & (times < end - 1e-9)
        if inside.sum() < 2:
            continue
        u = (times[inside] - start) / (end - start)
        out, into = 3 * u * (1 - u) ** 2, 3 * u**2 * (1 - u)
        straight = first * ((1 - u) ** 3 + out) + last * (u**3 + into)
        rise = np.linalg.lstsq(
            np.stack([out, -into], axis=1), values[inside] - straight, rcond=None
        )[0]
        tangent[key, 1] = (end - start) / 3, rise[0]
        tangent[key + 1, 0] = (end - start) / 3, rise[1]
        handles[key, 1] = handles[key + 1, 0] = Handle.FREE
    return replace(curve, tangent=tangent, handles=handles)
