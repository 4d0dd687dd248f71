"""Assembly: rigid solids on joints as one mesh with sharp edges and a material per colour."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats
from arcwright.characters.mesh import Mesh
from arcwright.characters.mesh import joined as joined_meshes
from arcwright.characters.skeleton import other_side
from arcwright.characters.solids import Solid, joined, shaded
from arcwright.kinematics.forward import forward
from arcwright.scene.rig import Rig


@dataclass(frozen=True, eq=False)
class Piece:
    """A solid that one joint carries, in that joint's axes."""

    joint: str
    colour: str  # a name of the palette
    solid: Solid


def both_sides(pieces: Sequence[Piece]) -> list[Piece]:
    """Each piece, and for those of a Left joint the mirrored one of the right."""
    right = [
        Piece(other_side(each.joint), each.colour, each.solid.scaled(-1, 1, 1))
        for each in pieces
        if each.joint.startswith("Left")
    ]
    return [*pieces, *right]


def assembled(rig: Rig, pieces: Iterable[Piece]) -> Mesh:
    """One mesh in the rest pose; every vertex has one joint."""
    rest = forward(rig, rig.channels.default[None])[0]  # (J, 4, 4)
    carried: dict[tuple[str, str], list[Solid]] = {}
    for piece in pieces:
        carried.setdefault((piece.joint, piece.colour), []).append(piece.solid)
    return joined_meshes(
        [
            _rigid(joined(*solids), joint, colour, rest[rig.joint(joint)])
            for (joint, colour), solids in carried.items()
        ]
    )


def _rigid(solid: Solid, joint: str, colour: str, world: Floats) -> Mesh:
    corners, normal, faces = shaded(solid)
    weights = np.zeros((len(corners), 4))
    weights[:, 0] = 1
    return Mesh(
        position=corners @ world[:3, :3].T + world[:3, 3],
        normal=normal @ world[:3, :3].T,
        faces=faces,
        material=np.zeros(len(faces), np.int64),
        joints=np.zeros((len(corners), 4), np.int64),
        weights=weights,
        materials=(colour,),
        owners=(joint,),
    )
