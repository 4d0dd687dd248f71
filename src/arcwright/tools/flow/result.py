"""What bent grids mean for the scene: vertices that move, and the edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.skinning import morph_weights, vertex_transforms
from arcwright.scene.edit import Address, Change, Edit
from arcwright.scene.flow import Flow
from arcwright.scene.scene import Actor, Scene
from arcwright.scene.take import Take
from arcwright.tools.flow.animated_flow import KeyOffsets, bare_actor, composed_actor
from arcwright.tools.flow.flow_morph import is_flow
from arcwright.tools.flow.model import Bent, moved_vertices
from arcwright.tools.flow.prepared_shot import PreparedShot
from arcwright.tools.flow.scene_objects import composed_take
from arcwright.tools.flow.space_lift import lifted_vertices
from arcwright.tools.tool import PreviewMesh

Offsets = Mapping[tuple[int, int, int], Floats]
"""(V, 3) m in the space of the mesh, by actor, shape and part."""
_FIRST: Mapping[str, str] = MappingProxyType({})  # takes: the first of each actor


def offsets_of(
    scene: Scene,
    prepared: PreparedShot,
    bent: Bent,
    takes: Mapping[str, str] = _FIRST,
    *,
    lift: bool = False,
) -> Offsets:
    """How far the vertices of each part move, before skinning; with `lift`, bent in space."""
    found: dict[tuple[int, int, int], Floats] = {}
    worlds: dict[int, Floats] = {}
    bend = lifted_vertices if lift else moved_vertices
    for index, moved in bend(prepared, bent).items():
        for at, vertices, own in prepared.objects[index].sources:
            actor = scene.actors[at.actor]
            shape = actor.shapes[at.shape]
            part = shape.parts[at.part]
            key = at.actor, at.shape, at.part
            if key not in found:
                found[key] = np.zeros(part.attributes["POSITION"].shape)
            if at.actor not in worlds:
                take = composed_take(actor, takes)
                worlds[at.actor] = forward(actor.rig, _values(actor, take, prepared.shot.time))[0]
            turned = vertex_transforms(shape, part, worlds[at.actor])[:, :3, :3]
            turned = turned if len(turned) == 1 else turned[vertices]
            found[key][vertices] = (_inverse(turned) @ moved[own][..., None])[..., 0]
    return found


def _inverse(matrices: Floats) -> Floats:
    """Inverses of (..., 3, 3); of one that flattens, the pseudo-inverse."""
    flat = np.abs(np.linalg.det(matrices)) < 1e-12
    found = np.linalg.pinv(matrices) if flat.any() else np.linalg.inv(matrices)
    return np.asarray(found, float)


def _values(actor: Actor, take: Take | None, time: float) -> Floats:
    """Channels (1, C) of an actor as it stands at a time."""
    if take is None:
        return actor.rig.channels.default[None]
    return values_at(take, np.array([time]))


def actor_address(scene: Scene, index: int) -> Address:
    """Where the actor of this number is in the scene."""
    count = len(scene.characters)
    return ("characters", index) if index < count else ("props", index - count)


def edit_of(scene: Scene, flow: Flow | None, offsets: Sequence[Offsets], label: str) -> Edit:
    """The undo step: morph targets of shapes that are bent at each key, and the composition."""
    changes: list[Change] = []
    times = [each.shot.time for each in flow.all_keys] if flow is not None else [0.0]
    takes = flow.takes if flow is not None else _FIRST
    rate = max((take.rate for actor in scene.actors for take in actor.takes), default=24.0)
    for index, actor in enumerate(scene.actors):
        bare = bare_actor(actor)
        own = _of_actor(bare, index, offsets)
        take = composed_take(bare, takes)
        after = composed_actor(bare, own, times, take, rate) if own else bare
        changes += _changes(actor_address(scene, index), actor, after)
    changes.append(Change(("flow",), scene.flow, flow))
    return Edit(label, tuple(changes))


def _of_actor(bare: Actor, index: int, offsets: Sequence[Offsets]) -> KeyOffsets:
    """The offsets of an actor's parts at each key, of those that any key moves."""
    found = {}
    for number, shape in enumerate(bare.shapes):
        for row, part in enumerate(shape.parts):
            own = [each.get((index, number, row)) for each in offsets]
            if any(each is not None for each in own):
                still = np.zeros(part.attributes["POSITION"].shape)
                found[number, row] = [still if each is None else each for each in own]
    return found


def _changes(address: Address, before: Actor, after: Actor) -> list[Change]:
    """What differs: shapes, and for an animated shot rig and takes."""
    found = [
        Change((*address, "shapes", number), one, other)
        for number, (one, other) in enumerate(zip(before.shapes, after.shapes, strict=True))
        if one is not other
    ]
    if after.rig is not before.rig:
        found.append(Change((*address, "rig"), before.rig, after.rig))
        found.append(Change((*address, "takes"), before.takes, after.takes))
    return found


def preview_meshes(
    scene: Scene, offsets: Offsets, takes: Mapping[str, str], time: float, share: float
) -> tuple[PreviewMesh, ...]:
    """Vertices that differ from the scene as it is, when a key at a time has these offsets.

    `share` is the weight of the key at the moment that is shown.
    """
    found = []
    for index, actor in enumerate(scene.actors):
        values = _values(actor, composed_take(actor, takes), time)[0]
        for number, shape in enumerate(actor.shapes):
            weights = morph_weights(actor.rig, shape, values)
            rows = [row for row, name in enumerate(shape.morph_names) if is_flow(name)]
            for place, part in enumerate(shape.parts):
                after = offsets.get((index, number, place))
                if after is None and not rows:
                    continue
                change = np.zeros(part.attributes["POSITION"].shape) if after is None else after
                change = change - sum(weights[row] * part.morphs[row]["POSITION"] for row in rows)
                moved = np.flatnonzero(np.abs(change).max(1) > 0)
                if len(moved):
                    own = share * change[moved]
                    found.append(PreviewMesh(actor.name, number, place, moved, own))
    return tuple(found)
