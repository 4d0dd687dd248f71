"""Compare: a motion before and after an edit, side by side through one camera."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from arcwright.arrays import AnyArray, Floats
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.picture.camera import Camera, framed
from arcwright.picture.canvas import Fragments
from arcwright.picture.paint import Paint
from arcwright.picture.poses import view_direction
from arcwright.picture.render import (
    TRAIL_WEIGHT,
    PlacedSolid,
    TextLine,
    points_to_frame,
    render_image,
    text_scale,
)
from arcwright.picture.solid import figure
from arcwright.picture.strip import strip
from arcwright.picture.strobe import floor_height
from arcwright.picture.trails import Trail, trail_of
from arcwright.scene.point import Point
from arcwright.scene.scene import Actor, Scene
from drawing.marks import Mark, draw_mark
from drawing.small_png import write_small
from drawing.stripes import draw_striped

FINE = 12  # samples of a curve to a frame
FAINT = 0.45  # alpha of poses that are not now
THROUGH = 0.75  # visibility of curves through bodies


@dataclass(frozen=True, eq=False)
class Shot:
    """What to draw of both motions, and the view direction."""

    points: Sequence[Point]  # whose curves are drawn
    now: float  # frame of the solid pose
    frames: Sequence[float] = ()  # of faint poses
    span: tuple[float, float] | None = None  # frames of the curves; all where not given
    view: Sequence[float] | None = None  # direction to look along
    near: Sequence[Sequence[float]] = ()  # places (P, 3) m to frame instead of whole bodies
    size: tuple[int, int] = (640, 440)  # pixels of one picture


@dataclass(frozen=True, eq=False)
class _Side:
    standing: list[PlacedSolid]
    world: Floats  # (T, J, 4, 4) of the poses
    trails: list[Trail]


def compare(
    before: Scene,
    after: Scene,
    shot: Shot,
    path: str | Path | None = None,
    *,
    marks: tuple[Sequence[Mark], Sequence[Mark]] = ((), ()),
    captions: tuple[str, str] = ("Before", "After"),
    dark: bool = True,
) -> AnyArray:
    """A sheet with the first character's first take before and after.

    The curves of before are drawn again, striped grey, in the picture of after. Written as PNG
    of 256 colours where a path is given.
    """
    actors = [scene.actor("") for scene in (before, after)]
    sides = [_side(actor, shot) for actor in actors]
    now = shot.now / actors[0].takes[0].rate
    props = [[_prop(each, now) for each in scene.props] for scene in (before, after)]
    camera = _camera(actors[0], sides, props[0] + props[1], shot)
    solids = [each.solid for side in sides for each in side.standing]
    tall = max(float(np.ptp(solids[0].positions[:, 1])), 1e-6)
    floor = floor_height(solids, tall)
    unit = text_scale(shot.size[1])
    line = TextLine(f"frame {shot.now:g}", 24 * unit, 40 * unit, 11 * unit)
    panels = []
    for index, side in enumerate(sides):
        image = render_image(
            camera,
            [*side.standing, *props[index]],
            side.trails,
            now,
            floor,
            tall,
            dark=dark,
            lines=[line],
            overlay=overlay_of(marks[index], sides[0].trails if index else ()),
            through=THROUGH,
        )
        panels.append((image, captions[index]))
    sheet = strip(panels, dark=dark)
    if path is not None:
        write_small(sheet, path)
    return sheet


def overlay_of(
    marks: Sequence[Mark], before: Sequence[Trail] = ()
) -> Callable[[Camera, float], list[Fragments]]:
    """What `render_image` draws besides: marks, and trails before the edit in grey stripes."""

    def draw(fine: Camera, unit: float) -> list[Fragments]:
        drawn: list[Fragments] = []
        for trail in before:
            drawn += draw_striped(trail, fine, TRAIL_WEIGHT * unit, THROUGH)
        for mark in marks:
            drawn += draw_mark(mark, fine, unit)
        return drawn

    return draw


def _side(actor: Actor, shot: Shot) -> _Side:
    take = actor.takes[0]
    frames = sorted({*shot.frames, shot.now})
    values = values_at(take, np.array(frames) / take.rate)
    world = forward(actor.rig, values)
    paint = Paint(actor.look)
    standing = [
        PlacedSolid(figure(actor, values[i], world[i], paint), 1.0 if frame == shot.now else FAINT)
        for i, frame in enumerate(frames)
    ]
    first, last = shot.span or (0.0, take.duration * take.rate)
    trails = [
        trail_of(
            take,
            actor.rig.joint(point.joint),
            first / take.rate,
            last / take.rate,
            FINE,
            point.offset,
        )
        for point in shot.points
    ]
    return _Side(standing, world, trails)


def _camera(
    actor: Actor, sides: Sequence[_Side], props: Sequence[PlacedSolid], shot: Shot
) -> Camera:
    if shot.view is None:
        direction = view_direction(actor.rig, np.concatenate([side.world for side in sides]))
    else:
        direction = np.asarray(shot.view, float)
    if len(shot.near):
        return framed(np.asarray(shot.near, float), direction, shot.size)
    solids = [each for side in sides for each in side.standing]
    trails = [trail for side in sides for trail in side.trails]
    margin = np.array([0.06, 0.1, 0.06, 0.08])
    return framed(points_to_frame([*solids, *props], trails), direction, shot.size, margin)


def _prop(actor: Actor, time: float) -> PlacedSolid:
    """A prop in its rest pose, or at a time of its first take."""
    values = actor.rig.channels.default
    if actor.takes:
        values = values_at(actor.takes[0], np.array([time]))[0]
    world = forward(actor.rig, values[None])[0]
    return PlacedSolid(figure(actor, values, world, Paint(actor.look)))
