"""Handles of one segment, fitted so that feet stay or swing between two keys without more keys.

Segment handles are the dv of the out handle of a key and of the in handle of the next, both at a
third of the segment, so that a curve's value is a cubic in time.
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

SegmentHandles = tuple[float, float]
SHARES = np.linspace(0, 1, 13)  # of a segment, where targets are evaluated
ROUNDS = 6  # of Gauss-Newton
REGULARISATION = 5e-5  # weight of a handle's change, per rad², against 1 per m² of a residual
SMALL = 1e-6
_INNER = np.stack([3 * (1 - SHARES) ** 2 * SHARES, 3 * (1 - SHARES) * SHARES**2], axis=1)


def with_handles(rig: Rig, clip: Clip, segment: int, handles: Mapping[str, SegmentHandles]) -> Clip:
    """The clip with the handles of one segment of these channels set; no key changes."""
    curves = list(clip.curves)
    for name, segment_handles in handles.items():
        column = rig.channel(name)
        curve = curves[column]
        if curve is None or len(curve) < segment + 2:
            raise BadValue(f"handles of {name}", f"a curve with {segment + 2} keys", "fewer")
        curves[column] = _with_segment_handles(curve, segment, segment_handles)
    return replace(clip, curves=tuple(curves))


def _with_segment_handles(curve: Curve, segment: int, segment_handles: SegmentHandles) -> Curve:
    tangent, handles = curve.tangent.copy(), curve.handles.copy()
    interpolation = curve.interpolation.copy()
    third = (curve.time[segment + 1] - curve.time[segment]) / 3
    tangent[segment, 1], tangent[segment + 1, 0] = (
        (third, segment_handles[0]),
        (third, segment_handles[1]),
    )
    handles[segment, 1] = handles[segment + 1, 0] = Handle.FREE
    interpolation[segment] = Interpolation.BEZIER
    return replace(curve, tangent=tangent, handles=handles, interpolation=interpolation)


def fit_handles(
    rig: Rig,
    clip: Clip,
    start: float,  # s, the two keys
    end: float,  # s
    joints: Iterable[str],
    target: Callable[[float, Pose], Pose],
) -> dict[str, SegmentHandles]:
    """Handles of the joints' channels closest to `target(share of the segment, pose)`."""
    values = sample(Take(rig, clip), start + SHARES * (end - start)).values
    targets = [
        target(float(share), dict(zip(rig.channel_names, row.tolist(), strict=True)))
        for share, row in zip(SHARES, values, strict=True)
    ]
    names = [name for name in rig.channel_names if name.split(".")[0] in set(joints)]
    return {name: _nearest(np.array([posed[name] for posed in targets])) for name in names}


def _nearest(value: Floats) -> SegmentHandles:
    """Least squares over the two free Bernstein terms."""
    start, end = (1 - SHARES) ** 3 + _INNER[:, 0], SHARES**3 + _INNER[:, 1]
    out, into = np.linalg.lstsq(_INNER, value - start * value[0] - end * value[-1], rcond=None)[0]
    return float(out), float(-into)


def refine_handles(
    rig: Rig,
    clip: Clip,
    start: float,  # s, the two keys
    end: float,  # s
    handles: Mapping[str, SegmentHandles],
    faults: Callable[[Floats], Floats],
) -> dict[str, SegmentHandles]:
    """Refine the handles, which the clip has, by Gauss-Newton on the `faults` of its poses.

    `faults` takes the channel values (13, C) at `SHARES` of the segment and returns (13, F).
    """
    columns = np.array([rig.channel(name) for name in handles])
    heights = np.array(list(handles.values()))  # (N, 2)
    base = sample(Take(rig, clip), start + SHARES * (end - start)).values
    weights = np.stack([_INNER[:, 0], -_INNER[:, 1]], axis=1)  # (13, 2) value by height
    change = np.zeros_like(heights)
    for _ in range(ROUNDS):
        values = base.copy()
        values[:, columns] += weights @ change.T
        residual, slopes = _slopes(faults, values, columns)
        matrix = np.einsum("tfn,ts->tfns", slopes, weights).reshape(residual.size, -1)
        ridge = np.sqrt(REGULARISATION) * np.eye(heights.size)
        target = np.concatenate([-residual.ravel(), -ridge @ change.ravel()])
        step = np.linalg.lstsq(np.concatenate([matrix, ridge]), target, rcond=None)[0]
        change += step.reshape(heights.shape)
    whole = (heights + change).tolist()
    return {name: (out, into) for name, (out, into) in zip(handles, whole, strict=True)}


def _slopes(
    faults: Callable[[Floats], Floats], values: Floats, columns: Ints
) -> tuple[Floats, Floats]:
    """The faults (T, F) and their Jacobian (T, F, N) by finite differences."""
    residual = faults(values)
    slopes = np.zeros((*residual.shape, len(columns)))
    for at, column in enumerate(columns):
        nudged = values.copy()
        nudged[:, column] += SMALL
        slopes[:, :, at] = (faults(nudged) - residual) / SMALL
    return residual, slopes


def linear_handles(start: float, end: float) -> SegmentHandles:
    """The handles of a straight line."""
    return ((end - start) / 3, (end - start) / 3)


def mirrored_handles(handles: Mapping[str, SegmentHandles]) -> dict[str, SegmentHandles]:
    """The handles of the mirrored motion."""
    out = mirrored({name: each[0] for name, each in handles.items()})
    into = mirrored({name: each[1] for name, each in handles.items()})
    return {name: (out[name], into[name]) for name in out}
