"""Figures: an actor in one pose as a solid: its own mesh, or bones drawn as a wooden mannequin."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.skinning import deform
from arcwright.picture.canvas import colour
from arcwright.picture.paint import Paint
from arcwright.picture.solid import Solid, ball, joined, turned
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Actor

BONE = colour("#d8c9b4")
JOINT = colour("#8d9db0")


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


def mannequin(rig: Rig, places: Floats) -> Solid:
    """Tapered bones from joint to joint with balls between, places (J, 3) in the world."""
    drop = np.linalg.norm(places - places[np.maximum(rig.parents, 0)], axis=1)
    tall = max(float(np.ptp(places, axis=0).max()), 1e-6)
    solids = []
    for joint, parent in enumerate(rig.parents):
        if parent < 0 or drop[joint] < tall * 0.004:
            continue
        thick = min(0.13 * drop[joint], 0.034 * tall) + 0.004 * tall
        solids.append(turned(places[parent], places[joint], _bone(thick), BONE, 18))
        solids.append(ball(places[joint], min(thick * 0.62, 0.02 * tall), JOINT, 16))
    solids.append(ball(places[0], 0.03 * tall, JOINT, 18))
    return joined(solids)


def _bone(thick: float) -> Floats:
    """The profile of a bone: a round start, full near one fifth, then a long taper."""
    way = 1 - np.cos(np.linspace(0, np.pi / 2, 8))
    shoulder = np.stack([way * 0.2, thick * np.sqrt(1 - (1 - way) ** 2)], axis=-1)
    rest = np.linspace(0.2, 1, 9)[1:]
    share = (rest - 0.2) / 0.8
    taper = thick * (1 - 0.62 * share * share * (3 - 2 * share))
    tip = np.array([[1.0, 0.0]])
    return np.concatenate([shoulder, np.stack([rest, taper], axis=-1), tip])
