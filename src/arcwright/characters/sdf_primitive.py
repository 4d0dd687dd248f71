"""SDF primitives: rounded solids as signed distance functions (m, negative inside)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from arcwright.arrays import Floats
from arcwright.characters.skeleton import Vector, other_side
from arcwright.kinematics.rotation import matrix_from_quaternion, quaternion_from_euler

STEP = 1e-5  # m, of the differences that give the field's slope
ROWS = 8192  # points evaluated at once, to bound memory


@dataclass(frozen=True)
class SdfPrimitive:
    """A rounded solid that one joint carries. Use `limb`, `ball` and `block` to make one.

    All three are one form: a box of half sizes `half` about `at`, swollen by `radius`, which may
    taper along its y axis from `radius` at the bottom to `tip` at the top; or, when `half` is 0,
    an ellipsoid of radii `radii`.
    """

    joint: str
    at: Vector  # m, middle, in the world, rest pose
    rotation: tuple[Vector, Vector, Vector]  # rows: the primitive's own axes in the world
    half: Vector = (0.0, 0.0, 0.0)  # m
    radii: Vector = (0.0, 0.0, 0.0)  # m, of an ellipsoid
    radius: float = 0.0  # m, at the bottom
    tip: float = 0.0  # m, at the top
    blend: float = 0.02  # m, radius of the smooth union with the primitives before it
    soft: float = 0.02  # m, falloff of its joint's skin weight
    colour: str = ""  # material; "" keeps that of the primitives before it
    carve: bool = False  # take away instead of add
    paint: bool = False  # only colour what lies inside

    def distance(self, points: Floats) -> Floats:
        """Signed distance of (N, 3) points, m."""
        local = (points - np.array(self.at)) @ np.array(self.rotation).T
        if any(self.radii):
            return _ellipsoid(local, np.array(self.radii))
        if self.radius == self.tip:
            return _rounded(local, np.array(self.half)) - self.radius
        return _tapered(local, self.half[1], self.radius, self.tip)


def limb(
    joint: str, start: Vector, end: Vector, radius: float, tip: float, **more: object
) -> SdfPrimitive:
    """A tapered capsule from `start` (radius) to `end` (radius `tip`)."""
    a, b = np.array(start), np.array(end)
    length = float(np.linalg.norm(b - a))
    up = (b - a) / length
    side = np.cross(up, [0.0, 0.0, 1.0] if abs(up[2]) < 0.9 else [1.0, 0.0, 0.0])
    side /= np.linalg.norm(side)
    rotation = np.stack([side, up, np.cross(side, up)])
    return _primitive(
        joint, (a + b) / 2, rotation, more, half=(0, length / 2, 0), radius=radius, tip=tip
    )


def ball(
    joint: str, at: Vector, radii: Vector | float, rotation: Vector = (0, 0, 0), **more: object
) -> SdfPrimitive:
    """An ellipsoid; `rotation` in degrees about x, then y, then z."""
    size = (radii, radii, radii) if isinstance(radii, int | float) else radii
    return _primitive(joint, np.array(at), _matrix(rotation).T, more, radii=size)


def block(
    joint: str, at: Vector, half: Vector, edge: float, rotation: Vector = (0, 0, 0), **more: object
) -> SdfPrimitive:
    """A box with half sizes `half`, edges rounded by `edge`; `rotation` as for a ball."""
    inner = tuple(max(each - edge, 1e-9) for each in half)
    return _primitive(
        joint, np.array(at), _matrix(rotation).T, more, half=inner, radius=edge, tip=edge
    )


def mirrored(primitive: SdfPrimitive) -> SdfPrimitive:
    """The mirrored primitive. (Boxes and balls are symmetric about their own axes.)"""
    rows = tuple((-x, y, z) for x, y, z in primitive.rotation)
    return replace(
        primitive,
        joint=other_side(primitive.joint),
        at=(-primitive.at[0], primitive.at[1], primitive.at[2]),
        rotation=rows,  # type: ignore[arg-type]
    )


def both_sides(primitives: Sequence[SdfPrimitive]) -> list[SdfPrimitive]:
    """Each primitive, followed by its mirror image if its joint is a Left one."""
    pairs = [[each, mirrored(each)] if each.joint[:4] == "Left" else [each] for each in primitives]
    return [each for pair in pairs for each in pair]


def distance_field(primitives: Sequence[SdfPrimitive]) -> Callable[[Floats], Floats]:
    """The signed distance to the smooth union of all primitives."""
    solid = [primitive for primitive in primitives if not primitive.paint]

    def distance(points: Floats) -> Floats:
        total = np.full(len(points), 9.0)
        for primitive in _near(solid, points):
            one = primitive.distance(points)
            if primitive.carve:
                total = -_smooth_minimum(-total, one, primitive.blend)
            else:
                total = _smooth_minimum(total, one, primitive.blend)
        return total

    return lambda points: in_chunks(distance, points)


def _near(primitives: Sequence[SdfPrimitive], points: Floats) -> list[SdfPrimitive]:
    """The primitives that can affect any of these points."""
    low, high = points.min(axis=0), points.max(axis=0)
    middle, size = (low + high)[None] / 2, 1.5 * float(np.linalg.norm(high - low)) / 2
    away = np.array([float(primitive.distance(middle)[0]) for primitive in primitives])
    added = np.array([not primitive.carve for primitive in primitives])
    reach = away[added].min() + 2 * size + 2 * max(primitive.blend for primitive in primitives)
    near = away < np.where(added, reach, 2 * size + 0.1)
    return [primitive for primitive, matters in zip(primitives, near, strict=True) if matters]


def gradient(distance: Callable[[Floats], Floats], points: Floats) -> Floats:
    """The gradient (N, 3) of a field by central differences."""
    steps = np.eye(3) * STEP
    return np.stack(
        [(distance(points + step) - distance(points - step)) / (2 * STEP) for step in steps],
        axis=1,
    )


def material_regions(
    primitives: Sequence[SdfPrimitive],
) -> list[tuple[str, Callable[[Floats], Floats]]]:
    """Materials in order of painting: each covers the points where its function is below 0.

    The first covers everything. A solid's colour reaches as far as it is the nearest one;
    paint covers what lies inside its primitive.
    """
    named = _coloured(primitives)
    solid = [primitive for primitive in named if not primitive.paint]
    names = list(dict.fromkeys(primitive.colour for primitive in solid))
    layers = [(name, _border(solid, names[: at + 1])) for at, name in enumerate(names)]
    return layers + [
        (primitive.colour, primitive.distance) for primitive in named if primitive.paint
    ]


def _border(primitives: Sequence[SdfPrimitive], names: Sequence[str]) -> Callable[[Floats], Floats]:
    """Below 0 where the last of `names` is nearer than all before it."""
    own = [primitive for primitive in primitives if primitive.colour == names[-1]]
    before = [primitive for primitive in primitives if primitive.colour in names[:-1]]
    return lambda points: _nearest(own, points) - _nearest(before, points)


def _nearest(primitives: Sequence[SdfPrimitive], points: Floats) -> Floats:
    far = np.full(len(points), 9.0)
    for primitive in primitives:
        far = np.minimum(far, primitive.distance(points))
    return far


def _coloured(primitives: Sequence[SdfPrimitive]) -> list[SdfPrimitive]:
    """The primitives that give colour; one without a colour takes that of the solid before it."""
    kept, last = [], "body"
    for primitive in primitives:
        if not primitive.carve:
            colour = primitive.colour or last
            last = last if primitive.paint else colour
            kept.append(replace(primitive, colour=colour))
    return kept


def joint_distances(
    primitives: Sequence[SdfPrimitive], names: Sequence[str], points: Floats
) -> Floats:
    """(N, J) distance to the nearest primitive of each joint in units of its softness."""
    far = np.full((len(points), len(names)), np.inf)
    for primitive in primitives:
        if not (primitive.carve or primitive.paint):
            at = names.index(primitive.joint)
            one = in_chunks(primitive.distance, points) / primitive.soft
            far[:, at] = np.minimum(far[:, at], one)
    return far


def in_chunks(of: Callable[[Floats], Floats], points: Floats) -> Floats:
    """`of` applied to a bounded number of points at a time."""
    if len(points) <= ROWS:
        return of(points)
    parts = range(0, len(points), ROWS)
    return np.concatenate([of(points[first : first + ROWS]) for first in parts])


def _primitive(
    joint: str, at: Floats, rotation: Floats, more: dict[str, object], **form: object
) -> SdfPrimitive:
    rows = tuple(tuple(float(x) for x in row) for row in rotation)
    middle = tuple(float(x) for x in at)
    return SdfPrimitive(joint, middle, rows, **form, **more)  # type: ignore[arg-type]


def _matrix(rotation: Vector) -> Floats:
    x, y, z = np.radians(rotation)
    return matrix_from_quaternion(quaternion_from_euler(np.array([z, y, x]), "ZYX"))


def _smooth_minimum(a: Floats, b: Floats, blend: float) -> Floats:
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


def bounds(primitives: Sequence[SdfPrimitive]) -> tuple[Floats, Floats]:
    """Lowest and highest corner of a box that holds every solid primitive, (3,) each."""
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for primitive in primitives:
        if primitive.carve or primitive.paint:
            continue
        size = np.abs(np.array(primitive.rotation)).T @ np.array(primitive.half)
        size = size + max(*primitive.radii, primitive.radius, primitive.tip)
        low, high = np.minimum(low, primitive.at - size), np.maximum(high, primitive.at + size)
    return low, high
