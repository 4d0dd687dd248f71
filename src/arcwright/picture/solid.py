"""Solids: triangles ready for shading; an actor in one pose as its own mesh, or as a mannequin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arcwright.arrays import AnyArray, Floats, Ints
from arcwright.kinematics.skinning import deform
from arcwright.picture.canvas import colour
from arcwright.picture.paint import Paint
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Actor

WOOD = colour("#dccbb2")
BALL = colour("#7f93ab")


@dataclass(frozen=True, eq=False)
class Solid:
    """A triangle mesh in the world, coloured at its corners."""

    positions: Floats  # (V, 3) m
    normals: Floats  # (V, 3)
    colours: Floats  # (V, 3) linear light
    triangles: Ints  # (F, 3)
    uv: Floats  # (V, 2); read only where a triangle has a texture
    texture: Ints  # (F,) index into textures, -1 for none
    textures: tuple[AnyArray, ...] = ()  # each (H, W, 3) linear light

    @classmethod
    def plain(cls, positions: Floats, normals: Floats, colour: Floats, triangles: Ints) -> Solid:
        """A solid of one colour (3,), or one for each vertex (V, 3)."""
        count = len(positions)
        colours = np.broadcast_to(colour, (count, 3))
        nothing = np.full(len(triangles), -1)
        return cls(positions, normals, colours, triangles, np.zeros((count, 2)), nothing)


def joined(solids: Sequence[Solid]) -> Solid:
    """Many solids as one."""
    if not solids:
        none = np.zeros((0, 3))
        return Solid.plain(none, none, np.zeros(3), np.zeros((0, 3), np.int64))
    vertex = np.cumsum([0, *(len(each.positions) for each in solids)])
    picture = np.cumsum([0, *(len(each.textures) for each in solids)])
    texture = [
        np.where(e.texture >= 0, e.texture + n, -1) for e, n in zip(solids, picture, strict=False)
    ]
    return Solid(
        np.concatenate([each.positions for each in solids]),
        np.concatenate([each.normals for each in solids]),
        np.concatenate([each.colours for each in solids]),
        np.concatenate([e.triangles + n for e, n in zip(solids, vertex, strict=False)]),
        np.concatenate([each.uv for each in solids]),
        np.concatenate(texture),
        tuple(image for each in solids for image in each.textures),
    )


def unit(vectors: Floats) -> Floats:
    """Vectors (..., 3) at length 1; those of no length stay as they are."""
    length = np.sqrt(dot(vectors, vectors))
    return vectors / np.where(length > 1e-20, length, 1)[..., None]


def dot(a: Floats, b: Floats) -> Floats:
    """Dot products of vectors (..., 3), faster than a sum along so short an axis."""
    total: Floats = a[..., 0] * b[..., 0] + a[..., 1] * b[..., 1] + a[..., 2] * b[..., 2]
    return total


def surface_of_revolution(
    start: Floats, end: Floats, profile: Floats, colour: Floats, sides: int = 20
) -> Solid:
    """A body of revolution from start to end; `profile` is (R, 2): way along 0..1, radius in m."""
    along = end - start
    length = max(float(np.linalg.norm(along)), 1e-9)
    axis = along / length if length > 1e-9 else np.array([0.0, 1.0, 0.0])
    side = np.cross(axis, (1.0, 0, 0) if abs(axis[0]) < 0.8 else (0, 1.0, 0))
    side /= np.linalg.norm(side)
    angle = np.arange(sides) / sides * 2 * np.pi
    around = np.cos(angle)[:, None] * side + np.sin(angle)[:, None] * np.cross(axis, side)
    way, radius = profile[:, 0] * length, profile[:, 1]
    positions = start + way[:, None, None] * axis + radius[:, None, None] * around
    tangent = np.stack([np.gradient(way), np.gradient(radius)], axis=-1)
    normals = tangent[:, :1, None] * around - tangent[:, 1:, None] * axis
    rings, spots = np.arange(len(profile) - 1)[:, None], np.arange(sides)
    a, b = rings * sides + spots, rings * sides + (spots + 1) % sides
    quads = np.stack([a, a + sides, b, b, a + sides, b + sides], axis=-1)
    flat = positions.reshape(-1, 3), unit(normals).reshape(-1, 3)
    return Solid.plain(*flat, colour, quads.reshape(-1, 3))


def ball(centre: Floats, radius: float, colour: Floats, sides: int = 20) -> Solid:
    """A sphere."""
    angle = np.linspace(0, np.pi, sides // 2 + 1)
    profile = np.stack([(1 - np.cos(angle)) / 2, radius * np.sin(angle)], axis=-1)
    half = np.array([0.0, radius, 0.0])
    solid = surface_of_revolution(centre - half, centre + half, profile, colour, sides)
    return Solid.plain(solid.positions, unit(solid.positions - centre), colour, solid.triangles)


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
    """Bones from joint to joint, balls between, a trunk and a head; places (J, 3) in the world."""
    tall = max(float(np.ptp(places, axis=0).max()), 1e-6)
    trunk = _trunk(rig)
    head = _head(rig)
    leaves = set(range(len(rig.names))) - set(rig.parents.tolist())
    solids = [ball(places[0], 0.034 * tall, WOOD if trunk else BALL, 22)]
    for joint, parent in enumerate(rig.parents):
        length = float(np.linalg.norm(places[joint] - places[parent])) if parent >= 0 else 0.0
        if length < tall * 0.004 or (parent == head and joint in leaves):
            continue
        if joint in trunk:
            solids += _trunk_piece(places[parent], places[joint], tall)
            continue
        thick = min(0.062 * np.sqrt(length * tall), 0.2 * length + 0.004 * tall, 0.036 * tall)
        sides = 20 if thick > 0.012 * tall else 10
        solids.append(
            surface_of_revolution(places[parent], places[joint], _bone(thick), WOOD, sides)
        )
        if joint != head:
            solids.append(ball(places[joint], min(thick * 0.6, 0.019 * tall), BALL, sides - 4))
    if head >= 0:
        solids.append(_skull(rig, places, head, tall))
    return joined(solids)


def _trunk(rig: Rig) -> set[int]:
    """Joints between the root and the joints where several limbs branch."""
    children = np.bincount(rig.parents[rig.parents >= 0], minlength=len(rig.names))
    forks = [j for j in range(1, len(rig.names)) if children[j] >= 3 and _reach(rig, j) >= 3]
    found: set[int] = set()
    for joint in forks[:1]:
        while rig.parents[joint] >= 0:
            found.add(joint)
            joint = int(rig.parents[joint])
    return found


def _reach(rig: Rig, joint: int) -> int:
    """Joints on the longest way down from a joint."""
    depth = np.zeros(len(rig.names), np.int64)
    for child in range(len(rig.names) - 1, joint, -1):
        parent = rig.parents[child]
        if parent >= 0:
            depth[parent] = max(depth[parent], depth[child] + 1)
    return int(depth[joint])


def _head(rig: Rig) -> int:
    for joint, name in enumerate(rig.names):
        if "head" in name.lower() and rig.parents[joint] >= 0:
            return joint
    return -1


def _skull(rig: Rig, places: Floats, head: int, tall: float) -> Solid:
    way = places[head] - places[rig.parents[head]]
    way = way / max(float(np.linalg.norm(way)), 1e-9)
    angle = np.linspace(0, np.pi, 20)
    radius = 0.045 * tall * np.sin(angle) * (1 + 0.18 * np.cos(angle - 2.2))
    profile = np.stack([(1 - np.cos(angle)) / 2, radius], axis=-1)
    start = places[head] - 0.012 * tall * way
    return surface_of_revolution(start, start + 0.13 * tall * way, profile, WOOD, 28)


def _trunk_piece(start: Floats, end: Floats, tall: float) -> list[Solid]:
    thick = 0.048 * tall
    profile = np.array([[0.0, 0.82], [0.25, 0.97], [0.5, 1.0], [0.75, 0.97], [1.0, 0.82]])
    body = surface_of_revolution(start, end, profile * (1, thick), WOOD, 26)
    return [body, ball(end, thick * 0.84, WOOD, 24)]


def _bone(thick: float) -> Floats:
    """The profile of a bone: a round start, full near one fifth, then a long taper."""
    way = 1 - np.cos(np.linspace(0, np.pi / 2, 8))
    shoulder = np.stack([way * 0.2, thick * np.sqrt(1 - (1 - way) ** 2)], axis=-1)
    rest = np.linspace(0.2, 1, 9)[1:]
    share = (rest - 0.2) / 0.8
    taper = thick * (1 - 0.62 * share * share * (3 - 2 * share))
    return np.concatenate([shoulder, np.stack([rest, taper], axis=-1), [[1.0, 0.0]]])
