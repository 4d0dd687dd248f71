"""Motion curves: drag the hips of a standing character over its planted feet; no key changes."""

from dataclasses import replace

import numpy as np

import arcwright
from arcwright import Contact, Point
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.tangent.tool import TangentOptions, TangentTool


def main() -> None:
    scene = arcwright.read("biped:stand")
    feet = tuple(Contact(Point(name), 0, 1) for name in ("LeftFoot", "RightFoot"))
    scene = replace(scene, constraints=feet)
    take = scene.characters[0].takes[0]
    hips = arcwright.trail(take, "Hips", [0.5]).position[0]

    session = TangentTool().begin(scene, Target(), TangentOptions())
    for share in np.linspace(0.1, 1, 10):
        target = hips + share * np.array([0.2, -0.1, 0])
        preview = session.update(Drag(Point("Hips"), 0.5, position=target))
    after = session.finish().apply(scene)

    moved = preview.drag.position - hips
    print("hips moved by", np.round(moved * 100, 2), "cm")
    edited = after.characters[0].takes[0]
    for name in ("LeftFoot", "RightFoot"):
        path = arcwright.trail(edited, name, np.linspace(0, 1, 97)).position
        slid = np.linalg.norm(path - path[0], axis=1).max()
        print(f"{name} slid {slid * 1000:.3f} mm")
    print("keys:", take.base.key_count, "before,", edited.base.key_count, "after")


if __name__ == "__main__":
    main()
