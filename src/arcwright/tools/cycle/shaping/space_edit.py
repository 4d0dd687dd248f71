"""A change of some frames of a loop, spread over the frames around them.

A displacement fades with exp(-sharpness d^2) at d frames from its own (Ciccone, *Authoring Motion
Cycles*, eq. 5.6), less the tangent of that curve over d^2 at the end of its reach: so it ends with
value and slope 0. It goes on over the seam of the loop.

Where displacements of several frames overlap, each frame between is moved by a weighted mean of
them. A linear system for the amounts would meet them, too, but two neighbouring frames moved
apart by 1 each would throw the frames around them by 8 (reach 20) or 24 (reach 60).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, isfinite, log

import numpy as np
from numpy.typing import ArrayLike

from arcwright.arrays import Floats, Ints, frozen
from arcwright.errors import BadValue
from arcwright.kinematics.rotation import quaternion_from_vector, quaternion_multiply

LEFT_AT_REACH = 0.01  # of the displacement, at the end of the reach, by the default sharpness
MOST_REACH = 100_000  # frames: more than any loop has
_SHARPEST = 1e12  # sharpness times reach squared above which only the frame itself moves
_FLAT = 1e-3  # sharpness times reach squared below which the curve is its limit, a parabola's
_NEAREST = 1e-15  # keeps quotients finite


@dataclass(frozen=True)
class Falloff:
    """How far a displacement reaches along a loop, and how sharply it fades."""

    reach: float  # frames to either side; beyond it nothing changes
    sharpness: float | None = None  # per frame squared; None: 1 % is left at the reach

    def __post_init__(self) -> None:
        if not 0 < self.reach <= MOST_REACH:
            raise BadValue("reach", f"frames above 0, at most {MOST_REACH}", self.reach)
        if self.sharpness is not None and not (isfinite(self.sharpness) and self.sharpness >= 0):
            raise BadValue("sharpness", "a number of at least 0", self.sharpness)

    def at(self, distance: ArrayLike) -> Floats:
        """What is left of a displacement so many frames away: 1 at its own, 0 from the reach on."""
        away = np.minimum(np.square(np.asarray(distance, float) / self.reach), 1.0)
        sharp = -log(LEFT_AT_REACH)
        if self.sharpness is not None:
            sharp = min(self.sharpness * self.reach**2, _SHARPEST)
        if sharp < _FLAT:
            flat: Floats = np.square(1.0 - away)
            return flat
        end = np.exp(-sharp)
        left = np.exp(-sharp * away) - end * (1.0 + sharp * (1.0 - away))
        left = np.where(away < 1.0, left, 0.0) / (1.0 - end * (1.0 + sharp))
        return np.asarray(left)

    def over(self, frames: int, frame: int) -> Floats:
        """(M,) what is left at each frame of a loop, from both sides and all turns."""
        return self.around(np.arange(float(frames)) - frame, frames)

    def around(self, distance: Floats, period: float | None) -> Floats:
        """(M,) what is left so many frames away; on a loop from both sides and all turns."""
        if period is None:
            return self.at(distance)
        turns = ceil(self.reach / period)
        every = distance + period * np.arange(-turns, turns + 1)[:, None]
        return np.asarray(1.0 - np.prod(1.0 - self.at(every), axis=0))


def spread(frames: int, changes: Mapping[int, ArrayLike], falloff: Falloff) -> Floats:
    """(M, D) displacements of all frames of a loop; changed frames get theirs (D,) exactly."""
    if not changes:
        raise BadValue("changes", "at least one frame", "none")
    for frame in changes:
        if not 0 <= frame < frames:
            raise BadValue("frame", f"0 to {frames - 1}", frame)
    numbers = np.size(next(iter(changes.values())))
    wanted = np.stack(
        [frozen(each, f"change of frame {frame}", (numbers,)) for frame, each in changes.items()]
    )
    chosen = np.array([*changes], np.int64)
    left = np.stack([falloff.over(frames, frame) for frame in chosen.tolist()])  # (C, M)
    return blended(left, wanted, chosen)


def blended(left: Floats, wanted: Floats, chosen: Ints) -> Floats:
    """(M, D) changes (C, D), of which `left` (C, M) is left at each of M frames.

    The chosen frames (C,) get theirs exactly.
    """
    nearness = left / np.maximum(1.0 - left, _NEAREST)
    shares = nearness / np.maximum(nearness.sum(axis=0), _NEAREST)
    moves = 1.0 - np.prod(1.0 - left, axis=0)
    found: Floats = (moves * shares).T @ wanted
    found[chosen] = wanted
    return found


def moved(values: Floats, changes: Mapping[int, ArrayLike], falloff: Falloff) -> Floats:
    """Values (M, D) of a loop with displacements (D,) of some frames added."""
    shifted: Floats = values + spread(len(values), changes, falloff)
    return shifted


def rotated(
    rotations: Floats, changes: Mapping[int, ArrayLike], falloff: Falloff, *, local: bool = False
) -> Floats:
    """Rotations (M, 4) of a loop, some frames rotated further by rotation vectors (3,), rad.

    The vectors are in the frame around the rotations or, `local`, in the rotated one.
    """
    further = quaternion_from_vector(spread(len(rotations), changes, falloff))
    if local:
        return quaternion_multiply(rotations, further)
    return quaternion_multiply(further, rotations)


def scaled(scales: Floats, changes: Mapping[int, ArrayLike], falloff: Falloff) -> Floats:
    """Scales (M, D) of a loop with some frames multiplied by factors (D,) above 0."""
    for frame, factors in changes.items():
        if not (np.asarray(factors, float) > 0).all():
            raise BadValue(f"factors of frame {frame}", "numbers above 0", factors)
    powers = {frame: np.log(np.asarray(factors, float)) for frame, factors in changes.items()}
    larger: Floats = scales * np.exp(spread(len(scales), powers, falloff))
    return larger
