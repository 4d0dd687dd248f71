"""Random lifts, shakes, drops and throws on many characters: does a ragdoll ever misbehave?

    python benchmarks/ragdoll_soak.py [--half 0|1] [--paths 6] [--seconds 12] [--seed 1] [NAME ...]

Half 0: the built-in characters and every second file of ../shared/data/gltf, which were looked at
while ragdolls were made; half 1: the other files, which were not. Each path lifts the puppet,
moves the stick at random and releases it, again and again; sizes and speeds go with the body.
CPU time of one thread, over ticks in which the body is limp.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import one_thread  # noqa: F401

# isort: split
import numpy as np

from arcwright.errors import ArcwrightError
from arcwright.kinematics.forward import forward
from arcwright.open import read
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.tools.gesture import Performance, chunks
from arcwright.tools.puppet.options import PuppetOptions
from arcwright.tools.puppet.ragdoll.ragdoll import Ragdoll
from arcwright.tools.puppet.session import PuppetSession
from arcwright.tools.puppet.state_machine import LIMP, State

RATE = 60
FADED = 14  # ticks of a transition
DATA = Path(__file__).parents[2] / "shared" / "data" / "gltf"
BUILT_IN = ("biped", "dinosaur", "dragon", "lamp", "robot", "spider")
FILES = (  # those that are characters, in turn one for each half
    *("CesiumMan.glb", "Fox.glb", "RobotExpressive.glb", "RiggedFigure.glb"),
    *("kaykit/Knight.glb", "kenney/character.glb", "quaternius/Spider.glb", "quaternius/Trex.glb"),
    *("quaternius/Wasp.glb", "quaternius/Wolf.glb", "SimpleSkin/SimpleSkin.gltf"),
    "quaternius/Clownfish.glb",
)


def performance(random: np.random.Generator, size: float, seconds: float) -> Performance:
    """A stick that lifts, wanders, shakes and releases, at random."""
    count = round(seconds * RATE)
    target, goals, held = np.zeros(3), np.zeros((count, 3)), np.ones(count, bool)
    at = round(0.4 * RATE)
    while at < count:
        for _ in range(random.integers(1, 6)):  # a few moves in the air, some of them wild
            target = random.uniform([-0.8, 0.3, -0.8], [0.8, 1.6, 0.8])
            stay = at + random.integers(RATE // 8, RATE)
            goals[at:stay], at = target, stay
        lying = at + round(random.uniform(0.3, 5.0) * RATE)
        held[at:lying] = False
        goals[at:lying] = target * [1, 0, 1]
        at = lying
    place, speed = np.zeros((count, 3)), np.zeros(3)
    here = np.zeros(3)
    stiffness = random.uniform(3.0, 14.0)  # rad/s, of the hand
    for tick, goal in enumerate(goals):
        speed = speed + (stiffness**2 * (goal - here) - 2 * stiffness * speed) / RATE
        here = here + speed / RATE
        place[tick] = here
    poses = np.zeros((count, 1, 7))
    poses[:, 0, :3] = size * (place + np.array([0.0, 1.1, -1.0]))
    poses[:, 0, 3] = 1.0
    return Performance(
        np.arange(count) / RATE, poses, buttons=held[:, None], button_names=("held",)
    )


def soaked(scene: Scene, paths: int, seconds: float, seed: int) -> dict[str, float]:
    """The worst figures of some paths on the first character of a scene."""
    session = PuppetSession(scene, Target(), PuppetOptions(rate=RATE))
    size, rig = session.character.size, scene.characters[0].rig
    worst = dict.fromkeys(
        (
            "limp",
            "rests",
            "hinge",
            "joint",
            "length",
            "deep",
            "joint deep",
            "still",
            "pops",
            "lies",
        ),
        0.0,
    )
    spent: list[float] = []
    for number in range(paths):
        random = np.random.default_rng([seed, number])
        session = PuppetSession(scene, Target(), PuppetOptions(rate=RATE))
        for part in chunks(performance(random, size, seconds), 1):
            start = time.thread_time()
            session.update(part)
            spent_now = time.thread_time() - start
            ragdoll = session._puppet._air.ragdoll
            if ragdoll is not None:
                spent.append(spent_now)
                hinges = np.abs(ragdoll._data.qvel[ragdoll._model.speed]).max(initial=0.0)
                _raise(worst, "hinge", hinges)
                if ragdoll.ready:
                    _raise(worst, "deep", _depth(ragdoll))
        _measure(session, worst, rig, size)
    worst["limp"] = len(spent) / RATE
    worst["p50"], worst["p95"] = (1e3 * np.percentile(spent, at) for at in (50, 95))
    return worst


def _measure(session: PuppetSession, worst: dict[str, float], rig: Rig, size: float) -> None:
    values = np.array([tick.values for tick in session.ticks])
    assert np.isfinite(values).all(), "not a number"
    joints = list(session._physics.joints)
    place = forward(rig, values, joints)[:, :, :3, 3]
    states = [tick.state for tick in session.ticks]
    limp = np.array([state in LIMP for state in states])
    step = np.linalg.norm(np.diff(place, axis=0), axis=2).max(axis=1) * RATE / size
    _raise(worst, "joint", step[limp[1:] & limp[:-1]].max(initial=0.0))
    settled = limp.copy()  # once channels that are not simulated have faded
    for back in range(1, FADED + 1):
        settled[back:] &= limp[:-back]
    for at, joint in enumerate(joints):
        if int(rig.parents[joint]) in joints and settled.any():
            parent = joints.index(int(rig.parents[joint]))
            length = np.linalg.norm(place[settled, at] - place[settled, parent], axis=1)
            _raise(worst, "length", 1e3 * np.ptp(length) / size)
    for at in range(1, len(states)):
        if states[at] is State.GET_UP and states[at - 1] is State.FALLEN:
            worst["rests"] += 1
            _raise(worst, "joint deep", -1e3 * place[at - 1, :, 1].min())
            _raise(worst, "still", np.median(step[at - 10 : at]))
            begun = max(n for n in range(at) if states[n] is not State.FALLEN) + 1
            _raise(worst, "lies", (at - begun) / RATE)
            ends = next((n for n in range(at, len(states)) if states[n] is not State.GET_UP), at)
            _raise(worst, "pops", step[at - 1 : min(ends - 1, at + 30)].max(initial=0.0))


def _raise(worst: dict[str, float], name: str, value: float) -> None:
    worst[name] = max(worst[name], float(value))


def _depth(ragdoll: Ragdoll) -> float:
    """How far, mm, its shells are below what they lie on."""
    contact, bodies = ragdoll._data.contact, ragdoll._model.model.geom_bodyid
    on_ground = (bodies[contact.geom] == 0).any(axis=1)
    return -1e3 * float(contact.dist[on_ground].min(initial=0.0))


def main() -> None:
    """Print a row for each character."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--half", type=int, choices=(0, 1), default=0)
    parser.add_argument("--paths", type=int, default=6)
    parser.add_argument("--seconds", type=float, default=12.0)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    files = [str(DATA / file) for file in FILES[given.half :: 2] if (DATA / file).exists()]
    names = given.names or [*(BUILT_IN if given.half == 0 else ()), *files]
    print(
        f"{'':22}limp s  falls  hinge rad/s  joint sizes/s  length mm/size  below mm  joints "
        "lying sizes/s  get-up sizes/s  lies s   tick p50  p95 ms"
    )
    for name in names:
        try:
            found = soaked(read(name), given.paths, given.seconds, given.seed)
        except ArcwrightError as error:
            print(f"{Path(name).name:22}{error}")
            continue
        print(
            f"{Path(name).name:22}{found['limp']:6.0f} {found['rests']:6.0f} "
            f"{found['hinge']:12.1f} {found['joint']:14.1f} {found['length']:15.3f} "
            f"{found['deep']:9.1f} {found['joint deep']:7.1f} "
            f"{found['still']:14.3f} {found['pops']:15.2f} {found['lies']:7.1f} "
            f"{found['p50']:10.2f} {found['p95']:6.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
