"""The same limp biped in MuJoCo or in PyBullet: CPU time of a tick, and how still it lies.

    python benchmarks/ragdoll_engines.py mujoco|pybullet

Drops the biped of 23 segments from 1.5 m in 12 orientations, 4 s each, in ticks of 1/60 s of 4
steps, with the same masses and places. In PyBullet spherical joints have no limits, ellipsoids
become capsules, and segments collide with the ground only: with self-collisions it exploded, as
neighbours overlap and pairs must be left out one by one. CPU time of one thread.
"""

from __future__ import annotations

import sys
import time

import one_thread  # noqa: F401

# isort: split
import numpy as np

from arcwright.characters import built_in
from arcwright.kinematics.rig_analysis import analyse
from arcwright.kinematics.rotation import quaternion_from_vector
from arcwright.tools.puppet.puppet_character import puppet_character
from arcwright.tools.puppet.ragdoll.segments import Segment, segments_of

RATE, STEPS, SECONDS, DROPS = 60, 4, 4, 12
XYZW = [1, 2, 3, 0]


def turns() -> list[np.ndarray]:
    random = np.random.default_rng(1)
    return [quaternion_from_vector(random.normal(size=3)) for _ in range(DROPS)]


def in_mujoco() -> tuple[list[float], list[float]]:
    from arcwright.scene.terrain import Terrain
    from arcwright.tools.puppet.ragdoll.colliders import colliders_of
    from arcwright.tools.puppet.ragdoll.ragdoll import Ragdoll
    from arcwright.tools.puppet.ragdoll.ragdoll_model import ragdoll_model

    actor = built_in("biped").characters[0]
    character = puppet_character(actor)
    model = ragdoll_model(actor, character, colliders_of(Terrain(), ()), 1 / RATE)
    spent, still = [], []
    for turn in turns():
        start = character.stand, np.concatenate([[0.0, 1.5, 0.0], turn])
        ragdoll = Ragdoll(model, start, start, 1 / RATE)
        for _ in range(SECONDS * RATE):
            begun = time.thread_time()
            ragdoll.advance(None)
            spent.append(time.thread_time() - begun)
        before = np.array(ragdoll._data.xpos)
        ragdoll.advance(None)
        now = np.array(ragdoll._data.xpos)
        still.append(float(np.linalg.norm(now - before, axis=1).max()) * RATE)
    return spent, still


def in_pybullet() -> tuple[list[float], list[float]]:
    import pybullet as bullet

    actor = built_in("biped").characters[0]
    character = puppet_character(actor)
    segments, _ = segments_of(actor, analyse(actor), character.stand)
    spent, still = [], []
    for turn in turns():
        bullet.connect(bullet.DIRECT)
        bullet.setGravity(0, -9.81, 0)
        bullet.setTimeStep(1 / RATE / STEPS)
        plane = bullet.createCollisionShape(bullet.GEOM_PLANE, planeNormal=[0, 1, 0])
        bullet.createMultiBody(0, plane)
        body = _bullet_body(bullet, segments, turn)
        places = np.zeros((len(segments) - 1, 3))
        for _ in range(SECONDS * RATE):
            begun = time.thread_time()
            for _ in range(STEPS):
                bullet.stepSimulation()
            before = places
            links = bullet.getLinkStates(body, range(len(segments) - 1))
            places = np.array([link[4] for link in links])
            spent.append(time.thread_time() - begun)
        still.append(float(np.linalg.norm(places - before, axis=1).max()) * RATE)
        bullet.disconnect()
    return spent, still


def _bullet_body(bullet, segments: list[Segment], turn: np.ndarray) -> int:
    def shape(segment: Segment) -> int:
        shell = segment.shells[0]
        radius = float(shell.half[:2].mean()) if len(shell.half) == 3 else float(shell.half[0])
        length = 2 * (max(shell.half[2] - radius, 0.0) if len(shell.half) == 3 else shell.half[1])
        return bullet.createCollisionShape(
            bullet.GEOM_CAPSULE,
            radius=radius,
            height=length,
            collisionFramePosition=shell.place.tolist(),
            collisionFrameOrientation=shell.rotation[XYZW].tolist(),
        )

    links = segments[1:]
    count = len(links)
    body = bullet.createMultiBody(
        baseMass=segments[0].mass,
        baseCollisionShapeIndex=shape(segments[0]),
        basePosition=[0, 1.5, 0],
        baseOrientation=turn[XYZW].tolist(),
        linkMasses=[link.mass for link in links],
        linkCollisionShapeIndices=[shape(link) for link in links],
        linkVisualShapeIndices=[-1] * count,
        linkPositions=[link.place.tolist() for link in links],
        linkOrientations=[link.frame[XYZW].tolist() for link in links],
        linkInertialFramePositions=[link.centre.tolist() for link in links],
        linkInertialFrameOrientations=[[0, 0, 0, 1]] * count,
        linkParentIndices=[link.parent for link in links],
        linkJointTypes=[bullet.JOINT_SPHERICAL] * count,
        linkJointAxis=[[0, 1, 0]] * count,
    )
    for link in range(count):  # friction of the joint in place of its motor
        bullet.setJointMotorControlMultiDof(
            body, link, bullet.POSITION_CONTROL, [0, 0, 0, 1], positionGain=0, force=[1, 1, 1]
        )
    return body


def main() -> None:
    spent, still = in_mujoco() if sys.argv[1] == "mujoco" else in_pybullet()
    print(
        f"{sys.argv[1]}: a tick p50 {1e3 * np.median(spent):.2f} ms, "
        f"p95 {1e3 * np.percentile(spent, 95):.2f} ms; after {SECONDS} s the fastest segment moves "
        f"at {np.median(still):.3f} m/s at the median of {DROPS} drops, {max(still):.3f} at most"
    )


if __name__ == "__main__":
    main()
