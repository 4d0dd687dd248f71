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


def exported(moving=("Hips",), armature=(100.0, 100.0, 100.0), helpers=0, scaled=False):
    """A character with translation tracks on every joint, which move only where said.

    The same body whatever the armature's scale is; `helpers` are nodes above it; `scaled` adds
    constant scale tracks and lets joints turn about all axes.
    """
    kinds = [Kind.TRANSLATE_X, Kind.TRANSLATE_Y, Kind.TRANSLATE_Z, Kind.ROTATE_X]
    values = [0.0]
    if scaled:
        kinds += [Kind.ROTATE_Y, Kind.ROTATE_Z, Kind.SCALE_X, Kind.SCALE_Y, Kind.SCALE_Z]
        values = [0.0] * 3 + [1.0] * 3
    size = np.array(armature) / 100
    names = (*(f"Helper{n}" for n in range(helpers)), *NAMES)
    joint = [helpers + j for j in range(1, 5) for _ in kinds]
    default = [float(x) for j in range(1, 5) for x in (*(PLACES[j] / size), *values)]
    table = ChannelTable.of(joint, kinds * 4, default=default)
    count = len(names)
    scale = np.ones((count, 3))
    scale[helpers] = armature
    rig = Rig(
        names=names,
        parents=np.array(
            [*range(-1, helpers - 1), helpers - 1, *(helpers + np.array(PARENTS[1:]))]
        ),
        offset=np.zeros((count, 3)),
        rest=np.tile([1.0, 0, 0, 0], (count, 1)),
        scale=scale,
        modes=("XYZ",) * count,
        channels=table,
    )
    curves = []
    for channel, value in enumerate(default):
        moves = names[joint[channel]] in moving and table.kind[channel] == Kind.TRANSLATE_Y
        curves.append(keyed([0.0, 1.0], [value, value + (0.005 / size[1] if moves else 0.0)]))
    return Character("exported", rig, (Take(rig, Clip("idle", tuple(curves), 1.0)),))
