"""Limb IK: limbs of one pose bent so that their ends are where they should be, and rotated so."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.jacobian import point_jacobian
from arcwright.kinematics.places import Places
from arcwright.scene.rig import Rig

MAX_ITERATIONS = 10
LEAST_DAMPING = 3e-3  # m², after a step that went too far
MET = 5e-5  # m: closer is met
RADIAN = 0.04  # m of error that a radian counts as
LONGEST = 0.35  # rad that a joint rotates in one iteration
STIFF = 1e-4  # of the pose's own angles, against m² of error
SETTLED = 0.01  # rad: shorter steps are the last


@dataclass(frozen=True, eq=False)
class LimbTargets:
    """Where ends of limbs should be, and how some joints should be oriented."""

    ends: Places  # (E)
    position: Floats  # (E, 3) m
    oriented: Ints  # (O,) joints
    orientation: Floats  # (O, 3, 3)

    @classmethod
    def of(cls, ends: Places, position: Floats) -> LimbTargets:
        """Positions alone."""
        return cls(ends, position, np.zeros(0, np.int64), np.zeros((0, 3, 3)))


def solve_limbs(
    rig: Rig,
    channels: Ints,
    values: Floats,
    targets: LimbTargets,
    reference: Floats,
    stiffness: Floats | None = None,
) -> tuple[Floats, Floats]:
    """(C,) the pose with ends of limbs at their targets, and errors (E,) m.

    Damped least squares over the channels (M,) from `values`; they stay as near to `reference`
    (C,) as they can, by how stiff (M,) they are.
    """
    count, turned = len(targets.ends), targets.oriented
    points = targets.ends.joined(Places(turned, np.zeros((len(turned), 3))))
    stiff = np.full(len(channels), STIFF) if stiffness is None else stiffness
    solved, settled, damping = values.copy(), False, 0.0
    best, least = solved, np.inf
    for _ in range(MAX_ITERATIONS):
        there = point_jacobian(rig, solved[None], points, channels)
        away = targets.position - there.position[0, :count]
        off = float(np.square(away).sum())
        if off > least:  # too far: back to where it was, and on in smaller steps
            damping = max(4 * damping, LEAST_DAMPING)
            solved, least = best.copy(), np.inf
            continue
        best, least, damping = solved.copy(), off, 0.5 * damping
        if np.abs(away).max(initial=0.0) < MET and settled:
            break
        turn = sine_vectors(targets.orientation @ there.orientation[0, count:].transpose(0, 2, 1))
        rows = np.concatenate([away, RADIAN * turn]).ravel()
        jacobian = np.concatenate([there.linear[0, :count], RADIAN * there.angular[0, count:]])
        jacobian = jacobian.reshape(len(rows), -1)
        own = there.channels
        low, high = rig.channels.low[own], rig.channels.high[own]
        weights = stiff[np.searchsorted(channels, own)]
        back = reference[own] - solved[own]
        step = _step(jacobian, rows, back, solved[own], (low, high), weights, damping)
        longest = float(np.abs(step).max())
        step *= min(1.0, LONGEST / max(longest, 1e-12))
        settled = longest < SETTLED
        solved[own] = np.clip(solved[own] + step, low, high)
    solved = best
    there = point_jacobian(rig, solved[None], points, [])
    return solved, np.linalg.norm(targets.position - there.position[0, :count], axis=1)


def sine_vectors(rotations: Floats) -> Floats:
    """(F, 3) axes of rotations (F, 3, 3), each as long as the sine of its angle."""
    apart = 0.5 * (rotations - rotations.transpose(0, 2, 1))
    return np.asarray(apart[:, [2, 0, 1], [1, 2, 0]])


def _step(
    jacobian: Floats,
    rows: Floats,
    back: Floats,
    now: Floats,
    limits: tuple[Floats, Floats],
    stiff: Floats,
    damping: float,
) -> Floats:
    """(M,) the damped least-squares step; joints that would leave their limits stay at them."""
    normal = jacobian.T @ jacobian
    normal[np.diag_indices_from(normal)] += stiff + damping
    right = jacobian.T @ rows + stiff * back
    step = np.asarray(np.linalg.solve(normal, right), np.float64)
    stuck = ((now <= limits[0]) & (step < 0)) | ((now >= limits[1]) & (step > 0))
    if stuck.any():
        normal[stuck] = normal[:, stuck] = 0.0
        normal[stuck, stuck] = 1.0
        right[stuck] = 0.0
        step = np.asarray(np.linalg.solve(normal, right), np.float64)
    return step


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
