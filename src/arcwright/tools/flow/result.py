"""What bent grids mean for the scene: vertices that move, and the edit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.skinning import vertex_transforms
from arcwright.scene.edit import Address, Change, Edit
from arcwright.scene.flow import MORPH, Flow
from arcwright.scene.scene import Actor, Scene
from arcwright.scene.shape import Shape
from arcwright.tools.flow.flow_morph import with_flow, without_flow
from arcwright.tools.flow.model import Bent, moved_vertices
from arcwright.tools.flow.prepared_shot import PreparedShot
from arcwright.tools.tool import PreviewMesh

Offsets = Mapping[tuple[int, int, int], Floats]
"""(V, 3) m in the space of the mesh, by actor, shape and part."""


@dataclass(frozen=True, eq=False)
class ShapeAddress:
    """Where a shape of an actor is in the scene."""

    address: Address
    actor: Actor
    shape: Shape


def offsets_of(scene: Scene, prepared: PreparedShot, bent: Bent) -> Offsets:
    """How far the vertices of each part move, before skinning."""
    found: dict[tuple[int, int, int], Floats] = {}
    worlds: dict[int, Floats] = {}
    for index, moved in moved_vertices(prepared, bent).items():
        for at, vertices, own in prepared.objects[index].sources:
            actor = scene.actors[at.actor]
            shape = actor.shapes[at.shape]
            part = shape.parts[at.part]
            key = at.actor, at.shape, at.part
            if key not in found:
                found[key] = np.zeros(part.attributes["POSITION"].shape)
            if at.actor not in worlds:
                worlds[at.actor] = world_of(actor, prepared.shot.time)
            turned = vertex_transforms(shape, part, worlds[at.actor])[:, :3, :3]
            turned = turned if len(turned) == 1 else turned[vertices]
            found[key][vertices] = (_inverse(turned) @ moved[own][..., None])[..., 0]
    return found


def _inverse(matrices: Floats) -> Floats:
    """Inverses of (..., 3, 3); of one that flattens, the pseudo-inverse."""
    flat = np.abs(np.linalg.det(matrices)) < 1e-12
    found = np.linalg.pinv(matrices) if flat.any() else np.linalg.inv(matrices)
    return np.asarray(found, float)


def world_of(actor: Actor, time: float) -> Floats:
    """Joints (J, 4, 4) of an actor as it stands at a time."""
    take = actor.takes[0] if actor.takes else None
    values = values_at(take, np.array([time])) if take else actor.rig.channels.default[None]
    found: Floats = forward(actor.rig, values)[0]
    return found


def shape_addresses(scene: Scene) -> dict[tuple[int, int], ShapeAddress]:
    """All shapes by actor and number."""
    found = {}
    for index, actor in enumerate(scene.actors):
        group = "characters" if index < len(scene.characters) else "props"
        place = index if group == "characters" else index - len(scene.characters)
        for number, shape in enumerate(actor.shapes):
            address = (group, place, "shapes", number)
            found[index, number] = ShapeAddress(address, actor, shape)
    return found


def edit_of(scene: Scene, flow: Flow | None, offsets: Offsets, label: str) -> Edit:
    """The undo step: morph targets of shapes that are bent, and the composition."""
    changes = []
    for (actor, number), at in shape_addresses(scene).items():
        bare = without_flow(at.shape)
        own = [offsets.get((actor, number, part)) for part in range(len(bare.parts))]
        if any(each is not None for each in own):
            filled = tuple(
                np.zeros(part.attributes["POSITION"].shape) if by is None else by
                for part, by in zip(bare.parts, own, strict=True)
            )
            changes.append(Change(at.address, at.shape, with_flow(bare, filled)))
        elif bare is not at.shape:
            changes.append(Change(at.address, at.shape, bare))
    changes.append(Change(("flow",), scene.flow, flow))
    return Edit(label, tuple(changes))


def preview_meshes(scene: Scene, offsets: Offsets) -> tuple[PreviewMesh, ...]:
    """Vertices that differ from the scene as it is."""
    found = []
    for (actor, number), at in shape_addresses(scene).items():
        had = MORPH in at.shape.morph_names
        row = at.shape.morph_names.index(MORPH) if had else -1
        for index, part in enumerate(at.shape.parts):
            before = part.morphs[row]["POSITION"] if had else None
            after = offsets.get((actor, number, index))
            if before is None and after is None:
                continue
            change = np.zeros(part.attributes["POSITION"].shape) if after is None else after
            change = change if before is None else change - before
            moved = np.flatnonzero(np.abs(change).max(1) > 0)
            if len(moved):
                found.append(PreviewMesh(at.actor.name, number, index, moved, change[moved]))
    return tuple(found)
