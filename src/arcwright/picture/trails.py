"""Trails: motion curves of points, past warm and future cool, with ticks and keys."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.picture.camera import Camera
from arcwright.picture.canvas import SUPERSAMPLING, Fragments, colour
from arcwright.picture.lines import ball, flat_line
from arcwright.scene.clip import Clip
from arcwright.scene.rig import Rig
from arcwright.scene.take import Take

PAST = (colour("#ffd9a8"), colour("#ff7d4d"))  # far from now, at now
FUTURE = (colour("#a9d8ff"), colour("#2f9bff"))
KEY = colour("#ff9a1f")
HALO = 3.0  # samples of dark edge around a curve
LIKELY = ("hand", "wrist", "foot", "toe", "ankle", "head", "tail", "paw", "wing", "tip")
MOST_SAMPLES = 5000  # along a curve
MOST_KEYS = 200  # drawn on a curve; more would cover it


@dataclass(frozen=True, eq=False)
class Trail:
    """The path of one point in the world."""

    name: str
    time: Floats  # (T,) s, several to a frame
    place: Floats  # (T, 3) m
    frames: Ints  # (M,) rows of whole frames
    keys: Floats  # (K,) s, times of keys that move the point
    whole: bool = True  # whether it runs from the first pose to the last


def chosen_points(rig: Rig, world: Floats, points: tuple[str, ...], most: int = 3) -> list[int]:
    """Joints by name, or else the few ends of the body that move most; world (T, J, 4, 4)."""
    if points:
        return [rig.joint(name) for name in points]
    place = world[:, :, :3, 3]
    travel = np.linalg.norm(np.diff(place, axis=0), axis=-1).sum(0)
    ends = np.setdiff1d(np.arange(len(rig.names)), rig.parents)
    liked = [j for j, name in enumerate(rig.names) if any(w in name.lower() for w in LIKELY)]
    least = 0.04 * float(np.ptp(place[0], axis=0).max())
    kept: list[int] = []
    for joint in sorted(liked or ends.tolist(), key=lambda j: (-travel[j], j)):
        near = any(_same_limb(rig, joint, other) for other in kept)
        if travel[joint] > least and not near and len(kept) < most:
            kept.append(joint)
    return kept


def _same_limb(rig: Rig, a: int, b: int, reach: int = 3) -> bool:
    """Whether two joints are so close in the hierarchy that their curves are alike."""
    up_a, up_b = chain(rig, a)[: reach + 1], chain(rig, b)[: reach + 1]
    return bool(set(up_a) & set(up_b))


def chain(rig: Rig, joint: int) -> list[int]:
    """A joint and its parents up to the root."""
    found = []
    while joint >= 0:
        found.append(joint)
        joint = int(rig.parents[joint])
    return found


def trail_of(
    take: Take, joint: int, first: float, last: float, fine: int, offset: Floats | None = None
) -> Trail:
    """The trail of a joint, or of a point `offset` (3,) in it, from `first` to `last` seconds.

    It has `fine` samples to a frame; of a long take only every few frames are sampled.
    """
    rate = take.rate
    start, stop = int(np.ceil(first * rate - 1e-6)), int(np.floor(last * rate + 1e-6))
    step = 1 + (stop - start) * fine // MOST_SAMPLES
    time = np.arange(start * fine, stop * fine + 1, step) / (rate * fine)
    world = forward(take.rig, values_at(take, time), [joint])[:, 0]
    place = world[:, :3, 3] if offset is None else world[:, :3, :3] @ offset + world[:, :3, 3]
    frames = np.arange(0, len(time), fine)
    keys = _key_times(take, joint)
    keys = keys[(keys >= first - 1e-9) & (keys <= last + 1e-9)]
    return Trail(take.rig.names[joint], time, place, frames, keys)


def _key_times(take: Take, joint: int) -> Floats:
    """Times of keys on the joint's chain; none where they stand dense, as in baked clips."""
    if not isinstance(take.base, Clip):
        return np.zeros(0)
    mine = np.isin(take.rig.channels.joint, chain(take.rig, joint))
    curves = [c for c, own in zip(take.base.curves, mine, strict=True) if own and c is not None]
    times = np.unique(np.concatenate([np.zeros(0), *(c.time.round(6) for c in curves)]))
    dense = len(times) > min(max(10 * take.duration, 8), MOST_KEYS)
    return np.zeros(0) if dense else times


def draw(
    trail: Trail, camera: Camera, now: float, weight: float, through: float = 0.3
) -> list[Fragments]:
    """The fragments of a trail on a fine camera; `weight` is the line's half width in samples.

    `through` is how clearly it is seen where a body hides it, 0 to 1.
    """
    tint, fade = _tints(trail.time, now), _fade(trail)
    screen = camera.project(trail.place)
    screen[:, 2] *= 1.001
    table = np.concatenate([screen, np.full((len(screen), 1), weight), tint, fade[:, None]], axis=1)
    size = camera.width, camera.height
    edge = table.copy()
    edge[:, 2] *= 0.998
    edge[:, 3] += HALO
    edge[:, 4:7] *= 0.02
    edge[:, 7] *= 0.28
    ghost = table.copy()
    ghost[:, 2] = 1e3
    ghost[:, 7] *= through
    drawn = [flat_line(edge, *size), flat_line(table, *size, round_shade=True)]
    drawn.append(flat_line(ghost, *size, round_shade=True))
    drawn += _ticks(trail, table, size, weight)
    for time in trail.keys:
        place = np.array([np.interp(time, trail.time, trail.place[:, i]) for i in range(3)])
        drawn.append(_forward(ball(camera, place, weight * 2.6, KEY)))
    return drawn


def _forward(layer: Fragments) -> Fragments:
    return Fragments(layer.sample, layer.nearness * 1.02, layer.colour, layer.alpha)


def _fade(trail: Trail) -> Floats:
    """Curves cut short run out softly, (T,)."""
    if trail.whole:
        return np.ones(len(trail.time))
    share = np.linspace(0, 1, len(trail.time))
    return np.clip(np.minimum(share, 1 - share) / 0.25, 0, 1)


def around(trail: Trail, now: float, reach: float) -> Trail:
    """The part of a trail up to `reach` seconds from now."""
    near = np.flatnonzero(np.abs(trail.time - now) <= reach)
    if len(near) == len(trail.time) or len(near) < 2:
        return trail
    frames = np.flatnonzero(np.isin(near, trail.frames))
    keys = trail.keys[np.abs(trail.keys - now) <= reach]
    return Trail(trail.name, trail.time[near], trail.place[near], frames, keys, whole=False)


def tangled(trail: Trail) -> bool:
    """Whether a curve runs over itself so often that it cannot be read."""
    length = np.linalg.norm(np.diff(trail.place, axis=0), axis=1).sum()
    return bool(length > 5 * np.linalg.norm(np.ptp(trail.place, axis=0)))


def _tints(time: Floats, now: float) -> Floats:
    before, after = max(now - time[0], 1e-9), max(time[-1] - now, 1e-9)
    share = np.where(time <= now, (now - time) / before, (time - now) / after)[:, None]
    warm = PAST[1] + (PAST[0] - PAST[1]) * share
    cool = FUTURE[1] + (FUTURE[0] - FUTURE[1]) * share
    tints: Floats = np.where(time[:, None] <= now, warm, cool)
    return tints


def _ticks(trail: Trail, table: Floats, size: tuple[int, int], weight: float) -> list[Fragments]:
    """A stroke across the curve at each frame, longer at every fifth; fewer where they crowd."""
    at = trail.frames
    with np.errstate(invalid="ignore"):
        way = np.gradient(table[:, :2], axis=0) if len(table) > 1 else np.zeros((1, 2))
    length = np.nansum(np.hypot(*np.diff(table[at, :2], axis=0).T)) / max(len(at) - 1, 1)
    step = next((n for n in (1, 5, 10, 25, 50) if length * n > 11 * SUPERSAMPLING), 100)
    rows = []
    for order, row in enumerate(at[::step]):
        across = np.array([-way[row, 1], way[row, 0]])
        norm = float(np.hypot(*across))
        if not norm > 1e-6:
            continue
        half = weight * (2.9 if order % 5 else 5.0)
        stroke = np.repeat(table[row][None], 3, axis=0)
        stroke[:2, :2] += np.array([[-half], [half]]) * across / norm
        stroke[:, 3] = weight * 0.42
        stroke[2] = np.nan
        rows.append(stroke)
    return [flat_line(np.concatenate(rows), *size)] if rows else []
