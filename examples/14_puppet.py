"""A puppet: a stick leads the biped ahead, flicks it up, lifts it and puts it down again.

The device is made by code here; a phone, a pointer or a tracked controller gives the same samples.
"""

import numpy as np

import arcwright

RATE = 60


def main() -> None:
    scene = arcwright.read("biped")
    interaction = arcwright.begin("puppet", scene)
    interaction.update(stick())
    edit = interaction.finish()
    print(edit.summary(scene))

    scene = edit.apply(scene)
    take = scene.characters[0].takes[-1]
    hips = arcwright.trail(take, "Hips", take.frame_times())
    ahead, high = hips.position[-1, 2], hips.position[:, 1].max()
    print(f"{take.duration:.1f} s, {ahead:.1f} m ahead, hips up to {high:.2f} m")
    arcwright.write(scene, "performed.arc.glb")


def stick() -> arcwright.Performance:
    """A device behind the character: ahead for three seconds, a flick, then lifted and lowered."""
    time = np.arange(8 * RATE) / RATE
    poses = np.zeros((len(time), 1, 7))
    poses[:, 0, :4] = [0.0, 1.6, -1.5, 1.0]  # position, and w of the quaternion
    poses[:, 0, 2] += 1.1 * np.clip(time - 0.5, 0.0, 3.0)
    flick = np.clip(time - 4.0, 0.0, 0.65)
    poses[:, 0, 1] += 3.2 * flick - 4.92 * flick**2
    lifted = np.clip(time - 5.5, 0.0, 1.0) - np.clip(time - 7.0, 0.0, 1.0)
    poses[:, 0, 1] += 0.4 * lifted
    return arcwright.Performance(time, poses, device="code")


if __name__ == "__main__":
    main()
