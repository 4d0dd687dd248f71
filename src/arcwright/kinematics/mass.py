"""Mass: how a body's weight is distributed over its joints.

Human segments are recognised by name and weighed by anthropometric tables (Winter). Other rigs are
weighed as pipes: a bone is as thick as all that hangs on it is long.
"""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.kinematics.forward import forward
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
_LIGHTEST = 0.002  # of the whole; lighter segments are left out


def masses(rig: Rig, deforms: Bools | None = None) -> tuple[list[Point], Floats]:
    """Points in the middle of bones, and the share of the weight of each (P,), 1 in all.

    Joints that do not deform a mesh (controllers) have no weight; without `deforms` all do.
    """
    counted = np.ones(len(rig.names), bool) if deforms is None else deforms
    world = forward(rig, rig.channels.default[None])[0]
    place = np.where(np.isfinite(world[:, :3, 3]), world[:, :3, 3], 0.0)
    weight = _by_names(rig, counted)
    if weight is None:
        weight = _by_pipes(rig, place, counted)
    if not weight.any():
        weight = counted.astype(float) if counted.any() else np.ones(len(rig.names))
    heavy = np.flatnonzero(weight > _LIGHTEST * weight.sum()).tolist()
    middle = _middles(rig, world, place, counted)
    points = [Point(rig.names[joint], middle[joint]) for joint in heavy]
    return points, weight[heavy] / weight[heavy].sum()


def _by_names(rig: Rig, counted: Bools) -> Floats | None:
    """(J,) weights of a human body; None where the names do not tell one."""
    segment = [
        _segment(name) if here else "" for name, here in zip(rig.names, counted, strict=True)
    ]
    if not {"trunk", "thigh"} <= set(segment):
        return None
    weight = np.zeros(len(rig.names))
    for name, share in SHARES.items():
        own = [joint for joint in range(len(rig.names)) if _first(rig, segment, joint, name)]
        for joint in own:
            weight[joint] = share / len(own) if name in ("trunk", "head") else share
    return weight


def _by_pipes(rig: Rig, place: Floats, counted: Bools) -> Floats:
    """(J,) weights of bones, each on the joint that turns it: length times all that hangs on it."""
    parents = rig.parents
    bone = counted & (parents >= 0) & counted[np.maximum(parents, 0)]
    length = np.where(bone, np.linalg.norm(place - place[np.maximum(parents, 0)], axis=1), 0.0)
    hanging = length.copy()
    for joint in range(len(parents) - 1, -1, -1):
        if bone[joint]:
            hanging[parents[joint]] += hanging[joint]
    weight = np.zeros(len(parents))
    np.add.at(weight, parents[bone], (length * np.maximum(hanging, length))[bone])
    tip = counted & (weight == 0)
    weight[tip] = 0.1 * length[tip] ** 2
    return weight


def _segment(name: str) -> str:
    plain = name.lower().replace(" ", "")
    return next((which for which, words in _WORDS if any(word in plain for word in words)), "")


def _first(rig: Rig, segment: list[str], joint: int, name: str) -> bool:
    """Whether a joint begins a segment; the trunk is all of its joints."""
    parent = int(rig.parents[joint])
    inner = parent >= 0 and segment[parent] == name
    return segment[joint] == name and (name == "trunk" or not inner)


def _middles(rig: Rig, world: Floats, place: Floats, counted: Bools) -> Floats:
    """(J, 3) in each joint's own frame, half way to the mean of its children."""
    middle = np.zeros((len(rig.names), 3))
    for joint in range(len(rig.names)):
        ends = place[(rig.parents == joint) & counted]
        if len(ends):
            away = ends.mean(axis=0) - place[joint]
            found, *_ = np.linalg.lstsq(world[joint, :3, :3], away / 2, rcond=None)
            middle[joint] = np.where(np.isfinite(found), found, 0.0)
    return middle
