"""Strobe: one still picture of a motion: several poses and the curves of chosen points."""

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
from arcwright.picture.camera import Camera, framed, looking
from arcwright.picture.figure import figure
from arcwright.picture.paint import Paint
from arcwright.picture.poses import Poses, fan, poses_of, view_direction
from arcwright.picture.solid import Solid
from arcwright.picture.stage import Standing, Word, photograph, room_for
from arcwright.picture.trails import Trail, chosen_points, trail_of
from arcwright.scene.scene import Actor, Scene
from arcwright.scene.take import Take

TRAIL_SAMPLES = 1500  # points along a curve, at most about so many


def strobe(
    scene: Scene,
    path: str | Path | None = None,
    *,
    character: str = "",
    clip: str | None = None,
    points: Sequence[str] = (),
    every: int | None = None,
    now: int | None = None,
    size: tuple[int, int] = (1600, 900),
    dark: bool = True,
    view: Sequence[float] | None = None,
    spread: bool = True,
    labels: bool = True,
    title: str | None = None,
) -> AnyArray:
    """A picture (H, W, 3) uint8 of a character's clip; written as PNG where a path is given.

    `points` are joint names whose curves are drawn (else those that travel most), `every` is
    frames between poses, `now` the frame shown solid, `view` the direction to look along.
    Where poses would cover each other they are spread sideways, unless `spread` is off.
    `title` replaces the line at the top left; "" leaves it out.
    """
    if not (scene.characters or scene.props):
        raise BadValue("scene", "a character or prop to draw", "an empty scene")
    if min(size) < 16 or max(size) > 16384:
        raise BadValue("size", "16 to 16384 pixels each way", size)
    actor = scene.actor(character)
    take = _take(actor, clip)
    moments = poses_of(actor, take, every, now)
    direction = _direction(actor, moments, view)
    paint = Paint(actor.look)
    solids = [
        figure(actor, values, world, paint)
        for values, world in zip(moments.values, moments.world, strict=True)
    ]
    if sum(len(solid.triangles) for solid in solids) == 0:
        raise BadValue("scene", f"something to draw on {actor.name!r}", "no mesh and no bones")
    trails = _trails(actor, take, moments, tuple(points))
    step = _step(solids, looking(direction)[0]) * spread
    per_second = step / _gap(moments)
    solids = [
        _moved(s, per_second * (t - moments.time[moments.now]))
        for s, t in zip(solids, moments.time, strict=True)
    ]
    trails = [_drawn_out(trail, per_second, moments.time[moments.now]) for trail in trails]
    tall = float(np.median([np.ptp(solid.positions[:, 1]) for solid in solids]))
    tall = max(tall, 0.25 * max(float(np.ptp(solids[0].positions, axis=0).max()), 1e-6))
    standing = _standing(solids, moments, labels)
    props = _props(scene, actor, moments.time[moments.now])
    camera = framed(room_for([*standing, *props], trails), direction, size)
    image = photograph(
        camera,
        [*standing, *props],
        trails,
        moments.time[moments.now],
        floor_height(solids, tall),
        tall,
        dark=dark,
        words=_words(scene, take, title, camera),
    )
    if path is not None:
        png.write(image, path)
    return image


def floor_height(solids: Sequence[Solid], tall: float) -> float:
    """0, unless the figures clearly stand or float elsewhere, m."""
    lowest = float(min(solid.positions[:, 1].min() for solid in solids))
    return 0.0 if -0.08 * tall < lowest < 1.5 * tall else lowest


def _take(actor: Actor, clip: str | None) -> Take | None:
    if clip is not None:
        return actor.take(clip)
    return actor.takes[0] if actor.takes else None


def _direction(actor: Actor, moments: Poses, view: Sequence[float] | None) -> Floats:
    if view is None:
        return view_direction(actor.rig, moments.world)
    if len(view) != 3:
        raise BadValue("view", "three numbers", view)
    return np.asarray(view, float)


def _trails(
    actor: Actor, take: Take | None, moments: Poses, points: tuple[str, ...]
) -> list[Trail]:
    joints = chosen_points(actor.rig, moments.world, points)
    if take is None or len(moments.time) < 2:
        return []
    count = max(moments.frames[-1] - moments.frames[0], 1)
    fine = int(np.clip(TRAIL_SAMPLES // count, 1, 12))
    ends = float(moments.time[0]), float(moments.time[-1])
    return [trail_of(take, joint, *ends, fine) for joint in joints]


def _step(solids: Sequence[Solid], right: Floats) -> Floats:
    middles = np.stack([(s.positions.min(0) + s.positions.max(0)) / 2 for s in solids])
    widths = np.array([np.ptp(solid.positions @ right) for solid in solids])
    return fan(middles, widths, right) * right


def _gap(moments: Poses) -> float:
    return float(np.diff(moments.time).mean()) if len(moments.time) > 1 else 1.0


def _moved(solid: Solid, by: Floats) -> Solid:
    return replace(solid, positions=solid.positions + by)


def _drawn_out(trail: Trail, per_second: Floats, now: float) -> Trail:
    return replace(trail, place=trail.place + (trail.time - now)[:, None] * per_second)


def _standing(solids: Sequence[Solid], moments: Poses, labels: bool) -> list[Standing]:
    count = max(len(solids) - 1, 1)
    away = np.abs(np.arange(len(solids)) - moments.now) / count
    alpha = np.where(away == 0, 1.0, 0.72 - 0.42 * away)
    names = [str(frame) if labels else "" for frame in moments.frames]
    return [Standing(*each) for each in zip(solids, alpha.tolist(), names, strict=True)]


def _props(scene: Scene, main: Actor, time: float) -> list[Standing]:
    """Everyone else in the scene, as they are now."""
    others = []
    for actor in (*scene.characters, *scene.props):
        if actor is main:
            continue
        take = actor.takes[0] if actor.takes else None
        values = values_at(take, np.array([time])) if take else actor.rig.channels.default[None]
        world = forward(actor.rig, values)
        others.append(Standing(figure(actor, values[0], world[0], Paint(actor.look))))
    return others


def _words(scene: Scene, take: Take | None, title: str | None, camera: Camera) -> list[Word]:
    unit = camera.height / 900
    name = scene.name if title is None else title
    words = [Word(name, 40 * unit, 56 * unit, 16 * unit, strong=True)] if name else []
    if take is not None and title != "":
        told = f"{take.name}  ·  {len(take.frame_times())} frames  ·  {take.rate:g} fps"
        words.append(Word(told, 40 * unit, 84 * unit, 11 * unit))
    return words
