"""The lamp's dynamics step by step in NumPy: the same method as `planar.c`, to be read and compared.

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
SMALL = 1e-10  # N s: change of an impulse that ends them
DEPTH_RATE = 0.1  # share of a depth below ground that a step removes


def advance(lamp: Lamp, start: Floats, plan: Schedule, step: float) -> tuple[Floats, Ints]:
    """States (T, 6) and how many feet carry (T,), from rest at `start`, until it falls."""
    q = np.concatenate([start[:3], start[2] + np.cumsum(start[3:])])
    v, impulse = np.zeros(SIZE), np.zeros(4)
    states, carrying = [_joint_angles(q)], [2]
    for done in range(plan.steps):
        target = plan.targets[np.searchsorted(plan.until, done, side="right")]
        arm, matrix, force = dynamics(lamp, q, v)
        drive(lamp, q, v, target, step, matrix, force)
        v = v + step * np.linalg.solve(matrix, force)
        v, feet = push(lamp, q, v, impulse, matrix, step)
        q = q + step * v
        states.append(_joint_angles(q))
        carrying.append(feet)
        if has_fallen(lamp, q, arm):
            break
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
    """Velocities (6,) after contact, and how many feet carry; `impulse` (4,) starts the next."""
    rows, goals, places = [], [], []
    for foot, at in enumerate(turned(lamp.foot, np.repeat(q[2], 2))):
        height = q[1] + at[1]
        if height + step * (v[1] - at[0] * v[2]) > 0:
            impulse[2 * foot : 2 * foot + 2] = 0
            continue
        rows += [[0, 1, -at[0], 0, 0, 0], [1, 0, at[1], 0, 0, 0]]
        goals += [-height / step * (1.0 if height > 0 else DEPTH_RATE), 0.0]
        places += [2 * foot, 2 * foot + 1]
    if not rows:
        return v, 0
    jacobian = np.array(rows)
    answer = np.linalg.solve(matrix, jacobian.T)  # (6, R)
    scale = (jacobian.T * answer).sum(axis=0)
    v = v + answer @ impulse[places]
    for _ in range(ROUNDS):
        most = 0.0
        for row, place in enumerate(places):
            wanted = impulse[place] + (goals[row] - jacobian[row] @ v) / scale[row]
            cone = lamp.friction * impulse[place - 1]
            bounded = min(max(wanted, -cone), cone) if place % 2 else max(wanted, 0.0)
            change = bounded - impulse[place]
            impulse[place] = bounded
            most = max(most, abs(change))
            v = v + change * answer[:, row]
        if most < SMALL:
            break
    return v, int((impulse[places[::2]] > 0).sum())


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
