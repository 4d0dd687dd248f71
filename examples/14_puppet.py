"""A puppet: a stick leads the biped ahead and flicks it up; then it is a take like any other.

The device is made by code here; a phone, a pointer or a tracked controller gives the same samples.
"""

from dataclasses import replace

import numpy as np

import arcwright

RATE = 60


def main() -> None:
    scene = performed(arcwright.read("biped"), ahead())
    scene = performed(scene, aside(), take="performance", time=3.6)  # what is before stays
    take = scene.characters[0].take("performance")
    states = ", ".join(f"{each.name} from {each.start:.1f} s" for each in take.sections)
    print(f"performed: {take.duration:.1f} s, {states}")

    larger = arcwright.record_again(scene, 1, gain=1.5).apply(scene)
    far = arcwright.trail(larger.characters[0].take("performance"), "Hips", [5.6]).position[0]
    print(f"made again with a larger gain: {far[0]:.1f} m aside")

    fitted = arcwright.fit(take, 0.01)
    print(f"fitted: {fitted.key_poses} key poses, {1000 * fitted.deviation:.1f} mm off at most")
    biped = scene.characters[0].with_take(replace(take, base=fitted.clip))
    scene = replace(scene, characters=(biped,))

    chosen = {"time": 1.5, "take": "performance"}
    for tool, joint, by in (
        ("tangent", "LeftHand", (0, 0.1, 0)),
        ("spacetime", "Head", (0, -0.1, 0)),
    ):
        edit = arcwright.drag(scene, joint, by=by, tool=tool, **chosen)
        scene = edit.apply(scene)
        print(edit.summary(scene))

    arcwright.write(scene, "performed.glb")
    back = arcwright.read("performed.glb").characters[0].take("performance")
    print(f"read back: {back.duration:.1f} s with {len(back.sections)} sections")


def performed(scene: arcwright.Scene, samples: arcwright.Performance, **at) -> arcwright.Scene:
    """The scene with a performance, as one undo step."""
    interaction = arcwright.begin("puppet", scene, **at)
    interaction.update(samples)
    return interaction.finish().apply(scene)


def ahead() -> arcwright.Performance:
    """A device behind the character: ahead, then a flick."""
    time, poses = held(4.5)
    poses[:, 0, 2] += 1.1 * np.clip(time - 0.5, 0.0, 1.5)
    flick = np.clip(time - 2.3, 0.0, 0.65)
    poses[:, 0, 1] += 3.2 * flick - 4.92 * flick**2
    return arcwright.Performance(time, poses, device="code")


def aside() -> arcwright.Performance:
    """To the left instead."""
    time, poses = held(2.0)
    poses[:, 0, 0] += 0.8 * np.clip(time - 0.3, 0.0, 1.5)
    return arcwright.Performance(time, poses, device="code")


def held(seconds: float) -> tuple[np.ndarray, np.ndarray]:
    """Times and poses of a device that rests behind the character."""
    time = np.arange(round(seconds * RATE)) / RATE
    poses = np.zeros((len(time), 1, 7))
    poses[:, 0, :4] = [0.0, 1.6, -1.5, 1.0]  # position, and w of the quaternion
    return time, poses


if __name__ == "__main__":
    main()
