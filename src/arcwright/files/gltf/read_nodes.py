"""Read nodes: their tree, their transforms, and which of them form one actor."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from arcwright.arrays import Floats
from arcwright.files.gltf.document import Document
from arcwright.files.gltf.item import Item
from arcwright.kinematics.rotation import quaternion_from_matrix


@dataclass(frozen=True)
class Nodes:
    """All nodes of a file, (N,) each, in the file's own units."""

    items: list[Item]
    parents: list[int]
    children: list[list[int]]
    translation: Floats  # (N, 3)
    rotation: Floats  # (N, 4) wxyz
    scale: Floats  # (N, 3)

    def tree(self, root: int) -> list[int]:
        """A root and all below it, parents before children."""
        order, waiting = [], [root]
        while waiting:
            node = waiting.pop()
            order.append(node)
            waiting += reversed(self.children[node])
        return order

    def members(self, roots: list[int]) -> list[int]:
        """All nodes below these roots: in the file's order if parents come first in it."""
        trees = [node for root in roots for node in self.tree(root)]
        filed = sorted(trees)
        return filed if all(self.parents[node] < node for node in filed) else trees

    @cached_property
    def roots(self) -> list[int]:
        """(N,) the top of the tree each node is in."""
        tops = [-1] * len(self.items)
        for root in (node for node, parent in enumerate(self.parents) if parent < 0):
            for node in self.tree(root):
                tops[node] = root
        return tops


def read_nodes(document: Document) -> Nodes:
    """Every node of the file, with the tree proven to be a tree."""
    items = document["nodes"]
    count = len(items)
    children = [item.indices("children", count, "node") for item in items]
    parents = [-1] * count
    for node, below in enumerate(children):
        for child in below:
            if parents[child] >= 0:
                raise items[child].bad(f"has two parents, {parents[child]} and {node}")
            parents[child] = node
    _check_tree(items, parents, children)
    places = [_transform(document, item) for item in items]
    columns = (np.array([p[k] for p in places]).reshape(count, n) for k, n in enumerate((3, 4, 3)))
    return Nodes(items, parents, children, *columns)


def _check_tree(items: list[Item], parents: list[int], children: list[list[int]]) -> None:
    reached = [node for node, parent in enumerate(parents) if parent < 0]
    for node in reached:
        reached += children[node]
    if len(reached) < len(items):
        cyclic = min(set(range(len(items))) - set(reached))
        raise items[cyclic].bad("is its own ancestor")


def _transform(document: Document, item: Item) -> tuple[Floats, Floats, Floats]:
    """Translation, rotation wxyz and scale of a node."""
    matrix = item.numbers("matrix", 16)
    if matrix is not None:
        columns = np.array(matrix).reshape(4, 4)
        place, exact = decomposed(columns.T)
        if not exact:
            document.warn(
                "a node's matrix has shear: the nearest translation, rotation and scale is used"
            )
        return place
    t = np.array(item.numbers("translation", 3) or (0.0, 0.0, 0.0))
    q = np.array(item.numbers("rotation", 4) or (0.0, 0.0, 0.0, 1.0))[[3, 0, 1, 2]]
    length = float(np.linalg.norm(q))
    if length < 1e-6:
        document.warn(f"{item.label}: a rotation of length 0 is read as no rotation")
        q, length = np.array([1.0, 0.0, 0.0, 0.0]), 1.0
    return t, q / length, np.array(item.numbers("scale", 3) or (1.0, 1.0, 1.0))


def decomposed(matrix: Floats) -> tuple[tuple[Floats, Floats, Floats], bool]:
    """Translation, rotation wxyz, scale of a 4x4 matrix, and whether they are exact."""
    linear = matrix[:3, :3]
    scale = np.linalg.norm(linear, axis=0)
    rotation = linear / np.where(scale > 0, scale, 1)
    if np.linalg.det(linear) < 0:
        scale[0], rotation = -scale[0], rotation * (-1, 1, 1)
    u, _, v = np.linalg.svd(rotation)
    rotation = u @ np.diag([1, 1, np.linalg.det(u @ v)]) @ v
    size = abs(linear).max() or 1.0
    exact = abs(rotation * scale - linear).max() < 1e-5 * size
    exact &= abs(matrix[3] - (0, 0, 0, 1)).max() < 1e-6
    return (matrix[:3, 3], quaternion_from_matrix(rotation), scale), bool(exact)


def scene_roots(document: Document, nodes: Nodes) -> list[int]:
    """The roots of the default scene, or all roots when the file has no scene."""
    roots = [node for node, parent in enumerate(nodes.parents) if parent < 0]
    scenes = document["scenes"]
    chosen = document.root.index("scene", len(scenes), "scene")
    if not scenes:
        return roots
    roots = scenes[chosen or 0].indices("nodes", len(nodes.items), "node")
    for node in roots:
        if nodes.parents[node] >= 0:
            raise scenes[chosen or 0].bad(f"lists node {node}, which has a parent")
    if len(set(roots)) < len(roots):
        raise scenes[chosen or 0].bad("lists a node twice")
    if len(scenes) > 1:
        document.warn(f"only scene {chosen or 0} of {len(scenes)} is read")
    return roots


def groups(roots: Iterable[int], ties: Iterable[tuple[int, int]]) -> list[list[int]]:
    """Roots that belong together, in order; a tie joins two of them."""
    leader = {root: root for root in roots}

    def found(root: int) -> int:
        leader.setdefault(root, root)
        while leader[root] != root:
            leader[root] = root = leader[leader[root]]
        return root

    for one, other in ties:
        leader[found(other)] = found(one)
    gathered: dict[int, list[int]] = {}
    for root in leader:
        gathered.setdefault(found(root), []).append(root)
    return list(gathered.values())
