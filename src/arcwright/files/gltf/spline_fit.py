"""Spline fitting: cubic Hermite segments through samples, subdivided until within tolerance."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.files.gltf.gltf_keys import GltfKeys

SHORTEST = 5e-4  # frames; segments below this are not halved
_DISTINCT = 32.0  # 32-bit steps; nor are those below this
_JUMP = 4.0  # 32-bit steps; what is shorter is a jump
_INSIDE = 15  # probes between the ends of a segment
_ROUNDS = 14

_S = (np.arange(_INSIDE) + 1) / (_INSIDE + 1)
_ENDS = np.stack([(1 + 2 * _S) * (1 - _S) ** 2, _S**2 * (3 - 2 * _S)], axis=-1)  # (P, 2)
_SLOPES = np.stack([_S * (1 - _S) ** 2, _S**2 * (_S - 1)], axis=-1)  # (P, 2), per unit length
_SOLVE = np.linalg.pinv(_SLOPES)  # (2, P)


class SplineFit:
    """Fit of one property: requests samples at `sample_times` and refines until `done`."""

    def __init__(self, breakpoints: Floats, shortest: float, tolerance: float) -> None:
        self.time = breakpoints  # (K,) s, 32-bit numbers where segments meet; only ever added to
        self.shortest = shortest  # s, segments below this are not halved
        self.tolerance = tolerance  # in the unit of the property
        self.error = 0.0  # the same
        self.done = False
        self._rounds = 0
        self._value = np.zeros((0, 0))
        self._slope = np.zeros((0, 2, 0))

    @property
    def sample_times(self) -> Floats:
        """Times at which values are needed next."""
        inner = self.time[:-1, None] + np.diff(self.time)[:, None] * _S
        return np.concatenate([self.time, inner.ravel()])

    def take(self, values: Floats) -> None:
        """Take values (T, W) at `sample_times`: fit, and subdivide inexact segments."""
        count, width = len(self.time), values.shape[1]
        self._value = values[:count]
        inner = values[count:].reshape(count - 1, _INSIDE, width)
        ends = np.stack([self._value[:-1], self._value[1:]], axis=1)  # (S, 2, W)
        rest = inner - np.einsum("pe,sew->spw", _ENDS, ends)
        rise = np.einsum("ep,spw->sew", _SOLVE, rest)
        length = abs(rest - np.einsum("pe,sew->spw", _SLOPES, rise)).max(axis=(1, 2), initial=0)
        gap = np.diff(self.time)
        step = np.spacing(self.time[1:].astype(np.float32)).astype(np.float64)
        real = gap > _JUMP * step
        rise[~real] = 0
        self._slope = np.zeros((count, 2, width))
        self._slope[:-1, 1] = rise[:, 0] / gap[:, None]
        self._slope[1:, 0] = rise[:, 1] / gap[:, None]
        self._rounds += 1
        long = gap > np.maximum(self.shortest, _DISTINCT * step)
        self._halve((length > self.tolerance) & long, length, real)

    def _halve(self, inexact: Bools, length: Floats, real: Bools) -> None:
        if not inexact.any() or self._rounds >= _ROUNDS:
            self.error = float(length[real].max(initial=0))
            self.done = True
            return
        middle = ((self.time[:-1] + self.time[1:])[inexact] / 2).astype(np.float32)
        self.time = np.sort(np.concatenate([self.time, middle.astype(np.float64)]))

    @property
    def keys(self) -> GltfKeys:
        """The fit as glTF keys."""
        return GltfKeys("CUBICSPLINE", self.time, self._value, self._slope)
