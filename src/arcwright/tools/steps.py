"""Steps: how far a channel moves in one ordinary step, so that unlike channels compare."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.scene.rig import Kind, Rig

_STEPS = {"translate": 0.2, "rotate": 0.5, "quaternion": 0.25, "scale": 0.2}  # m, rad, plain
_OTHER = 0.5  # weights and custom channels


def ordinary_steps(rig: Rig, channels: Ints) -> Floats:
    """(N,) m, rad or plain, of each of the channels."""
    groups = [Kind(kind).group for kind in rig.channels.kind[channels]]
    return np.array([_STEPS.get(group, _OTHER) for group in groups])
