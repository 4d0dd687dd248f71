"""Made gaits: a walk for characters that have none, an idle and a run from a walk.

Feet go along a line on the ground and swing back above it, legs follow by inverse kinematics.
Diagonal neighbours alternate: two feet walk, four trot, eight go in two groups of four.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.kinematics.forward import forward
from arcwright.kinematics.jacobian import point_jacobian
from arcwright.kinematics.rotation import matrix_from_vector, quaternion_multiply
from arcwright.tools.puppet.locomotion.gait_clip import PHASES, GaitClip
from arcwright.tools.puppet.locomotion.leg_ik import Legs, foot_points, reach, solve_legs
from arcwright.tools.puppet.locomotion.root_frame import RootWriter

STANCE = 0.62  # of a cycle that a foot stands in a walk
STRIDE = 0.75  # of a leg's length: way of a foot on the ground, where legs are long enough
STRIDE_OF_MANY = 0.4  # the same for more than four legs
LOWER = 0.05  # of a leg's length by which a walking body is lower than a standing one
LIFT = 0.1  # of a leg's length by which feet are lifted
BOB = 0.012  # of a leg's length by which the body goes up and down
SWAY = 0.02  # of a leg's length by which a body on two feet goes to the foot that stands
ROLL = 0.3  # rad by which a foot that is lifted points down, then up
STANDS = 0.99  # of the rest pose's height of hips: that of a body that stands
STRAIGHTENS = 0.1  # of a leg's length, at most, by which a made idle is higher than the walk
PERIOD = 1.1  # s of a cycle of two or four legs of PERSON length; more legs take half as long
PERSON = 0.9  # m

LEAST_STANCE = 0.3  # of a cycle that a foot stands in a walk from which a run can be made
RUN_STANCE = 0.36  # of a cycle that a foot stands in a run, at most RUN_SHORTER of the walk's
RUN_SHORTER = 0.62
RUN_PERIOD = 0.68  # of the walk's
RUN_LIFT = 2.2  # of the walk's
RUN_BOUNCE = 0.045  # of a leg's length by which a run goes up and down
RUN_LOWER = 0.05  # of a leg's length by which a run is lower than the walk
RUN_LEAN = 0.1  # rad


@dataclass(frozen=True, eq=False)
class _FootPath:
    """Where feet should be over a cycle."""

    position: Floats  # (PHASES, F, 3) m
    orientation: Floats  # (PHASES, F, 3, 3)
    planted: Bools  # (PHASES, F)


def made_idle(walk: GaitClip, legs: Legs, writer: RootWriter) -> GaitClip:
    """A walk's mean pose with both feet on the ground, where they stand on average."""
    values, root = walk.values.mean(axis=0), walk.root.mean(axis=0)
    root[3:] /= np.linalg.norm(root[3:])
    if len(legs.toes):
        toes, turns = _cycle(walk, legs, writer)
        stands = walk.planted / np.maximum(walk.planted.sum(axis=0), 1)
        place = np.einsum("pf,pfx->fx", stands, toes)
        place[:, 1] = toes[..., 1].min(axis=0)
        flat = _flat_phases(walk, legs, writer)
        turned = turns[flat, np.arange(len(flat))]
        root[1] += _straightens(legs, writer.written(values, root), place)
        pose = writer.written(values, root)
        solved = solve_legs(legs, pose, place, turned, pose)[0]
        values[legs.channels] = solved[legs.channels]
    count, none = len(walk.values), np.zeros(walk.planted.shape, bool)
    still = np.tile(values, (count, 1)), np.tile(root, (count, 1))
    return GaitClip("standing", *still, 1.0, 0.0, ~none, none)


def _flat_phases(walk: GaitClip, legs: Legs, writer: RootWriter) -> Ints:
    """(F,) phases at which feet stand flat: the ankle is lowest while the toes carry."""
    poses = np.array([writer.written(*each) for each in zip(walk.values, walk.root, strict=True)])
    ankles = forward(legs.rig, poses, legs.ankles.tolist())[..., 1, 3]
    return np.asarray(np.where(walk.planted, ankles, np.inf).argmin(axis=0))


def _straightens(legs: Legs, pose: Floats, place: Floats) -> float:
    """How much higher, m, a body stands with feet at a place (F, 3): as its rest pose, at most."""
    toes, hips, _ = _placed(legs, legs.rig.channels.default)
    high = STANDS * float((hips - toes)[:, 1].mean())
    now = float((_placed(legs, pose)[1] - place)[:, 1].mean())
    return float(np.clip(high - now, 0.0, STRAIGHTENS * legs.length.mean()))


def made_walk(stand: GaitClip, legs: Legs, writer: RootWriter) -> GaitClip | None:
    """A walk from a standing pose; None where legs are too short for any."""
    leg, count = float(legs.length.mean()), len(legs.toes)
    pose = writer.written(stand.values[0], stand.root[0])
    home, hips, turned = _placed(legs, pose)
    wanted = (STRIDE if count <= 4 else STRIDE_OF_MANY) * leg
    stride = min(wanted, 2 * _room(legs, home, hips, LOWER * leg))
    if stride < 0.1 * leg:
        return None
    period = PERIOD * (leg / PERSON) ** 0.5 * (0.5 if count > 4 else 1.0)
    phases = np.arange(PHASES) / PHASES
    offset = _offsets(home)
    since = (phases[:, None] - offset + 0.5) % 1.0 - 0.5  # (PHASES, F) 0 in the middle of a stance
    ahead, high, roll = _steps(since)
    position = home + np.stack([0 * ahead, LIFT * leg * high, stride * ahead], axis=-1)
    orientation = matrix_from_vector(np.stack([ROLL * roll, 0 * roll, 0 * roll], axis=-1)) @ turned
    root = np.tile(stand.root[0], (PHASES, 1))
    root[:, 1] += BOB * leg * np.cos(4 * np.pi * phases) - LOWER * leg
    if count == 2:
        root[:, 0] += SWAY * leg * np.sign(home[0, 0] - root[0, 0]) * np.cos(2 * np.pi * phases)
    path = _FootPath(position, orientation, np.abs(since) <= STANCE / 2)
    values = _solved(legs, writer, np.tile(stand.values[0], (PHASES, 1)), root, path)
    speed = stride / (STANCE * period)
    name, none = f"walk from {stand.name}", np.zeros(path.planted.shape, bool)
    return GaitClip(name, values, root, period, speed, path.planted, none)


def made_run(walk: GaitClip, legs: Legs, writer: RootWriter) -> GaitClip | None:
    """A run from a walk: shorter stances with flight between, feet higher, the body leaning.

    None for more than four legs, which only go faster, and for a walk in which a foot does not
    stand just once, or that flies already.
    """
    changes = np.diff(walk.planted, axis=0, append=walk.planted[:1]).sum(axis=0)
    if len(legs.toes) > 4 or (changes != 2).any() or walk.planted.mean() < LEAST_STANCE:
        return None
    leg, phases = float(legs.length.mean()), np.arange(PHASES) / PHASES
    middle, stance = _stances(walk.planted)
    shorter = np.minimum(RUN_STANCE, RUN_SHORTER * stance)
    since = (phases[:, None] - middle + 0.5) % 1.0 - 0.5
    inside = np.abs(since) <= shorter / 2
    swing = stance / 2 + (np.abs(since) - shorter / 2) / (1 - shorter) * (1 - stance)
    warped = np.where(inside, since * stance / shorter, np.sign(since) * swing) + middle
    toes, turns = _cycle(walk, legs, writer)
    position, orientation = _at(toes, warped), _nearest(turns, warped)
    ground = toes[..., 1].min(axis=0)
    position[..., 1] = ground + (position[..., 1] - ground) * np.where(inside, 1.0, RUN_LIFT)
    root = walk.root.copy()
    root[:, 1] -= RUN_LOWER * leg + RUN_BOUNCE * leg * np.cos(4 * np.pi * phases)
    lean = np.array([np.cos(RUN_LEAN / 2), np.sin(RUN_LEAN / 2), 0.0, 0.0])
    root[:, 3:] = quaternion_multiply(lean, root[:, 3:])
    path = _FootPath(position, orientation, inside)
    values = walk.values.copy()
    for index, channels in enumerate(legs.of_foot):
        values[:, channels] = _at(walk.values, warped[:, [index]])[:, 0, channels]
    values = _solved(legs, writer, values, root, path)
    period = RUN_PERIOD * walk.period
    speed = walk.speed * float((stance / shorter).mean()) / RUN_PERIOD
    name, none = f"run from {walk.name}", np.zeros(path.planted.shape, bool)
    return GaitClip(name, values, root, period, speed, path.planted, none)


def _offsets(home: Floats) -> Floats:
    """(F,) phase of the middle of each foot's stance: neighbours along and across alternate."""
    offset = np.zeros(len(home))
    left = home[:, 0] > home[:, 0].mean()
    for side in (True, False):
        own = np.flatnonzero(left == side)
        order = own[np.argsort(-home[own, 2], kind="stable")]
        offset[order] = (0.5 * (np.arange(len(order)) + side)) % 1.0
    return np.asarray((offset - offset[0]) % 1.0)


def _room(legs: Legs, home: Floats, hips: Floats, lower: float) -> float:
    """How far feet can go ahead and back from where they stand, m."""
    away = hips - home
    high = away[:, 1] - lower
    room = np.maximum((0.97 * reach(legs)) ** 2 - high**2 - away[:, 0] ** 2, 0.0) ** 0.5
    return float((room - np.abs(away[:, 2])).min())


def _steps(since: Floats) -> tuple[Floats, Floats, Floats]:
    """Ahead, -0.5 to 0.5, height, 0 to 1, and roll of feet, by phase since mid-stance.

    A foot that swings leaves and meets the ground at the speed of the ground.
    """
    swing = ((since - STANCE / 2) % 1.0) / (1 - STANCE)  # 0 to 1 while it swings
    back = -(1 - STANCE) / STANCE
    hermite = -0.5 + swing**2 * (3 - 2 * swing) + back * swing * (1 - swing) * (1 - 2 * swing)
    stands = np.abs(since) <= STANCE / 2
    ahead = np.where(stands, -since / STANCE, hermite)
    up = np.sin(np.pi * swing)
    return (
        ahead,
        np.where(stands, 0.0, up**2),
        np.where(stands, 0.0, np.sin(2 * np.pi * swing) * up),
    )


def _stances(planted: Bools) -> tuple[Floats, Floats]:
    """(F,) the middle of each foot's stance and how long it is, in phases."""
    angle = 2 * np.pi * np.arange(len(planted))[:, None] / len(planted)
    middle = np.arctan2((planted * np.sin(angle)).sum(0), (planted * np.cos(angle)).sum(0))
    return middle / (2 * np.pi), planted.mean(axis=0)


def _at(table: Floats, phase: Floats) -> Floats:
    """Values at phases (P, F) of a cyclic table (PHASES, F, ...) or, for all F, (PHASES, C)."""
    where = phase * PHASES
    before = np.floor(where).astype(np.int64)
    share = where - before
    if table.ndim == 2:
        first, second = table[before % PHASES], table[(before + 1) % PHASES]
        return np.asarray(first + share[..., None] * (second - first))
    feet = np.arange(phase.shape[1])
    first, second = table[before % PHASES, feet], table[(before + 1) % PHASES, feet]
    return np.asarray(first + share[..., None] * (second - first))


def _nearest(table: Floats, phase: Floats) -> Floats:
    """Rotations of a cyclic table (PHASES, F, 3, 3) at the nearest of its phases."""
    return np.asarray(
        table[np.round(phase * PHASES).astype(np.int64) % PHASES, np.arange(phase.shape[1])]
    )


def _cycle(clip: GaitClip, legs: Legs, writer: RootWriter) -> tuple[Floats, Floats]:
    """(PHASES, F, 3) m, toes, and (PHASES, F, 3, 3) rotations of the feet of a clip."""
    poses = [writer.written(*each) for each in zip(clip.values, clip.root, strict=True)]
    placed = [_placed(legs, pose) for pose in poses]
    return np.array([each[0] for each in placed]), np.array([each[2] for each in placed])


def _placed(legs: Legs, pose: Floats) -> tuple[Floats, Floats, Floats]:
    """Toes and hips (F, 3) m, and rotations (F, 3, 3) of the feet of a pose (C,)."""
    count = len(legs.toes)
    there = point_jacobian(legs.rig, pose[None], foot_points(legs), [])
    return (
        there.position[0, :count],
        there.position[0, 2 * count :],
        there.orientation[0, count : 2 * count],
    )


def _solved(
    legs: Legs, writer: RootWriter, values: Floats, root: Floats, path: _FootPath
) -> Floats:
    """(PHASES, C) given poses with feet on their paths; two rounds, so that the cycle closes."""
    found = values.copy()
    offset = np.zeros(len(legs.channels))
    for phase in [*range(PHASES)] * 2:
        pose = writer.written(values[phase], root[phase])
        start = pose.copy()
        start[legs.channels] += offset
        target = path.position[phase], path.orientation[phase]
        solved = solve_legs(legs, start, *target, pose)[0]
        offset = (solved - pose)[legs.channels]
        found[phase, legs.channels] = solved[legs.channels]
    return found
