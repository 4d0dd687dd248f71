"""Edit and undo: scenes are values, an edit is a value, and undo is exact."""

from dataclasses import replace

import arcwright
from arcwright import Change, Edit, History, same


def main() -> None:
    scene = arcwright.read("lamp")
    address = ("characters", 0, "takes", 0, "base", "curves")
    curves = scene.characters[0].takes[0].base.curves
    channel = next(index for index, curve in enumerate(curves) if curve is not None)
    before = curves[channel]
    after = replace(before, value=before.value + 0.1)

    history = History(scene)
    history = history.do(Edit("Raise a curve", (Change((*address, channel), before, after),)))
    print("done:", [edit.label for edit in history.done])

    history = history.undo()
    print("back to the start, bit for bit:", same(history.scene, scene))


if __name__ == "__main__":
    main()
