"""A still of the scene through a saved camera."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from arcwright.arrays import AnyArray, Floats
from arcwright.errors import BadValue
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rotation import quaternion_rotate
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.skinning import deform
from arcwright.picture import png
from arcwright.picture.camera import Camera
from arcwright.picture.canvas import Fragments
from arcwright.picture.paint import Paint
from arcwright.picture.render import PlacedSolid, render_image
from arcwright.picture.solid import Solid, figure, has_mesh, unit
from arcwright.scene import camera as saved
from arcwright.scene.scene import Actor, Scene

MOST_TRIANGLES = 4_000_000
_POINT = 1.8  # px, half the size of a point of a cloud
_CORNERS = np.array([[1.0, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]])
_FACES = np.array(
    [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]]
)


def still(
    scene: Scene,
    path: str | Path | None = None,
    *,
    camera: saved.Camera,
    time: float = 0.0,
    dark: bool = True,
    overlay: Callable[[Camera, float], list[Fragments]] | None = None,
) -> AnyArray:
    """A picture (H, W, 3) uint8 of all actors at a time, s; as PNG where a path is given."""
    count = sum(
        part.triangle_count
        for actor in scene.actors
        for each in actor.shapes
        for part in each.parts
    )
    if count > MOST_TRIANGLES:
        raise BadValue("scene", f"at most {MOST_TRIANGLES} triangles to draw", count)
    solids = []
    for actor in scene.actors:
        if not actor.shapes:
            continue
        take = actor.takes[0] if actor.takes else None
        values = values_at(take, np.array([time])) if take else actor.rig.channels.default[None]
        world = forward(actor.rig, values)
        if has_mesh(actor):
            solids.append(PlacedSolid(figure(actor, values[0], world[0], Paint(actor.look))))
        solids += _clouds(actor, values[0], world[0], camera)
    places = [each.solid.positions for each in solids if len(each.solid.positions)]
    every = np.concatenate(places) if places else np.zeros((1, 3))
    tall = max(float(np.ptp(every, axis=0).max()), 1e-6)
    view = view_of(camera, near=1e-4 * tall)
    image = render_image(
        view, solids, [], time, float(every[:, 1].min()), tall, dark=dark, overlay=overlay
    )
    if path is not None:
        png.write(image, path)
    return image


def _clouds(actor: Actor, values: Floats, world: Floats, camera: saved.Camera) -> list[PlacedSolid]:
    """The points of an actor, each as an octahedron of a few pixels."""
    solids = []
    paint = Paint(actor.look)
    for each in deform(actor, values, world):
        if each.part.mode != 0 or not len(each.positions):
            continue
        pixel = 2 * np.tan(camera.field_of_view / 2) / camera.height
        away = np.sqrt(((each.positions - camera.position) ** 2).sum(1))
        corners = each.positions[:, None] + _POINT * pixel * away[:, None, None] * _CORNERS
        flat = np.broadcast_to(unit(_CORNERS), corners.shape).reshape(-1, 3)
        count = len(each.positions)
        triangles = (_FACES + 6 * np.arange(count)[:, None, None]).reshape(-1, 3)
        colours = np.repeat(paint.colours(each.part), 6, axis=0)
        solids.append(PlacedSolid(Solid.plain(corners.reshape(-1, 3), flat, colours, triangles)))
    return solids


def view_of(camera: saved.Camera, *, near: float = 1e-3) -> Camera:
    """A saved camera as pictures are drawn with it."""
    axes = quaternion_rotate(camera.orientation, np.array([[1.0, 0, 0], [0, -1, 0], [0, 0, -1]]))
    focal = camera.height / 2 / np.tan(camera.field_of_view / 2)
    size = round(camera.width), round(camera.height)
    return Camera(camera.position, axes, float(focal), *size, near=near)
