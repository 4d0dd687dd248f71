"""Acting in layers: both hands of a biped and its head are performed, one after the other.

The device is made by code here: circles and nods by an unsteady hand. A pointer, a gamepad or a
tracked controller gives the same samples in the studio.
"""

import numpy as np

import arcwright

RATE = 60.0


def main() -> None:
    scene = arcwright.read("biped:stand")  # nothing moves: an empty loop
    right = arcwright.perform(scene, "RightHand", circles(period=1.0, radius=0.12, start=0.0))
    scene = show("right hand", right, scene)

    # The loop plays while the left hand is acted, twice as fast: it snaps to half the period.
    left = arcwright.perform(scene, "LeftHand", circles(period=0.53, radius=0.06, start=6.0))
    scene = show("left hand", left, scene)

    # A channel follows an axis of the device. Two loops long, so the take becomes longer.
    nod = arcwright.begin("cycle", scene, channels=["Head.rotate.x"])
    nod.update(stick(period=1.9, start=12.0))
    assert nod.preview is not None
    print([each.text for each in nod.preview.overlays if hasattr(each, "text")])
    scene = show("head", nod.finish(), scene)

    # What does not repeat changes nothing, and says why.
    once = arcwright.begin("cycle", scene, point="Hips")
    once.update(circles(period=2.0, radius=0.1, start=0.0, cycles=0.6))
    print(once.finish().empty, once.notes()[0].text)
    arcwright.write(scene, "acted.arc.glb")


def show(name: str, edit: arcwright.Edit, scene: arcwright.Scene) -> arcwright.Scene:
    """Apply one undo step and tell what it is."""
    scene = edit.apply(scene)
    take = scene.characters[0].takes[0]
    assert isinstance(take.base, arcwright.Clip)
    print(f"{name}: the loop is {take.duration:.2f} s long and has {take.base.key_count} keys")
    return scene


def circles(
    period: float, radius: float, start: float, cycles: float = 5.2
) -> arcwright.Performance:
    """A device that goes round; no two rounds are the same."""
    time = start + np.arange(0, cycles * period, 1 / RATE)
    phase = (time - start) / period
    phase = phase + 0.03 * np.sin(2.3 * phase)
    size = radius * (1 + 0.05 * np.sin(1.7 * phase))
    poses = np.zeros((len(time), 1, 7))
    poses[:, 0, 0] = size * np.cos(2 * np.pi * phase)
    poses[:, 0, 1] = size * np.sin(2 * np.pi * phase)
    poses[:, 0, 3] = 1.0  # wxyz: it does not turn
    return arcwright.Performance(time, poses, device="code")


def stick(period: float, start: float) -> arcwright.Performance:
    """An axis that goes to and fro."""
    time = start + np.arange(0, 4.3 * period, 1 / RATE)
    axis = 0.3 * np.sin(2 * np.pi * (time - start) / period + 0.1 * np.sin(time))
    return arcwright.Performance(time, axes=axis[:, None], axis_names=("stick",))


if __name__ == "__main__":
    main()
