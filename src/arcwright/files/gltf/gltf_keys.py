"""Keys as glTF stores them: exact where curves allow it, else fitted splines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats
from arcwright.scene.curve import Curve, Extrapolation, Interpolation

_THIRD = 1e-6  # how far from one third of the gap a handle may be, as part of the gap


@dataclass(frozen=True)
class GltfKeys:
    """Keys as glTF stores them; W numbers a key, slopes only for CUBICSPLINE."""

    interpolation: str
    time: Floats  # (K,) s
    value: Floats  # (K, W)
    slope: Floats | None = None  # (K, 2, W) into and out of the key

    @property
    def constant(self) -> bool:
        """Whether nothing moves, to the precision of 32 bits."""
        small = self.value.astype(np.float32)
        still = self.slope is None or not self.slope.any()
        return bool((small == small[0]).all() and still)

    def held_until(self, end: float) -> GltfKeys:
        """The same keys and one more, so that the last value is held until `end`."""
        slope = self.slope
        if slope is not None:
            slope = np.concatenate([slope, np.zeros_like(slope[:1])])
            slope[-2, 1] = 0
        value = np.concatenate([self.value, self.value[-1:]])
        return GltfKeys(self.interpolation, np.append(self.time, end), value, slope)

    def rows(self) -> Floats:
        """(K, W), or (3 K, W) with the slopes around each value."""
        if self.slope is None:
            return self.value
        triples = np.stack([self.slope[:, 0], self.value, self.slope[:, 1]], axis=1)
        return triples.reshape(-1, self.value.shape[1])


def exact_keys(
    curves: Sequence[Curve | None], default: Floats, duration: float, rotation: bool
) -> GltfKeys | None:
    """The curves' own keys, or None when glTF has no form that plays them the same."""
    moving = [c for c in curves if c is not None and len(c) > 1]
    start = np.array([c.value[0] if c else d for c, d in zip(curves, default, strict=True)])
    if any(c is not None and len(c) == 1 and not _holds(c, duration) for c in curves):
        return None
    if not moving:
        return GltfKeys("LINEAR", np.zeros(1), start[None])
    time = moving[0].time
    if any(not np.array_equal(c.time, time) for c in moving):
        return None
    if time[0] < 0 or time[-1] > duration or not all(_holds(c, duration) for c in moving):
        return None
    if (np.diff(time.astype(np.float32)) <= 0).any():
        return None
    columns = [
        c.value if c and len(c) > 1 else np.full(len(time), v)
        for c, v in zip(curves, start, strict=True)
    ]
    value = np.stack(columns, axis=-1)
    kinds = {int(kind) for c in moving for kind in c.interpolation[:-1]}
    if kinds == {Interpolation.STEP}:
        return GltfKeys("STEP", time, value)
    if kinds == {Interpolation.SLERP if rotation else Interpolation.LINEAR}:
        complete = len(moving) == len(curves) or not rotation
        return GltfKeys("LINEAR", time, value) if complete else None
    if not kinds <= {Interpolation.BEZIER, Interpolation.LINEAR}:
        return None
    return _spline(curves, time, value)


def _spline(curves: Sequence[Curve | None], time: Floats, value: Floats) -> GltfKeys | None:
    gap = np.diff(time)
    slope = np.zeros((len(time), 2, value.shape[1]))
    for column, curve in enumerate(curves):
        if curve is None or len(curve) == 1:
            continue
        rise = np.diff(curve.value)
        out, into = curve.tangent[:-1, 1], curve.tangent[1:, 0]
        bent = curve.interpolation[:-1] == Interpolation.BEZIER
        thirds = (abs(out[:, 0] - gap / 3) <= _THIRD * gap) & (
            abs(into[:, 0] - gap / 3) <= _THIRD * gap
        )
        flat = (rise == 0) & (out[:, 1] == 0) & (into[:, 1] == 0)
        if not (thirds | flat | ~bent).all():
            return None
        slope[:-1, 1, column] = np.where(bent, 3 * out[:, 1], rise) / gap
        slope[1:, 0, column] = np.where(bent, 3 * into[:, 1], rise) / gap
    return GltfKeys("CUBICSPLINE", time, value, slope)


def _holds(curve: Curve, duration: float) -> bool:
    """Whether the curve holds still wherever it has no keys between 0 and the end."""
    early = curve.before is Extrapolation.HOLD or curve.time[0] <= 0
    late = curve.after is Extrapolation.HOLD or curve.time[-1] >= duration
    return early and late
