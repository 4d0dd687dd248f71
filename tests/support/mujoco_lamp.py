"""The planar lamp in MuJoCo, to compare its motion with that of our own simulator."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from arcwright.tools.autocomplete.hops.lamp import Lamp
from arcwright.tools.autocomplete.hops.pose_graph import PoseGraph, schedule
from arcwright.tools.autocomplete.hops.simulation import CYCLES, SETTLING, Run, pose_of_rest

HAS_MUJOCO = find_spec("mujoco") is not None
STEP = 0.0005  # s
BALL = 0.0005  # m, radius of the points that touch the ground
NAMES = ("base", "leg", "neck", "head")


def mujoco_model(engine: Any, lamp: Lamp, step: float = STEP) -> Any:
    """Forward is x, up is z, and hinges turn about y, clockwise as ours."""
    spec = engine.MjSpec()
    spec.compiler.degree = False
    spec.option.timestep = step
    spec.option.gravity = [0.0, 0.0, -lamp.gravity]
    spec.option.integrator = engine.mjtIntegrator.mjINT_IMPLICITFAST
    spec.option.cone = engine.mjtCone.mjCONE_ELLIPTIC
    spec.worldbody.add_geom(type=engine.mjtGeom.mjGEOM_PLANE, size=[0, 0, 1])
    body, place = spec.worldbody, np.zeros(2)
    for link, name in enumerate(NAMES):
        body = body.add_body(name=name, pos=[place[0], 0.0, place[1]])
        place = lamp.hinge[link]
        body.explicitinertial = True
        body.mass, body.inertia = lamp.mass[link], [lamp.inertia[link]] * 3
        body.ipos = [lamp.centre[link][0], 0.0, lamp.centre[link][1]]
        if link == 0:
            slide = engine.mjtJoint.mjJNT_SLIDE
            body.add_joint(name="x", type=slide, axis=[1, 0, 0])
            body.add_joint(name="y", type=slide, axis=[0, 0, 1])
        body.add_joint(name=name, type=engine.mjtJoint.mjJNT_HINGE, axis=[0, 1, 0])
        for foot in lamp.foot if link == 0 else ():
            _add_foot(engine, body, foot, lamp.friction, step)
    for joint in range(3):
        _add_motor(engine, spec, lamp, joint)
    return spec.compile()


def _add_foot(engine: Any, body: Any, foot: np.ndarray, friction: float, step: float) -> None:
    geom = body.add_geom(type=engine.mjtGeom.mjGEOM_SPHERE, size=[BALL, 0, 0])
    geom.pos = [foot[0], 0.0, foot[1] + BALL]
    geom.friction = [friction, 0.0, 0.0]
    geom.condim = 3
    geom.solref = [4 * step, 1.0]
    geom.solimp = [0.95, 0.99, 0.001, 0.5, 2]


def _add_motor(engine: Any, spec: Any, lamp: Lamp, joint: int) -> None:
    motor = spec.add_actuator(name=NAMES[joint + 1], target=NAMES[joint + 1])
    motor.trntype = engine.mjtTrn.mjTRN_JOINT
    motor.gaintype, motor.biastype = engine.mjtGain.mjGAIN_FIXED, engine.mjtBias.mjBIAS_AFFINE
    motor.gainprm[0] = lamp.stiffness[joint]
    motor.biasprm[:3] = [0.0, -lamp.stiffness[joint], -lamp.damping[joint]]
    motor.forcelimited, motor.forcerange = True, [-lamp.strongest[joint], lamp.strongest[joint]]


def mujoco_run(
    lamp: Lamp,
    graph: PoseGraph,
    *,
    cycles: int = CYCLES,
    settling: float = SETTLING,
    every: int = 4,
    start: np.ndarray | None = None,
) -> Run:
    """As `simulate` does it: a state every `every` steps."""
    engine = import_module("mujoco")
    model = mujoco_model(engine, lamp)
    data = engine.MjData(model)
    plan = schedule(graph, cycles, settling, STEP)
    data.qpos[:] = pose_of_rest(lamp) if start is None else start
    states, carrying = [data.qpos.copy()], [2]
    for number in range(plan.steps):
        data.ctrl[:] = plan.targets[np.searchsorted(plan.until, number, side="right")]
        angle, speed = data.qpos[3:], data.qvel[3:]
        over = angle - np.clip(angle, lamp.low, lamp.high)
        stop = lamp.limit_stiffness * over + lamp.limit_damping * speed
        data.qfrc_applied[3:] = np.where(over != 0, -stop, 0.0)
        engine.mj_step(model, data)
        if (number + 1) % every == 0:
            states.append(data.qpos.copy())
            carrying.append(int(data.ncon))
            if _lowest(data, lamp) < lamp.margin or abs(data.qpos[2]) > lamp.steepest:
                break
    return Run(np.array(states), np.array(carrying), plan.steps // every, STEP * every)


def _lowest(data: Any, lamp: Lamp) -> float:
    """Height of the lowest watched point, m."""
    heights = []
    for number, point in enumerate(lamp.watched):
        body = 3 if number < 2 else 4
        turn = data.xmat[body].reshape(3, 3)
        heights.append((data.xpos[body] + turn @ [point[0], 0.0, point[1]])[2])
    return float(min(heights))
