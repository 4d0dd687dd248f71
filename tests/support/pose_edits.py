"""Posed scenes."""

import numpy as np

from arcwright.kinematics.trail import trail
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.pose.tool import PoseOptions, PoseTool
from chains import TIP, take_of


def posed(scene, by, time, point=TIP, **options):
    session = PoseTool().begin(scene, Target(), PoseOptions(**options))
    start = trail(take_of(scene), point, [time]).position[0]
    for share in (0.5, 1.0):
        preview = session.update(Drag(point, time, position=start + share * np.asarray(by)))
    return session.finish().apply(scene), preview, start + by
