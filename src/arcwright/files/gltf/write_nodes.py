"""Actors back into nodes: one for each joint, and one more for each mesh beyond its first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from arcwright.arrays import Floats
from arcwright.files.gltf.lanes import Lane, lanes
from arcwright.files.gltf.node_names import named_nodes
from arcwright.files.gltf.output import Output
from arcwright.files.gltf.write_meshes import MeshWriter
from arcwright.scene.scene import Actor
from arcwright.scene.shape import Shape, Skin

_STILL = {"translation": (0, 0, 0), "rotation": (0, 0, 0, 1), "scale": (1, 1, 1)}


@dataclass(frozen=True)
class Placed:
    """An actor in the file: the node of each joint and the lanes that can be animated."""

    actor: Actor
    nodes: list[int]  # (J,)
    lanes: list[Lane]
    carriers: dict[int, list[int]]  # joint -> nodes that carry its morphing meshes


def write_actor(output: Output, meshes: MeshWriter, actor: Actor, roots: list[int]) -> Placed:
    """Write an actor's nodes, meshes and skins; its root nodes are added to `roots`."""
    rig = actor.rig
    found = lanes(actor)
    nodes = [output.add("nodes", named) for named in named_nodes(rig)]
    for joint, parent in enumerate(rig.parents.tolist()):
        if parent < 0:
            roots.append(nodes[joint])
        else:
            _told(output, nodes[parent]).setdefault("children", []).append(nodes[joint])
    for lane in found:
        if lane.path != "weights":
            _place(_told(output, nodes[lane.joint]), lane.path, lane.still)
    weights = {lane.joint: lane for lane in found if lane.path == "weights"}
    carriers: dict[int, list[int]] = {}
    skins: dict[int, int] = {}
    for shape in actor.shapes:
        if shape.parts:
            node = _carrier(output, nodes[shape.joint], shape)
            _carry(output, meshes, actor, shape, node, nodes, skins)
            if shape.morph_names and shape.joint in weights:
                _told(output, node)["weights"] = weights[shape.joint].still.tolist()
                carriers.setdefault(shape.joint, []).append(node)
    return Placed(actor, nodes, found, carriers)


def _told(output: Output, node: int) -> dict[str, Any]:
    told: dict[str, Any] = output.gltf["nodes"][node]
    return told


def _place(told: dict[str, Any], path: str, value: Floats) -> None:
    if not np.array_equal(value, _STILL[path]):
        told[path] = value.tolist()


def _carrier(output: Output, node: int, shape: Shape) -> int:
    """The node itself, or a child of it when it has a mesh already."""
    told = _told(output, node)
    if "mesh" not in told:
        return node
    child = output.add("nodes", {"name": shape.name})
    told.setdefault("children", []).append(child)
    return child


def _carry(
    output: Output,
    meshes: MeshWriter,
    actor: Actor,
    shape: Shape,
    node: int,
    nodes: list[int],
    skins: dict[int, int],
) -> None:
    told = _told(output, node)
    told["mesh"] = meshes.mesh(shape, actor)
    skin: Skin | None = shape.skin
    if skin is not None:
        if id(skin) not in skins:
            skins[id(skin)] = meshes.skin(skin, nodes, actor.name)
        told["skin"] = skins[id(skin)]
