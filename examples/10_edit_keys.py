"""Edit keys: add, move and copy keys, pin a point, retime; each is one undo step with a name."""

import numpy as np

import arcwright
from arcwright import History, Pin, Point, Scene, same, sample
from arcwright.edits import constraints, keys, takes


def keys_after(scene: Scene, time: float) -> list[tuple[int, int]]:
    """Channel and place of every key after a time."""
    curves = scene.characters[0].takes[0].base.curves
    keyed = [(channel, curve) for channel, curve in enumerate(curves) if curve is not None]
    return [(c, key) for c, curve in keyed for key in range(len(curve)) if curve.time[key] > time]


def main() -> None:
    scene = arcwright.read("lamp:hop")
    take = scene.characters[0].takes[0]
    times = np.linspace(0, take.duration, 100)

    history = History(scene).do(keys.add_keys(scene, "", "", [], 7 / 24))
    finer = history.scene.characters[0].takes[0]
    off = np.abs(sample(finer, times).values - sample(take, times).values).max()
    print(f"with more keys the motion is the same: {off:.0e}")

    late = keys_after(history.scene, 1.0)
    history = history.do(keys.move_keys(history.scene, "", "", late, time=6 / 24))
    height = take.rig.channel("Base.translate.y")
    top = history.scene.characters[0].takes[0].base.curves[height].value.argmax()
    high = [(height, int(top))]
    history = history.do(keys.move_keys(history.scene, "", "", high, scale_value=1.5))
    pin = Pin(Point("Base"), 0.0, 0.25)
    history = history.do(constraints.add_constraint(history.scene, pin))
    history = history.do(takes.set_timing(history.scene, "", "", duration=1.75, loops=True))
    for edit in history.done:
        print("done:", edit.label)

    while history.done:
        history = history.undo()
    print("back to the start, bit for bit:", same(history.scene, scene))


if __name__ == "__main__":
    main()
