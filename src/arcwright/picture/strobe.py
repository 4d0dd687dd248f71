"""Strobe: one picture of a motion: several poses and the motion trails of chosen points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from arcwright.arrays import AnyArray, Floats
from arcwright.errors import BadValue
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.picture import png
from arcwright.picture.camera import Camera, framed
from arcwright.picture.paint import Paint
from arcwright.picture.poses import MOST_POSES, POSES, PoseRow, Poses, pose_row
from arcwright.picture.render import (
    PlacedSolid,
    TextLine,
    points_to_frame,
    render_image,
    text_scale,
)
from arcwright.picture.solid import Solid, figure, joined
from arcwright.picture.trails import Trail, around, chosen_points, tangled, trail_of
from arcwright.scene.scene import Actor, Scene
from arcwright.scene.take import Take

TANGLE = 1.0  # s of a tangled curve shown to both sides of now
MOST_STANDING = 16  # other actors lit one by one
MOST_PARTS = 10_000  # of meshes, over all poses
MOST_TRIANGLES = 1_000_000  # over all poses; as many took 26 to 62 s and 1 GB
TRAIL_SAMPLES = 1500  # points along a curve, at most about so many


def strobe(
    scene: Scene,
    path: str | Path | None = None,
    *,
    character: str = "",
    take: str | None = None,
    points: Sequence[str] = (),
    every: int | None = None,
    now: int | None = None,
    size: tuple[int, int] = (1600, 900),
    dark: bool = True,
    view: Sequence[float] | None = None,
    spread: bool = True,
    labels: bool = True,
    title: str | None = None,
    reach: float | None = None,
) -> AnyArray:
    """A picture (H, W, 3) uint8 of a character's take; written as PNG where a path is given.

    `points` are joint names whose curves are drawn (else those that travel most), `every` is
    frames between poses, `now` the frame shown solid, `view` the direction to look along.
    Where poses would cover each other they are spread sideways, unless `spread` is off.
    `title` replaces the line at the top left; "" leaves it out. Curves run `reach` seconds to
    both sides of now; without it they run all the way, unless that would be a tangle.
    """
    if not (scene.characters or scene.props):
        raise BadValue("scene", "a character or prop to draw", "an empty scene")
    if min(size) < 16 or max(size) > 16384:
        raise BadValue("size", "16 to 16384 pixels each way", size)
    actor = scene.actor(character)
    chosen = _take(actor, take)
    _check_size(scene, actor, _pose_count(chosen, every))
    row = pose_row(actor, chosen, view, every, now, spread, size)
    moments = row.poses
    trails = _trails(actor, chosen, tuple(points), row, reach)
    standing = _standing(row.solids, moments, labels)
    present = float(moments.time[moments.now])
    props = _others(scene, actor, present)
    margin = _margin(size[1], titled=title != "")
    camera = framed(points_to_frame([*standing, *props], trails), row.direction, size, margin)
    floor = floor_height(row.solids, row.tall)
    lines = _title_lines(scene, chosen, title, camera)
    solids = [*standing, *props]
    image = render_image(camera, solids, trails, present, floor, row.tall, dark=dark, lines=lines)
    if path is not None:
        png.write(image, path)
    return image


def floor_height(solids: Sequence[Solid], tall: float) -> float:
    """Height of the floor: 0, unless the figures clearly stand elsewhere, m."""
    lowest = float(min(solid.positions[:, 1].min() for solid in solids))
    return 0.0 if -0.08 * tall < lowest < 1.5 * tall else lowest


def _take(actor: Actor, name: str | None) -> Take | None:
    if name is not None:
        return actor.take(name)
    moving = [take for take in actor.takes if take.frame_count > 1]
    return next(iter([*moving, *actor.takes]), None)


def _trails(
    actor: Actor, take: Take | None, points: tuple[str, ...], row: PoseRow, reach: float | None
) -> list[Trail]:
    moments = row.poses
    joints = chosen_points(actor.rig, moments.world, points)
    if take is None or len(moments.time) < 2:
        return []
    fine = int(np.clip(TRAIL_SAMPLES // (moments.frames[-1] - moments.frames[0]), 1, 12))
    first, now, last = moments.time[[0, moments.now, -1]].tolist()
    trails = [trail_of(take, joint, first, last, fine) for joint in joints]
    drawn = [replace(t, place=t.place + row.shift(t.time)) for t in trails]
    if reach is None and any(tangled(trail) for trail in drawn):
        reach = TANGLE
    return drawn if reach is None else [around(trail, now, reach) for trail in drawn]


def _standing(solids: Sequence[Solid], moments: Poses, labels: bool) -> list[PlacedSolid]:
    count = max(len(solids) - 1, 1)
    away = np.abs(np.arange(len(solids)) - moments.now) / count
    alpha = np.where(away == 0, 1.0, 0.8 - 0.4 * away)
    named = labels and len(solids) > 1
    names = [str(frame) if named else "" for frame in moments.frames]
    return [PlacedSolid(*each) for each in zip(solids, alpha.tolist(), names, strict=True)]


def _others(scene: Scene, main: Actor, time: float) -> list[PlacedSolid]:
    """All other actors of the scene at a time."""
    others = []
    paints: dict[int, Paint] = {}  # actors of one file share their look, and its textures
    for actor in scene.actors:
        if actor is main:
            continue
        paint = paints.get(id(actor.look)) or paints.setdefault(id(actor.look), Paint(actor.look))
        take = actor.takes[0] if actor.takes else None
        values = values_at(take, np.array([time])) if take else actor.rig.channels.default[None]
        world = forward(actor.rig, values)
        others.append(figure(actor, values[0], world[0], paint))
    if len(others) > MOST_STANDING:
        others = [joined(others)]
    return [PlacedSolid(each) for each in others]


def _pose_count(take: Take | None, every: int | None) -> int:
    """How many poses there will be, or one more."""
    frames = 1 if take is None else take.frame_count
    return min(frames, frames // every + 1 if every else POSES, MOST_POSES)


def _check_size(scene: Scene, main: Actor, poses: int) -> None:
    """Raise for scenes that would take very long to draw."""
    drawn = [
        (shape, poses if actor is main else 1) for actor in scene.actors for shape in actor.shapes
    ]
    count = sum(times * len(shape.parts) for shape, times in drawn) + len(scene.actors)
    if count > MOST_PARTS:
        raise BadValue("scene", f"at most {MOST_PARTS} parts of meshes to draw", count)
    count = sum(times * part.triangle_count for shape, times in drawn for part in shape.parts)
    if count > MOST_TRIANGLES:
        expected = f"at most {MOST_TRIANGLES} triangles to draw, over all poses"
        raise BadValue("scene", expected, count)


def _margin(height: int, titled: bool) -> Floats:
    """Free shares at left, top, right and bottom: space for text."""
    unit = text_scale(height) / height
    top = max(0.12, 112 * unit) if titled else 0.08
    return np.array([0.05, top, 0.05, max(0.11, 62 * unit)])


def _title_lines(
    scene: Scene, take: Take | None, title: str | None, camera: Camera
) -> list[TextLine]:
    unit = text_scale(camera.height)
    name = scene.name if title is None else title
    lines = [TextLine(name, 40 * unit, 56 * unit, 16 * unit, strong=True)] if name else []
    if take is not None and title != "":
        details = f"{take.frame_count} frames  ·  {take.rate:g} fps"
        details = details if take.name == name else f"{take.name}  ·  {details}"
        lines.append(TextLine(details, 40 * unit, 84 * unit, 11 * unit))
    return lines
