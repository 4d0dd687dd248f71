"""Motion curves: drag the hips of a standing character over its planted feet; no key changes."""

import numpy as np

import arcwright


def main() -> None:
    scene = arcwright.read("biped:stand")
    take = scene.characters[0].takes[0]
    feet = ["LeftFoot", "RightFoot"]
    hips = arcwright.trail(take, "Hips", [0.5]).position[0]

    edit = arcwright.drag(scene, "Hips", time=0.5, by=(0.2, -0.1, 0), tool="tangent", pins=feet)
    print(edit.summary(scene))
    edited = edit.apply(scene).characters[0].takes[0]

    moved = arcwright.trail(edited, "Hips", [0.5]).position[0] - hips
    print("hips moved by", np.round(moved * 100, 2), "cm")
    for name in feet:
        path = arcwright.trail(edited, name, np.linspace(0, 1, 97)).position
        slid = np.linalg.norm(path - path[0], axis=1).max()
        print(f"{name} slid {slid * 1000:.3f} mm")
    print("keys:", take.base.key_count, "before,", edited.base.key_count, "after")


if __name__ == "__main__":
    main()
