"""Mesh mass: volume, centre and covariance of the mesh at each joint.

Each joint has the part of the surface given by its skin weights, and the volume between that and
its own axis. So open and doubled meshes have a volume too, and nodes beside their mesh do not
matter. A thin shell is added, so that capes and flat figures have mass.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rotation import cross
from arcwright.kinematics.skinning import skin_influences
from arcwright.scene.rig import Rig
from arcwright.scene.shape import Part, Shape

SKIN = 1e-3  # of the mesh's size: thickness of the surface itself
_LEAST = 1e-3  # skin weight below which a triangle does not belong to a joint


@dataclass(frozen=True, eq=False)
class MeshMass:
    """The volume that each joint carries when every channel has its default."""

    volume: Floats  # (J,) m^3, 0 for joints without mesh
    centre: Floats  # (J, 3) m, world
    covariance: Floats  # (J, 3, 3) m^2, of the volume around its centre, along the world's axes


_known: WeakKeyDictionary[Rig, tuple[Sequence[Shape], MeshMass]] = WeakKeyDictionary()


def mesh_mass(rig: Rig, shapes: Sequence[Shape]) -> MeshMass:
    """The volumes of all shapes on the joints of a rig; cached while rig and shapes exist."""
    known = _known.get(rig)
    if known is None or known[0] is not shapes:
        known = _known[rig] = shapes, _weighed(rig, shapes)
    return known[1]


def _weighed(rig: Rig, shapes: Sequence[Shape]) -> MeshMass:
    world = np.nan_to_num(forward(rig, rig.channels.default[None])[0])
    skinned = [shape for shape in shapes if shape.skin is not None]
    pieces = _gathered({}, skinned, world)
    accessories = _at_or_below(rig, list(pieces))  # meshes there are clothes or tools, not body
    rigid = [shape for shape in shapes if shape.skin is None and not accessories[shape.joint]]
    pieces = _gathered(pieces, rigid, world)
    count = len(rig.names)
    found = MeshMass(np.zeros(count), np.zeros((count, 3)), np.zeros((count, 3, 3)))
    if pieces:
        each = [corners.reshape(-1, 3) for own in pieces.values() for corners, _ in own]
        every = np.concatenate(each)
        thickness = SKIN * float(np.ptp(every, axis=0).max(initial=0.0))
        for joint, own in pieces.items():
            corners = np.concatenate([corners for corners, _ in own])
            weight = np.concatenate([weight for _, weight in own])
            moments = _moments(corners, weight, world[joint, :3, 3], thickness)
            if np.isfinite(moments[0]):
                found.volume[joint], found.centre[joint], found.covariance[joint] = moments
    return found


_Pieces = dict[int, list[tuple[Floats, Floats]]]


def _gathered(pieces: _Pieces, shapes: Sequence[Shape], world: Floats) -> _Pieces:
    """The triangles of shapes, added to those that joints already have."""
    for shape in shapes:
        for part in shape.parts:
            for joint, corners, weight in _pieces(shape, part, world):
                pieces.setdefault(joint, []).append((corners, weight))
    return pieces


def _at_or_below(rig: Rig, joints: Sequence[int]) -> Bools:
    """(J,) whether a joint is one of these or a descendant."""
    below = np.isin(np.arange(len(rig.names)), joints)
    for joint, parent in enumerate(rig.parents.tolist()):
        below[joint] |= parent >= 0 and below[parent]
    return below


def _pieces(shape: Shape, part: Part, world: Floats) -> list[tuple[int, Floats, Floats]]:
    """Joints; (F, 3, 3) m, triangles as the joint alone carries them; (F,) how much it does."""
    triangles = part.triangles
    first, second, third = triangles.T
    position = np.asarray(part.attributes["POSITION"], float)
    carried = [(shape.joint, world[shape.joint], np.ones(len(position)))]
    influences = skin_influences(shape, part)
    if shape.skin is not None and influences is not None:
        slots, shares = influences
        size = len(shape.skin.joints), len(position)
        vertex = np.arange(size[1])[:, None]
        slot = (slots * size[1] + vertex).ravel()
        weights = np.bincount(slot, shares.ravel(), size[0] * size[1]).reshape(size)
        bones = world[shape.skin.joints] @ shape.skin.inverse_bind
        carried = [(shape.joint, world[shape.joint], 1.0 - shares.sum(axis=1))]
        carried += zip(shape.skin.joints.tolist(), bones, weights, strict=True)
    found = []
    for joint, transform, weight in carried:
        share = (weight[first] + weight[second] + weight[third]) / 3
        used = share > _LEAST
        corners = position[triangles[used]] @ transform[:3, :3].T + transform[:3, 3]
        if len(corners):
            found.append((joint, corners, share[used]))
    return found


def _moments(
    corners: Floats, weight: Floats, joint: Floats, thickness: float
) -> tuple[float, Floats, Floats]:
    """Volume, centre and covariance of what triangles (F, 3, 3) enclose around their axis.

    The axis leads from the joint to the middle of the surface. Each triangle sweeps a wedge up to
    it, of half its area times the distance: exact for closed surfaces that the axis runs through,
    and for tubes that skin weights cut across.
    """
    normal = weight[:, None] * cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    area = np.sqrt((normal * normal).sum(axis=1)) / 2
    if not area.sum() > 0:
        return 0.0, joint, np.zeros((3, 3))
    middle = (area / area.sum()) @ _total(corners) / 3
    corners, total = corners - middle, _total(corners) - 3 * middle
    axis = middle - joint
    length = np.linalg.norm(axis)
    axis = axis / length if length > thickness else np.array([0.0, 1.0, 0.0])
    along = np.outer(axis, axis)
    across = np.eye(3) - along
    solid = np.abs((normal * (total @ across)).sum(axis=1)) / 12
    skin = area * thickness
    volume = float(solid.sum() + skin.sum())
    centre = (solid @ total @ (along + 2 / 3 * across) + skin @ total) / (3 * volume)
    wedges, sheets = _second_moment(corners, total, solid), _second_moment(corners, total, skin)
    mixed = along @ wedges @ across
    second = along @ wedges @ along + 2 / 3 * (mixed + mixed.T) + across @ wedges @ across / 2
    return volume, middle + centre, (second + sheets) / volume - np.outer(centre, centre)


def _total(corners: Floats) -> Floats:
    """(F, 3) sums of the corners; faster than `sum`."""
    total: Floats = corners[:, 0] + corners[:, 1] + corners[:, 2]
    return total


def _second_moment(corners: Floats, total: Floats, mass: Floats) -> Floats:
    """(3, 3) of triangles (F, 3, 3) of some mass (F,), around the origin."""
    share = mass[:, None] / 12
    four = (corners[:, 0], corners[:, 1], corners[:, 2], total)
    moment: Floats = np.add.reduce([(share * each).T @ each for each in four])
    return moment
