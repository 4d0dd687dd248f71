"""IK tracks: a limb that follows an animated target, baked to few keys.

The limb is solved at every half frame. Its keys have the values and slopes of the solution, so
curves are smooth; keys are inserted until points of the limb are as near as asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from arcwright.arrays import Floats
from arcwright.characters.posing import Pose
from arcwright.characters.skeleton import Vector
from arcwright.curves.evaluate import evaluate
from arcwright.curves.keys import keyed, with_auto_handles
from arcwright.curves.pack import pack, pack_curves
from arcwright.kinematics.forward import forward
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve, Extrapolation, Handle, Interpolation
from arcwright.scene.rig import Rig

Span = tuple[float, float]  # frames
PLANTED = 3e-4  # m, of the limb's points from the solution while they carry
MOVING = 4e-3  # m, elsewhere
GRAIN = 2.0**-21  # m or rad: what keys are rounded to, so that they pack well
DELTA = 0.02  # frames, half the interval of a slope


@dataclass(frozen=True)
class Limb:
    """Joints that are solved, and points of the last one that must be where the solution is."""

    joints: tuple[str, ...]
    end: str
    points: tuple[Vector, ...]


Solve = Callable[[float, Pose], Pose]  # the complete pose with the limb solved, at a frame


def track(
    keys: Mapping[int, tuple[float, ...]] | Mapping[float, tuple[float, ...]], *, loops: bool
) -> Callable[[float], list[float]]:
    """Smooth columns through keys by frame; they stand still between equal neighbours.

    In a loop the last key is the first one of the next cycle, which may be elsewhere.
    """
    rows = sorted(keys.items())
    time = np.array([frame for frame, _ in rows], float)
    columns = np.array([row for _, row in rows], float).T
    curves: list[Curve | None] = []
    for value in columns:
        onward = Extrapolation.CYCLE_OFFSET if value[-1] != value[0] else Extrapolation.CYCLE
        onward = onward if loops else Extrapolation.HOLD
        curves.append(keyed(time, value, before=onward, after=onward))
    packed = pack_curves(curves, np.zeros(len(curves)))
    return lambda frame: [float(each) for each in evaluate(packed, [frame])[0]]


def bake(
    rig: Rig,
    played: Clip,
    limb: Limb,
    solve: Solve,
    span: Span,
    *,
    keys: Iterable[float] = (),
    planted: Sequence[Span] = (),
) -> Clip:
    """The clip with the limb's keys over a span of frames set from `solve`; others stay."""
    names = [n for n in rig.channel_names if n.split(".")[0] in limb.joints]
    columns = np.array([rig.channel(name) for name in names])
    frames = np.arange(span[0], span[1] + 0.25, 0.5)
    aim = _values(rig, played, frames)
    aim[:, columns] = _solved(rig, played, names, solve, frames)
    tolerance = np.full(len(frames), MOVING)
    for start, end in planted:
        tolerance[(frames >= start) & (frames <= end)] = PLANTED
    ends = {*span, *(each for pair in planted for each in pair), *keys}
    chosen = sorted({float(each) for each in ends if span[0] <= each <= span[1]})
    keyed_at: dict[float, tuple[Floats, Floats]] = {}
    added = chosen
    while added:
        keyed_at |= _keys(rig, played, names, solve, added)
        chosen = sorted(keyed_at)
        value, slope = (np.array([keyed_at[f][part] for f in chosen]) for part in (0, 1))
        between = aim.copy()
        between[:, columns] = _hermite(np.array(chosen), value, slope, frames)
        error = np.linalg.norm(_points(rig, limb, between) - _points(rig, limb, aim), axis=2)
        added = _missing(frames, np.array(chosen), error.max(axis=1) / tolerance)
    curves = list(played.curves)
    for column, own, steep in zip(columns, value.T, slope.T, strict=True):
        curves[column] = _merged(played, curves[column], np.array(chosen), own, steep)
    return replace(played, curves=tuple(curves))


def _values(rig: Rig, played: Clip, frames: Floats) -> Floats:
    return evaluate(pack(played, rig), frames / played.rate)


def _solved(rig: Rig, played: Clip, names: list[str], solve: Solve, frames: Floats) -> Floats:
    """Values (T, N) of the limb's channels in the solution."""
    rows = []
    for frame, row in zip(frames.tolist(), _values(rig, played, frames), strict=True):
        posed = solve(frame, dict(zip(rig.channel_names, row.tolist(), strict=True)))
        rows.append([posed[name] for name in names])
    return np.array(rows)


def _keys(
    rig: Rig, played: Clip, names: list[str], solve: Solve, frames: list[float]
) -> dict[float, tuple[Floats, Floats]]:
    """By frame: value and slope (N,) of the solution."""
    around = np.array(frames)[:, None] + np.array([-DELTA, 0.0, DELTA])
    found = _solved(rig, played, names, solve, around.ravel()).reshape(len(frames), 3, -1)
    slope = (found[:, 2] - found[:, 0]) / (2 * DELTA)
    return dict(zip(frames, zip(found[:, 1], slope, strict=True), strict=True))


def _hermite(keys: Floats, value: Floats, slope: Floats, frames: Floats) -> Floats:
    """Cubic segments (T, N) with these values and slopes at the keys."""
    at = np.clip(np.searchsorted(keys, frames, "right") - 1, 0, len(keys) - 2)
    gap = (keys[at + 1] - keys[at])[:, None]
    u = (frames - keys[at])[:, None] / gap
    out, into = value[at] + slope[at] * gap / 3, value[at + 1] - slope[at + 1] * gap / 3
    ends = (1 - u) ** 3 * value[at] + u**3 * value[at + 1]
    return np.asarray(ends + 3 * u * (1 - u) ** 2 * out + 3 * u**2 * (1 - u) * into)


def _points(rig: Rig, limb: Limb, values: Floats) -> Floats:
    world = forward(rig, values, [rig.joint(limb.end)])[:, 0]  # (T, 4, 4)
    return np.asarray(
        np.einsum("tij,pj->tpi", world[:, :3, :3], np.array(limb.points)) + world[:, None, :3, 3]
    )


def _missing(frames: Floats, keys: Floats, error: Floats) -> list[float]:
    """A frame near the middle of each segment that is not near enough."""
    added = []
    for start, end in pairwise(keys.tolist()):
        inside = (frames > start) & (frames < end)
        if inside.any() and error[inside].max() > 1:
            choice = frames[inside]
            added.append(float(choice[np.argmin(abs(choice - (start + end) / 2))]))
    return added


def _merged(
    played: Clip, curve: Curve | None, frames: Floats, value: Floats, slope: Floats
) -> Curve | None:
    """The curve with these keys in place of those in their span; other handles stay automatic."""
    if curve is None and np.ptp(value) < 1e-9 and abs(value[0]) < 1e-9:
        return None
    onward = Extrapolation.CYCLE if played.loops else Extrapolation.HOLD
    time = frames / played.rate
    old = curve or keyed([0.0, played.duration], [0.0, 0.0], before=onward, after=onward)
    before, after = old.time < time[0] - 1e-9, old.time > time[-1] + 1e-9
    whole = np.concatenate([old.time[before], time, old.time[after]])
    gap = np.diff(whole) / 3
    run = np.stack([np.r_[gap[:1], gap], np.r_[gap, gap[-1:]]], axis=1)
    own = old.tangent[:, 1, 1] / np.maximum(old.tangent[:, 1, 0], 1e-12)
    steep = np.concatenate([own[before], slope * played.rate, own[after]])
    aligned = np.full((len(time), 2), Handle.ALIGNED, np.int64)
    merged = Curve(
        whole,
        np.concatenate([old.value[before], _rounded(value), old.value[after]]),
        np.stack([run, _rounded(run * steep[:, None])], axis=-1),
        np.concatenate([old.handles[before], aligned, old.handles[after]]),
        np.full(len(whole), Interpolation.BEZIER, np.int64),
        old.before,
        old.after,
    )
    return with_auto_handles(merged)


def _rounded(values: Floats) -> Floats:
    return np.asarray(np.round(values / GRAIN) * GRAIN)


def soft_loop(played: Clip) -> Clip:
    """The loop with handles that run through its seam with one slope."""
    return replace(played, curves=tuple(each and with_auto_handles(each) for each in played.curves))
