"""Random stick motion on every built-in for minutes, and the cost of many puppets at once.

    python benchmarks/puppet_soak.py [--minutes 10] [--crowd 20] [--limp 5] [--seed 1]

The stick goes anywhere at up to about twice the fastest gait, is lowered, flicked and lifted, and
is released now and then. Stated: numbers that are not finite, the largest speed of a joint
in the character's own frame (rad/s of its rotation in the parent, lengths of a leg a second of its
place under the root), memory of the process for each tick of the second half, when all is loaded,
and the CPU time of a tick. A crowd of bipeds, some of them ragdolls on their sticks, is then ticked
together, each with a stick of its own.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from pathlib import Path

import one_thread  # noqa: F401

# isort: split
import numpy as np

from arcwright.characters import names
from arcwright.kinematics.forward import forward
from arcwright.open import read
from arcwright.scene.target import Target
from arcwright.tools.gesture import Performance, chunks
from arcwright.tools.puppet.options import PuppetOptions
from arcwright.tools.puppet.puppet_character import PuppetCharacter
from arcwright.tools.puppet.session import PuppetSession

RATE = 60
PART = 10 * RATE  # ticks of one update


def resident() -> float:
    """Memory of this process, kB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4.0


def smoothed(random: np.random.Generator, count: int, seconds: float) -> np.ndarray:
    """(count,) noise of size about 1 that changes over some seconds."""
    width = max(round(seconds * RATE), 1)
    noise = np.convolve(random.normal(size=count + width), np.ones(width), mode="valid")[:count]
    return noise / width**0.5


def random_path(character: PuppetCharacter, ticks: int, seed: int) -> Performance:
    """A stick that goes anywhere."""
    random = np.random.default_rng(seed)
    gaits = [clip.speed for clip in character.gaits.space.clips if clip.moves]
    fast = max(gaits, default=character.leg)
    velocity = fast * np.stack([smoothed(random, ticks, 1.5), smoothed(random, ticks, 1.5)], axis=1)
    velocity *= (smoothed(random, ticks, 4.0) > -0.3)[:, None]
    high = 0.25 * character.height * smoothed(random, ticks, 1.0)
    poses = np.zeros((ticks, 1, 7))
    poses[:, 0, :4] = [0.0, 1.2 * character.size, -character.size, 1.0]
    poses[:, 0, [0, 2]] += np.cumsum(velocity, axis=0) / RATE
    poses[:, 0, 1] += high - high[0]
    held = smoothed(random, ticks, 2.0) > -1.2
    held[: RATE // 2] = True
    return Performance(
        np.arange(ticks) / RATE, poses, buttons=held[:, None], button_names=("held",)
    )


def joint_speeds(character: PuppetCharacter, values: np.ndarray) -> tuple[float, float]:
    """The largest rotation of a joint in its parent, rad/s, and of its place, legs a second."""
    own = character.own
    world = forward(own.own, values)
    parents = own.own.parents
    below = parents >= 0
    scale = np.cbrt(np.abs(np.linalg.det(world[..., :3, :3])))[..., None, None]
    turned = world[..., :3, :3] / np.where(scale > 0, scale, 1.0)
    local = turned[:, parents[below]].swapaxes(-1, -2) @ turned[:, below]
    trace = np.einsum("tjab,tjab->tj", local[1:], local[:-1])
    spin = np.arccos(np.clip((trace - 1) / 2, -1, 1)).max(initial=0.0) * RATE
    root = world[:, own.joints[own.root]]
    place = np.einsum("tba,tjb->tja", root[:, :3, :3], world[..., :3, 3] - root[:, None, :3, 3])
    body = own.joints[own.deforms]
    moved = np.linalg.norm(np.diff(place[:, body], axis=0), axis=-1) / character.leg
    return float(spin), float(moved.max(initial=0.0) * RATE)


def soak(name: str, minutes: float, seed: int) -> str:
    session = PuppetSession(read(name), Target(), PuppetOptions(rate=RATE))
    count = round(60 * minutes * RATE)
    whole, spent, spin, moved = random_path(session.character, count, seed), 0.0, 0.0, 0.0
    finite, before, counted = True, resident(), 0
    for number, acted in enumerate(chunks(whole, PART)):
        start = number * PART
        begun = time.thread_time()
        session.update(acted)
        spent += time.thread_time() - begun
        values = np.array([tick.values for tick in session.ticks[max(start - 1, 0) :]])
        finite &= bool(np.isfinite(values).all())
        speeds = joint_speeds(session.character, values)
        spin, moved = max(spin, speeds[0]), max(moved, speeds[1])
        if len(session.ticks) <= count // 2:
            before, counted = resident(), len(session.ticks)
    ticks = len(session.ticks)
    memory = (resident() - before) / max(ticks - counted, 1)
    states = {state.value for _, state in session.states}
    return (
        f"{name:10}{ticks:8}{'yes' if finite else 'NO':>8}{spin:10.0f}{moved:10.1f}{memory:10.2f}"
        f"{1e3 * spent / ticks:9.2f}  {len(states)} states"
    )


def lifted(path: Performance) -> Performance:
    """The same stick, which lifts its puppet off the ground within half a second."""
    poses = path.poses.copy()
    poses[:, 0, 1] = poses[0, 0, 1] + np.clip(2.0 * path.times - 0.4, 0.0, 0.6)
    return replace(path, poses=poses, buttons=np.ones_like(path.buttons))


def crowd(count: int, limp: int) -> float:
    """Median CPU time, s, of one tick of many bipeds, of which some hang limply."""
    scene = read("biped")
    sessions = [PuppetSession(scene, Target(), PuppetOptions(rate=RATE)) for _ in range(count)]
    paths = [
        random_path(session.character, 5 * RATE, 100 + number)
        for number, session in enumerate(sessions)
    ]
    paths[:limp] = [lifted(path) for path in paths[:limp]]
    spent = []
    for parts in zip(*(chunks(path, 1) for path in paths), strict=True):
        begun = time.thread_time()
        for session, part in zip(sessions, parts, strict=True):
            session.update(part)
        spent.append(time.thread_time() - begun)
    return float(np.median(spent[RATE:]))  # those that are lifted hang by then


def main() -> None:
    """Print a row for each built-in, then the crowd."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--crowd", type=int, default=20)
    parser.add_argument("--limp", type=int, default=5, help="how many of the crowd hang limply")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("characters", nargs="*")
    given = parser.parse_args()
    print(f"{'':10}   ticks  finite  spin rad/s  legs/s  kB a tick  tick ms")
    for name in given.characters or names():
        print(soak(name, given.minutes, given.seed), flush=True)
    if given.crowd:
        spent = 1e3 * crowd(given.crowd, given.limp)
        print(f"a tick of {given.crowd} bipeds, {given.limp} limp: {spent:.1f} ms of one core")


if __name__ == "__main__":
    main()
