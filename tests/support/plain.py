"""A slow, plain evaluator and random curves, to hold the fast ones against."""

import math

import numpy as np
from hypothesis import strategies as st

from arcwright.scene.curve import Curve, Extrapolation, Handle, Interpolation


def plain_value(curve: Curve, t: float) -> float:
    first, last = curve.time[0], curve.time[-1]
    count = len(curve)
    if t > last and curve.after >= Extrapolation.CYCLE and count > 1:
        return _cycled(curve, t, math.ceil((t - last) / (last - first)), curve.after)
    if t < first and curve.before >= Extrapolation.CYCLE and count > 1:
        return _cycled(curve, t, math.floor((t - first) / (last - first)), curve.before)
    if t < first:
        return _extended(curve, t, 0, curve.before)
    if t >= last:
        return _extended(curve, t, 1, curve.after)
    k = max(k for k in range(count) if curve.time[k] <= t)
    return _inside(curve, k, t)


def _cycled(curve: Curve, t: float, turns: int, way: Extrapolation) -> float:
    first, last = curve.time[0], curve.time[-1]
    inside = min(max(t - turns * (last - first), first), last)
    if way == Extrapolation.MIRROR and turns % 2:
        inside = first + last - inside
    extra = turns * (curve.value[-1] - curve.value[0]) if way == Extrapolation.CYCLE_OFFSET else 0
    return (
        _inside(
            curve, min(np.searchsorted(curve.time, inside, "right") - 1, len(curve) - 2), inside
        )
        + extra
    )


def _extended(curve: Curve, t: float, side: int, way: Extrapolation) -> float:
    key = -1 if side else 0
    value, mode = curve.value[key], curve.interpolation[key]
    if way != Extrapolation.LINEAR or mode == Interpolation.STEP:
        return value
    if mode == Interpolation.BEZIER:
        run, rise = curve.tangent[key, side]
        return value + (t - curve.time[key]) * rise / run if run > 0 else value
    if len(curve) == 1:
        return value
    near = -2 if side else 1
    slope = (curve.value[near] - value) / (curve.time[near] - curve.time[key])
    return value + (t - curve.time[key]) * slope


def _inside(curve: Curve, k: int, t: float) -> float:
    t0, t1 = curve.time[k : k + 2]
    v0, v1 = curve.value[k : k + 2]
    if t in (t0, t1):
        return v0 if t == t0 else v1
    mode = curve.interpolation[k]
    if mode == Interpolation.STEP:
        return v0
    if mode != Interpolation.BEZIER:
        return v0 + (v1 - v0) * (t - t0) / (t1 - t0)
    out, into = shrunk(curve.tangent[k, 1], t1 - t0), shrunk(curve.tangent[k + 1, 0], t1 - t0)
    xs = (t0, t0 + out[0], t1 - into[0], t1)
    ys = (v0, v0 + out[1], v1 - into[1], v1)
    low, high = 0.0, 1.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if _bezier(xs, middle) < t else (low, middle)
    return _bezier(ys, (low + high) / 2)


def shrunk(handle: np.ndarray, length: float) -> np.ndarray:
    return handle * (length / handle[0]) if handle[0] > length else handle


def _bezier(p: tuple[float, ...], s: float) -> float:
    r = 1 - s
    return r**3 * p[0] + 3 * r * r * s * p[1] + 3 * r * s * s * p[2] + s**3 * p[3]


def random_curve(seed: int, keys: int = 0, modes: tuple[int, ...] = (0, 1, 2)) -> Curve:
    """Keys 0.05 to 1 s apart; handles of every kind of length, zero and overlong among them."""
    rng = np.random.default_rng(seed)
    count = keys or int(rng.integers(1, 8))
    time = rng.uniform(-2, 2) + np.cumsum(rng.uniform(0.05, 1.0, count))
    gap = np.diff(time, prepend=time[0] - 1, append=time[-1] + 1)
    tangent = np.stack([rng.uniform(0, 1.6, (count, 2)), rng.normal(0, 1, (count, 2))], axis=-1)
    tangent[:, 0, 0] *= gap[:-1]
    tangent[:, 1, 0] *= gap[1:]
    tangent[rng.random((count, 2)) < 0.15] = 0
    tangent[rng.random((count, 2)) < 0.1, 0] = 0
    thirds = rng.random((count, 2)) < 0.2
    tangent[:, 0, 0] = np.where(thirds[:, 0], gap[:-1] / 3, tangent[:, 0, 0])
    tangent[:, 1, 0] = np.where(thirds[:, 1], gap[1:] / 3, tangent[:, 1, 0])
    return Curve(
        time=time,
        value=rng.normal(0, 2, count),
        tangent=tangent,
        handles=np.full((count, 2), Handle.FREE),
        interpolation=rng.choice(modes, count),
        before=Extrapolation(int(rng.integers(5))),
        after=Extrapolation(int(rng.integers(5))),
    )


seeds = st.integers(0, 2**32 - 1)
