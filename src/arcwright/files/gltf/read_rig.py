"""Build a rig from nodes: which properties become channels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.files.gltf.document import Document
from arcwright.files.gltf.node_names import stored_joint_name
from arcwright.files.gltf.read_meshes import Meshes
from arcwright.files.gltf.read_nodes import Nodes
from arcwright.files.names import Names
from arcwright.scene.rig import QUATERNION, ChannelTable, Kind, Rig

_KINDS = {
    "translation": (Kind.TRANSLATE_X, Kind.TRANSLATE_Y, Kind.TRANSLATE_Z),
    "rotation": (Kind.QUATERNION_W, Kind.QUATERNION_X, Kind.QUATERNION_Y, Kind.QUATERNION_Z),
    "scale": (Kind.SCALE_X, Kind.SCALE_Y, Kind.SCALE_Z),
}


@dataclass(frozen=True)
class RigPlan:
    """A rig and how the file's nodes and paths lie in it."""

    rig: Rig
    place: dict[int, int]  # node -> joint
    paths: dict[tuple[int, str], list[int]]  # (node, path) -> channels


class _Rows:
    """The channel table while it grows."""

    def __init__(self) -> None:
        self.joint: list[int] = []
        self.kind: list[Kind] = []
        self.default: list[float] = []
        self.label: list[str] = []

    def add(
        self, joint: int, kinds: list[Kind], values: list[float], labels: list[str]
    ) -> list[int]:
        first = len(self.joint)
        self.joint += [joint] * len(kinds)
        self.kind += kinds
        self.default += values
        self.label += labels
        return list(range(first, len(self.joint)))


def build_rig(
    document: Document,
    nodes: Nodes,
    members: list[int],
    animated: set[tuple[int, str]],
    bones: set[int],
    meshes: Meshes,
    animatable: bool,
) -> RigPlan:
    """The rig of an actor's nodes; if not animatable it has no channels, only a rest pose."""
    place = {node: joint for joint, node in enumerate(members)}
    free = _free_to_move(nodes, members, bones) if animatable else set()
    own = {
        "translation": nodes.translation[members],
        "rotation": nodes.rotation[members],
        "scale": nodes.scale[members],
    }
    rows, paths = _Rows(), dict[tuple[int, str], list[int]]()
    for joint, node in enumerate(members):
        for path, kinds in _KINDS.items():
            keyed = (node, path) in animated or (animatable and path == "rotation")
            if keyed or (path == "translation" and node in free):
                values = own[path][joint].tolist()
                paths[node, path] = rows.add(joint, list(kinds), values, [""] * len(kinds))
                own[path][joint] = [kind.rest for kind in kinds]
        _add_weights(rows, paths, nodes, node, joint, meshes)
    names, file_names = _names(document, nodes, members)
    rig = Rig(
        names=names,
        parents=np.array([place.get(nodes.parents[node], -1) for node in members], np.int64),
        offset=own["translation"],
        rest=own["rotation"],
        scale=own["scale"],
        modes=(QUATERNION,) * len(members),
        channels=ChannelTable.of(rows.joint, rows.kind, default=rows.default, label=rows.label),
        file_names=file_names,
    )
    return RigPlan(rig, place, paths)


def _add_weights(
    rows: _Rows,
    paths: dict[tuple[int, str], list[int]],
    nodes: Nodes,
    node: int,
    joint: int,
    meshes: Meshes,
) -> None:
    item = nodes.items[node]
    mesh = meshes.mesh_of(item)
    if mesh is None or not mesh.morph_names:
        return
    own = item.numbers("weights", len(mesh.morph_names)) or list(mesh.weights)
    kinds = [Kind.WEIGHT] * len(own)
    paths[node, "weights"] = rows.add(joint, kinds, own, list(mesh.morph_names))


def _free_to_move(nodes: Nodes, members: list[int], bones: set[int]) -> set[int]:
    """Roots, and the topmost joints of skins: what animators translate even if no clip does."""
    free = {node for node in members if nodes.parents[node] < 0}
    return free | {joint for joint in bones if nodes.parents[joint] not in bones}


def _names(
    document: Document, nodes: Nodes, members: list[int]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Joint names, each once, and the names in the file: "" for nodes without one."""
    own = tuple(nodes.items[node].text("name", "") for node in members)
    names, seen, given = Names(own), set[str](), list[str]()
    for node, name in zip(members, own, strict=True):
        if name and name not in seen:
            given.append(name)
        else:
            given.append(names.free(name or stored_joint_name(nodes.items[node]) or f"node_{node}"))
        if name in seen:
            document.warn("nodes of the same name are numbered")
        if name:
            seen.add(name)
    return tuple(given), own
