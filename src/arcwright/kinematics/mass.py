"""Mass: how a body's weight lies on its joints, so that its centre can be followed.

Human segments are known by name, with the shares of anthropometric tables (Winter); rigs whose
names say nothing have weight by the length of their bones.
"""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats
from arcwright.scene.point import Point
from arcwright.scene.rig import Rig

SHARES = {  # of the whole, one side
    "trunk": 0.497,
    "head": 0.081,
    "upper arm": 0.028,
    "lower arm": 0.016,
    "hand": 0.006,
    "thigh": 0.1,
    "shin": 0.0465,
    "foot": 0.0145,
}
_WORDS = (  # the first that is in a name tells
    ("foot", ("foot", "ankle")),
    ("hand", ("hand", "wrist", "finger", "thumb")),
    ("lower arm", ("forearm", "lowerarm", "lower_arm", "elbow")),
    ("thigh", ("thigh", "upleg", "upperleg", "upper_leg")),
    ("shin", ("shin", "calf", "knee", "lowerleg", "lower_leg", "leg")),
    ("upper arm", ("upperarm", "upper_arm", "shldr", "arm")),
    ("head", ("head",)),
    ("trunk", ("hips", "pelvis", "spine", "chest", "torso", "abdomen", "back", "thorax", "waist")),
)


def masses(rig: Rig) -> tuple[list[Point], Floats]:
    """Points in the middle of bones, and the share of the weight of each (P,), 1 in all."""
    segment = [_segment(name) for name in rig.names]
    weight = np.zeros(len(rig.names))
    for name, share in SHARES.items():
        own = [joint for joint in range(len(rig.names)) if _first(rig, segment, joint, name)]
        for joint in own:
            weight[joint] = share / len(own) if name in ("trunk", "head") else share
    if not {"trunk", "thigh"} <= set(segment):
        weight = np.linalg.norm(_middles(rig), axis=1)
    if not weight.any():
        weight[:] = 1.0
    middle = _middles(rig)
    heavy = np.flatnonzero(weight > 0.002 * weight.sum()).tolist()
    points = [Point(rig.names[joint], middle[joint]) for joint in heavy]
    return points, weight[heavy] / weight[heavy].sum()


def _segment(name: str) -> str:
    plain = name.lower().replace(" ", "")
    return next((which for which, words in _WORDS if any(word in plain for word in words)), "")


def _first(rig: Rig, segment: list[str], joint: int, name: str) -> bool:
    """Whether a joint begins a segment; the trunk is all of its joints."""
    parent = int(rig.parents[joint])
    inner = parent >= 0 and segment[parent] == name
    return segment[joint] == name and (name == "trunk" or not inner)


def _middles(rig: Rig) -> Floats:
    """(J, 3) m, half way to the mean of the children of each joint."""
    middle = np.zeros((len(rig.names), 3))
    for joint in range(len(rig.names)):
        ends = rig.offset[rig.parents == joint]
        if len(ends):
            middle[joint] = ends.mean(axis=0) / 2
    return middle
