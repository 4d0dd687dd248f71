"""Leg IK: legs of one pose bent so that feet are where they should be, and rotated so."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.kinematics.feet import foot_joints
from arcwright.kinematics.forward import forward
from arcwright.kinematics.jacobian import point_jacobian
from arcwright.kinematics.places import Places
from arcwright.scene.rig import Kind, Rig

MAX_ITERATIONS = 6
MET = 5e-5  # m: closer is met
RADIAN = 0.04  # m of error that a radian of a foot counts as
LONGEST = 0.35  # rad that a joint rotates in one iteration
STIFF = 1e-4  # of the pose's own angles, against m² of error
SETTLED = 0.01  # rad: shorter steps are the last
STRAIGHT = 0.999  # of a leg's length: a straighter leg does not reach farther


@dataclass(frozen=True, eq=False)
class Legs:
    """The legs of a rig, from where they join the body to their feet."""

    rig: Rig
    toes: Places  # (F) what stands on the ground
    ankles: Ints  # (F,) joints whose rotation is that of the foot
    hips: Ints  # (F,) joints at which the legs begin
    channels: Ints  # (M,) rotations of all legs
    length: Floats  # (F,) m, of a straight leg from hip to toes


def legs_of(rig: Rig, root: int, toes: Places) -> Legs:
    """Legs above each of the toes: all joints that carry no other foot, below the root."""
    chains = [_chain(rig, root, int(toe), toes.joints) for toe in toes.joints]
    moved = sorted({joint for chain in chains for joint in chain})
    table = rig.channels
    rotates = (table.kind >= Kind.ROTATE_X) & (table.kind <= Kind.QUATERNION_Z)
    ankles = [_ankle(rig, chain) for chain in chains]
    below = {int(t) for t, a in zip(toes.joints, ankles, strict=True) if t != a}
    free = rotates & np.isin(table.joint, [joint for joint in moved if joint not in below])
    world = forward(rig, table.default[None])[0]
    return Legs(
        rig,
        toes,
        np.array(ankles, np.int64),
        np.array([chain[-1] for chain in chains], np.int64),
        np.flatnonzero(free),
        np.array([_length(world, chain) for chain in chains]),
    )


def solve_legs(
    legs: Legs, values: Floats, position: Floats, orientation: Floats, reference: Floats
) -> tuple[Floats, Floats]:
    """(C,) the pose with toes at positions (F, 3) and feet oriented (F, 3, 3), and errors (F,) m.

    Solved by damped least squares from `values`; legs stay as near to `reference` (C,) as they can.
    """
    count, channels = len(legs.toes), legs.channels
    points = legs.toes.joined(Places(legs.ankles, np.zeros((count, 3))))
    low, high = legs.rig.channels.low[channels], legs.rig.channels.high[channels]
    solved, settled = values.copy(), False
    for _ in range(MAX_ITERATIONS):
        there = point_jacobian(legs.rig, solved[None], points, channels)
        away = position - there.position[0, :count]
        if np.abs(away).max(initial=0.0) < MET and settled:
            break
        turn = _sine_vectors(orientation @ there.orientation[0, count:].transpose(0, 2, 1))
        rows = np.concatenate([away, RADIAN * turn]).ravel()
        jacobian = np.concatenate([there.linear[0, :count], RADIAN * there.angular[0, count:]])
        jacobian = jacobian.reshape(len(rows), -1)
        own = there.channels
        step = _step(jacobian, rows, reference[own] - solved[own], solved[own], low, high)
        longest = float(np.abs(step).max())
        step *= min(1.0, LONGEST / max(longest, 1e-12))
        settled = longest < SETTLED
        solved[own] = np.clip(solved[own] + step, low, high)
    there = point_jacobian(legs.rig, solved[None], points, [])
    return solved, np.linalg.norm(position - there.position[0, :count], axis=1)


def _sine_vectors(rotations: Floats) -> Floats:
    """(F, 3) axes of rotations (F, 3, 3), each as long as the sine of its angle."""
    pairs = ((2, 1), (0, 2), (1, 0))
    return np.stack([0.5 * (rotations[:, a, b] - rotations[:, b, a]) for a, b in pairs], axis=1)


def _step(
    jacobian: Floats, rows: Floats, back: Floats, now: Floats, low: Floats, high: Floats
) -> Floats:
    """(M,) the damped least-squares step; joints that would leave their limits stay at them."""
    normal = jacobian.T @ jacobian
    normal[np.diag_indices_from(normal)] += STIFF
    right = jacobian.T @ rows + STIFF * back
    step = np.asarray(np.linalg.solve(normal, right), np.float64)
    stuck = ((now <= low) & (step < 0)) | ((now >= high) & (step > 0))
    if stuck.any():
        normal[stuck] = normal[:, stuck] = 0.0
        normal[stuck, stuck] = 1.0
        right[stuck] = 0.0
        step = np.asarray(np.linalg.solve(normal, right), np.float64)
    return step


def reach(legs: Legs) -> Floats:
    """(F,) m, how far toes can be from where their leg begins."""
    return STRAIGHT * legs.length


def _chain(rig: Rig, root: int, toe: int, all_toes: Ints) -> list[int]:
    """A toe and the joints above it that carry no other toe, up to the root."""
    chain = [toe]
    while True:
        parent = int(rig.parents[chain[-1]])
        if parent < 0 or parent == root or _carries_another(rig, parent, toe, all_toes):
            return chain
        chain.append(parent)


def _carries_another(rig: Rig, joint: int, toe: int, all_toes: Ints) -> bool:
    for other in all_toes.tolist():
        above = other
        while above >= 0 and above != joint:
            above = int(rig.parents[above])
        if above == joint and other != toe:
            return True
    return False


def _ankle(rig: Rig, chain: list[int]) -> int:
    """The foot's joint: the one that carries the toes, where both belong to the foot."""
    named: Bools = foot_joints(rig)
    return chain[1] if len(chain) > 2 and named[chain[0]] and named[chain[1]] else chain[0]


def _length(world: Floats, chain: list[int]) -> float:
    places = world[chain, :3, 3]
    return float(np.linalg.norm(np.diff(places, axis=0), axis=1).sum())
