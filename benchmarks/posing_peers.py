"""Pin-and-drag posing of a 60-joint body: ours against Pink and mink on the same drag.

Run with an environment that has `pin-pink`, `mink` and `daqp`. Both feet and both hands are
pinned, the chest is dragged round. At every move the others step until chest and pins are as
close as wanted, or 30 steps have been taken; ours also makes the edit with its keys.
A step is one evaluation of the body and the linear system solved there; its time is that of a
move divided by the steps taken.
Exits with 1 if ours does not get there.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from importlib.metadata import version

import one_thread  # noqa: F401

# isort: split
import mink
import mujoco
import numpy as np
import pink
import pinocchio as pin

from arcwright.objectives import solve_pose
from arcwright.scene.point import Point
from arcwright.scene.target import Target
from arcwright.solve.descent import Descent
from arcwright.tools.gesture import Drag
from arcwright.tools.pose.tool import PoseOptions, PoseTool
from posing_body import HELD, PINNED, body, mjcf, path, places, scene, start_values, urdf

CLOSE = (1e-4, 5e-6)  # m: what an animator sees, and what ours reaches
MOST_STEPS = 30
PIN_COST, DRAG_COST, POSTURE_COST = 10.0, 10.0, 1e-3
SOLVER = "daqp"
Follow = Callable[[np.ndarray], tuple[np.ndarray, int]]  # the hand's place to values, steps


def ours(rig) -> Follow:
    session = PoseTool().begin(scene(rig), Target(), PoseOptions())
    steps = counted_steps()

    def follow(place: np.ndarray) -> tuple[np.ndarray, int]:
        before = len(steps)
        pose = session.update(Drag(Point(HELD), 0.0, position=place)).poses[0].values
        return pose, sum(steps[before:])

    return follow


def counted_steps() -> list[int]:
    """Grows with every descent of ours by the steps that it takes."""
    steps: list[int] = []
    plain = solve_pose.descend

    def noted(*given) -> Descent:
        found = plain(*given)
        steps.append(found.iterations)
        return found

    solve_pose.descend = noted
    return steps


def with_pink(rig, close: float) -> Follow:
    model = pin.buildModelFromXML(urdf(rig))
    order = np.array([model.joints[model.getJointId(f"c{c}")].idx_q for c in range(model.nq)])
    q = np.zeros(model.nq)
    q[order] = start_values(rig)
    configuration = pink.Configuration(model, model.createData(), q)
    tasks = {
        name: pink.FrameTask(name, PIN_COST if name != HELD else DRAG_COST, 0.0)
        for name in (*PINNED, HELD)
    }
    posture = pink.PostureTask(POSTURE_COST)
    posture.set_target(q)
    for task in tasks.values():
        task.set_target_from_configuration(configuration)
    limits = [pink.limits.ConfigurationLimit(model, 1.0)]

    def follow(place: np.ndarray) -> tuple[np.ndarray, int]:
        tasks[HELD].transform_target_to_world.translation = place
        taken = 0
        while taken < MOST_STEPS:
            taken += 1
            way = pink.solve_ik(
                configuration, [*tasks.values(), posture], 1.0, SOLVER, limits=limits
            )
            configuration.integrate_inplace(way, 1.0)
            away = [
                configuration.get_transform_frame_to_world(name).translation
                - task.transform_target_to_world.translation
                for name, task in tasks.items()
            ]
            if np.linalg.norm(away, axis=1).max() < close:
                break
        return configuration.q[order], taken

    return follow


def with_mink(rig, close: float) -> Follow:
    model = mujoco.MjModel.from_xml_string(mjcf(rig))
    order = np.array([model.joint(f"c{c}").qposadr[0] for c in range(model.nq)])
    configuration = mink.Configuration(model)
    q = np.zeros(model.nq)
    q[order] = start_values(rig)
    configuration.update(q)
    tasks = {
        name: mink.FrameTask(name, "body", PIN_COST if name != HELD else DRAG_COST, 0.0)
        for name in (*PINNED, HELD)
    }
    posture = mink.PostureTask(model, POSTURE_COST)
    posture.set_target(q)
    for task in tasks.values():
        task.set_target_from_configuration(configuration)
    limits = [mink.ConfigurationLimit(model, 1.0)]
    wanted = {name: task.transform_target_to_world.translation() for name, task in tasks.items()}

    def follow(place: np.ndarray) -> tuple[np.ndarray, int]:
        wanted[HELD] = place
        tasks[HELD].set_target(mink.SE3.from_translation(place))
        taken = 0
        while taken < MOST_STEPS:
            taken += 1
            way = mink.solve_ik(
                configuration, [*tasks.values(), posture], 1.0, SOLVER, limits=limits
            )
            configuration.integrate_inplace(way, 1.0)
            away = [configuration.data.body(name).xpos - wanted[name] for name in tasks]
            if np.linalg.norm(away, axis=1).max() < close:
                break
        return configuration.q[order], taken

    return follow


def compare(close: float) -> bool:
    """Print a table; whether ours was close at every move."""
    rig = body()
    start = places(rig, start_values(rig))
    works = {"ours": ours(rig), "Pink": with_pink(rig, close), "mink": with_mink(rig, close)}
    cpu, wall, missed, steps = ({name: [] for name in works} for _ in range(4))
    for place in path(rig):
        for name, follow in works.items():
            began, used = time.perf_counter(), time.process_time()
            values, taken = follow(place)
            cpu[name].append((time.process_time() - used) * 1e3)
            wall[name].append((time.perf_counter() - began) * 1e3)
            steps[name].append(taken)
            now, goal = places(rig, values), start | {HELD: place}
            missed[name].append(max(np.linalg.norm(now[at] - goal[at]) for at in goal))
    print(f"until within {close * 1e3:g} mm")
    print(
        f"  {'':6} {'p50 ms':>7} {'p95 ms':>7} {'wall p50':>8} {'p95':>7} {'off mm':>8} {'x':>6} "
        f"{'steps':>5} {'ms/step':>7}"
    )
    base = np.median(cpu["ours"][1:])
    for name in works:
        used, passed = (np.quantile(t[name][1:], [0.5, 0.95]) for t in (cpu, wall))
        print(
            f"  {name:6} {used[0]:7.2f} {used[1]:7.2f} {passed[0]:8.2f} {passed[1]:7.2f} "
            f"{max(missed[name]) * 1e3:8.5f} {used[0] / base:6.2f} {np.mean(steps[name][1:]):5.1f} "
            f"{np.median(np.divide(cpu[name][1:], steps[name][1:])):7.3f}"
        )
    return max(missed["ours"]) <= close


def main() -> int:
    rig = body()
    print(
        f"{len(rig.names)} joints, {len(rig.channels)} channels, {len(PINNED)} pins, {HELD} "
        f"dragged over {len(path(rig))} moves; CPU ms per move\n"
        f"Pink {version('pin-pink')}, mink {version('mink')}, both with {SOLVER}"
    )
    good = [compare(close) for close in CLOSE]
    print("ours got there at every move" if all(good) else "ours MISSED")
    return int(not all(good))


if __name__ == "__main__":
    sys.exit(main())
