"""Anchors: points of a prop that its own joints mark, such as the spout of a pot."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.forward import forward
from arcwright.scene.scene import Actor


def marked_anchor(actor: Actor, name: str) -> Floats | None:
    """(3,) m: where a joint or node of this name rests, in the first joint; None without one."""
    rig = actor.rig
    for names in (rig.names, rig.file_names):
        if name in names:
            world = forward(rig, rig.channels.default[None])[0]
            place: Floats = np.linalg.solve(world[0], world[names.index(name)][:, 3])[:3]
            return place
    return None
