"""Drags of motion curves."""

import numpy as np

from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.tangent.tool import TangentOptions, TangentTool
from chains import TIP, place


def begin(scene, **options):
    return TangentTool().begin(scene, Target(), TangentOptions(**options))


def dragged(scene, by, time=0.3, point=TIP, moves=5, **options):
    session = begin(scene, **options)
    start = place(scene, point, time)[0]
    for share in np.linspace(1 / moves, 1, moves):
        preview = session.update(Drag(point, time, position=start + share * np.asarray(by)))
    return session, preview, start + by
