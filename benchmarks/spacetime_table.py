"""Table 1 of the paper: its times, its dual conjugate gradients done again, and ours, in one run.

Made-up characters with the degrees of freedom, frames and keys of each row; every row drags
a foot with two feet planted in turns, all footplant rows kept on at every frame. Both methods have
the same moves, rows, kinematics and stopping rule; the paper's S is diagonal and without
smoothness. Times are CPU milliseconds per move on one thread. `--long` adds 600 and 6,000 frames,
ours only, and ten minutes whose footplants are found, of which a part is edited.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, replace

import one_thread  # noqa: F401

# isort: split
import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.trail import trail
from arcwright.scene.constraint import Contact
from arcwright.scene.motion import Motion
from arcwright.scene.point import Point
from arcwright.scene.rig import ChannelTable, Kind, Rig
from arcwright.scene.scene import Character, Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.solve.gauss_newton import DecreaseCriteria
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.compiled_kinematics import CompiledPoints
from arcwright.tools.spacetime.model import LIMIT_SCALE, SpacetimeModel, State
from arcwright.tools.spacetime.tool import SpacetimeOptions, SpacetimeTool

RATE = 30.0
MOVES = 20
BY = 0.1  # m
TURNS = (Kind.ROTATE_X, Kind.ROTATE_Y, Kind.ROTATE_Z)
SLIDES = (Kind.TRANSLATE_X, Kind.TRANSLATE_Y, Kind.TRANSLATE_Z)
THIGH, SHANK = 0.42, 0.4  # m
STAND = 0.6  # s of each second that a foot stands
SPEED = 0.9  # m/s
ROUNDS = 2000  # of conjugate gradients, at most
CLOSE = 1e-3  # what they stop at, as a share of where they began


@dataclass(frozen=True)
class Row:
    """A row of the table; `paper` is ms for one mouse move (SQP)."""

    name: str
    dof: int
    keys: int
    frames: int
    constraints: int
    paper: float


TABLE = (
    Row("2D jump", 9, 7, 37, 514, 57),
    Row("2D walk", 14, 12, 81, 1125, 360),
    Row("2D walk, range 45", 14, 5, 81, 671, 142),
    Row("2D slide", 14, 6, 55, 799, 65),
    Row("3D walk", 57, 10, 88, 1440, 284),
    Row("3D walk no feet", 35, 10, 88, 1422, 182),
    Row("3D slide", 37, 5, 54, 2123, 127),
    Row("3D thief", 49, 10, 100, 1587, 261),
)
LONG = (Row("600 frames", 57, 68, 600, 0, 0), Row("6,000 frames", 57, 680, 6000, 0, 0))


def body(dof: int) -> Rig:
    """A root, two legs of three joints, and the rest of the freedom as a spine with limits."""
    flat = dof <= 14
    parents, rows = [-1], [(0, kind) for kind in (SLIDES[1:] if flat else SLIDES)]
    for _ in range(2):
        for depth in range(3):
            parents.append(0 if depth == 0 else len(parents) - 1)
    kinds = TURNS[:1] if flat else TURNS
    rows += [(joint, kind) for joint in range(7) for kind in kinds]
    while len(rows) < dof:
        parents.append(0 if len(parents) == 7 else len(parents) - 1)
        rows += [(len(parents) - 1, kind) for kind in kinds[: dof - len(rows)]]
    rows = rows[:dof]
    offset = np.zeros((len(parents), 3))
    offset[1:] = [0, 0.15, 0.02]
    offset[[1, 4]] = [[0.1, 0, 0], [-0.1, 0, 0]]
    offset[[2, 3, 5, 6]] = [[0, -THIGH, 0], [0, -SHANK, 0]] * 2
    table = ChannelTable.of([joint for joint, _ in rows], [kind for _, kind in rows])
    turning = (table.kind >= Kind.ROTATE_X) & (table.kind <= Kind.ROTATE_Z)
    low, high = np.where(turning, -1.4, -np.inf), np.where(turning, 1.4, np.inf)
    knees = ((table.joint == 2) | (table.joint == 5)) & (table.kind == Kind.ROTATE_X)
    low[knees] = 0.05  # they bend one way
    channels = ChannelTable(
        table.joint, table.kind, table.default, low, high, table.stiffness, table.label
    )
    count = len(parents)
    return Rig(
        tuple(f"joint{at}" for at in range(count)), np.array(parents), offset,
        np.tile([1.0, 0, 0, 0], (count, 1)), np.ones((count, 3)), ("ZYX",) * count, channels,
    )  # fmt: skip


def leg(away: Floats) -> tuple[Floats, Floats, Floats]:
    """Angles about X of hip, knee and ankle for feet (T, 2) below (y) and before (z) the hip."""
    far = np.minimum(np.hypot(*away.T), THIGH + SHANK - 1e-3)
    knee = np.pi - np.arccos((THIGH**2 + SHANK**2 - far**2) / (2 * THIGH * SHANK))
    lean = np.arctan2(-away[:, 1], -away[:, 0])  # of the line from hip to foot
    inner = np.arccos((THIGH**2 + far**2 - SHANK**2) / (2 * THIGH * far))
    hip = lean - inner
    return hip, knee, -(hip + knee)


def feet_at(times: Floats) -> Floats:
    """(T, 2, 2) heights and ways of the two feet: each stands 0.6 of a second, then steps."""
    found = np.zeros((len(times), 2, 2))
    for side in range(2):
        phase = times + 0.5 * side
        step, share = np.floor(phase), np.clip((phase % 1.0 - STAND) / (1 - STAND), 0, 1)
        found[:, side, 0] = 0.1 + 0.08 * np.sin(np.pi * share) ** 2
        eased = share - np.sin(2 * np.pi * share) / (2 * np.pi)
        found[:, side, 1] = SPEED * (step + eased - 0.5 * side + STAND / 2)
    return found


def scene_of(row: Row, rate: float = RATE) -> Scene:
    """A walk: feet stand still for 0.6 s each, hips go on evenly; captured noise on top."""
    rig = body(row.dof)
    times = np.arange(row.frames) / rate
    table = rig.channels
    random = np.random.default_rng(1)
    phase = random.uniform(0, 6, len(table))
    values = 0.03 * np.sin(2 * np.pi * times[:, None] + phase)
    values[:, table.kind < Kind.ROTATE_X] *= 0.2
    hips = np.stack([np.full_like(times, 0.86), SPEED * times], axis=1)
    feet = feet_at(times)
    for side in range(2):
        for depth, angle in enumerate(leg(feet[:, side] - hips)):
            joint = (table.joint == 1 + 3 * side + depth) & (table.kind == Kind.ROTATE_X)
            values[:, joint] += angle[:, None]
    values[:, (table.joint == 0) & (table.kind == Kind.TRANSLATE_Y)] += hips[:, :1]
    values[:, (table.joint == 0) & (table.kind == Kind.TRANSLATE_Z)] += hips[:, 1:]
    take = Take(rig, Motion("walk", times, values, rate))
    footplants = []
    for side in range(2):
        for start in np.arange(-0.5 * side, times[-1] - 0.2, 1.0):
            span = max(float(start), 0.0), min(float(start) + STAND, float(times[-1]))
            if span[1] - span[0] > 0.2:
                foot = f"joint{3 + 3 * side}"
                footplants.append(Contact(Point(foot, np.array([0, -0.1, -0.05])), *span))
                footplants.append(Contact(Point(foot, np.array([0, -0.1, 0.12])), *span))
    return Scene("table", (Character("body", rig, (take,)),), constraints=footplants)


class DualGradients:
    """The paper's way: `(J S^-1 J' + 1/w) lam = miss + J x`, by conjugate gradients."""

    def __init__(self, model: SpacetimeModel, state: State) -> None:
        self.model, self.state = model, state
        self.move = rows_of(model, state)
        on = state.rows.weight > 0
        self.on, soft = on, 1 / state.rows.weight[on]
        self.diagonal = np.einsum("nii->ni", model.stiffness.blocks[:, :, 0])
        limits = state.violations
        self.residual = np.concatenate([state.rows.residual[on], limits.residual])
        limit = 1 / (model.limit_weight * LIMIT_SCALE)
        self.soft = np.concatenate([soft, np.full(len(limits.sample), limit)])

    def along(self, x: Floats) -> Floats:
        """J x."""
        here = self.model.basis.at(x)
        first = (self.move @ here[..., None])[..., 0][self.on]
        limits = self.state.violations
        wide = np.concatenate([here, np.zeros((len(here), 1))], axis=1)
        rest = (limits.slope * wide[limits.sample[:, None], limits.columns]).sum(axis=1)
        return np.concatenate([first, rest])

    def back(self, lever: Floats) -> Floats:
        """J' lam."""
        count = int(self.on.sum())
        pull = np.zeros(self.on.shape)
        pull[self.on] = lever[:count]
        force = (pull[:, None] @ self.move)[:, 0]
        limits = self.state.violations
        wide = np.concatenate([force, np.zeros((len(force), 1))], axis=1)
        np.add.at(
            wide, (limits.sample[:, None], limits.columns), limits.slope * lever[count:, None]
        )
        slope = self.model.basis.back(wide[:, :-1])
        slope[: self.model.range.free.start] = 0
        slope[self.model.range.free.stop :] = 0
        return slope

    def solve(self) -> tuple[Floats, int]:
        """The new x, and how many rounds it took."""
        lever = np.zeros(len(self.residual))
        left = self.residual + self.along(self.state.x)
        way, size = left.copy(), float(left @ left)
        enough = size * CLOSE**2
        for number in range(ROUNDS):
            if size <= enough:
                return self.back(lever) / self.diagonal, number
            pushed = self.along(self.back(way) / self.diagonal) + self.soft * way
            share = size / float(way @ pushed)
            lever += share * way
            left -= share * pushed
            size, last = float(left @ left), size
            way = left + size / last * way
        return self.back(lever) / self.diagonal, ROUNDS


def rows_of(model: SpacetimeModel, state: State) -> Floats:
    """(T, M, D) J at the moments, from what the library worked out about places."""
    there, rows = state.poses, state.rows
    assert isinstance(there, CompiledPoints)
    assert model._compiled is not None
    first, movers = model._compiled._moved_first, model._compiled._moved_by
    found = np.zeros((*rows.residual.shape, model.unknowns.count))
    for row in range(found.shape[1]):
        for at in range(rows.points.first[row], rows.points.first[row + 1]):
            point, share = rows.points.point[at], rows.points.share[at]
            by = movers[first[point] : first[point + 1]]
            turns, slides = by[by[:, 0] >= 0], by[by[:, 0] < 0]
            arm = there.position[:, point, None] - there.origin[:, turns[:, 1]]
            pulled = np.cross(arm, rows.direction[:, row, None])
            moved = np.einsum("tai,tai->ta", there.axis[:, turns[:, 0]], pulled)
            found[:, row, turns[:, 2]] += share * moved
            slid = np.einsum(
                "tsi,ti->ts", there.slide[:, -1 - slides[:, 0]], rows.direction[:, row]
            )
            found[:, row, slides[:, 2]] += share * slid
    return found


def by_gradients(model: SpacetimeModel, state: State, criteria: DecreaseCriteria) -> State:
    """`minimise` with the paper's linear solver and step halving."""
    for number in range(1, criteria.max_iterations + 1):
        x, _ = DualGradients(model, state).solve()
        after, share = state, 1.0
        for _ in range(4):
            after = model.evaluate(state.x + share * (x - state.x), state.offsets)
            if after.cost <= state.cost:
                break
            share /= 2
        else:
            return state
        gained, state = state.cost - after.cost, after
        if gained < criteria.cost_tolerance * state.cost + criteria.least:
            return state
        if number >= criteria.usual and gained < criteria.much * (state.cost + gained):
            return state
    return state


def moves_of(row: Row, *, paper: bool) -> tuple[list[float], tuple[float, float], float, int, int]:
    """ms of each move, of the first with `begin` and of the release, the distance left, sizes."""
    from arcwright.tools.spacetime import augmented_lagrangian as room

    scene = scene_of(row)
    take = scene.characters[0].takes[0]
    footplant = scene.contacts[len(scene.contacts) // 2]
    moment = round((footplant.start + footplant.end) / 2 * RATE) / RATE
    place = trail(take, footplant.point, [moment]).position[0]
    spacing = min(max(take.duration / max(row.keys - 3, 1), 0.02), 2.0)
    smoothness = 0.0 if paper else SpacetimeOptions().smoothness
    options = SpacetimeOptions(knot_spacing=spacing, end=take.duration, smoothness=smoothness)
    kept = room.minimise
    room.minimise = by_gradients if paper else kept  # type: ignore[assignment]
    spent = []
    try:
        began = time.process_time()
        session = SpacetimeTool().begin(scene, Target(), options)
        begin = (time.process_time() - began) * 1e3
        for share in np.linspace(1 / MOVES, 1, MOVES)[: MOVES if row.frames < 500 else 6]:
            began = time.process_time()
            target = place + np.array([0, 0, BY * share])
            drag = Drag(footplant.point, moment, position=target)
            preview = session.update(drag)
            spent.append((time.process_time() - began) * 1e3)
    finally:
        room.minimise = kept
    began = time.process_time()
    if not paper:
        session.finish()
    release = (time.process_time() - began) * 1e3
    assert session._result is not None
    (solved,) = session._result.solved.values()
    rows = sum(int((term.weight > 0).sum()) * term.width for term in solved.model.terms)
    rows += len(solved.state.violations.sample)
    ends = begin + spent[0], release
    return spent[1:], ends, preview.drag.remaining, solved.state.x.size, rows


def ten_minutes() -> None:
    """Taking hold of 36,000 frames, first and again, and moves in a part of them."""
    given = scene_of(Row("", 57, 0, 36_000, 0, 0), 60.0)
    take = given.characters[0].takes[0]
    feet = {"joint3": "LeftFoot", "joint6": "RightFoot"}
    rig = replace(take.rig, names=tuple(feet.get(name, name) for name in take.rig.names))
    scene = Scene("long", (Character("body", rig, (Take(rig, take.base),)),))
    root, at = Point("joint0"), 300.0
    place = trail(scene.characters[0].takes[0], root, [at]).position[0]
    for name, options in (
        ("5 s of 10 min", SpacetimeOptions(start=at - 2.5, end=at + 2.5)),
        ("10 min, no range", SpacetimeOptions()),
    ):
        began = time.process_time()
        session = SpacetimeTool().begin(scene, Target(), options)
        marks = [began, time.process_time()]
        for share in np.linspace(1 / MOVES, 1, MOVES):
            session.update(Drag(root, at, position=place - np.array([0, BY * share, 0])))
            marks.append(time.process_time())
        spent = np.diff(marks) * 1e3
        print(
            f"{name:20} {len(session.characters['body'].constraints)} footplants,"
            f" begin {spent[0]:.1f} ms,"
            f" first move {spent[1]:.1f}, p50 {np.median(spent[2:]):.1f},"
            f" p95 {np.percentile(spent[2:], 95):.1f}"
        )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--long", action="store_true")
    given = parser.parse_args()
    print(
        f"{'row':20} {'dof':>4} {'frames':>6} {'keys':>5} {'theirs':>6} | {'unkn':>6} {'rows':>6}"
        f" {'CG p50':>8} {'p50':>8} {'p95':>8} {'times':>6} {'us/frame':>8} {'off mm':>8}"
        f" {'first':>8} {'release':>8}"
    )
    for row in (*TABLE, *(LONG if given.long else ())):
        ours, (first, release), short, unknowns, rows = moves_of(row, paper=False)
        slow = moves_of(row, paper=True)[0] if row.frames < 500 else [np.nan]
        middle = float(np.median(ours))
        print(
            f"{row.name:20} {row.dof:4} {row.frames:6} {row.keys:5} {row.paper:6g} | {unknowns:6}"
            f" {rows:6} {np.median(slow):8.1f} {middle:8.1f} {np.percentile(ours, 95):8.1f}"
            f" {np.median(slow) / middle:6.1f} {middle * 1e3 / row.frames:8.1f}"
            f" {short * 1e3:8.3f} {first:8.1f} {release:8.1f}",
            flush=True,
        )
    if given.long:
        ten_minutes()


if __name__ == "__main__":
    main()
