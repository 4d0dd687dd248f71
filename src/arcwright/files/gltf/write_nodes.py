"""Write actors as nodes: one per joint, and one more per additional mesh."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from arcwright.arrays import Floats
from arcwright.files.gltf.node_names import named_nodes
from arcwright.files.gltf.node_properties import NodeProperty, node_properties
from arcwright.files.gltf.output import Output
from arcwright.files.gltf.write_meshes import MeshWriter
from arcwright.scene.scene import Actor
from arcwright.scene.shape import Shape, Skin

_DEFAULTS = {"translation": (0, 0, 0), "rotation": (0, 0, 0, 1), "scale": (1, 1, 1)}


@dataclass(frozen=True)
class WrittenActor:
    """An actor in the file: the node of each joint and its animatable properties."""

    actor: Actor
    nodes: list[int]  # (J,)
    node_properties: list[NodeProperty]
    mesh_nodes: dict[int, list[int]]  # joint -> nodes that carry its morphing meshes
    shape_nodes: list[int]  # the node of each shape, -1 where it has no parts


def write_actor(output: Output, meshes: MeshWriter, actor: Actor, roots: list[int]) -> WrittenActor:
    """Write an actor's nodes, meshes and skins; its root nodes are added to `roots`."""
    rig = actor.rig
    found = node_properties(actor)
    nodes = [output.add("nodes", named) for named in named_nodes(rig)]
    for joint, parent in enumerate(rig.parents.tolist()):
        if parent < 0:
            roots.append(nodes[joint])
        else:
            _node(output, nodes[parent]).setdefault("children", []).append(nodes[joint])
    for target in found:
        if target.path != "weights":
            _set_property(_node(output, nodes[target.joint]), target.path, target.rest_value)
    weights = {target.joint: target for target in found if target.path == "weights"}
    mesh_nodes: dict[int, list[int]] = {}
    shape_nodes: list[int] = []
    skins: dict[int, int] = {}
    for shape in actor.shapes:
        if not shape.parts:
            shape_nodes.append(-1)
            continue
        node = _mesh_node(output, nodes[shape.joint], shape)
        shape_nodes.append(node)
        _attach_mesh(output, meshes, actor, shape, node, nodes, skins)
        if shape.morph_names and shape.joint in weights:
            _node(output, node)["weights"] = weights[shape.joint].rest_value.tolist()
            mesh_nodes.setdefault(shape.joint, []).append(node)
    return WrittenActor(actor, nodes, found, mesh_nodes, shape_nodes)


def _node(output: Output, node: int) -> dict[str, Any]:
    entry: dict[str, Any] = output.gltf["nodes"][node]
    return entry


def _set_property(entry: dict[str, Any], path: str, value: Floats) -> None:
    if not np.array_equal(value, _DEFAULTS[path]):
        entry[path] = value.tolist()


def _mesh_node(output: Output, node: int, shape: Shape) -> int:
    """The node itself, or a child of it when it has a mesh already."""
    entry = _node(output, node)
    if "mesh" not in entry:
        return node
    child = output.add("nodes", {"name": shape.name})
    entry.setdefault("children", []).append(child)
    return child


def _attach_mesh(
    output: Output,
    meshes: MeshWriter,
    actor: Actor,
    shape: Shape,
    node: int,
    nodes: list[int],
    skins: dict[int, int],
) -> None:
    entry = _node(output, node)
    entry["mesh"] = meshes.mesh(shape, actor)
    skin: Skin | None = shape.skin
    if skin is not None:
        if id(skin) not in skins:
            skins[id(skin)] = meshes.skin(skin, nodes, actor.name)
        entry["skin"] = skins[id(skin)]
