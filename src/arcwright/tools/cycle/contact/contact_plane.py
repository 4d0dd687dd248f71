"""The plane of a contact stroke, and which frames of which items it brings into contact.

A line drawn in the view is extruded away from the viewer (Ciccone, *Authoring Motion Cycles*,
5.4.3). Away means level: extruded along a view that looks down, a level line would be a slope.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.kinematics.camera_rays import camera_rays
from arcwright.kinematics.rotation import cross, quaternion_conjugate, quaternion_rotate
from arcwright.scene.camera import Camera
from arcwright.tools.cycle.contact.ground_contact import runs

UP = np.array([0.0, 1.0, 0.0])
LEVEL = np.radians(8.0)  # a plane that is tilted less is level
STEEP_VIEW = 0.97  # sine of the angle of a view straight down: it is extruded along the view
SHORTEST = 8.0  # px: a shorter stroke is no line
NEAR = 0.05  # of the view's height: how far the curve of an item may be from the stroke
SAME = 2.0  # px: curves whose distances from the stroke differ by less lie over each other
PIXELS = 1.0  # px above the line that count as on it
LOWEST = 0.3  # of the height range: what lies wholly below the plane touches it so far up
SLOPE = 0.2  # of the size: how far from a slope the curves of an item may be; a body climbs as one
RAISED = 0.1  # of the height range: how far into the curves a plane under them is raised
TOLERANCE = 0.04  # of the height range of an item that counts as on the plane
BEYOND = 0.1  # of the stroke's length, by which it is longer at both ends
FARTHEST = 1e6  # m: a line that is seen edge-on has no place


def to_pixels(camera: Camera, positions: Floats) -> Floats:
    """(..., 2) px where positions (..., 3) are seen; nan behind the camera."""
    away = quaternion_conjugate(camera.orientation)
    local = quaternion_rotate(away, positions - camera.position)
    depth = -local[..., 2]
    scale = camera.height / 2 / np.tan(camera.field_of_view / 2)
    with np.errstate(divide="ignore", invalid="ignore"):
        seen = local[..., :2] / np.where(depth > 1e-9, depth, np.nan)[..., None]
    half = np.array([camera.width / 2, camera.height / 2])
    return np.asarray(half + scale * seen * np.array([1.0, -1.0]))


@dataclass(frozen=True, eq=False)
class StrokeLine:
    """A straight line on the screen, for the samples of a stroke."""

    camera: Camera
    points: Floats  # (N, 2) px, the stroke
    start: Floats  # (2,) px
    end: Floats  # (2,) px

    @classmethod
    def of(cls, camera: Camera, points: Floats, *, chord: bool = False) -> StrokeLine | None:
        """The nearest line, or the one from the first to the last sample; None for a dot."""
        if len(points) < 2 or np.ptp(points, axis=0).max() < SHORTEST:
            return None
        if chord:
            start, end = points[0], points[-1]
        else:
            middle = points.mean(axis=0)
            along = np.linalg.svd(points - middle, full_matrices=False)[2][0]
            share = (points - middle) @ along
            start, end = middle + np.outer([share.min(), share.max()], along)
        if start[0] > end[0]:  # from left to right, whichever way it was drawn
            start, end = end, start
        if np.linalg.norm(end - start) < SHORTEST:
            return None
        return cls(camera, points, start, end)

    def shares(self, positions: Floats) -> Floats:
        """(...,) where positions (..., 3) are seen along the line, 0 at its start, 1 at its end."""
        along = self.end - self.start
        share = (to_pixels(self.camera, positions) - self.start) @ along / (along @ along)
        return np.asarray(share)

    def covers(self, positions: Floats) -> Bools:
        """(...,) whether positions (..., 3) are seen between the ends of the stroke."""
        share = self.shares(positions)
        return np.asarray((share > -BEYOND) & (share < 1 + BEYOND))

    def above(self, positions: Floats) -> Floats:
        """(...,) px by which positions (..., 3) are seen above the line."""
        return self._across(to_pixels(self.camera, positions))

    def _across(self, pixels: Floats) -> Floats:
        along = self.end - self.start
        across = np.array([along[1], -along[0]]) / float(np.linalg.norm(along))
        return np.asarray((pixels - self.start) @ across)

    def profile(self, shares: Floats) -> Floats:
        """(...,) px by which the stroke is above the line."""
        along = self.end - self.start
        length = float(np.linalg.norm(along))
        above = self._across(self.points)
        own = (self.points - self.start) @ along / length**2
        order = np.argsort(own, kind="stable")
        return np.asarray(np.interp(shares, own[order], above[order]))


@dataclass(frozen=True, eq=False)
class ContactPlane:
    """A plane in the world, where a stroke was drawn."""

    point: Floats  # (3,) m, in the middle of the stroke
    normal: Floats  # (3,) unit, upwards
    ends: Floats  # (2, 3) m, of the line
    pixel: float  # m, the size of a pixel there

    @property
    def level(self) -> bool:
        """Whether it is level ground."""
        return bool(self.normal[1] > 1 - 1e-9)


def contact_plane(line: StrokeLine, anchor: Floats) -> ContactPlane | None:
    """The plane of a line that was drawn as far away as `anchor` (3,); None where it has none."""
    camera = line.camera
    view = quaternion_rotate(camera.orientation, np.array([0.0, 0.0, -1.0]))
    away = view if abs(view[1]) > STEEP_VIEW else view - view[1] * UP
    away = away / np.linalg.norm(away)
    ends = _on_facing_plane(camera, np.stack([line.start, line.end]), anchor, away)
    if ends is None:
        return None
    normal = cross(ends[1] - ends[0], away)
    normal = normal / np.linalg.norm(normal)
    if normal[1] < 0:
        normal = -normal
    point = ends.mean(axis=0)
    if normal[1] > np.cos(LEVEL):
        normal, ends = UP, np.stack([[x, point[1], z] for x, _, z in ends])
    pixel = np.linalg.norm(ends[1] - ends[0]) / np.linalg.norm(line.end - line.start)
    return ContactPlane(point, normal, ends, float(pixel))


def _on_facing_plane(camera: Camera, pixels: Floats, anchor: Floats, away: Floats) -> Floats | None:
    """(N, 3) m, where pixels are on the plane through the anchor that faces the viewer."""
    rays = camera_rays(camera, pixels)
    with np.errstate(divide="ignore"):
        reach = float((anchor - camera.position) @ away) / (rays @ away)
    if not ((reach > 0) & (reach < FARTHEST)).all():
        return None
    return np.asarray(camera.position + reach[:, None] * rays)


@dataclass(frozen=True, eq=False)
class LoopCurves:
    """Curves of items: in place, as heights count, and as the view shows them, where one draws."""

    place: Floats  # (M, P, 3) m, without the travel of the root
    seen: Floats  # (M, P, 3) m, in the world

    def of(self, items: Ints) -> LoopCurves:
        """Those of some items."""
        return LoopCurves(self.place[:, items], self.seen[:, items])


def heights(line: StrokeLine, plane: ContactPlane, curves: LoopCurves, *, bent: bool) -> Floats:
    """(M, P) m above the plane or, where it is `bent`, above the stroke."""
    height = (curves.place - plane.point) @ plane.normal
    if bent:
        height = height - plane.pixel * line.profile(line.shares(curves.seen))
    return np.asarray(height)


def items_meant(
    line: StrokeLine, plane: ContactPlane, curves: LoopCurves, size: float, *, bent: bool
) -> Ints:
    """The items that a stroke is drawn for.

    A stroke under the whole low part of a curve is ground for all that it passes near. One that is
    drawn under a section takes the item whose low part is nearest to it in the view; of those that
    lie over each other, the one in front. A body of some `size` climbs a slope as one: its
    front is above the stroke, its back below.
    """
    reach = NEAR * line.camera.height * plane.pixel
    if not plane.level:
        reach = max(reach, SLOPE * size)
    height, covered = heights(line, plane, curves, bent=bent), line.covers(curves.seen)
    near = np.flatnonzero(((np.abs(height) <= reach) & covered).any(axis=0))
    low = height <= height.min(axis=0) + LOWEST * np.ptp(height, axis=0)
    whole = (covered | ~low).all(axis=0)
    if len(near) < 2 or whole[near].any():
        return near
    under = covered & low if (covered & low)[:, near].any() else covered
    away = np.where(under, np.abs(line.above(curves.seen)), np.inf)[:, near].min(axis=0)
    depth = np.linalg.norm(curves.seen[:, near] - line.camera.position, axis=-1).mean(axis=0)
    nearest = np.flatnonzero(away <= away.min() + SAME)
    return near[nearest[[int(np.argmin(depth[nearest]))]]]


def on_plane(
    line: StrokeLine, plane: ContactPlane, curves: LoopCurves, shortest: int, *, bent: bool
) -> Bools:
    """(M, P) samples of loop curves that the stroke brings into contact.

    Those on or below the plane, or where it is `bent` the stroke, that the stroke covers; of an
    item wholly below it, or above a slope, the lowest. Gaps of fewer samples than `shortest` are
    closed, then contacts of fewer are left out.
    """
    height, covered = heights(line, plane, curves, bent=bent), line.covers(curves.seen)
    low, tall = height.min(axis=0), np.ptp(height, axis=0)
    touches = (height <= np.maximum(TOLERANCE * tall, PIXELS * plane.pixel)) & covered
    apart = touches.all(axis=0) | (~touches.any(axis=0) & (not plane.level))
    apart &= tall > 2 * PIXELS * plane.pixel
    touches[:, apart] = ((height <= low + LOWEST * tall) & covered)[:, apart]
    return without_brief(touches, shortest)


def without_brief(touches: Bools, shortest: int) -> Bools:
    """Contacts (M, P) with gaps of fewer samples than `shortest` closed, then contacts left out."""
    found = touches.copy()
    for own in found.T:
        for flag in (False, True):
            for run in list(runs(own == flag)) if (own == flag).any() else ():
                if len(run) < shortest:
                    own[run] = not flag
    return found


def raised(
    line: StrokeLine, plane: ContactPlane, curves: LoopCurves, planted: Bools
) -> ContactPlane:
    """The plane raised to the lowest places that the stroke covers, a little into the curves.

    A line under the soles is the ground, too: curves of joints stay above it by the thickness of
    a foot, which the contact keeps. Where the stroke covers `planted` (M, P) samples of contacts
    that are there already, these tell the height.
    """
    height, covered = heights(line, plane, curves, bent=False), line.covers(curves.seen)
    if (covered & planted).any():
        by = plane.normal * float(height[covered & planted].mean())
        return replace(plane, point=plane.point + by, ends=plane.ends + by)
    under = np.where(covered, height, np.inf)
    item = int(np.argmin(under.min(axis=0)))
    lowest = float(under[:, item].min())
    if not np.isfinite(lowest):
        return plane
    by = plane.normal * (lowest + RAISED * float(np.ptp(height[:, item])))
    return replace(plane, point=plane.point + by, ends=plane.ends + by)
