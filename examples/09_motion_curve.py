"""A motion curve as a face draws it: ticks, keys, constraints; refreshed during a drag."""

import numpy as np

import arcwright
from arcwright import Point
from arcwright.kinematics.motion_curve import refresh_curves
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.tangent.tool import TangentOptions, TangentTool


def main() -> None:
    scene = arcwright.read("biped:point")
    hand, foot = Point("LeftHand"), Point("LeftFoot")
    curves = arcwright.motion_curve(scene, [hand, foot])
    for curve in curves:
        keys = [f"{time * 24:g}" for time in curve.key_time]
        held = [
            f"{each.name} {each.start * 24:g} to {each.end * 24:g}" for each in curve.constraints
        ]
        print(f"{curve.point.joint}: {len(curve)} samples, {curve.tick.sum()} frames")
        print(f"  keys at frames {', '.join(keys)}; held by {', '.join(held) or 'nothing'}")

    time = 11 / 24
    start = arcwright.trail(curves[0].take, hand, [time]).position[0]
    session = TangentTool().begin(scene, Target(), TangentOptions())
    for share in (0.5, 1.0):
        preview = session.update(Drag(hand, time, position=start + share * np.array([0, 0.1, 0])))
        shown = refresh_curves(curves, preview.edit.apply(scene))  # from the start, each time
    moved = np.linalg.norm(shown[0].position - curves[0].position, axis=1)
    frames = shown[0].time[moved > 1e-9] * 24
    print(f"the hand's path moved by up to {moved.max() * 100:.1f} cm,", end=" ")
    print(f"between frames {frames[0]:g} and {frames[-1]:g}")


if __name__ == "__main__":
    main()
