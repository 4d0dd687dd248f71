"""The published way to edit an activity, for comparison (Rios Rodriguez et al. 2019).

Trajectories in closed form (eqs. 1 to 5), limbs by FABRIK at each frame with the root where it
was, and a second call that aims the gaze. Placements of paired elements are those of our tool, so
that only deformation and posing differ. The spine leans for arms that are too short; elbows and
knees keep their bending plane, which the paper leaves to its solver.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from activity_sampled import Sampled
from arcwright.arrays import Floats, Ints
from arcwright.kinematics.forward import forward
from arcwright.kinematics.layering import displaced
from arcwright.kinematics.root_path import root_path
from arcwright.kinematics.rotation import matrix_from_vector, vector_from_matrix
from arcwright.kinematics.sample import values_at
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.tools.activity.element_paths import ElementPath, element_paths
from arcwright.tools.activity.look_at import find_gaze, turned_gaze, with_gaze
from arcwright.tools.activity.options import ActivityOptions
from arcwright.tools.activity.placement import Displacement, ElementEdits
from arcwright.tools.activity.prepared import PreparedActivity, SolvedActivity
from arcwright.tools.activity.result import build_edit
from arcwright.tools.activity.solved_body import Missed, SolvedBody
from arcwright.tools.activity.trajectory import Trajectory, rotation_between

ROUNDS = 30  # of FABRIK
NEAR = 1e-5  # m, where it stops
REACH = 0.98  # of an arm's length, from which the spine leans
EVERY = 4  # frames, of decimated trajectories
LIMBS = {  # names of the first three joints, in the built-in rigs and in captures
    "arm": (("UpperArm", "LowerArm", "Hand"), ("Arm", "ForeArm", "Hand")),
    "leg": (("UpperLeg", "LowerLeg", "Foot"), ("UpLeg", "Leg", "Foot")),
}


@dataclass(frozen=True, eq=False)
class Skeleton:
    """The chains of a body over T frames."""

    rig: Rig
    values: Floats  # (T, C)
    world: Floats  # (T, J, 4, 4)
    arms: dict[str, tuple[int, int, int]]  # shoulder, elbow and wrist, by the hand
    legs: tuple[tuple[int, int, int], ...]
    spine: tuple[int, ...]  # from above the root, which stays, to where arms begin

    def place(self, joint: int) -> Floats:
        """(T, 3) m."""
        found: Floats = self.world[:, joint, :3, 3]
        return found


@lru_cache(maxsize=2)
def prepared_of(sampled: Sampled) -> PreparedActivity:
    """The activity as our tool reads it."""
    return PreparedActivity(sampled.scene, Target(activity=sampled.activity.name), 0.0)


@lru_cache(maxsize=2)
def skeleton_of(prepared: PreparedActivity) -> Skeleton:
    """Its body."""
    rig, values = prepared.take.rig, values_at(prepared.take, prepared.times)
    world = forward(rig, values, range(len(rig.names)))
    arms = {f"{side.lower()} hand": _limb(rig, side, "arm") for side in ("Left", "Right")}
    legs = tuple(_limb(rig, side, "leg") for side in ("Left", "Right"))
    spine = [int(rig.parents[next(iter(arms.values()))[0]])]
    while rig.parents[spine[-1]] >= 0:
        spine.append(int(rig.parents[spine[-1]]))
    return Skeleton(rig, values, world, arms, legs, tuple(spine[-2:0:-1]))


def _limb(rig: Rig, side: str, kind: str) -> tuple[int, int, int]:
    for names in LIMBS[kind]:
        if all(f"{side}{each}" in rig.names for each in names):
            first, second, third = (rig.joint(f"{side}{each}") for each in names)
            return first, second, third
    raise LookupError(f"no {kind} on the {side}")


def published(sampled: Sampled, element: str, event: int, by: Floats) -> Scene:
    """The scene after an element is displaced at an event."""
    prepared = prepared_of(sampled)
    edits = ElementEdits({(event, element): Displacement(by)})
    edit = build_edit(solve(prepared, edits), ActivityOptions(), "Published")
    return edit.apply(sampled.scene)


def solve(prepared: PreparedActivity, edits: ElementEdits, every: int = 1) -> SolvedActivity:
    """All paths and poses; with `every`, only each so many frames and those of events are posed."""
    placed = prepared.placements.solve(edits)
    paths = element_paths(
        *(prepared.tracks, prepared.knots, prepared.trajectories, prepared.holds),
        *(placed, Trajectory.added, {}, None, {}),
    )
    body = skeleton_of(prepared)
    frames = np.unique([*range(0, len(body.values), every), len(body.values) - 1, *prepared.frames])
    posed = _posed(body, paths, frames)
    looking = _aimed(prepared, paths, posed)
    changed = np.abs(looking - body.values).max(axis=1) > 1e-9
    every_one = np.flatnonzero(changed)
    about = body.rig, body.values, looking, every_one, changed
    solved = SolvedBody(*about, lambda: Missed({}, {}))
    return SolvedActivity(prepared, edits, placed, paths, solved)


def _posed(body: Skeleton, paths: dict[str, ElementPath], frames: Ints) -> Floats:
    """(T, C) the body with its hands on their paths, solved at some frames."""
    start = np.zeros((len(frames), 3))
    root_move = paths["pelvis"].move[frames] if "pelvis" in paths else start
    turns = {joint: np.tile(np.eye(3), (len(frames), 1, 1)) for joint in body.spine}
    goals = {
        name: _wrist_goal(body, name, paths[name], frames) for name in body.arms if name in paths
    }
    shift, chest = _leaned(body, goals, frames, root_move, turns)
    for name, (goal, hand_turn) in goals.items():
        base = _carried(body, body.arms[name][0], frames, shift, chest)
        _solve_limb(body, body.arms[name], frames, base, goal, hand_turn, turns)
    if np.any(root_move):
        for leg in body.legs:
            still = np.tile(np.eye(3), (len(frames), 1, 1))
            base = body.place(leg[0])[frames] + root_move
            _solve_limb(body, leg, frames, base, body.place(leg[2])[frames], still, turns)
    return _written(body, frames, turns, root_move)


def _wrist_goal(
    body: Skeleton, name: str, path: ElementPath, frames: Ints
) -> tuple[Floats, Floats]:
    """(F, 3) where the wrist should be, and (F, 3, 3) how the hand turns in the world."""
    turn = matrix_from_vector(path.turn[frames])
    wrist = body.place(body.arms[name][2])[frames]
    arm = path.track.position[frames] - wrist
    return path.position[frames] - np.einsum("tij,tj->ti", turn, arm), turn


def _leaned(
    body: Skeleton,
    goals: dict[str, tuple[Floats, Floats]],
    frames: Ints,
    root_move: Floats,
    turns: dict[int, Floats],
) -> tuple[Floats, Floats]:
    """Where the chest goes (F, 3) and turns (F, 3, 3) so that wrists come within reach."""
    identity = np.tile(np.eye(3), (len(frames), 1, 1))
    if not body.spine or not goals:
        return root_move, identity
    shoulders = np.mean([body.place(arm[0])[frames] for arm in body.arms.values()], axis=0)
    short = [_short_of(body, name, goal[0], frames, root_move) for name, goal in goals.items()]
    line = [*(body.place(joint)[frames] for joint in body.spine), shoulders]
    moved = [each + root_move for each in line]
    goal = moved[-1] + np.sum(short, axis=0)
    found = fabrik(np.stack(moved, axis=1), goal)
    for at, joint in enumerate(body.spine):
        old, new = line[at + 1] - line[at], found[:, at + 1] - found[:, at]
        turns[joint] = matrix_from_vector(rotation_between(old, new))
    chest = body.spine[-1]
    return found[:, -2] - body.place(chest)[frames], turns[chest]


def _short_of(body: Skeleton, name: str, goal: Floats, frames: Ints, root_move: Floats) -> Floats:
    """(F, 3) by which a shoulder is too far from a goal."""
    shoulder, elbow, wrist = (body.place(joint)[frames] for joint in body.arms[name])
    length = np.linalg.norm(elbow - shoulder, axis=1) + np.linalg.norm(wrist - elbow, axis=1)
    limit = np.maximum(REACH * length, np.linalg.norm(wrist - shoulder, axis=1))
    away = goal - shoulder - root_move
    far = np.maximum(np.linalg.norm(away, axis=1), 1e-9)
    found: Floats = away * (np.maximum(far - limit, 0.0) / far)[:, None]
    return found


def _carried(body: Skeleton, joint: int, frames: Ints, shift: Floats, turn: Floats) -> Floats:
    """(F, 3) a joint that the chest carries."""
    if not body.spine:
        return body.place(joint)[frames] + shift
    chest = body.place(body.spine[-1])[frames]
    away = body.place(joint)[frames] - chest
    found: Floats = chest + shift + np.einsum("tij,tj->ti", turn, away)
    return found


def fabrik(line: Floats, goal: Floats) -> Floats:
    """(F, N, 3) chains with their ends at goals (F, 3), as near as they get."""
    lengths = np.linalg.norm(np.diff(line, axis=1), axis=2)
    found, count = line.copy(), line.shape[1]
    for _ in range(ROUNDS):
        if np.abs(found[:, -1] - goal).max() < NEAR:
            break
        found[:, -1] = goal
        for at in range(count - 2, -1, -1):
            found[:, at] = found[:, at + 1] + _along(
                found[:, at] - found[:, at + 1], lengths[:, at]
            )
        found[:, 0] = line[:, 0]
        for at in range(1, count):
            found[:, at] = found[:, at - 1] + _along(
                found[:, at] - found[:, at - 1], lengths[:, at - 1]
            )
    return found


def _along(way: Floats, length: Floats) -> Floats:
    size = np.maximum(np.linalg.norm(way, axis=1), 1e-12)
    found: Floats = way * (length / size)[:, None]
    return found


def _solve_limb(
    body: Skeleton,
    limb: tuple[int, int, int],
    frames: Ints,
    base: Floats,
    goal: Floats,
    end_turn: Floats,
    turns: dict[int, Floats],
) -> None:
    """Turn the joints of a limb whose first one is at `base` (F, 3)."""
    old = np.stack([body.place(joint)[frames] for joint in limb], axis=1)
    found = fabrik(old + (base - old[:, 0])[:, None], goal)
    for at in range(2):
        turns[limb[at]] = _framed(found, at) @ _framed(old, at).swapaxes(1, 2)
    turns[limb[2]] = end_turn


def _framed(line: Floats, bone: int) -> Floats:
    """(F, 3, 3) axes of a bone: along it, across the plane of the limb, and in it."""
    along = line[:, bone + 1] - line[:, bone]
    along = along / np.linalg.norm(along, axis=1, keepdims=True)
    across = np.cross(line[:, 1] - line[:, 0], line[:, 2] - line[:, 1])
    across = across / np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-12)
    return np.stack([along, across, np.cross(along, across)], axis=2)


def _written(body: Skeleton, frames: Ints, turns: dict[int, Floats], root_move: Floats) -> Floats:
    """(T, C) poses whose joints turn in the world by `turns`; the others with their parents."""
    count = len(body.rig.names)
    world = np.tile(np.eye(3), (len(frames), count, 1, 1))
    for joint in range(count):
        parent = int(body.rig.parents[joint])
        world[:, joint] = turns.get(joint, world[:, parent] if parent >= 0 else world[:, joint])
    vectors = []
    for joint in turns:
        axes = body.world[frames, joint, :3, :3]
        axes = axes / np.linalg.norm(axes, axis=1, keepdims=True)
        parent = int(body.rig.parents[joint])
        relative = world[:, parent].swapaxes(1, 2) @ world[:, joint]
        vectors.append(vector_from_matrix(axes.swapaxes(1, 2) @ relative @ axes))
    every = np.arange(len(body.values))
    stacked = np.stack(vectors, axis=1) if vectors else np.zeros((len(frames), 0, 3))
    full = _interpolated(every, frames, stacked)
    none = np.zeros(0, np.int64), np.zeros((len(every), 0))
    values = displaced(body.rig, (np.array(list(turns), np.int64), full), none, body.values)
    if not np.any(root_move):
        return values
    root = root_path(body.rig, 0, values)
    assert root is not None
    return root.written(
        values, root.position + _interpolated(every, frames, root_move), root.rotation
    )


def _interpolated(every: Ints, frames: Ints, values: Floats) -> Floats:
    """(T, ...) values given at some frames, straight between them."""
    if len(frames) == len(every):
        return values
    flat = values.reshape(len(frames), -1)
    found = np.stack([np.interp(every, frames, column) for column in flat.T], axis=1)
    return found.reshape(len(every), *values.shape[1:])


def _aimed(prepared: PreparedActivity, paths: dict[str, ElementPath], values: Floats) -> Floats:
    """The poses with the gaze turned, after the hands are where they should be."""
    gaze = find_gaze(prepared.take.rig)
    if gaze is None or not prepared.looks:
        return values
    before, after = (
        forward(prepared.take.rig, each, [gaze.head])[:, 0, :3, 3]
        for each in (prepared.body.sequence.values, values)
    )
    return with_gaze(
        prepared.take.rig, gaze, values, turned_gaze(prepared.looks, paths, before, after)
    )
