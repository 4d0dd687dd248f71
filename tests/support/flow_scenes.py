"""Scenes of poles, bars and ground, with a camera in front of them."""

from dataclasses import replace

import numpy as np

from arcwright.characters.skeleton import root, skeleton
from arcwright.scene.camera import Camera
from arcwright.scene.scene import Prop, Scene
from arcwright.scene.shape import Part, Shape
from arcwright.scene.shot import Shot
from arcwright.tools.flow.looking import look_at
from arcwright.tools.flow.shot_view import ShotView
from arcwright.tools.gesture import Stroke
from chains import chain_scene

SIDES, RINGS = 10, 16


def tube(start, end, radius=0.06):
    """Positions and triangles of a closed tube from one place to another."""
    start, end = np.asarray(start, float), np.asarray(end, float)
    along = (end - start) / np.linalg.norm(end - start)
    side = np.cross(along, (1.0, 0, 0) if abs(along[0]) < 0.8 else (0, 1.0, 0))
    side /= np.linalg.norm(side)
    angle = 2 * np.pi * np.arange(SIDES) / SIDES
    circle = np.cos(angle)[:, None] * side + np.sin(angle)[:, None] * np.cross(along, side)
    rings = start + np.linspace(0, 1, RINGS)[:, None, None] * (end - start) + radius * circle
    positions = np.concatenate([rings.reshape(-1, 3), [start, end]])
    ring, spot = np.meshgrid(np.arange(RINGS - 1), np.arange(SIDES), indexing="ij")
    a, b = ring * SIDES + spot, ring * SIDES + (spot + 1) % SIDES
    walls = np.stack([a, a + SIDES, b, b, a + SIDES, b + SIDES], -1).reshape(-1, 3)
    spots = np.arange(SIDES)
    first, last = len(positions) - 2, len(positions) - 1
    top = (RINGS - 1) * SIDES
    caps = [
        np.stack([np.full(SIDES, first), spots, (spots + 1) % SIDES], 1),
        np.stack([np.full(SIDES, last), top + (spots + 1) % SIDES, top + spots], 1),
    ]
    return positions, np.concatenate([walls, *caps])


def square(half=6.0, height=0.0):
    """Ground."""
    corners = np.array([[-1.0, 0, -1], [-1, 0, 1], [1, 0, 1], [1, 0, -1]]) * half
    return corners + [0, height, 0], np.array([[0, 1, 2], [0, 2, 3]])


def prop(name, positions, triangles=None):
    """A prop of one mesh; of points where there are no triangles."""
    rig = skeleton([root(name, (0, 0, 0))])
    indices = None if triangles is None else triangles.reshape(-1)
    part = Part(
        {"POSITION": positions.astype(np.float32)}, indices, 4 if indices is not None else 0
    )
    return Prop(name, rig, (), (Shape(name, 0, (part,)),))


def standing(*props, camera=None):
    """Props on the ground, seen from the front."""
    camera = camera or look_at([0, 1.6, 7], [0, 1.2, 0], size=(960, 540))
    return Scene("shot", (), (prop("ground", *square()), *props), cameras=(Shot("main", camera),))


def pole(name="pole", x=0.0, z=0.0, height=2.2, radius=0.06):
    """A pole on the ground."""
    return prop(name, *tube((x, 0, z), (x, height, z), radius))


def bar(name="bar", x=0.0, y=2.0, z=0.0, length=1.6):
    """A bar that floats."""
    return prop(name, *tube((x - length / 2, y, z), (x + length / 2, y, z)))


def seen_from_the_side(view):
    """A chain, and a bar that floats above where strokes of the laws go."""
    rod = prop("bar", *tube((0, 0.1, -0.6), (0, 0.25, 1.4), 0.05))
    scene = chain_scene()
    return replace(scene, props=(rod,), cameras=(Shot("main", view),))


def stroke_of(camera, points):
    """A stroke through points, (N, 2) px, a second long."""
    points = np.asarray(points, float)
    return Stroke(camera, points, np.linspace(0, 1, len(points)))


def arc_over(scene, x=0.0, z=0.0, height=2.2, lean=0.5, samples=40):
    """A stroke (N, 2) px along a pole that leans to the right."""
    camera: Camera = scene.cameras[0].camera
    share = np.linspace(0, 1, samples)
    places = np.stack([x + lean * share**2, height * share, np.full(samples, z)], 1)
    return ShotView(camera).project(places)
