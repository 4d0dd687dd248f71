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
from arcwright.tools.puppet.limb_ik import limb_chain, sine_vectors

MAX_ITERATIONS = 6
MORE_ITERATIONS = 6  # in which feet that are not met may tilt
MET = 5e-5  # m: closer is met
PERSON = 0.9  # m, length of a leg for which the next two are stated
RADIAN = 0.04  # m of error that a radian of a foot counts as
STIFF = 1e-4  # of the pose's own angles, against m² of error
TILTS = 0.03  # of that: what a radian of a foot that is not met counts as
LONGEST = 0.35  # rad that a joint rotates in one iteration
SETTLED = 0.01  # rad: shorter steps are the last
STALLED = 1e-3  # rad: with shorter steps, feet that are not met will not be
STRAIGHT = 0.999  # of a leg's length: a straighter leg does not reach farther


@dataclass(frozen=True, eq=False)
class Legs:
    """The legs of a rig, from where they join the body to their feet."""

    rig: Rig
    toes: Places  # (F) what stands on the ground
    ankles: Ints  # (F,) joints whose rotation is that of the foot
    hips: Ints  # (F,) joints at which the legs begin
    channels: Ints  # (M,) rotations of all legs, and translations of those of one joint
    of_foot: tuple[Ints, ...]  # (F) those of each leg
    flat: Bools  # (F,) feet whose rotation counts; the tip of a leg has none
    length: Floats  # (F,) m, of a straight leg from hip to toes


def legs_of(rig: Rig, root: int, toes: Places) -> Legs:
    """Legs above each of the toes: all joints that carry no other foot, below the root."""
    chains = [limb_chain(rig, root, int(toe), toes.joints) for toe in toes.joints]
    ankles = [_ankle(rig, leg) for leg in chains]
    below = {int(t) for t, a in zip(toes.joints, ankles, strict=True) if t != a}
    own = tuple(_channels(rig, [j for j in leg if j not in below]) for leg in chains)
    world = forward(rig, rig.channels.default[None])[0]
    single = np.array([len(leg) == 1 for leg in chains], bool)
    return Legs(
        rig,
        toes,
        np.array(ankles, np.int64),
        np.array([leg[-1] for leg in chains], np.int64),
        np.unique(np.concatenate([*own, np.zeros(0, np.int64)])),
        own,
        ~toes.offsets.any(axis=1) | single,
        np.array([_length(world, leg, tip) for leg, tip in zip(chains, toes.offsets, strict=True)]),
    )


def _channels(rig: Rig, leg: list[int]) -> Ints:
    """Channels that move a leg: rotations, and translations where it is one joint."""
    table = rig.channels
    rotates = (table.kind >= Kind.ROTATE_X) & (table.kind <= Kind.QUATERNION_Z)
    slides = (table.kind <= Kind.TRANSLATE_Z) & (len(leg) == 1)
    return np.flatnonzero((rotates | slides) & np.isin(table.joint, leg))


def solve_legs(
    legs: Legs, values: Floats, position: Floats, orientation: Floats, reference: Floats
) -> tuple[Floats, Floats]:
    """(C,) the pose with toes at positions (F, 3) and feet oriented (F, 3, 3), and errors (F,) m.

    Solved by damped least squares from `values`; legs stay as near to `reference` (C,) as they can.
    """
    count, channels = len(legs.toes), legs.channels
    points = legs.toes.joined(Places(legs.ankles, np.zeros((count, 3))))
    scale = (float(legs.length.mean()) or PERSON) / PERSON  # a prop has a leg of no length
    turned = RADIAN * scale * np.where(legs.flat, 1.0, TILTS)[:, None]
    solved, longest, tilts = values.copy(), np.inf, False
    stiff, own = STIFF * scale**2, np.zeros(0, np.int64)
    for iteration in range(MAX_ITERATIONS + MORE_ITERATIONS):
        there = point_jacobian(legs.rig, solved[None], points, channels)
        away = position - there.position[0, :count]
        missed = np.abs(away).max(axis=1) >= MET
        if not missed.any() and (longest < SETTLED or iteration >= MAX_ITERATIONS):
            break
        if longest < STALLED or iteration == MAX_ITERATIONS:
            if tilts and longest < STALLED:
                break
            turned[missed & legs.flat] *= 1.0 if tilts else TILTS
            tilts = True
        turn = sine_vectors(orientation @ there.orientation[0, count:].transpose(0, 2, 1))
        rows = np.concatenate([away, turned * turn], axis=1)
        angular = turned[..., None] * there.angular[0, count:]
        jacobian = np.concatenate([there.linear[0, :count], angular], axis=1)
        if not iteration:
            own = there.channels
            low, high = legs.rig.channels.low[own], legs.rig.channels.high[own]
        now = solved[own]
        step = _step(jacobian, rows, stiff, reference[own] - now, now, low, high)
        longest = float(np.abs(step).max())
        step *= min(1.0, LONGEST / max(longest, 1e-12))
        solved[own] = np.minimum(np.maximum(now + step, low), high)
    there = point_jacobian(legs.rig, solved[None], points, [])
    return solved, np.linalg.norm(position - there.position[0, :count], axis=1)


def _step(
    jacobian: Floats,
    rows: Floats,
    stiff: float,
    back: Floats,
    now: Floats,
    low: Floats,
    high: Floats,
) -> Floats:
    """(M,) the damped least-squares step; joints that would leave their limits stay at them.

    Legs share no channel, so each has six equations of its own: jacobian (F, 6, M), rows (F, 6).
    """
    step = _damped(jacobian, rows, stiff, back)
    stuck = np.where(step < 0, now <= low, now >= high)
    if stuck.any():
        step = _damped(jacobian * ~stuck, rows, stiff, back * ~stuck)
    return step


def _damped(jacobian: Floats, rows: Floats, stiff: float, back: Floats) -> Floats:
    """(M,) where |J s - rows|² + stiff |s - back|² is least."""
    across = jacobian.transpose(0, 2, 1)
    normal = jacobian @ across + stiff * np.eye(rows.shape[1])
    solved = np.linalg.solve(normal, (rows - jacobian @ back)[..., None])
    return np.asarray(back + (across @ solved)[..., 0].sum(axis=0))


def reach(legs: Legs) -> Floats:
    """(F,) m, how far toes can be from where their leg begins."""
    return STRAIGHT * legs.length


def ancestry(rig: Rig, joint: int) -> list[int]:
    """A joint and those above it."""
    found = [joint]
    while (joint := int(rig.parents[joint])) >= 0:
        found.append(joint)
    return found


def _ankle(rig: Rig, leg: list[int]) -> int:
    """The foot's joint: the one that carries the toes, where both belong to the foot."""
    named: Bools = foot_joints(rig)
    return leg[1] if len(leg) > 2 and named[leg[0]] and named[leg[1]] else leg[0]


def _length(world: Floats, leg: list[int], tip: Floats) -> float:
    end = world[leg[0], :3, :3] @ tip + world[leg[0], :3, 3]
    places = np.concatenate([end[None], world[leg, :3, 3]])
    return float(np.linalg.norm(np.diff(places, axis=0), axis=1).sum())
