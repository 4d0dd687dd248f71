"""Scenes rebuilt after those of the thesis (figures 3.8 to 3.10), by code and from real files.

Fountain, octopus, cliff and cemetery follow the figures; A and B of table 3.1 are not described
there: the village and the wood are ours.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

import arcwright
from arcwright.characters.skeleton import root, skeleton
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.skinning import deform
from arcwright.scene.camera import Camera
from arcwright.scene.scene import Prop, Scene
from arcwright.scene.shape import Look, Part, Shape
from arcwright.scene.shot import Shot
from arcwright.tools.flow.looking import look_at
from data import DATA

FILES = DATA / "scenes"
HALLOWEEN, NATURE = FILES / "kaykit-halloween", FILES / "quaternius-nature"


@dataclass(frozen=True)
class Case:
    """A scene and the strokes of its task."""

    name: str
    build: Callable[[], Scene]


def paint(red: float, green: float, blue: float) -> Look:
    """One rough material."""
    base = {"baseColorFactor": [red, green, blue, 1], "metallicFactor": 0, "roughnessFactor": 0.9}
    return Look.of({"materials": [{"pbrMetallicRoughness": base}]})


def prop(name: str, positions, triangles, look: Look) -> Prop:
    """A prop of one mesh; of points without triangles."""
    rig = skeleton([root(name, (0, 0, 0))])
    indices = None if triangles is None else np.asarray(triangles).reshape(-1)
    part = Part(
        {"POSITION": np.asarray(positions, np.float32)}, indices, 0 if indices is None else 4, 0
    )
    return Prop(name, rig, (), (Shape(name, 0, (part,)),), look)


def swept(line, radius, sides: int = 14):
    """A tube along points (N, 3) with a radius at each, closed at its ends."""
    line, radius = np.asarray(line, float), np.broadcast_to(radius, (len(line),)).astype(float)
    way = np.gradient(line, axis=0)
    way /= np.linalg.norm(way, axis=1, keepdims=True)
    side = np.cross(way, [0.31, 0.2, 0.93])
    side /= np.linalg.norm(side, axis=1, keepdims=True)
    up = np.cross(way, side)
    angle = 2 * np.pi * np.arange(sides) / sides
    around = np.cos(angle)[:, None] * side[:, None] + np.sin(angle)[:, None] * up[:, None]
    rings = line[:, None] + radius[:, None, None] * around
    positions = np.concatenate([rings.reshape(-1, 3), line[[0, -1]]])
    ring, spot = np.meshgrid(np.arange(len(line) - 1), np.arange(sides), indexing="ij")
    a, b = ring * sides + spot, ring * sides + (spot + 1) % sides
    walls = np.stack([a, b, a + sides, b, b + sides, a + sides], -1).reshape(-1, 3)
    spots, last = np.arange(sides), (len(line) - 1) * sides
    first_cap = np.stack([np.full(sides, len(positions) - 2), (spots + 1) % sides, spots], 1)
    last_cap = np.stack(
        [np.full(sides, len(positions) - 1), last + spots, last + (spots + 1) % sides], 1
    )
    return positions, np.concatenate([walls, first_cap, last_cap])


def ball(centre, radius, count: int = 18):
    """An ellipsoid; `radius` may have three numbers."""
    height = np.linspace(-1, 1, count) * 0.999
    line = np.zeros((count, 3))
    line[:, 1] = height
    positions, triangles = swept(line, np.sqrt(1 - height**2), 22)
    return positions * radius + centre, triangles


def sheet(half: float, bumps: float, seed: int, cells: int = 40):
    """Ground with gentle bumps."""
    at = np.linspace(-half, half, cells)
    x, z = np.meshgrid(at, at)
    random = np.random.default_rng(seed)
    y = np.zeros_like(x)
    for _ in range(6):
        k, phase = random.normal(0, 3.5 / half, 2), random.uniform(0, 6)
        y += bumps / 6 * np.sin(k[0] * x + k[1] * z + phase)
    index = np.arange(cells * cells).reshape(cells, cells)
    a, b, c, d = (index[i, j].ravel() for i, j in (
        (slice(None, -1), slice(None, -1)), (slice(None, -1), slice(1, None)),
        (slice(1, None), slice(None, -1)), (slice(1, None), slice(1, None))))  # fmt: skip
    triangles = np.concatenate([np.stack([a, c, b], 1), np.stack([b, c, d], 1)])
    return np.stack([x, y, z], -1).reshape(-1, 3), triangles


@cache
def _read(path):
    return arcwright.read(path)


def placed(name: str, path, at, scale: float = 1.0, turn: float = 0.0, sink: float = 0.0) -> Prop:
    """All of a file as one prop that stands at a place, turned about the vertical, rad."""
    actor = next(each for each in _read(path).actors if each.shapes)
    values = actor.rig.channels.default
    world = forward(actor.rig, values[None])[0]
    posed = deform(actor, values, world)
    every = np.concatenate([each.positions for each in posed])
    middle = (every.min(0) + every.max(0)) / 2
    foot = np.array([middle[0], every[:, 1].min(), middle[2]])
    cosine, sine = np.cos(turn), np.sin(turn)
    rotation = np.array([[cosine, 0, sine], [0, 1, 0], [-sine, 0, cosine]])
    parts = []
    for each in posed:
        moved = scale * (each.positions - foot) @ rotation.T + at - [0, sink, 0]
        kept = {
            n: a for n, a in each.part.attributes.items() if n.startswith(("TEXCOORD", "COLOR"))
        }
        normals = (each.normals @ rotation.T).astype(np.float32)
        attributes = {"POSITION": moved.astype(np.float32), "NORMAL": normals, **kept}
        parts.append(replace(each.part, attributes=attributes, morphs=()))
    rig = skeleton([root(name, (0, 0, 0))])
    return Prop(name, rig, (), (Shape(name, 0, tuple(parts)),), actor.look)


def posed(actor, time: float):
    """Vertices (V, 3) m of an actor as it stands at a time."""
    take = actor.takes[0] if actor.takes else None
    values = actor.rig.channels.default if take is None else values_at(take, np.array([time]))[0]
    found = deform(actor, values, forward(actor.rig, values[None])[0])
    return np.concatenate([each.positions for each in found])


def shot(name: str, props, camera: Camera) -> Scene:
    return Scene(name, (), tuple(props), cameras=(Shot(name, camera),))


def fountain() -> Scene:
    """A basin, a column and water that falls as points, between thin cypresses."""
    stone = paint(0.55, 0.53, 0.5)
    angle = np.linspace(0, 2 * np.pi, 60)
    ring = np.stack([1.9 * np.cos(angle), np.full(60, 0.25), 1.9 * np.sin(angle)], 1)
    column = np.array([[0, 0, 0], [0, 0.3, 0], [0, 0.9, 0], [0, 1.5, 0], [0, 1.7, 0]])
    props = [
        prop("ground", *sheet(14, 0.0, 0), paint(0.42, 0.45, 0.35)),
        prop("basin", *swept(ring, 0.22), stone),
        prop("column", *swept(column, [0.5, 0.2, 0.16, 0.2, 0.45]), stone),
    ]
    random = np.random.default_rng(2)
    for number, way in enumerate(np.linspace(-1, 1, 5)):
        share = random.random(700)
        reach = 1.5 * way
        line = np.stack(
            [reach * share, 1.75 + 1.9 * share - 2.6 * share**2, 0.5 * np.cos(3 * way) * share], 1
        )
        water = line + random.normal(0, 0.022, (700, 3))
        props.append(prop(f"water {number + 1}", water, None, paint(0.5, 0.7, 0.9)))
    for number, x in enumerate((-4.6, -3.4, 3.4, 4.6)):
        line = np.stack([np.full(14, x), np.linspace(0, 4.4, 14), np.full(14, -1.5)], 1)
        radius = 0.06 + 0.45 * np.sin(np.linspace(0.25, np.pi, 14)) ** 0.8
        props.append(prop(f"cypress {number + 1}", *swept(line, radius), paint(0.2, 0.38, 0.2)))
    return shot("fountain", props, look_at([0, 2.3, 11], [0, 1.9, 0], fov=0.6))


def octopus() -> Scene:
    """An octopus of eight arms among sea grass, with knives that lean on boxes."""
    props = [prop("sea floor", *sheet(12, 0.15, 3), paint(0.6, 0.53, 0.4))]
    skin = paint(0.75, 0.3, 0.25)
    props.append(prop("head", *ball([0, 1.75, 0], [0.75, 1.0, 0.75]), skin))
    for number, way in enumerate(np.linspace(-1, 1, 8)):
        share = np.linspace(0, 1, 26)
        x = 0.35 * way + 2.6 * way * share
        y = 1.2 - 0.75 * np.sin(share * np.pi / 2) + 0.55 * share**2 * abs(np.sin(3 * way))
        z = (0.9 if number % 2 else -0.8) * np.sqrt(share) + 0.25 * way
        arm = np.stack([x, np.maximum(y, 0.42), z], 1)
        props.append(prop(f"arm {number + 1}", *swept(arm, 0.19 - 0.14 * share), skin))
    for number, x in enumerate((-4.2, -3.7, 3.5, 4.1, 4.6)):
        share = np.linspace(0, 1, 18)
        line = np.stack([x + 0.12 * np.sin(5 * share), 2.4 * share - 0.1, -0.6 + 0 * share], 1)
        props.append(
            prop(f"grass {number + 1}", *swept(line, 0.09 - 0.06 * share), paint(0.2, 0.5, 0.3))
        )
    for number, x in enumerate((-3.1, 3.0)):
        corners = np.array([[i, j, k] for i in (-1, 1) for j in (0, 2) for k in (-1, 1)], float)
        faces = [
            *([0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1]),
            *([2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]),
        ]
        props.append(
            prop(
                f"box {number + 1}",
                corners * 0.35 + [x, 0, -2.6],
                np.array(faces),
                paint(0.5, 0.35, 0.2),
            )
        )
        blade = np.stack(
            [np.linspace(x, x + 0.2, 10), np.linspace(0.68, 2.1, 10), np.full(10, -2.6)], 1
        )
        props.append(
            prop(
                f"knife {number + 1}",
                *swept(blade, np.linspace(0.07, 0.02, 10)),
                paint(0.7, 0.7, 0.75),
            )
        )
    return shot("octopus", props, look_at([0, 2.0, 9.5], [0, 1.2, 0], fov=0.62))


def cliff() -> Scene:
    """Rocks with bare trees, and birds that touch nothing."""
    rocks = [(-3.2, 0.0, 2.6), (-1.6, -0.6, 2.0), (-2.4, 0.8, 1.6)]
    props = [prop("ground", *sheet(14, 0.3, 5), paint(0.45, 0.42, 0.36))]
    for number, (x, z, size) in enumerate(rocks):
        random = np.random.default_rng(number)
        positions, triangles = ball([0, 0, 0], [1, 1.1, 0.9])
        rough = 1 + 0.1 * np.sin(positions @ random.normal(0, 3, (3, 4))).sum(1, keepdims=True) / 2
        at = np.array([x, 0.3 * size, z])
        props.append(
            prop(
                f"rock {number + 1}",
                size * 0.55 * positions * rough + at,
                triangles,
                paint(0.5, 0.47, 0.44),
            )
        )
    for number, (x, z, scale) in enumerate([(1.4, 0.0, 0.55), (2.9, -0.8, 0.7), (4.3, 0.2, 0.5)]):
        props.append(
            placed(
                f"tree {number + 1}",
                FILES / "graveyard/tree2.glb",
                [x, 0, z],
                scale,
                turn=number,
                sink=0.1,
            )
        )
    random = np.random.default_rng(8)
    for number in range(9):
        at = np.array(
            [-1.2 + 0.62 * number, 3.1 + 0.25 * np.sin(1.3 * number), 0.4 * random.normal()]
        )
        share = np.linspace(-1, 1, 13)
        wing = np.stack([0.3 * share, 0.09 * np.abs(share) ** 1.4, 0.05 * share], 1) + at
        props.append(
            prop(
                f"bird {number + 1}",
                *swept(wing, 0.015 + 0.04 * (1 - np.abs(share))),
                paint(0.1, 0.1, 0.12),
            )
        )
    return shot("cliff", props, look_at([0.4, 2.2, 10], [0.4, 1.9, 0], fov=0.62))


def cemetery() -> Scene:
    """Graves, a fence and dead trees."""
    props = [prop("ground", *sheet(14, 0.0, 1), paint(0.36, 0.38, 0.33))]
    graves = ["grave_A", "gravemarker_A", "gravestone", "grave_B", "gravemarker_B", "gravestone"]
    for number, file in enumerate(graves):
        at = [-3.4 + 1.35 * number, 0, 0.9 * (number % 2)]
        props.append(
            placed(f"grave {number + 1}", HALLOWEEN / f"{file}.gltf", at, 0.75, 0.2 * number)
        )
    for number in range(4):
        props.append(
            placed(
                f"fence {number + 1}",
                HALLOWEEN / "fence.gltf",
                [-4.5 + 3.0 * number, 0, -2.2],
                0.75,
            )
        )
    for number, (x, z, scale) in enumerate([(-5.2, -0.6, 0.75), (5.0, -0.4, 0.8)]):
        props.append(
            placed(
                f"tree {number + 1}",
                HALLOWEEN / "tree_dead_large.gltf",
                [x, 0, z],
                scale,
                1.2 * number,
            )
        )
    return shot("cemetery", props, look_at([0, 2.4, 11], [0, 1.7, 0], fov=0.62))


def village() -> Scene:
    """Scene A, ours: a street of houses in perspective."""
    scene = arcwright.read(FILES / "village.glb")
    return replace(
        scene, cameras=(Shot("village", look_at([0.6, 3.2, 11], [0, 0.8, 0], fov=0.62)),)
    )


def wood() -> Scene:
    """Scene B, ours: trees, bushes and rocks."""
    props = [prop("ground", *sheet(14, 0.1, 7), paint(0.4, 0.46, 0.3))]
    random = np.random.default_rng(4)
    for number in range(12):
        at = [-6.6 + 1.2 * number, -0.05, -1.5 * (number % 3) + 0.5]
        size = random.uniform(0.8, 1.15)
        props.append(
            placed(
                f"tree {number + 1}",
                NATURE / f"Tree{number % 4 + 1}.glb",
                at,
                size * TREE,
                random.uniform(0, 6),
            )
        )
    for number, file in enumerate(("Bush1", "Rock1", "Bush2", "Rock2", "Bush1", "Grass1")):
        props.append(
            placed(f"low {number + 1}", NATURE / f"{file}.glb", [-5 + 2 * number, -0.03, 2.2], 0.6)
        )
    return shot("wood", props, look_at([0, 2.8, 12], [0, 1.8, 0], fov=0.62))


TREE = 0.5
CASES = tuple(
    Case(each.__name__, each) for each in (fountain, octopus, cliff, cemetery, village, wood)
)


def marked() -> Scene:
    """Objects whose curves were marked by hand, before any was computed."""
    files = (
        HALLOWEEN / "post_lantern.gltf",
        FILES / "kaykit-furniture/lamp_standing.gltf",
        HALLOWEEN / "tree_dead_medium.gltf",
        HALLOWEEN / "tree_pine_orange_large.gltf",
        HALLOWEEN / "fence_broken.gltf",
        FILES / "kaykit-furniture/cactus_medium_A.gltf",
    )
    props = [prop("ground", *sheet(14, 0.0, 1), paint(0.36, 0.38, 0.33))]
    for number, file in enumerate(files):
        single = placed(f"thing {number + 1}", file, [0, 0, 0])
        tall = float(np.ptp(single.shapes[0].parts[0].attributes["POSITION"][:, 1]))
        at = [-5 + 2.0 * number, 0, 0]
        props.append(placed(f"marked {number + 1}", file, at, 2.6 / max(tall, 1.6), 0.3 * number))
    return shot("marked", props, look_at([0, 1.7, 8.6], [0, 1.15, 0], fov=0.6))
