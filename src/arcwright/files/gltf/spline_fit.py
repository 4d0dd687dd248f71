"""Spline fitting: cubic Hermite segments through samples, halved until they are close enough."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.files.gltf.track import Keys

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
    """One lane's fit: asks for samples at `wanted`, takes them, until it is `done`."""

    def __init__(self, breaks: Floats, shortest: float, tolerance: float) -> None:
        self.time = breaks  # (K,) s, 32-bit numbers where segments meet; only ever added to
        self.shortest = shortest  # s, segments below this are not halved
        self.tolerance = tolerance  # in the lane's own numbers
        self.error = 0.0  # the same
        self.done = False
        self._rounds = 0
        self._value = np.zeros((0, 0))
        self._slope = np.zeros((0, 2, 0))

    @property
    def wanted(self) -> Floats:
        """Times at which the lane must be known next."""
        inner = self.time[:-1, None] + np.diff(self.time)[:, None] * _S
        return np.concatenate([self.time, inner.ravel()])

    def take(self, values: Floats) -> None:
        """The lane at the wanted times (T, W): fit, and halve what is not close enough."""
        count, width = len(self.time), values.shape[1]
        self._value = values[:count]
        inner = values[count:].reshape(count - 1, _INSIDE, width)
        ends = np.stack([self._value[:-1], self._value[1:]], axis=1)  # (S, 2, W)
        rest = inner - np.einsum("pe,sew->spw", _ENDS, ends)
        rise = np.einsum("ep,spw->sew", _SOLVE, rest)
        apart = abs(rest - np.einsum("pe,sew->spw", _SLOPES, rise)).max(axis=(1, 2), initial=0)
        gap = np.diff(self.time)
        step = np.spacing(self.time[1:].astype(np.float32)).astype(np.float64)
        real = gap > _JUMP * step
        rise[~real] = 0
        self._slope = np.zeros((count, 2, width))
        self._slope[:-1, 1] = rise[:, 0] / gap[:, None]
        self._slope[1:, 0] = rise[:, 1] / gap[:, None]
        self._rounds += 1
        long = gap > np.maximum(self.shortest, _DISTINCT * step)
        self._halve((apart > self.tolerance) & long, apart, real)

    def _halve(self, poor: Bools, apart: Floats, real: Bools) -> None:
        if not poor.any() or self._rounds >= _ROUNDS:
            self.error = float(apart[real].max(initial=0))
            self.done = True
            return
        middle = ((self.time[:-1] + self.time[1:])[poor] / 2).astype(np.float32)
        self.time = np.sort(np.concatenate([self.time, middle.astype(np.float64)]))

    @property
    def keys(self) -> Keys:
        """The fit as glTF keys."""
        return Keys("CUBICSPLINE", self.time, self._value, self._slope)
