"""Motion cycles: a wave that was acted five times, unevenly, becomes one clean loop.

The acting is made by code here: the arm of the biped waves at a tempo that changes, and no two
waves are the same. With a capture, read the file instead.
"""

from dataclasses import replace

import numpy as np

import arcwright

RATE = 60.0
TEMPO = (0.9, 1.1, 0.8, 1.0, 1.2)  # s of each wave


def main() -> None:
    character = arcwright.read("biped:stand").characters[0]
    take = acted(character.takes[0])
    found = arcwright.cycle(take, actor=character)
    print(f"one wave takes {found.period:.2f} s (mean of what was acted: {np.mean(TEMPO):.2f})")
    print("cycles:", ", ".join(f"{start:.2f}-{end:.2f}" for start, end in found.cycles))
    loop = found.loop(tolerance=0.005)
    print(f"{loop.key_poses} key poses within {1000 * loop.error:.1f} mm, loops: {loop.clip.loops}")
    looped = arcwright.Take(character.rig, replace(loop.clip, name="wave"))
    scene = arcwright.Scene("wave", (replace(character, takes=(looped,)),))
    arcwright.write(scene, "wave.arc.glb")
    print("wrote wave.arc.glb")


def acted(standing: arcwright.Take) -> arcwright.Take:
    """The standing biped, waving with its left arm."""
    random = np.random.default_rng(4)
    phase = np.concatenate([k + np.arange(0, 1, 1 / (RATE * s)) for k, s in enumerate(TEMPO)])
    time = np.arange(len(phase)) / RATE
    rest = np.array(arcwright.sample(standing, [0.0]).values[0])
    values = np.tile(rest, (len(time), 1))
    names = list(standing.rig.channel_names)
    size = 1 + 0.1 * np.interp(phase, np.arange(6), random.normal(size=6))
    wave, lead = np.sin(2 * np.pi * phase), np.cos(2 * np.pi * phase)
    for channel, middle, swing in (
        ("LeftUpperArm.rotate.z", 1.9, 0.25 * wave),
        ("LeftUpperArm.rotate.x", 0.0, 0.15 * lead),
        ("LeftLowerArm.rotate.y", -0.9, 0.5 * lead),
    ):
        values[:, names.index(channel)] += middle + size * swing
    return arcwright.Take(standing.rig, arcwright.Motion("acted", time, values, RATE))


if __name__ == "__main__":
    main()
