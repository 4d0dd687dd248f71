"""Film: a take as a moving picture, an animated PNG that browsers play in a loop.

All frames share 256 colours. A frame holds only the pixels that differ from the one before: the
others are transparent, and its edges are cut off where nothing differs.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from arcwright.arrays import AnyArray, Floats
from arcwright.errors import BadValue
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.picture import png
from arcwright.picture.camera import Camera, framed
from arcwright.picture.paint import Paint
from arcwright.picture.palette import indexed, palette
from arcwright.picture.poses import view_direction
from arcwright.picture.render import PlacedSolid, points_to_frame, render_image
from arcwright.picture.solid import Solid, figure
from arcwright.picture.strobe import floor_height
from arcwright.picture.trails import Trail, chosen_points, trail_of
from arcwright.scene.scene import Actor, Scene
from arcwright.scene.take import Take

MOST_FRAMES = 600
MARGIN = np.array([0.06, 0.08, 0.06, 0.1])
_CLEAR = 255  # index of the transparent colour
_SAMPLED = 12  # frames whose pixels choose the colours


def film(
    scene: Scene,
    path: str | Path | None = None,
    *,
    character: str = "",
    take: str = "",
    points: Sequence[str] | None = None,
    rate: float = 15.0,
    start: float = 0.0,
    end: float | None = None,
    size: tuple[int, int] = (480, 270),
    dark: bool = True,
    view: Sequence[float] | None = None,
) -> list[AnyArray]:
    """The frames (H, W, 3) uint8 of a take; written as an animated PNG where a path is given.

    `points` are joints whose motion curves are drawn (else those that travel most; () for none),
    `start` and `end` seconds of the take, `rate` pictures per second. A looping take is filmed
    without its last frame, which is the first again.
    """
    actor = scene.actor(character)
    if not actor.takes:
        raise BadValue(f"character {actor.name!r}", "a take to film", "none")
    own = actor.take(take) if take else actor.takes[0]
    times = _times(own, rate, start, end)
    solids = _solids(scene, actor, own, times)
    shot = _Shot.of(actor, own, times, solids, points, size, view)
    pairs = zip(solids, times.tolist(), strict=True)
    images = [shot.picture(each, time, dark) for each, time in pairs]
    if path is not None:
        png.save(animated(images, rate), path)
    return images


def animated(images: Sequence[AnyArray], rate: float) -> bytes:
    """The bytes of an animated PNG of pictures (H, W, 3) uint8, all of one size."""
    step = max(1, len(images) // _SAMPLED)
    colours = palette(np.stack([image[::2, ::2] for image in images[::step]]), _CLEAR)
    table = np.zeros((_CLEAR + 1, 3), np.uint8)
    table[: len(colours)] = colours
    height, width = images[0].shape[:2]
    chunks = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        (b"acTL", struct.pack(">II", len(images), 0)),
        (b"PLTE", table.tobytes()),
        (b"tRNS", b"\xff" * _CLEAR + b"\x00"),
    ]
    delay = (1000, max(1, round(1000 * rate)))
    before, number = None, 0
    for image in images:
        index = indexed(image, colours)
        part, x, y = _difference(index, before)
        chunks.append(
            (b"fcTL", struct.pack(">IIIIIHHBB", number, *part.shape[::-1], x, y, *delay, 0, 1))
        )
        body = _packed(part)
        if before is None:
            chunks.append((b"IDAT", body))
            number += 1
        else:
            chunks.append((b"fdAT", struct.pack(">I", number + 1) + body))
            number += 2
        before = index
    return png.pack([*chunks, (b"IEND", b"")])


def _difference(index: AnyArray, before: AnyArray | None) -> tuple[AnyArray, int, int]:
    """The smallest part of a picture that holds all that changed, and its left and top."""
    if before is None:
        return index, 0, 0
    changed = index != before
    if not changed.any():
        return np.full((1, 1), _CLEAR, np.uint8), 0, 0
    rows, columns = np.flatnonzero(changed.any(1)), np.flatnonzero(changed.any(0))
    part = np.where(changed, index, np.uint8(_CLEAR))
    top, left = int(rows[0]), int(columns[0])
    return part[top : rows[-1] + 1, left : columns[-1] + 1], left, top


def _packed(part: AnyArray) -> bytes:
    rows = np.zeros((part.shape[0], part.shape[1] + 1), np.uint8)
    rows[:, 1:] = part
    return zlib.compress(rows.tobytes(), 9)


def _times(take: Take, rate: float, start: float, end: float | None) -> Floats:
    """(T,) s, of the pictures."""
    if not 0 < rate <= 120:
        raise BadValue("rate", "pictures per second, above 0 and at most 120", rate)
    last = take.duration if end is None else min(float(end), take.duration)
    if not 0 <= start <= last:
        raise BadValue("start", f"0 to {last:g} s", start)
    count = int((last - start) * rate + 1e-6) + 1
    if count > MOST_FRAMES:
        raise BadValue("film", f"at most {MOST_FRAMES} pictures; choose a lower rate", count)
    times: Floats = start + np.arange(count) / rate
    loops = getattr(take.base, "loops", False) and end is None
    if loops and count > 1 and times[-1] > take.duration - 0.5 / rate:
        return times[:-1]
    return times


@dataclass(frozen=True, eq=False)
class _Shot:
    """What all pictures of a film share."""

    camera: Camera
    trails: list[Trail]
    floor: float  # m
    tall: float  # m

    @staticmethod
    def of(
        actor: Actor,
        take: Take,
        times: Floats,
        solids: Sequence[Sequence[Solid]],
        points: Sequence[str] | None,
        size: tuple[int, int],
        view: Sequence[float] | None,
    ) -> _Shot:
        """A camera that holds all solids (one of the actor first) and motion curves."""
        world = forward(take.rig, values_at(take, times))
        joints = [] if points == () else chosen_points(actor.rig, world, tuple(points or ()))
        first, last = float(times[0]), float(times[-1])
        trails = [trail_of(take, each, first, last, 4) for each in joints if last > first]
        direction = view_direction(actor.rig, world) if view is None else np.asarray(view, float)
        everything = [PlacedSolid(solid) for frame in solids for solid in frame]
        camera = framed(points_to_frame(everything, trails), direction, size, MARGIN)
        own = [frame[0] for frame in solids]
        tall = max(float(np.ptp(own[0].positions[:, 1])), 1e-6)
        return _Shot(camera, trails, floor_height(own, tall), tall)

    def picture(self, solids: Sequence[Solid], time: float, dark: bool) -> AnyArray:
        """One picture (H, W, 3) uint8."""
        placed = [PlacedSolid(solid) for solid in solids]
        return render_image(
            self.camera, placed, self.trails, time, self.floor, self.tall, dark=dark
        )


def _solids(scene: Scene, actor: Actor, take: Take, times: Floats) -> list[list[Solid]]:
    """The actor at each time, then all others, in their take of that name or their first."""
    others = [(each, _together(each, take.name)) for each in scene.actors if each is not actor]
    cast = [(each, own, Paint(each.look)) for each, own in [(actor, take), *others]]
    return [[_solid(*each, time) for each in cast] for time in times.tolist()]


def _together(actor: Actor, name: str) -> Take | None:
    named = [take for take in actor.takes if take.name == name]
    return next(iter([*named, *actor.takes]), None)


def _solid(actor: Actor, take: Take | None, paint: Paint, time: float) -> Solid:
    values = actor.rig.channels.default[None]
    if take is not None:
        values = values_at(take, np.array([min(time, take.duration)]))
    return figure(actor, values[0], forward(actor.rig, values)[0], paint)
