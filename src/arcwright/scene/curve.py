"""Curve: the keys of one channel, with Bezier handles as in Blender and Maya.

A key's tangent is `[[in dt, in dv], [out dt, out dv]]`. The handles stand at
`key - in` and `key + out`, both dt >= 0, so a smooth key has `in` parallel to `out`.
A handle longer than its segment is stored unchanged and shortened, with its slope, in evaluation.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import ArrayLike

from arcwright.arrays import Floats, Ints, frozen
from arcwright.errors import BadValue


class Handle(IntEnum):
    """Handle type: how a handle is updated when its key or its neighbours change."""

    FREE = 0
    ALIGNED = 1
    AUTO = 2
    AUTO_CLAMPED = 3
    VECTOR = 4
    FLAT = 5


class Interpolation(IntEnum):
    """Interpolation of the segment after a key. SLERP needs four aligned quaternion keys."""

    BEZIER = 0
    LINEAR = 1
    STEP = 2
    SLERP = 3


class Extrapolation(IntEnum):
    """Extrapolation before the first or after the last key."""

    HOLD = 0
    LINEAR = 1
    CYCLE = 2
    CYCLE_OFFSET = 3
    MIRROR = 4


# Files have tens of thousands of curves, and max() of an enum is slow.
_LAST_HANDLE, _LAST_INTERPOLATION = int(max(Handle)), int(max(Interpolation))


@dataclass(frozen=True, eq=False)
class Curve:
    """The keys of one channel; at least one, times increasing."""

    time: Floats  # (K,) s
    value: Floats  # (K,) m, rad or plain
    tangent: Floats  # (K, 2, 2) in/out [dt s, dv]
    handles: Ints  # (K, 2) in/out Handle
    interpolation: Ints  # (K,) Interpolation of the segment after the key
    before: Extrapolation = Extrapolation.HOLD
    after: Extrapolation = Extrapolation.HOLD

    def __post_init__(self) -> None:
        keep = object.__setattr__
        keep(self, "time", frozen(self.time, "Curve.time", ("K",)))
        keep(self, "value", frozen(self.value, "Curve.value", ("K",)))
        keep(self, "tangent", frozen(self.tangent, "Curve.tangent", ("K", 2, 2)))
        keep(self, "handles", frozen(self.handles, "Curve.handles", ("K", 2), np.int64))
        keep(
            self,
            "interpolation",
            frozen(self.interpolation, "Curve.interpolation", ("K",), np.int64),
        )
        keep(self, "before", Extrapolation(self.before))
        keep(self, "after", Extrapolation(self.after))
        self._check()

    def _check(self) -> None:
        count = len(self.time)
        if count == 0:
            raise BadValue("Curve.time", "at least one key", "none")
        for name in ("value", "tangent", "handles", "interpolation"):
            if len(getattr(self, name)) != count:
                have = len(getattr(self, name))
                raise BadValue(f"Curve.{name}", f"{count} keys, as in time", have)
        if not (np.diff(self.time) > 0).all():
            raise BadValue("Curve.time", "increasing times", "a time out of order")
        if (self.tangent[:, :, 0] < 0).any():
            raise BadValue("Curve.tangent", "dt >= 0 on both sides", self.tangent[:, :, 0].min())
        if self.handles.min() < 0 or self.handles.max() > _LAST_HANDLE:
            raise BadValue("Curve.handles", f"0 to {_LAST_HANDLE}", self.handles.tolist())
        if self.interpolation.min() < 0 or self.interpolation.max() > _LAST_INTERPOLATION:
            expected = f"0 to {_LAST_INTERPOLATION}"
            raise BadValue("Curve.interpolation", expected, self.interpolation.tolist())

    def __len__(self) -> int:
        return len(self.time)

    @property
    def cyclic(self) -> bool:
        """Whether it repeats beyond its keys, on one side at least."""
        return max(self.before, self.after) >= Extrapolation.CYCLE

    def with_handles(self, tangent: Floats, handles: Ints, interpolation: Ints) -> Curve:
        """The same keys with other handles; only these are checked."""
        curve = object.__new__(Curve)
        curve.__dict__.update(
            self.__dict__,
            tangent=frozen(tangent, "Curve.tangent", (len(self), 2, 2)),
            handles=frozen(handles, "Curve.handles", (len(self), 2), np.int64),
            interpolation=frozen(interpolation, "Curve.interpolation", (len(self),), np.int64),
        )
        if (curve.tangent[:, :, 0] < 0).any():
            raise BadValue("Curve.tangent", "dt >= 0 on both sides", tangent[:, :, 0].min())
        return curve

    @classmethod
    def side_by_side(
        cls,
        time: ArrayLike,
        values: ArrayLike,
        tangents: ArrayLike,
        handles: ArrayLike,
        interpolation: ArrayLike,
        before: Extrapolation = Extrapolation.HOLD,
        after: Extrapolation = Extrapolation.HOLD,
    ) -> tuple[Curve, ...]:
        """Curves that share all but values (W, K) and tangents (W, K, 2, 2).

        They are checked together: files hold tens of thousands of them.
        """
        value = frozen(values, "Curve.value", ("W", "K"))
        tangent = frozen(tangents, "Curve.tangent", ("W", "K", 2, 2))
        if len(value) != len(tangent) or not len(value):
            raise BadValue("Curve.tangent", f"{len(value)} curves, as in value", len(tangent))
        first = cls(
            time,  # type: ignore[arg-type]
            value[0],
            tangent[0],
            handles,  # type: ignore[arg-type]
            interpolation,  # type: ignore[arg-type]
            before,
            after,
        )
        return first, *first.with_values(value[1:], tangent[1:])

    def with_values(self, values: Floats, tangents: Floats) -> list[Curve]:
        """Curves that share all but values (W, K) and tangents (W, K, 2, 2), checked together."""
        value = frozen(values, "Curve.value", ("W", len(self)))
        tangent = frozen(tangents, "Curve.tangent", (len(value), len(self), 2, 2))
        if (tangent[..., 0] < 0).any():
            raise BadValue("Curve.tangent", "dt >= 0 on both sides", tangent[..., 0].min())
        made = []
        for own, slopes in zip(value, tangent, strict=True):
            curve = object.__new__(type(self))
            curve.__dict__.update(self.__dict__, value=own, tangent=slopes)
            made.append(curve)
        return made

    @classmethod
    def of(
        cls,
        time: ArrayLike,
        value: ArrayLike,
        *,
        interpolation: Interpolation = Interpolation.LINEAR,
        before: Extrapolation = Extrapolation.HOLD,
        after: Extrapolation = Extrapolation.HOLD,
    ) -> Curve:
        """A curve whose handles lie one third along the straight lines between its keys."""
        times = frozen(time, "Curve.time", ("K",))
        values = frozen(value, "Curve.value", ("K",))
        if len(times) != len(values):
            raise BadValue("Curve.value", f"{len(times)} keys, as in time", len(values))
        tangent = np.zeros((len(times), 2, 2))
        if len(times) > 1:
            third = np.stack([np.diff(times), np.diff(values)], axis=-1) / 3
            tangent[1:, 0] = third
            tangent[:-1, 1] = third
        return cls(
            time=times,
            value=values,
            tangent=tangent,
            handles=np.full((len(times), 2), Handle.VECTOR, np.int64),
            interpolation=np.full(len(times), interpolation, np.int64),
            before=before,
            after=after,
        )
