"""Bends: what handles do between two keys: feet that stay or swing, with no key more.

A bend is the heights of the out handle of a key and of the in handle of the next, both standing at
a third of the segment, so that a curve's value is a plain cubic in time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.characters.posing import Pose, mirrored
from arcwright.errors import BadValue
from arcwright.kinematics.sample import sample
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve, Handle, Interpolation
from arcwright.scene.rig import Rig
from arcwright.scene.take import Take

Bend = tuple[float, float]
SHARES = np.linspace(0, 1, 13)  # of a segment, where a wish is looked at
ROUNDS = 6  # of Gauss-Newton
CALM = 5e-5  # weight of a handle's change, per rad², beside a fault's 1 per m²
SMALL = 1e-6
_INNER = np.stack([3 * (1 - SHARES) ** 2 * SHARES, 3 * (1 - SHARES) * SHARES**2], axis=1)


def bent(rig: Rig, clip: Clip, segment: int, bends: Mapping[str, Bend]) -> Clip:
    """The clip with the handles of one segment of these channels set; no key changes."""
    curves = list(clip.curves)
    for name, bend in bends.items():
        column = rig.channel(name)
        curve = curves[column]
        if curve is None or len(curve) < segment + 2:
            raise BadValue(f"bend of {name}", f"a curve with {segment + 2} keys", "fewer")
        curves[column] = _bent(curve, segment, bend)
    return replace(clip, curves=tuple(curves))


def _bent(curve: Curve, segment: int, bend: Bend) -> Curve:
    tangent, handles = curve.tangent.copy(), curve.handles.copy()
    interpolation = curve.interpolation.copy()
    third = (curve.time[segment + 1] - curve.time[segment]) / 3
    tangent[segment, 1], tangent[segment + 1, 0] = (third, bend[0]), (third, bend[1])
    handles[segment, 1] = handles[segment + 1, 0] = Handle.FREE
    interpolation[segment] = Interpolation.BEZIER
    return replace(curve, tangent=tangent, handles=handles, interpolation=interpolation)


def fitted(
    rig: Rig,
    clip: Clip,
    start: float,  # s, the two keys
    end: float,  # s
    joints: Iterable[str],
    wish: Callable[[float, Pose], Pose],
) -> dict[str, Bend]:
    """The bends of the joints' channels that come nearest to `wish(share of the way, pose)`."""
    values = sample(Take(rig, clip), start + SHARES * (end - start)).values
    wanted = [
        wish(float(share), dict(zip(rig.channel_names, row.tolist(), strict=True)))
        for share, row in zip(SHARES, values, strict=True)
    ]
    names = [name for name in rig.channel_names if name.split(".")[0] in set(joints)]
    return {name: _nearest(np.array([posed[name] for posed in wanted])) for name in names}


def _nearest(value: Floats) -> Bend:
    """Least squares over the two free Bernstein terms."""
    start, end = (1 - SHARES) ** 3 + _INNER[:, 0], SHARES**3 + _INNER[:, 1]
    out, into = np.linalg.lstsq(_INNER, value - start * value[0] - end * value[-1], rcond=None)[0]
    return float(out), float(-into)


def settled(
    rig: Rig,
    clip: Clip,
    start: float,  # s, the two keys
    end: float,  # s
    bends: Mapping[str, Bend],
    faults: Callable[[Floats], Floats],
) -> dict[str, Bend]:
    """The bends, which the clip has, changed so that `faults` of its poses become least.

    `faults` takes the channel values (13, C) at `SHARES` of the way and gives (13, F).
    """
    columns = np.array([rig.channel(name) for name in bends])
    heights = np.array(list(bends.values()))  # (N, 2)
    base = sample(Take(rig, clip), start + SHARES * (end - start)).values
    pull = np.stack([_INNER[:, 0], -_INNER[:, 1]], axis=1)  # (13, 2) value by height
    change = np.zeros_like(heights)
    for _ in range(ROUNDS):
        values = base.copy()
        values[:, columns] += pull @ change.T
        off, slopes = _slopes(faults, values, columns)
        matrix = np.einsum("tfn,ts->tfns", slopes, pull).reshape(off.size, -1)
        calm = np.sqrt(CALM) * np.eye(heights.size)
        wish = np.concatenate([-off.ravel(), -calm @ change.ravel()])
        step = np.linalg.lstsq(np.concatenate([matrix, calm]), wish, rcond=None)[0]
        change += step.reshape(heights.shape)
    whole = (heights + change).tolist()
    return {name: (out, into) for name, (out, into) in zip(bends, whole, strict=True)}


def _slopes(
    faults: Callable[[Floats], Floats], values: Floats, columns: Ints
) -> tuple[Floats, Floats]:
    """The faults (T, F) and how each channel changes them (T, F, N), by small differences."""
    off = faults(values)
    slopes = np.zeros((*off.shape, len(columns)))
    for at, column in enumerate(columns):
        nudged = values.copy()
        nudged[:, column] += SMALL
        slopes[:, :, at] = (faults(nudged) - off) / SMALL
    return off, slopes


def straight(start: float, end: float) -> Bend:
    """The bend of a straight line."""
    return ((end - start) / 3, (end - start) / 3)


def mirrored_bends(bends: Mapping[str, Bend]) -> dict[str, Bend]:
    """The bends seen in a mirror."""
    out = mirrored({name: each[0] for name, each in bends.items()})
    into = mirrored({name: each[1] for name, each in bends.items()})
    return {name: (out[name], into[name]) for name in out}
