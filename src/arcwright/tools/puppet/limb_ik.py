"""Limb IK: limbs of one pose bent so that their ends are where they should be, and rotated so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.kinematics.jacobian import PointJacobian, point_jacobian
from arcwright.kinematics.places import Places
from arcwright.scene.rig import Rig

MAX_ITERATIONS = 12
LEAST_DAMPING = 1e-2  # m², after a step that went too far
LONGEST = 0.35  # rad that a joint rotates in one iteration
STIFF = 1e-4  # of the pose's own angles, against m² of error
SETTLED = 2e-4  # rad: shorter steps are the last
EQUAL = 1e-6  # of a cost: rounding


@dataclass(frozen=True, eq=False)
class LimbTargets:
    """Where ends of limbs should be, and how some joints should be oriented."""

    ends: Places  # (E)
    position: Floats  # (E, 3) m
    oriented: Ints  # (O,) joints
    orientation: Floats  # (O, 3, 3)
    radian: Floats  # (O,) m of error that a radian of each counts as

    @classmethod
    def of(cls, ends: Places, position: Floats) -> LimbTargets:
        """Positions alone."""
        return cls(ends, position, np.zeros(0, np.int64), np.zeros((0, 3, 3)), np.zeros(0))


class _Equations(NamedTuple):
    """What a step should do for each of B limbs that share no channel: J s = rows, s = back."""

    jacobian: Floats  # (B, R, M)
    rows: Floats  # (B, R) m
    back: Floats  # (B, M)


def solve_limbs(
    rig: Rig,
    channels: Ints,
    values: Floats,
    targets: LimbTargets,
    reference: Floats,
    stiffness: Floats | None = None,
    *,
    separate: bool = False,
) -> tuple[Floats, Floats]:
    """(C,) the pose with ends of limbs at their targets, and errors (E,) m.

    Levenberg-Marquardt over the channels (M,) from `values`: they stay as near to `reference` (C,)
    as they can, by how stiff (M,) they are. `separate` limbs share no channel, and each has one
    oriented joint; they are solved beside each other.
    """
    points = targets.ends.joined(Places(targets.oriented, np.zeros((len(targets.oriented), 3))))
    count = len(targets.ends) if separate else 1
    there = point_jacobian(rig, values[None], points, channels)
    own, solved = there.channels, values.copy()
    low, high = rig.channels.low[own], rig.channels.high[own]
    given = np.full(len(channels), STIFF) if stiffness is None else stiffness
    stiff = given[np.searchsorted(channels, own)]
    best, goal = solved[own], reference[own]
    moved = there.linear[0, : len(targets.ends)].reshape(count, -1, len(own)).any(axis=1)
    found = _equations(there, targets, (goal - best) * moved)
    least, damping = _cost(found, stiff), np.zeros(count)
    for _ in range(MAX_ITERATIONS):
        step = _step(found, stiff, damping, best, (low, high))
        longest = float(np.abs(step).max(initial=0.0))
        solved[own] = np.clip(best + step * min(1.0, LONGEST / max(longest, 1e-12)), low, high)
        there = point_jacobian(rig, solved[None], points, channels)
        new = _equations(there, targets, (goal - solved[own]) * moved)
        cost = _cost(new, stiff)
        better = cost <= least * (1 + EQUAL) + EQUAL**2
        damping = np.where(better, 0.25 * damping, np.maximum(8 * damping, LEAST_DAMPING))
        damping[damping < 1e-6] = 0.0
        if better.all():
            best, found, least = solved[own], new, cost
        else:
            best = np.where((moved & better[:, None]).any(axis=0), solved[own], best)
            found = _Equations(*(_where(better, a, b) for a, b in zip(new, found, strict=True)))
            least = np.where(better, cost, least)
        if longest < SETTLED and better.all():
            break
    solved[own] = best
    away = found.rows[:, : 3 * len(targets.ends) // count].reshape(-1, 3)
    return solved, np.linalg.norm(away, axis=1)


def _equations(there: PointJacobian, targets: LimbTargets, back: Floats) -> _Equations:
    """Rows of errors for limbs: those of positions, then those of orientations."""
    count, ends, channels = len(back), len(targets.ends), len(there.channels)
    first, all_rows = 3 * ends // count, 3 * (ends + len(targets.oriented)) // count
    rows, jacobian = np.empty((count, all_rows)), np.empty((count, all_rows, channels))
    rows[:, :first] = (targets.position - there.position[0, :ends]).reshape(count, -1)
    jacobian[:, :first] = there.linear[0, :ends].reshape(count, -1, channels)
    if len(targets.oriented):
        apart = targets.orientation @ there.orientation[0, ends:].transpose(0, 2, 1)
        radian = targets.radian[:, None]
        rows[:, first:] = (radian * sine_vectors(apart)).reshape(count, -1)
        turns = radian[..., None] * there.angular[0, ends:]
        jacobian[:, first:] = turns.reshape(count, -1, channels)
    return _Equations(jacobian, rows, back)


def _cost(found: _Equations, stiff: Floats) -> Floats:
    """(B,) what is least where each limb is best."""
    return np.asarray((found.rows**2).sum(axis=1) + found.back**2 @ stiff)


def _where(chosen: Bools, values: Floats, others: Floats) -> Floats:
    return np.where(chosen.reshape(-1, *[1] * (values.ndim - 1)), values, others)


def _step(
    found: _Equations, stiff: Floats, damping: Floats, now: Floats, limits: tuple[Floats, Floats]
) -> Floats:
    """(M,) the damped least-squares step; joints that would leave their limits stay at them."""
    step = _damped(found, stiff, damping)
    stuck = np.where(step < 0, now <= limits[0], now >= limits[1])
    if stuck.any():
        free = _Equations(found.jacobian * ~stuck, found.rows, found.back * ~stuck)
        step = _damped(free, stiff, damping)
    return step


def _damped(found: _Equations, stiff: Floats, damping: Floats) -> Floats:
    """(M,) where |J s - rows|² + stiff |s - back|² + damping |s|² is least, of all limbs."""
    jacobian, rows, back = found
    weight = stiff + damping[:, None]  # (B, M)
    centre = back * stiff / weight
    across = jacobian.transpose(0, 2, 1) / weight[..., None]  # (B, M, R)
    normal = jacobian @ across + np.eye(rows.shape[1])
    left = rows - (jacobian @ centre[..., None])[..., 0]
    solved = np.linalg.solve(normal, left[..., None])
    return np.asarray((centre + (across @ solved)[..., 0]).sum(axis=0))


def sine_vectors(rotations: Floats) -> Floats:
    """(F, 3) axes of rotations (F, 3, 3), each as long as the sine of its angle."""
    apart = 0.5 * (rotations - rotations.transpose(0, 2, 1))
    return np.asarray(apart[:, [2, 0, 1], [1, 2, 0]])


def limb_chain(rig: Rig, root: int, end: int, ends: Ints) -> list[int]:
    """The end of a limb and the joints above it that carry no other end, up to the root."""
    chain = [end]
    while True:
        parent = int(rig.parents[chain[-1]])
        if parent < 0 or parent == root or _carries_another(rig, parent, end, ends):
            return chain
        chain.append(parent)


def _carries_another(rig: Rig, joint: int, end: int, ends: Ints) -> bool:
    for other in ends.tolist():
        above = other
        while above >= 0 and above != joint:
            above = int(rig.parents[above])
        if above == joint and other != end:
            return True
    return False
