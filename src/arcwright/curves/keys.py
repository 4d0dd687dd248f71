"""Keys: make curves and insert, remove, move and retime their keys."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from arcwright.arrays import Bools, Floats, Ints, frozen
from arcwright.curves.bezier_parameter import bezier_parameter
from arcwright.curves.evaluate import evaluate_curve
from arcwright.curves.handles import with_auto_handles
from arcwright.errors import BadValue
from arcwright.scene.curve import Curve, Extrapolation, Handle, Interpolation

__all__ = [
    "insert_key",
    "keyed",
    "kinds_that_stay",
    "move_key",
    "remove_key",
    "retime",
    "some_keys",
    "with_auto_handles",
]


def keyed(
    time: ArrayLike,
    value: ArrayLike,
    handle: Handle = Handle.AUTO_CLAMPED,
    *,
    interpolation: Interpolation = Interpolation.BEZIER,
    before: Extrapolation = Extrapolation.HOLD,
    after: Extrapolation = Extrapolation.HOLD,
    smooth: bool = True,
) -> Curve:
    """A curve through keys with computed handles; see `with_auto_handles`."""
    curve = Curve.of(time, value, interpolation=interpolation, before=before, after=after)
    kinds = np.full((len(curve), 2), handle, np.int64)
    return with_auto_handles(replace(curve, handles=kinds), smooth=smooth)


def insert_key(curve: Curve, time: float) -> Curve:
    """The same curve with one key more; where there is a key already, the curve itself.

    Changed handles become ALIGNED, or FREE at corners, so that they stay. Handles that fill
    their segment cannot always be cut in two: then a further key keeps the curve as it is.
    Beyond the keys of a cyclic curve there is no such key.
    """
    if time in curve.time:
        return curve
    if curve.time[0] < time < curve.time[-1]:
        return _split(_with_own_ray(curve) if time > curve.time[-2] else curve, time)
    side = int(time > curve.time[-1])
    if curve.cyclic:
        span = f"a time from {curve.time[0]} to {curve.time[-1]} s of a cyclic curve"
        raise BadValue("insert_key time", span, time)
    return _lengthen(curve, time, side)


def remove_key(curve: Curve, key: int) -> Curve:
    """The curve without one of its keys."""
    _check_key(curve, key)
    if len(curve) == 1:
        raise BadValue("remove_key", "a curve of two or more keys", "one key")
    stay = np.arange(len(curve)) != key
    return with_auto_handles(some_keys(curve, stay))


def move_key(
    curve: Curve, key: int, *, time: float | None = None, value: float | None = None
) -> Curve:
    """The curve with a key elsewhere, its handles moved along; it may pass other keys."""
    _check_key(curve, key)
    times, values = np.array(curve.time), np.array(curve.value)
    times[key] = times[key] if time is None else time
    values[key] = values[key] if value is None else value
    return _rearranged(curve, times, values, curve.tangent)


def retime(
    curve: Curve,
    *,
    scale: float = 1.0,
    shift: float = 0.0,
    pivot: float = 0.0,
    keys: ArrayLike | None = None,
) -> Curve:
    """All or the named keys at `pivot + scale (t - pivot) + shift`, handles scaled with them."""
    if not 0 < scale < float("inf"):
        raise BadValue("retime scale", "a number above 0", scale)
    chosen: Ints = (
        np.arange(len(curve)) if keys is None else frozen(keys, "retime keys", ("K",), np.int64)
    )
    for key in chosen.tolist():
        _check_key(curve, key)
    times, tangent = np.array(curve.time), np.array(curve.tangent)
    times[chosen] = pivot + scale * (times[chosen] - pivot) + shift
    tangent[chosen, :, 0] *= scale
    return _rearranged(curve, times, np.array(curve.value), tangent)


def _check_key(curve: Curve, key: int) -> None:
    if not 0 <= key < len(curve):
        raise BadValue("key", f"0 to {len(curve) - 1}", key)


def _rearranged(curve: Curve, times: Floats, values: Floats, tangent: Floats) -> Curve:
    order = np.argsort(times, kind="stable")
    if (np.diff(times[order]) <= 0).any():
        again = times[order][:-1][np.diff(times[order]) <= 0][0]
        raise BadValue("key time", "a time of its own for each key", f"two keys at {again} s")
    moved = replace(
        curve,
        time=times[order],
        value=values[order],
        tangent=tangent[order],
        handles=curve.handles[order],
        interpolation=curve.interpolation[order],
    )
    return with_auto_handles(moved)


def some_keys(curve: Curve, keys: Bools) -> Curve:
    """Some of the keys of a curve, as they are."""
    return replace(
        curve,
        time=curve.time[keys],
        value=curve.value[keys],
        tangent=curve.tangent[keys],
        handles=curve.handles[keys],
        interpolation=curve.interpolation[keys],
    )


def _with_own_ray(curve: Curve) -> Curve:
    """Beyond its last key the same, but by that key's handle and not by the key before."""
    if curve.after != Extrapolation.LINEAR or curve.interpolation[-1] not in (
        Interpolation.LINEAR,
        Interpolation.SLERP,
    ):
        return curve
    tangent, modes = np.array(curve.tangent), np.array(curve.interpolation)
    kinds = np.array(curve.handles)
    tangent[-1, 1] = np.diff(curve.time)[-1] / 3, np.diff(curve.value)[-1] / 3
    modes[-1], kinds[-1] = Interpolation.BEZIER, Handle.FREE
    return replace(curve, tangent=tangent, interpolation=modes, handles=kinds)


def _split(curve: Curve, time: float) -> Curve:
    """Bezier segments are cut in two curves of the same shape; others keep their kind."""
    k = int(np.searchsorted(curve.time, time)) - 1
    length = curve.time[k + 1] - curve.time[k]
    if curve.interpolation[k] != Interpolation.BEZIER:
        value = float(evaluate_curve(curve, [time])[0])
        near = np.stack([curve.time[k : k + 2], curve.value[k : k + 2]], axis=-1)
        third = (np.array([time, value]) - near) * [[1], [-1]] / 3
        return _with_key(curve, k + 1, time, value, third)
    points = _control_points(curve, k)
    fraction = np.array([(time - curve.time[k]) / length])
    runs = np.array([points[1, :1], points[3, :1] - points[2, :1]]) / length
    parts = _parts(points, float(bezier_parameter(runs[0], runs[1], fraction)[0]))
    place, speed = _at(points, parts)
    step = np.diff(parts)[:, None] / 3
    tangent = np.array(curve.tangent)
    tangent[k, 1], tangent[k + 1, 0] = step[0] * speed[0], step[-1] * speed[-1]
    longer = replace(curve, tangent=tangent, handles=kinds_that_stay(curve, [k, k + 1]))
    for j in range(len(parts) - 2, 0, -1):
        own = np.stack([step[j - 1] * speed[j], step[j] * speed[j]])
        moment, value = np.array([curve.time[k], curve.value[k]]) + place[j]
        asked = abs(moment - time) < 1e-9 * length
        longer = _with_key(longer, k + 1, time if asked else moment, value, own)
    return longer


def _control_points(curve: Curve, k: int) -> Floats:
    """(4, 2) Bezier points of a segment from its first key, handles shrunk to its length."""
    whole = np.array([curve.time[k + 1] - curve.time[k], curve.value[k + 1] - curve.value[k]])
    handles = curve.tangent[[k, k + 1], [1, 0]]
    handles = handles * (whole[0] / np.maximum(handles[:, :1], whole[0]))
    return np.stack([0 * whole, handles[0], whole - handles[1], whole])


def _at(points: Floats, part: Floats) -> tuple[Floats, Floats]:
    """Place and derivative (P, 2) of a Bezier segment at parameters (P,)."""
    s, r = part[:, None], 1 - part[:, None]
    step = 3 * np.diff(points, axis=0)
    speed = r * r * step[0] + 2 * r * s * step[1] + s * s * step[2]
    place = 3 * r * r * s * points[1] + 3 * r * s * s * points[2] + s * s * s * points[3]
    return place, np.maximum(speed, [0, -np.inf])


def _parts(points: Floats, part: float) -> Floats:
    """Where to cut: at `part`, and where a piece would need a handle longer than itself."""
    parts = np.array([0.0, part, 1.0])
    for _ in range(8):
        place, speed = _at(points, parts)
        handle = np.maximum(speed[1:, 0], speed[:-1, 0]) * np.diff(parts) / 3
        long = np.flatnonzero(handle > np.diff(place[:, 0]) * (1 + 1e-12))
        if len(long) == 0:
            break
        parts = np.insert(parts, long + 1, (parts[long] + parts[long + 1]) / 2)
    return parts


def _lengthen(curve: Curve, time: float, side: int) -> Curve:
    """A key beyond the first or last one, where the curve already passes."""
    end = len(curve) - 1 if side else 0
    holds = (curve.after if side else curve.before) == Extrapolation.HOLD
    value = float(curve.value[end] if holds else evaluate_curve(curve, [time])[0])
    away = abs(np.array([time - curve.time[end], 0])) / 3
    away[1] = (value - curve.value[end]) / 3 * (1 if side else -1)
    tangent = np.array(curve.tangent)
    tangent[end, side] = away
    touched = replace(curve, tangent=tangent, handles=kinds_that_stay(curve, [end]))
    return _with_key(touched, len(curve) if side else 0, time, value, np.stack([away, away]))


def kinds_that_stay(curve: Curve, keys: ArrayLike) -> Ints:
    """Handle kinds under which the handles of these keys are not recomputed."""
    kinds, chosen = np.array(curve.handles), np.asarray(keys, np.int64)
    into, out = curve.tangent[chosen, 0], curve.tangent[chosen, 1]
    cross = into[:, 0] * out[:, 1] - into[:, 1] * out[:, 0]
    length = np.linalg.norm(into, axis=1) * np.linalg.norm(out, axis=1)
    smooth = np.abs(cross) <= 1e-9 * length
    kinds[chosen] = np.where(smooth, Handle.ALIGNED, Handle.FREE)[:, None]
    return kinds


def _with_key(curve: Curve, place: int, time: float, value: float, tangent: Floats) -> Curve:
    mode = curve.interpolation[max(place - 1, 0)]
    kind = Handle.ALIGNED if tangent[:, 0].all() else Handle.FREE
    return replace(
        curve,
        time=np.insert(curve.time, place, time),
        value=np.insert(curve.value, place, value),
        tangent=np.insert(curve.tangent, place, tangent, axis=0),
        handles=np.insert(curve.handles, place, [kind, kind], axis=0),
        interpolation=np.insert(curve.interpolation, place, mode),
    )
