"""The objects of a shot: meshes of the scene, split into components or merged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType

import numpy as np

from arcwright.arrays import AnyArray, Bools, Floats, Ints
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rotation import cross
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.skinning import Deformed, deform
from arcwright.scene.scene import Actor, Scene
from arcwright.scene.take import Take
from arcwright.tools.flow.components import boxes_of, components, grounds, merged, touching
from arcwright.tools.flow.flow_morph import without_flow

_GROUND = 0.25  # of the scene's horizontal area that a mesh with ground in it covers
_COARSE = 0.3  # of an object's size, the mean longest edge by area
MOST_OBJECTS = 400  # of one scene; smaller ones beyond that are left out


@dataclass(frozen=True)
class PartAddress:
    """A part of a shape of an actor, by index; actors are the characters, then the props."""

    actor: int
    shape: int
    part: int


@dataclass(frozen=True, eq=False)
class SceneObject:
    """What is bent as one."""

    name: str
    positions: Floats  # (V, 3) m in the world
    triangles: Ints  # (F, 3); none for a cloud of points
    sources: tuple[tuple[PartAddress, Ints, Ints], ...]  # part, its vertices, and which these are
    ground: bool = False  # or sky: left alone unless it is chosen

    @property
    def size(self) -> float:
        """The diagonal of its box, m."""
        return float(np.linalg.norm(np.ptp(self.positions, axis=0)))

    @cached_property
    def coarse(self) -> bool:
        """Whether it has a few large faces, as a house: their edges are as long as it is."""
        if not len(self.triangles):
            return False
        a, b, c = (self.positions[self.triangles[:, k]] for k in range(3))
        area = np.sqrt((cross(b - a, c - a) ** 2).sum(1))
        longest = np.sqrt(np.max([((p - q) ** 2).sum(1) for p, q in ((a, b), (b, c), (c, a))], 0))
        return float(area @ longest) > _COARSE * self.size * max(float(area.sum()), 1e-12)


@dataclass(frozen=True, eq=False)
class _Mesh:
    """The parts of one shape as one mesh."""

    name: str
    positions: Floats
    triangles: Ints
    part: Ints  # (V,) row of addresses
    vertex: Ints  # (V,) in its part
    addresses: tuple[PartAddress, ...]
    whole: bool  # a skinned body stays one object


def composed_take(actor: Actor, takes: Mapping[str, str]) -> Take | None:
    """The take of an actor that a composition is about: the one that is said, or its first."""
    named = next((each for each in actor.takes if each.name == takes.get(actor.name)), None)
    return named or (actor.takes[0] if actor.takes else None)


def scene_objects(
    scene: Scene,
    time: float,
    split: str,
    eye: Floats,
    takes: Mapping[str, str] = MappingProxyType({}),
) -> tuple[SceneObject, ...]:
    """All objects of a scene at a time, s, the largest first where there are too many.

    `split`: "auto" merges components whose boxes overlap, "meshes" keeps every mesh whole,
    "components" makes each connected component an object.
    """
    meshes = [
        mesh
        for index, actor in enumerate(scene.actors)
        for mesh in _meshes(index, actor, composed_take(actor, takes), time)
    ]
    found: list[SceneObject] = []
    areas = [_area(mesh.positions) for mesh in meshes]
    every = [mesh.positions for mesh in meshes if len(mesh.positions)]
    whole = _area(np.concatenate(every)) if every else 0.0
    for mesh, area in zip(meshes, areas, strict=True):
        found += _objects(mesh, split, holds_ground=area >= _GROUND * whole)
    found = _without_flat_duplicates(found)
    found = _marked(found, eye)
    if len(found) > MOST_OBJECTS:
        found = sorted(found, key=lambda each: -each.size)[:MOST_OBJECTS]
    return tuple(_named(found))


def _meshes(index: int, actor: Actor, take: Take | None, time: float) -> list[_Mesh]:
    if not actor.shapes:
        return []
    values = values_at(take, np.array([time])) if take else actor.rig.channels.default[None]
    world = forward(actor.rig, values)[0]
    bare = replace(actor, shapes=tuple(without_flow(each) for each in actor.shapes))
    posed = iter(deform(bare, values[0], world))
    found = []
    for number, shape in enumerate(bare.shapes):
        parts = [next(posed) for _ in shape.parts]
        name = shape.name if len(actor.shapes) > 1 else actor.name
        found.append(_joined(name, index, number, parts, whole=shape.skin is not None))
    return found


def _joined(name: str, actor: int, shape: int, parts: Sequence[Deformed], *, whole: bool) -> _Mesh:
    start = np.cumsum([0, *(len(each.positions) for each in parts)])
    triangles = [each.part.triangles + n for each, n in zip(parts, start, strict=False)]
    counts = np.diff(start)
    return _Mesh(
        name,
        np.concatenate([each.positions for each in parts]) if parts else np.zeros((0, 3)),
        np.concatenate(triangles) if triangles else np.zeros((0, 3), np.int64),
        np.repeat(np.arange(len(parts)), counts),
        np.concatenate([np.arange(n) for n in counts]) if parts else np.zeros(0, np.int64),
        tuple(PartAddress(actor, shape, number) for number in range(len(parts))),
        whole,
    )


def _area(positions: Floats) -> float:
    """Horizontal area of the box around positions, m^2."""
    return float(np.ptp(positions[:, [0, 2]], axis=0).prod()) if len(positions) else 0.0


def _objects(mesh: _Mesh, split: str, *, holds_ground: bool) -> list[SceneObject]:
    if not len(mesh.positions):
        return []
    label = np.zeros(len(mesh.positions), np.int64)
    ground = np.zeros(1, np.bool_)
    if split != "meshes" and not mesh.whole and len(mesh.triangles):
        label = components(mesh.positions, mesh.triangles)
        low, high = boxes_of(mesh.positions, label)
        ground = np.zeros(len(low), np.bool_)
        if holds_ground and len(low) > 1:
            ground = grounds(low, high)
        if split == "auto":
            group = merged(low, high, ground) if ground.any() else touching(low, high)
            label = group[label]
            ground = np.bincount(group, ground) > 0
    return _cut(mesh, label, ground)


def _cut(mesh: _Mesh, label: Ints, ground: Bools) -> list[SceneObject]:
    """The mesh cut by the labels of its vertices."""
    order = np.argsort(label, kind="stable")
    ends = np.cumsum(np.bincount(label))
    by_object = np.argsort(label[mesh.triangles[:, 0]], kind="stable")
    sorted_faces = mesh.triangles[by_object]
    face_ends = np.cumsum(np.bincount(label[mesh.triangles[:, 0]], minlength=len(ends)))
    place = np.empty(len(label), np.int64)
    found = []
    for number, (end, face_end) in enumerate(zip(ends, face_ends, strict=True)):
        own = order[(ends[number - 1] if number else 0) : end]
        faces = sorted_faces[(face_ends[number - 1] if number else 0) : face_end]
        place[own] = np.arange(len(own))
        sources = []
        for row in np.unique(mesh.part[own]).tolist():
            here = np.flatnonzero(mesh.part[own] == row)
            sources.append((mesh.addresses[row], mesh.vertex[own[here]], here))
        found.append(
            SceneObject(
                mesh.name, mesh.positions[own], place[faces], tuple(sources), bool(ground[number])
            )
        )
    return found


def _without_flat_duplicates(found: list[SceneObject]) -> list[SceneObject]:
    """Without what has no extent at all."""
    return [each for each in found if each.size > 0]


def _marked(found: list[SceneObject], eye: Floats) -> list[SceneObject]:
    """With ground and sky marked: flat and wide, or around the camera."""
    if len(found) < 2:
        return found
    low = np.stack([each.positions.min(0) for each in found])
    high = np.stack([each.positions.max(0) for each in found])
    around = ((low < eye) & (eye < high)).all(1)
    extent = (high - low).max(1)
    around &= extent > 0.8 * float((high.max(0) - low.min(0)).max())
    ground = grounds(low, high) | around
    marks = ground.tolist()
    return [
        replace(each, ground=each.ground or mark) for each, mark in zip(found, marks, strict=True)
    ]


def _named(found: Sequence[SceneObject]) -> list[SceneObject]:
    """With each name once: the second tree is `tree.2`."""
    taken: dict[str, int] = {}
    named = []
    for each in found:
        base = each.name.replace(",", " ").replace("/", " ").strip() or "object"
        taken[base] = taken.get(base, 0) + 1
        name = base if taken[base] == 1 else f"{base}.{taken[base]}"
        named.append(replace(each, name=name))
    return named


def bounds(objects: Sequence[SceneObject]) -> tuple[AnyArray, AnyArray]:
    """The lowest and highest corner of each object's box, (O, 3) m."""
    low = np.stack([each.positions.min(0) for each in objects])
    high = np.stack([each.positions.max(0) for each in objects])
    return low, high
