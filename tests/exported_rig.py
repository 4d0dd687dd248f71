"""A rig as exporters write it: a scaled armature, and tracks on every joint that mostly rest."""

import numpy as np

from arcwright.curves.keys import keyed
from arcwright.scene.clip import Clip
from arcwright.scene.rig import ChannelTable, Kind, Rig
from arcwright.scene.scene import Character
from arcwright.scene.take import Take

# Armature (scaled by 100) > Hips > Spine > Hand, and Hips > Foot, as exporters write them
NAMES = ("Armature", "Hips", "Spine", "Hand", "Foot")
PARENTS = (-1, 0, 1, 2, 1)
PLACES = ((0, 0, 0), (0, 0.01, 0), (0, 0.005, 0), (0.004, 0.002, 0), (0, -0.009, 0.001))


def exported(moving=("Hips",)):
    """A character with translation tracks on every joint, which move only where said."""
    kinds = [Kind.TRANSLATE_X, Kind.TRANSLATE_Y, Kind.TRANSLATE_Z, Kind.ROTATE_X]
    joint = [j for j in range(1, 5) for _ in kinds]
    default = [x for j in range(1, 5) for x in (*PLACES[j], 0.0)]
    table = ChannelTable.of(joint, kinds * 4, default=default)
    count = len(NAMES)
    rig = Rig(
        names=NAMES,
        parents=np.array(PARENTS),
        offset=np.zeros((count, 3)),
        rest=np.tile([1.0, 0, 0, 0], (count, 1)),
        scale=np.array([[100.0] * 3] + [[1.0] * 3] * (count - 1)),
        modes=("XYZ",) * count,
        channels=table,
    )
    curves = []
    for channel, value in enumerate(default):
        moves = NAMES[joint[channel]] in moving and table.kind[channel] == Kind.TRANSLATE_Y
        curves.append(keyed([0.0, 1.0], [value, value + (0.005 if moves else 0.0)]))
    return Character("exported", rig, (Take(rig, Clip("idle", tuple(curves), 1.0)),))
