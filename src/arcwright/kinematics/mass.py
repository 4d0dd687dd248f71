"""Mass distribution of a body over its joints.

With meshes, by their volume. Without, human segments are recognised by name and weighted by
anthropometric tables (Winter), and other rigs by cylinders: the cross section of a bone is
proportional to the length of all bones below it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.kinematics.forward import forward
from arcwright.kinematics.mesh_mass import mesh_mass
from arcwright.kinematics.places import Places
from arcwright.scene.point import Point
from arcwright.scene.rig import Rig
from arcwright.scene.shape import Shape

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
_SEGMENT_NAMES = (  # the first one in a name decides
    ("foot", ("foot", "ankle")),
    ("hand", ("hand", "wrist", "finger", "thumb")),
    ("lower arm", ("forearm", "lowerarm", "lower_arm", "elbow")),
    ("thigh", ("thigh", "upleg", "upperleg", "upper_leg")),
    ("shin", ("shin", "calf", "knee", "lowerleg", "lower_leg", "leg")),
    ("upper arm", ("upperarm", "upper_arm", "shldr", "arm")),
    ("head", ("head",)),
    ("trunk", ("hips", "pelvis", "spine", "chest", "torso", "abdomen", "back", "thorax", "waist")),
)
MIN_SHARE = 0.002  # of the whole; lighter segments are left out
SEGMENT_RADIUS = 0.03  # of the body's size: how thick segments without mesh are
_SIMPLEX = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], float)


@dataclass(frozen=True, eq=False)
class BodyMass:
    """How the mass of a body is distributed over P of its joints."""

    joints: Ints  # (P,)
    centre: Floats  # (P, 3) in the joint's frame
    spread: Floats  # (P, 3, 3) in the joint's frame; times its transpose it is the covariance
    share: Floats  # (P,) of the mass, 1 in all

    def points(self, rig: Rig) -> list[Point]:
        """The centres of mass."""
        return [Point(rig.names[j], at) for j, at in zip(self.joints, self.centre, strict=True)]

    def particles(self) -> tuple[Places, Floats]:
        """Four points for each joint and their shares, with the same centre and inertia."""
        around = self.centre[:, None] + np.einsum("pij,kj->pki", self.spread, _SIMPLEX)
        return Places(np.repeat(self.joints, 4), around.reshape(-1, 3)), np.repeat(
            self.share, 4
        ) / 4


def body_mass(rig: Rig, shapes: Sequence[Shape] = (), counted: Bools | None = None) -> BodyMass:
    """The mass of a body, from its meshes where it has any.

    Joints that are not `counted`, such as controllers, have none.
    """
    counted = np.ones(len(rig.names), bool) if counted is None else counted
    world = forward(rig, rig.channels.default[None])[0]
    position = np.where(np.isfinite(world[:, :3, 3]), world[:, :3, 3], 0.0)
    mesh = mesh_mass(rig, shapes)
    weight = np.where(counted, mesh.volume, 0.0)
    if weight.any():
        centre, spread = mesh.centre, _roots(mesh.covariance)
    else:
        weight = _without_mesh(rig, position, counted)
        centre = _middles(rig, position, counted)
        size = float(np.ptp(position[counted], axis=0).max(initial=0.0))
        spread = np.tile(SEGMENT_RADIUS * size / np.sqrt(2) * np.eye(3), (len(position), 1, 1))
    heavy = np.flatnonzero(weight > MIN_SHARE * weight.sum())
    inverse = _inverses(world[heavy, :3, :3])
    return BodyMass(
        heavy,
        (inverse @ (centre - position)[heavy, :, None])[..., 0],
        inverse @ spread[heavy],
        weight[heavy] / weight[heavy].sum(),
    )


def _without_mesh(rig: Rig, position: Floats, counted: Bools) -> Floats:
    """(J,) weights by names or by lengths; the same for all where neither tells."""
    weight = _by_names(rig, counted)
    if weight is None:
        weight = _by_cylinders(rig, position, counted)
    if not weight.any():
        weight = counted.astype(float) if counted.any() else np.ones(len(rig.names))
    return weight


def _roots(covariance: Floats) -> Floats:
    """(J, 3, 3) whose square is the covariance."""
    values, vectors = np.linalg.eigh(covariance)
    scaled: Floats = vectors * np.sqrt(np.maximum(values, 0.0))[:, None]
    return scaled


def _inverses(matrices: Floats) -> Floats:
    """(P, 3, 3) joint_from_world; what a flattened joint cannot express is left out."""
    sound = np.where(np.isfinite(matrices).all(axis=(1, 2), keepdims=True), matrices, 0.0)
    inverse: Floats = np.linalg.pinv(sound)
    return inverse


def _by_names(rig: Rig, counted: Bools) -> Floats | None:
    """(J,) weights of a human body; None where the names do not tell one."""
    segment = [
        body_segment(name) if here else "" for name, here in zip(rig.names, counted, strict=True)
    ]
    if not {"trunk", "thigh"} <= set(segment):
        return None
    weight = np.zeros(len(rig.names))
    for name, share in SHARES.items():
        own = [joint for joint in range(len(rig.names)) if _first(rig, segment, joint, name)]
        for joint in own:
            weight[joint] = share / len(own) if name in ("trunk", "head") else share
    return weight


def _by_cylinders(rig: Rig, position: Floats, counted: Bools) -> Floats:
    """(J,) weights of bones, each on its joint: length times total bone length below."""
    parents = rig.parents
    bone = counted & (parents >= 0) & counted[np.maximum(parents, 0)]
    length = np.where(
        bone, np.linalg.norm(position - position[np.maximum(parents, 0)], axis=1), 0.0
    )
    hanging = length.copy()
    for joint in range(len(parents) - 1, -1, -1):
        if bone[joint]:
            hanging[parents[joint]] += hanging[joint]
    weight = np.zeros(len(parents))
    np.add.at(weight, parents[bone], (length * np.maximum(hanging, length))[bone])
    tip = counted & (weight == 0)
    weight[tip] = 0.1 * length[tip] ** 2
    return weight


def body_segment(name: str) -> str:
    """The segment of a human body that a joint of this name moves; "" where it tells none."""
    plain = name.lower().replace(" ", "")
    return next(
        (which for which, words in _SEGMENT_NAMES if any(word in plain for word in words)), ""
    )


def _first(rig: Rig, segment: list[str], joint: int, name: str) -> bool:
    """Whether a joint begins a segment; the trunk is all of its joints."""
    parent = int(rig.parents[joint])
    inner = parent >= 0 and segment[parent] == name
    return segment[joint] == name and (name == "trunk" or not inner)


def _middles(rig: Rig, position: Floats, counted: Bools) -> Floats:
    """(J, 3) world, half way from each joint to the mean of its children."""
    middle = np.array(position)
    for joint in range(len(rig.names)):
        ends = position[(rig.parents == joint) & counted]
        if len(ends):
            middle[joint] = (position[joint] + ends.mean(axis=0)) / 2
    return middle
