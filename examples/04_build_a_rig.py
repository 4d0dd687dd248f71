"""Build a rig: two bones and a hinge by hand, a clip with few keys, and where the tip goes."""

import numpy as np

from arcwright import ChannelTable, Character, Clip, Kind, Rig, Scene, Take, trail
from arcwright.curves.keys import keyed


def main() -> None:
    table = ChannelTable.of([0, 1], [Kind.ROTATE_Z, Kind.ROTATE_Z])
    rig = Rig(
        names=("Shoulder", "Elbow", "Hand"),
        parents=[-1, 0, 1],
        offset=[[0, 0, 0], [0.3, 0, 0], [0.25, 0, 0]],
        rest=np.tile([1.0, 0, 0, 0], (3, 1)),
        scale=np.ones((3, 3)),
        modes=("XYZ",) * 3,
        channels=table,
    )
    curves = (keyed([0, 1], [-0.5, 0.8]), keyed([0, 0.4, 1], [0, 1.2, 0.2]))
    take = Take(rig, Clip("wave", curves, duration=1.0))
    scene = Scene("arm", (Character("arm", rig, (take,)),))

    path = trail(take, "Hand", np.linspace(0, 1, 5))
    print(scene.name, "hand path:")
    print(np.round(path.position, 3))
    print("fastest:", round(float(path.speed.max()), 2), "m/s")


if __name__ == "__main__":
    main()
