"""Hinge limits: knees and elbows with three rotational degrees of freedom bend one way only.

The bend of a hinge is `atan2(g . v, a . v)`, with the upper bone a, the axis h, `g = h x a`, and
the lower bone `v = R0 exp(d) b`, all in the parent's axes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.hinges import Hinge, hinge_of, hinges, local_rotations
from arcwright.kinematics.rotation import cross, matrix_from_vector, wrap
from arcwright.kinematics.rotation_rate import right_jacobian
from arcwright.scene.constraint import Constraint, HingeConstraint
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Actor
from arcwright.scene.take import Take
from arcwright.tools.spacetime.displacement import Unknowns
from arcwright.tools.spacetime.jacobians import LIMIT_MARGIN, LimitViolations


def character_hinges(
    actor: Actor, take: Take, constraints: Sequence[Constraint], *, guess: bool
) -> tuple[tuple[Hinge, ...], tuple[Constraint, ...]]:
    """The hinges of constraints and, if they are to be guessed, of other knees and elbows.

    Then the constraints whose joint has no axis to bend about.
    """
    found, lost = [], []
    for each in constraints:
        if isinstance(each, HingeConstraint):
            hinge = hinge_of(actor, take, take.rig.joint(each.point.joint), each.axis)
            if hinge is None:
                lost.append(each)
                continue
            low = hinge.low if each.low is None else each.low
            high = hinge.high if each.high is None else each.high
            found.append(hinge._replace(low=low, high=high, start=each.start, end=each.end))
    known = {each.joint for each in found}
    if guess:
        found += [each for each in hinges(actor, take) if each.joint not in known]
    return tuple(found), tuple(lost)


class HingeLimits:
    """The hinges of a rig that the unknowns turn, at T samples.

    Where the original motion bends further than a limit, it may stay there. Values (T, C) are those
    of the original at some times (T,).
    """

    def __init__(
        self,
        rig: Rig,
        unknowns: Unknowns,
        times: Floats,
        start: Floats,
        limited: Sequence[Hinge],
    ) -> None:
        row = {joint: at for at, joint in enumerate(unknowns.joints.tolist())}
        own = [each for each in limited if each.joint in row and rig.parents[each.joint] >= 0]
        self.count = len(own)
        self._columns: Ints = 3 * np.array([row[each.joint] for each in own], np.int64)[
            :, None
        ] + np.arange(3)  # (H, 3)
        if not own:
            return
        self._upper, self._lower = (
            np.stack([getattr(each, name) for each in own]) for name in ("upper", "lower")
        )  # (H, 3)
        self._ahead = np.cross(np.stack([each.axis for each in own]), self._upper)  # g
        self._local = local_rotations(rig, start, [each.joint for each in own])  # (T, H, 3, 3)
        bend = self._bend(self._local @ self._lower[..., None], slice(None))
        low, high, first, last = (
            np.array([getattr(each, name) for each in own])
            for name in ("low", "high", "start", "end")
        )
        holds = (times[:, None] >= first - 1e-9) & (times[:, None] <= last + 1e-9)
        low, high = np.where(holds, low, -np.inf), np.where(holds, high, np.inf)
        low, high = np.minimum(low + LIMIT_MARGIN, bend), np.maximum(high - LIMIT_MARGIN, bend)
        self._bounds = low, high  # (T, H)
        with np.errstate(invalid="ignore"):
            middle = (low + high) / 2
        self._middle = np.where(np.isfinite(middle), middle, 0.0)  # (T, H) rad
        self._room = np.minimum(bend - low, high - bend) ** 2  # rad^2, from the original to a limit

    def _bend(self, bone: Floats, at: Ints | slice) -> Floats:
        """(...) rad, of lower bones (..., 3, 1) of hinges `at`, in the parent's axes."""
        along = [(each[at] * bone[..., 0]).sum(axis=-1) for each in (self._ahead, self._upper)]
        angle: Floats = np.arctan2(*along)
        return angle

    def violations(self, x: Floats) -> LimitViolations | None:
        """The hinges that unknowns (T, D) bend too far; None where there are none.

        A rotation changes a bend by no more than its angle.
        """
        if not self.count:
            return None
        vector = x[:, self._columns]
        sample, at = np.nonzero((vector * vector).sum(axis=-1) > self._room)
        if not len(sample):
            return None
        vector = vector[sample, at]
        rotation = self._local[sample, at] @ matrix_from_vector(vector)
        bend = self._bend(rotation @ self._lower[at][..., None], at)
        middle = self._middle[sample, at]
        bend = middle + wrap(bend - middle)  # farthest from both limits where it is undetermined
        low, high = (each[sample, at] for each in self._bounds)
        over = np.minimum(high - bend, 0) + np.maximum(low - bend, 0)
        beyond = np.flatnonzero(over)
        sample, at = sample[beyond], at[beyond]
        slope = self._slope(rotation[beyond], at, vector[beyond])
        return LimitViolations(sample, self._columns[at], slope, over[beyond])

    def _slope(self, rotation: Floats, at: Ints, x: Floats) -> Floats:
        """(L, 3) change of the bend of hinges `at` per unit of their rotation vectors (L, 3)."""
        ahead, upper, lower = self._ahead[at], self._upper[at], self._lower[at]
        bone = (rotation @ lower[..., None])[..., 0]
        sine, cosine = ((each * bone).sum(axis=-1, keepdims=True) for each in (ahead, upper))
        size = np.maximum(sine**2 + cosine**2, 1e-6)
        normal = (cosine * ahead - sine * upper) / size
        spin = cross(lower, (rotation.swapaxes(-1, -2) @ normal[..., None])[..., 0])
        slope: Floats = (spin[:, None] @ right_jacobian(x))[:, 0]
        return slope


def joined(one: LimitViolations, other: LimitViolations | None) -> LimitViolations:
    """Both, in the order of time."""
    if other is None:
        return one
    parts = [np.concatenate(pair) for pair in zip(one, other, strict=True)]
    order = np.argsort(parts[0], kind="stable")
    return LimitViolations(*(part[order] for part in parts))
