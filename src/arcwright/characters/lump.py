"""Lumps: the clay a character is modelled from, as signed distances (m, negative inside)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from arcwright.arrays import Floats
from arcwright.characters.skeleton import Vector, other_side
from arcwright.kinematics.rotation import matrix_from_quaternion, quaternion_from_euler

STEP = 1e-5  # m, of the differences that give the field's slope
ROWS = 8192  # points looked at in one go, to bound memory


@dataclass(frozen=True)
class Lump:
    """A rounded solid that one joint carries. Use `limb`, `ball` and `block` to make one.

    All three are one form: a box of half sizes `half` about `at`, swollen by `radius`, which may
    taper along its y axis from `radius` at the bottom to `tip` at the top; or, when `half` is 0,
    an ellipsoid of radii `radii`.
    """

    joint: str
    at: Vector  # m, middle, in the world, rest pose
    turn: tuple[Vector, Vector, Vector]  # rows: the lump's own axes in the world
    half: Vector = (0.0, 0.0, 0.0)  # m
    radii: Vector = (0.0, 0.0, 0.0)  # m, of an ellipsoid
    radius: float = 0.0  # m, at the bottom
    tip: float = 0.0  # m, at the top
    blend: float = 0.02  # m, how softly it flows into the lumps before it
    soft: float = 0.02  # m, how softly its joint's hold on the skin fades
    colour: str = ""  # material; "" keeps that of the lumps before it
    carve: bool = False  # take away instead of add
    paint: bool = False  # only colour what lies inside

    def distance(self, points: Floats) -> Floats:
        """Signed distance of (N, 3) points, m."""
        local = (points - np.array(self.at)) @ np.array(self.turn).T
        if any(self.radii):
            return _ellipsoid(local, np.array(self.radii))
        if self.radius == self.tip:
            return _rounded(local, np.array(self.half)) - self.radius
        return _tapered(local, self.half[1], self.radius, self.tip)


def limb(joint: str, start: Vector, end: Vector, radius: float, tip: float, **more: object) -> Lump:
    """A tapered capsule from `start` (radius) to `end` (radius `tip`)."""
    a, b = np.array(start), np.array(end)
    length = float(np.linalg.norm(b - a))
    up = (b - a) / length
    side = np.cross(up, [0.0, 0.0, 1.0] if abs(up[2]) < 0.9 else [1.0, 0.0, 0.0])
    side /= np.linalg.norm(side)
    turn = np.stack([side, up, np.cross(side, up)])
    return _lump(joint, (a + b) / 2, turn, more, half=(0, length / 2, 0), radius=radius, tip=tip)


def ball(
    joint: str, at: Vector, radii: Vector | float, turn: Vector = (0, 0, 0), **more: object
) -> Lump:
    """An ellipsoid; `turn` in degrees about x, then y, then z."""
    size = (radii, radii, radii) if isinstance(radii, int | float) else radii
    return _lump(joint, np.array(at), _matrix(turn).T, more, radii=size)


def block(
    joint: str, at: Vector, half: Vector, edge: float, turn: Vector = (0, 0, 0), **more: object
) -> Lump:
    """A box with half sizes `half`, edges rounded by `edge`; `turn` as for a ball."""
    inner = tuple(max(each - edge, 1e-9) for each in half)
    return _lump(joint, np.array(at), _matrix(turn).T, more, half=inner, radius=edge, tip=edge)


def mirrored(lump: Lump) -> Lump:
    """The lump of the other side. (Boxes and balls are even about their own axes.)"""
    rows = tuple((-x, y, z) for x, y, z in lump.turn)
    return replace(
        lump,
        joint=other_side(lump.joint),
        at=(-lump.at[0], lump.at[1], lump.at[2]),
        turn=rows,  # type: ignore[arg-type]
    )


def both_sides(lumps: Sequence[Lump]) -> list[Lump]:
    """Each lump, and for those of a Left joint the right one straight after it."""
    pairs = [[each, mirrored(each)] if each.joint[:4] == "Left" else [each] for each in lumps]
    return [each for pair in pairs for each in pair]


def field(lumps: Sequence[Lump]) -> Callable[[Floats], Floats]:
    """The distance to all lumps together: each flows into those before it."""
    solid = [lump for lump in lumps if not lump.paint]

    def distance(points: Floats) -> Floats:
        total = np.full(len(points), 9.0)
        for lump in _near(solid, points):
            one = lump.distance(points)
            if lump.carve:
                total = -_smooth(-total, one, lump.blend)
            else:
                total = _smooth(total, one, lump.blend)
        return total

    return lambda points: in_pieces(distance, points)


def _near(lumps: Sequence[Lump], points: Floats) -> list[Lump]:
    """Only the lumps that can matter to any of these points."""
    low, high = points.min(axis=0), points.max(axis=0)
    middle, size = (low + high)[None] / 2, 1.5 * float(np.linalg.norm(high - low)) / 2
    away = np.array([float(lump.distance(middle)[0]) for lump in lumps])
    added = np.array([not lump.carve for lump in lumps])
    reach = away[added].min() + 2 * size + 2 * max(lump.blend for lump in lumps)
    near = away < np.where(added, reach, 2 * size + 0.1)
    return [lump for lump, matters in zip(lumps, near, strict=True) if matters]


def slope(distance: Callable[[Floats], Floats], points: Floats) -> Floats:
    """The gradient (N, 3) of a field by central differences."""
    steps = np.eye(3) * STEP
    return np.stack(
        [(distance(points + step) - distance(points - step)) / (2 * STEP) for step in steps],
        axis=1,
    )


def coats(lumps: Sequence[Lump]) -> list[tuple[str, Callable[[Floats], Floats]]]:
    """Materials in order of painting: each covers the points where its function is below 0.

    The first covers everything. A solid's colour reaches as far as it is the nearest one;
    paint covers what lies inside its lump.
    """
    named = _coloured(lumps)
    solid = [lump for lump in named if not lump.paint]
    names = list(dict.fromkeys(lump.colour for lump in solid))
    layers = [(name, _border(solid, names[: at + 1])) for at, name in enumerate(names)]
    return layers + [(lump.colour, lump.distance) for lump in named if lump.paint]


def _border(lumps: Sequence[Lump], names: Sequence[str]) -> Callable[[Floats], Floats]:
    """Below 0 where the last of `names` is nearer than all before it."""
    own = [lump for lump in lumps if lump.colour == names[-1]]
    before = [lump for lump in lumps if lump.colour in names[:-1]]
    return lambda points: _nearest(own, points) - _nearest(before, points)


def _nearest(lumps: Sequence[Lump], points: Floats) -> Floats:
    far = np.full(len(points), 9.0)
    for lump in lumps:
        far = np.minimum(far, lump.distance(points))
    return far


def _coloured(lumps: Sequence[Lump]) -> list[Lump]:
    """The lumps that give colour; one without a colour takes that of the solid before it."""
    kept, last = [], "body"
    for lump in lumps:
        if not lump.carve:
            colour = lump.colour or last
            last = last if lump.paint else colour
            kept.append(replace(lump, colour=colour))
    return kept


def joint_distances(lumps: Sequence[Lump], names: Sequence[str], points: Floats) -> Floats:
    """(N, J) distance to the nearest lump of each joint in units of its softness."""
    far = np.full((len(points), len(names)), np.inf)
    for lump in lumps:
        if not (lump.carve or lump.paint):
            at = names.index(lump.joint)
            one = in_pieces(lump.distance, points) / lump.soft
            far[:, at] = np.minimum(far[:, at], one)
    return far


def in_pieces(of: Callable[[Floats], Floats], points: Floats) -> Floats:
    """`of` applied to a bounded number of points at a time."""
    if len(points) <= ROWS:
        return of(points)
    parts = range(0, len(points), ROWS)
    return np.concatenate([of(points[first : first + ROWS]) for first in parts])


def _lump(joint: str, at: Floats, turn: Floats, more: dict[str, object], **form: object) -> Lump:
    rows = tuple(tuple(float(x) for x in row) for row in turn)
    middle = tuple(float(x) for x in at)
    return Lump(joint, middle, rows, **form, **more)  # type: ignore[arg-type]


def _matrix(turn: Vector) -> Floats:
    x, y, z = np.radians(turn)
    return matrix_from_quaternion(quaternion_from_euler(np.array([z, y, x]), "ZYX"))


def _smooth(a: Floats, b: Floats, blend: float) -> Floats:
    """The smaller of two distances, rounded off where they differ by less than `blend`."""
    if blend <= 0:
        return np.minimum(a, b)
    near = np.maximum(blend - np.abs(a - b), 0) / blend
    return np.minimum(a, b) - near * near * blend / 4


def _rounded(local: Floats, half: Floats) -> Floats:
    outside = np.abs(local) - half
    return np.asarray(
        np.linalg.norm(np.maximum(outside, 0), axis=1) + np.minimum(outside.max(axis=1), 0)
    )


def _ellipsoid(local: Floats, radii: Floats) -> Floats:
    """First-order distance: exact at the surface, where alone it must be."""
    inside = np.linalg.norm(local / radii, axis=1)
    steep = np.linalg.norm(local / radii**2, axis=1)
    away = inside * (inside - 1) / np.maximum(steep, 1e-9)
    return np.asarray(np.where(inside < 1e-9, -radii.min(), away))


def _tapered(local: Floats, half: float, radius: float, tip: float) -> Floats:
    """A cone with a ball at either end, touching both: nearest on the line, leant by the taper."""
    out = np.hypot(local[:, 0], local[:, 2])
    lean = (radius - tip) / (2 * half)
    along = local[:, 1] - lean / np.sqrt(max(1 - lean * lean, 1e-6)) * out
    share = np.clip((along + half) / (2 * half), 0, 1)
    nearest = (2 * share - 1) * half
    return np.asarray(np.hypot(out, local[:, 1] - nearest) - radius - (tip - radius) * share)


def bounds(lumps: Sequence[Lump]) -> tuple[Floats, Floats]:
    """Lowest and highest corner of a box that holds every solid lump, (3,) each."""
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for lump in lumps:
        if lump.carve or lump.paint:
            continue
        size = np.abs(np.array(lump.turn)).T @ np.array(lump.half)
        size = size + max(*lump.radii, lump.radius, lump.tip)
        low, high = np.minimum(low, lump.at - size), np.maximum(high, lump.at + size)
    return low, high
