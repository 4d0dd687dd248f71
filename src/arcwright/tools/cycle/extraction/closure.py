"""How well a loop closes: gaps of position, velocity and acceleration between its end and start."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats

TYPICAL = 95.0  # percentile of the changes of acceleration from frame to frame
CALM = 0.6  # change of acceleration at which a loop may be cut, in units of that percentile


@dataclass(frozen=True)
class Closure:
    """How well a loop closes, in units of its own movement."""

    position: float  # gap between end and start, in rms frame steps
    velocity: float  # gap of the velocities, in rms speeds
    acceleration: float = 0.0  # its change at the seam, in the 95th percentile of all frames'

    @property
    def as_json(self) -> dict[str, float | None]:
        """The three numbers by name; None for what is not known."""
        names = ("position", "velocity", "acceleration")
        return {name: finite(getattr(self, name)) for name in names}


def finite(value: float) -> float | None:
    """The number, or None where it is not one: JSON has no NaN."""
    return value if np.isfinite(value) else None


def closure(loop: Floats, start: Floats, end: Floats, spacing: float) -> Closure:
    """The closure of a loop (M, V), one row a frame, whose next row would be the first again.

    `start` (3, V) are its values at 0, 1 and 2 times `spacing` frames after its start, `end`
    (3, V) those as long before its end.
    """
    frame = _rms(np.diff(loop, axis=0, append=loop[:1]))
    after, before = (_slope(each) / spacing for each in (start, end))
    change = acceleration_changes(loop)
    typical = float(np.percentile(change, TYPICAL))
    return Closure(
        float(np.linalg.norm(start[0] - end[0])) / max(frame, 1e-30),
        float(np.linalg.norm(after + before)) / max(frame, 1e-30),
        float(change[-1]) / max(typical, 1e-30),
    )


def acceleration_changes(loop: Floats) -> Floats:
    """(M,) how much the acceleration of a loop (M, V) changes from each frame to the next.

    The last one is the change at the seam.
    """
    acceleration = np.roll(loop, -1, axis=0) - 2 * loop + np.roll(loop, 1, axis=0)
    change = np.roll(acceleration, -1, axis=0) - acceleration
    return np.asarray(np.linalg.norm(change, axis=1))


def calm_frame(loop: Floats) -> int:
    """The frame nearest to the first one, before or after, at which a loop (M, V) may start: a
    calm one, or the calmest."""
    change = np.roll(acceleration_changes(loop), 1)
    limit = max(CALM * float(np.percentile(change, TYPICAL)), float(change.min()))
    calm = np.flatnonzero(change <= limit)  # on a circle no frame is calmer than others
    away = np.minimum(calm, len(loop) - calm)
    return int(calm[np.argmin(away)])


def _slope(values: Floats) -> Floats:
    """(V,) the derivative at the first of three even samples, from a parabola through them."""
    slope: Floats = -1.5 * values[0] + 2 * values[1] - 0.5 * values[2]
    return slope


def _rms(steps: Floats) -> float:
    return float(np.sqrt(np.square(steps).sum(axis=1).mean()))
