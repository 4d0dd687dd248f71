"""Figures: an actor in one pose as a solid: its own mesh, or a mannequin."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.skinning import deform
from arcwright.picture.mannequin import mannequin
from arcwright.picture.paint import Paint
from arcwright.picture.solid import Solid, joined
from arcwright.scene.scene import Actor


def has_mesh(actor: Actor) -> bool:
    """Whether an actor has triangles to draw."""
    return any(len(part.triangles) for shape in actor.shapes for part in shape.parts)


def figure(actor: Actor, values: Floats, world: Floats, paint: Paint) -> Solid:
    """The actor as it stands with channel values (C,) and joints world (J, 4, 4)."""
    if not has_mesh(actor):
        return mannequin(actor.rig, world[:, :3, 3])
    solids = []
    for each in deform(actor, values, world):
        part = each.part
        image = paint.texture(part)
        triangles = part.triangles
        solids.append(
            Solid(
                each.positions,
                each.normals,
                paint.colours(part),
                triangles,
                paint.uv(part),
                np.full(len(triangles), -1 if image is None else 0),
                () if image is None else (image,),
            )
        )
    return joined(solids)
