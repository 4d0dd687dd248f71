"""A shot that is ready to be bent: objects, masks, curves, contacts and grids."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.scene.shot import Shot
from arcwright.solve.threads import on_one_thread
from arcwright.tools.flow.arap import PreparedGrid, prepare
from arcwright.tools.flow.contacts import FLOOR, Contacts
from arcwright.tools.flow.grid import grid_over
from arcwright.tools.flow.hermite import resampled
from arcwright.tools.flow.object_masks import ObjectMask
from arcwright.tools.flow.scene_objects import SceneObject
from arcwright.tools.flow.shot_view import ShotView
from arcwright.tools.flow.subjective_curves import ObjectCurves, SubjectiveCurve

_FAR = 2.0  # cells; samples of a group's curve farther from all objects move none


@dataclass(frozen=True, eq=False)
class Embedding:
    """How the samples of a curve hang on the grids of objects."""

    object: Ints  # (S,) index of the object, -1 for none
    corners: Ints  # (S, 3) grid vertices of that object
    shares: Floats  # (S, 3)


@dataclass(frozen=True, eq=False)
class PreparedShot:
    """A scene seen through a camera, ready to be bent."""

    shot: Shot
    view: ShotView
    objects: tuple[SceneObject, ...]
    masks: tuple[ObjectMask, ...]
    pixels: tuple[Floats, ...]  # (V, 2) px of each object's vertices; nan behind the camera
    found: tuple[ObjectCurves | None, ...]
    curves: tuple[SubjectiveCurve, ...]
    contacts: Contacts  # objects that touch, (N, 3) m
    movable: tuple[bool, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Of the objects."""
        return tuple(each.name for each in self.objects)

    @cached_property
    def contact_pixels(self) -> tuple[Floats | None, ...]:
        """(N, 2) px where each object touches others; None for free ones."""
        found: list[list[Floats]] = [[] for _ in self.objects]
        for first, second, points in self.contacts:
            pixels = self.view.project(points)
            pixels = pixels[np.isfinite(pixels).all(1)]
            if len(pixels):
                found[first].append(pixels)
                if second != FLOOR:
                    found[second].append(pixels)
        return tuple(np.concatenate(each) if each else None for each in found)

    @cached_property
    def grids(self) -> dict[int, PreparedGrid]:
        """The grid of each object that can be bent, with its factor."""
        return {index: self._grid(index) for index, movable in enumerate(self.movable) if movable}

    def _grid(self, index: int) -> PreparedGrid:
        extra = [resampled(each.points, 400) for each in self.curves if each.objects == (index,)]
        grid = grid_over(
            self.masks[index].pixels, np.concatenate([*extra, _inside_view(self, index)])
        )
        contact = self.contact_pixels[index]
        if contact is None:
            return prepare(grid, np.zeros(0, np.int64))
        return prepare(grid, grid.locate(contact)[0].reshape(-1))

    @cached_property
    def embeddings(self) -> tuple[Embedding, ...]:
        """How each curve hangs on grids."""
        return tuple(self._embedding(each) for each in self.curves)

    def _embedding(self, curve: SubjectiveCurve) -> Embedding:
        count = len(curve.points)
        members = [each for each in curve.objects if each in self.grids]
        owner = np.full(count, -1)
        corners, shares = np.zeros((count, 3), np.int64), np.zeros((count, 3))
        if not members:
            return Embedding(owner, corners, shares)
        grids = [self.grids[each].grid for each in members]
        if len(members) == 1:
            nearest = np.zeros(count, np.int64)
        else:
            away = np.stack([each.from_covered(curve.points) / each.cell for each in grids])
            nearest = away.argmin(0)
            nearest[away.min(0) > _FAR] = -1
        for row, (member, grid) in enumerate(zip(members, grids, strict=True)):
            mine = nearest == row
            owner[mine] = member
            corners[mine], shares[mine] = grid.locate(curve.points[mine])
        return Embedding(owner, corners, shares)

    @cached_property
    def vertex_places(self) -> dict[int, tuple[Ints, Floats]]:
        """Grid vertices and weights of every vertex of each object that can be bent."""
        return {index: each.grid.locate(self.pixels[index]) for index, each in self.grids.items()}

    @cached_property
    def distances(self) -> Floats:
        """(O,) m, from the camera to the middle of each object."""
        if not self.objects:
            return np.ones(1)
        return self.view.distance(np.array([each.positions.mean(0) for each in self.objects]))

    @cached_property
    def curve_worlds(self) -> tuple[Floats, ...]:
        """Each curve at rest in the world, (S, 3) m, as far away as its objects."""
        return tuple(self.in_world(each.points, each.objects) for each in self.curves)

    def in_world(self, pixels: Floats, objects: tuple[int, ...] = ()) -> Floats:
        """World positions (N, 3) of pixels, as far away as some objects; as all by default."""
        away = float(np.median(self.distances[list(objects)] if objects else self.distances))
        return self.view.at_distance(pixels, np.full(len(pixels), away))

    @on_one_thread
    def ready(self) -> None:
        """Compute now what moves need later."""
        _ = self.grids, self.embeddings, self.vertex_places, self.curve_worlds

    def index_of(self, name: str) -> int | None:
        """The object of this name."""
        return self.names.index(name) if name in self.names else None


def _inside_view(prepared: PreparedShot, index: int) -> Floats:
    """The vertices of an object that are in or near the picture, (N, 2) px."""
    pixels = prepared.pixels[index]
    mask = prepared.masks[index]
    low = np.array([mask.left, mask.top])
    high = low + mask.nearness.shape[::-1]
    return pixels[((pixels >= low) & (pixels <= high)).all(1)]


def covered(prepared: PreparedShot, points: Floats) -> Bools:
    """(O, P) which pixels each object covers."""
    found = np.zeros((len(prepared.objects), len(points)), np.bool_)
    index = np.floor(points).astype(int)
    for row, mask in enumerate(prepared.masks):
        x, y = index[:, 0] - mask.left, index[:, 1] - mask.top
        inside = (x >= 0) & (y >= 0) & (x < mask.nearness.shape[1]) & (y < mask.nearness.shape[0])
        found[row, inside] = mask.nearness[y[inside], x[inside]] > 0
    return found
