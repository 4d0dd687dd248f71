"""Sequences of a hop database in MuJoCo, and what a step costs in both engines.

    python benchmarks/hops_engines.py HOPS.npz [COUNT]

Replays COUNT sequences (40 by default), evenly over the database, in MuJoCo at 0.5 ms, with the
same masses, motors and limits; ours runs at 2 ms. Open-loop hopping has no feedback: small
differences grow from hop to hop. Speed is CPU time of one thread, MuJoCo by its own rollout in C.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import one_thread  # noqa: F401

# isort: split
import numpy as np

from arcwright.tools.autocomplete.hops.database import HopDatabase, read_database
from arcwright.tools.autocomplete.hops.gate import Gate, faults
from arcwright.tools.autocomplete.hops.hop_measures import measure
from arcwright.tools.autocomplete.hops.lamp import Lamp
from arcwright.tools.autocomplete.hops.pose_graph import graph_of, schedule
from arcwright.tools.autocomplete.hops.simulation import STEP, pose_of_rest, simulate

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))

from mujoco_lamp import mujoco_model, mujoco_run

LAMP = Lamp()


def main() -> None:
    hops = read_database(sys.argv[1])
    count = min(int(sys.argv[2]) if len(sys.argv) > 2 else 40, len(hops))
    rows = np.linspace(0, len(hops) - 1, count).round().astype(int)
    compare(hops, rows)
    own, other = step_cost(hops, rows[:10]), rollout_cost(hops, rows[:10])
    print(f"a step of 2 ms: ours {own:.2f} µs, MuJoCo {other:.2f} µs, {other / own:.1f} times")


def compare(hops: HopDatabase, rows: np.ndarray) -> None:
    upright = three = good = finer = 0
    first: list[tuple[float, float, float]] = []
    for row in rows:
        graph = graph_of(hops.policy[row].astype(float))
        ours, theirs = measure(LAMP, simulate(LAMP, graph)), measure(LAMP, mujoco_run(LAMP, graph))
        half = measure(LAMP, simulate(LAMP, graph, step=STEP / 4))
        finer += not faults(half, Gate())
        upright += not theirs.fell
        three += not theirs.fell and theirs.hops == 3
        good += not faults(theirs, Gate())
        if theirs.hops:
            pair = (ours.distance, theirs.distance), (ours.height, theirs.height)
            pair += ((ours.flight, theirs.flight),)
            first.append(tuple(float(b[0] / a[0] - 1) for a, b in pair))
    print(f"{len(rows)} sequences: {finer} pass our gate at a quarter of the step; in MuJoCo")
    print(f"{upright} end upright, {three} after three hops, {good} pass the gate")
    for name, off in zip(("distance", "height", "flight"), np.abs(first).T, strict=True):
        middle, most = np.median(off), np.percentile(off, 90)
        print(
            f"first hop, {name}: {middle:.1%} off at the median, {most:.1%} at the 90th percentile"
        )


def step_cost(hops: HopDatabase, rows: np.ndarray) -> float:
    """CPU µs."""
    graphs = [graph_of(hops.policy[row].astype(float)) for row in rows]
    start = time.thread_time()
    steps = sum(len(simulate(LAMP, graph).states) - 1 for graph in graphs * 5)
    return 1e6 * (time.thread_time() - start) / steps


def rollout_cost(hops: HopDatabase, rows: np.ndarray) -> float:
    """CPU µs."""
    import mujoco
    from mujoco import rollout

    model = mujoco_model(mujoco, LAMP, STEP)
    data = mujoco.MjData(model)
    data.qpos[:] = pose_of_rest(LAMP)
    size = mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    state = np.empty(size)
    mujoco.mj_getState(model, data, state, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    spent, steps = 0.0, 0
    for row in rows:
        plan = schedule(graph_of(hops.policy[row].astype(float)), 3, 1.2, STEP)
        at = np.searchsorted(plan.until, np.arange(plan.steps), side="right")
        start = time.thread_time()
        rollout.rollout(model, data, state, plan.targets[at])
        spent += time.thread_time() - start
        steps += plan.steps
    return 1e6 * spent / steps


if __name__ == "__main__":
    main()
