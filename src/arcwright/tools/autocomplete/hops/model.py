"""The lamp's dynamics, step by step in NumPy: the method of `planar.c`, to read and compare.

Unknowns are x and y of the base and the angle φ of every link from the vertical, clockwise. With
link vectors r (to the next joint) and mass moments s (mass times place of all that a link carries):

    M[φk, φl] = r_k · s_l for k < l,   M[x, φk] = s_k.y,   M[y, φk] = -s_k.x

A step is semi-implicit: joint springs and dampers act on the velocities after it, contacts are
impulses found by projected Gauss-Seidel, friction stays in its cone.
"""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.tools.autocomplete.hops.lamp import Lamp
from arcwright.tools.autocomplete.hops.pose_graph import Schedule

LINKS, JOINTS, SIZE = 4, 3, 6
ROUNDS = 30  # of Gauss-Seidel
SMALL = 1e-9  # N s: change of an impulse that ends them
DEPTH_RATE = 0.1  # share of a depth below ground that a step removes


def advance(lamp: Lamp, start: Floats, plan: Schedule, step: float) -> tuple[Floats, Ints]:
    """States (T, 6) and how many feet carry (T,), from rest at `start`, until it falls."""
    q = np.concatenate([start[:3], start[2] + np.cumsum(start[3:])])
    v, impulse = np.zeros(SIZE), np.zeros(3)
    states, carrying = [_joint_angles(q)], [2]
    for done in range(plan.steps):
        target = plan.targets[np.searchsorted(plan.until, done, side="right")]
        arm, matrix, force = dynamics(lamp, q, v)
        if has_fallen(lamp, q, arm):
            break
        drive(lamp, q, v, target, step, matrix, force)
        v = v + step * np.linalg.solve(matrix, force)
        v, feet = push(lamp, q, v, impulse, matrix, step)
        q = q + step * v
        states.append(_joint_angles(q))
        carrying.append(feet)
    return np.array(states), np.array(carrying, np.int64)


def dynamics(lamp: Lamp, q: Floats, v: Floats) -> tuple[Floats, Floats, Floats]:
    """Link vectors (4, 2), mass matrix (6, 6), and the force of gravity and rotation (6,)."""
    centre, arm = turned(lamp.centre, q[2:]), turned(lamp.hinge, q[2:])
    above = np.append(np.cumsum(lamp.mass[:0:-1])[::-1], 0.0)  # kg carried at each link's end
    moment = lamp.mass[:, None] * centre + above[:, None] * arm
    own = (lamp.centre**2).sum(axis=1), (lamp.hinge**2).sum(axis=1)
    matrix, force = np.zeros((SIZE, SIZE)), np.zeros(SIZE)
    matrix[0, 0] = matrix[1, 1] = lamp.mass.sum()
    matrix[0, 2:] = matrix[2:, 0] = moment[:, 1]
    matrix[1, 2:] = matrix[2:, 1] = -moment[:, 0]
    coupled = np.triu(arm @ moment.T, 1)
    diagonal = lamp.inertia + lamp.mass * own[0] + above * own[1]
    matrix[2:, 2:] = coupled + coupled.T + np.diag(diagonal)
    spin = v[2:] ** 2
    across = np.triu(np.outer(arm[:, 1], moment[:, 0]) - np.outer(arm[:, 0], moment[:, 1]), 1)
    force[:2] = spin @ moment
    force[1] -= lamp.mass.sum() * lamp.gravity
    force[2:] = lamp.gravity * moment[:, 0] + across @ spin - across.T @ spin
    return arm, matrix, force


def drive(
    lamp: Lamp, q: Floats, v: Floats, target: Floats, step: float, matrix: Floats, force: Floats
) -> None:
    """Add the joints' torques to force and matrix: PD within the strongest torque, and limits."""
    speed = np.diff(v[2:])
    ahead = np.diff(q[2:]) + step * speed
    torque = lamp.stiffness * (target - ahead) - lamp.damping * speed
    free = np.abs(torque) <= lamp.strongest
    torque = np.clip(torque, -lamp.strongest, lamp.strongest)
    implicit = np.where(free, step * (lamp.damping + step * lamp.stiffness), 0.0)
    over = ahead - np.clip(ahead, lamp.low, lamp.high)
    limited = over != 0
    torque -= np.where(limited, lamp.limit_stiffness * over + lamp.limit_damping * speed, 0.0)
    stop = step * (lamp.limit_damping + step * lamp.limit_stiffness)
    implicit += np.where(limited, stop, 0.0)
    pairs = np.diff(np.eye(LINKS), axis=0)  # (3, 4): link above minus link below
    force[2:] += torque @ pairs
    matrix[2:, 2:] += (pairs.T * implicit) @ pairs


def push(
    lamp: Lamp, q: Floats, v: Floats, impulse: Floats, matrix: Floats, step: float
) -> tuple[Floats, int]:
    """Velocities (6,) after contact, and how many feet carry.

    `impulse` (3,) holds the normal ones of both feet and the tangential one of both together; the
    next step starts there.
    """
    at = turned(lamp.foot, np.repeat(q[2], 2))  # (2, 2)
    height = q[1] + at[:, 1]
    feet = np.flatnonzero(height + step * (v[1] - at[:, 0] * v[2]) <= 0)
    impulse[np.setdiff1d([0, 1, 2] if not len(feet) else [0, 1], feet)] = 0
    if not len(feet):
        return v, 0
    rows = [[0, 1, -at[foot, 0], 0, 0, 0] for foot in feet]
    jacobian = np.array([*rows, [1, 0, at[feet, 1].min(), 0, 0, 0]])
    goals = -height[feet] / step * np.where(height[feet] > 0, 1.0, DEPTH_RATE)
    answer = np.linalg.solve(matrix, jacobian.T)  # (6, R)
    places = [*feet, 2]
    solved = _impulses(lamp.friction, jacobian, answer, np.append(goals, 0.0), v, impulse[places])
    impulse[places] = solved
    return v + answer @ solved, int((solved[:-1] > 0).sum())


def _impulses(
    friction: float, jacobian: Floats, answer: Floats, goal: Floats, v: Floats, start: Floats
) -> Floats:
    """(R,) by projected Gauss-Seidel: none pulls, the last one stays in the cone of friction."""
    impulse, v = start.copy(), v + answer @ start
    for _ in range(ROUNDS):
        before = impulse.copy()
        for row, own in enumerate(jacobian):
            wanted = impulse[row] + (goal[row] - own @ v) / (own @ answer[:, row])
            cone = friction * impulse[:-1].sum()
            last = row == len(jacobian) - 1
            bounded = min(max(wanted, -cone), cone) if last else max(wanted, 0.0)
            v = v + (bounded - impulse[row]) * answer[:, row]
            impulse[row] = bounded
        if np.abs(impulse - before).max() < SMALL:
            break
    return impulse


def has_fallen(lamp: Lamp, q: Floats, arm: Floats) -> bool:
    """Whether the base leans too far, or a watched point is at the ground."""
    knee = q[1] + arm[0, 1] + arm[1, 1]
    start = np.array([knee, knee, knee + arm[2, 1], knee + arm[2, 1]])
    heights = start + turned(lamp.watched, q[[4, 4, 5, 5]])[:, 1]
    return bool(abs(q[2]) > lamp.steepest or heights.min() < lamp.margin)


def turned(own: Floats, angle: Floats) -> Floats:
    """Vectors (N, 2) rotated clockwise by angles (N,)."""
    sine, cosine = np.sin(angle), np.cos(angle)
    x = own[:, 0] * cosine + own[:, 1] * sine
    return np.stack([x, own[:, 1] * cosine - own[:, 0] * sine], axis=1)


def _joint_angles(q: Floats) -> Floats:
    return np.concatenate([q[:3], np.diff(q[2:])])
