"""What every edit of a shot needs: objects, masks, curves, contacts and grids."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from arcwright.arrays import Bools, Floats, Ints, same
from arcwright.scene.flow import FlowCurve
from arcwright.scene.scene import Scene
from arcwright.scene.shot import Shot
from arcwright.solve.threads import on_one_thread
from arcwright.tools.flow.arap import PreparedGrid, prepare
from arcwright.tools.flow.contacts import FLOOR, Contacts, find_contacts
from arcwright.tools.flow.grid import grid_over
from arcwright.tools.flow.hermite import resampled
from arcwright.tools.flow.object_masks import ObjectMask, object_masks
from arcwright.tools.flow.scene_objects import SceneObject, scene_objects
from arcwright.tools.flow.shot_view import ShotView
from arcwright.tools.flow.subjective_curves import (
    ObjectCurves,
    SubjectiveCurve,
    object_curves,
    subjective_curves,
)

_KEPT = 3  # shots whose preparation is remembered
_FAR = 2.0  # cells; samples of a group's curve farther from all objects move none
_DRAWN_SAMPLES = 48


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


_remembered: OrderedDict[tuple[Any, ...], tuple[Scene, PreparedShot]] = OrderedDict()
_touching: OrderedDict[tuple[Any, ...], tuple[Scene, Contacts]]
_touching = OrderedDict()


def prepare_shot(
    scene: Scene,
    shot: Shot,
    *,
    split: str = "auto",
    abstraction: float = 0.5,
    drawn: Sequence[FlowCurve] = (),
    included: Sequence[str] = (),
) -> PreparedShot:
    """Prepare a shot, or take it from the last few: an edit of flow keeps what it rests on."""
    key = (*_meshes_key(scene, shot, split), _camera_key(shot), abstraction, tuple(included))
    if key not in _remembered:
        _remembered[key] = scene, _prepared(scene, shot, split, abstraction, included)
        while len(_remembered) > _KEPT:
            _remembered.popitem(last=False)
    _remembered.move_to_end(key)
    return _with_drawn(_remembered[key][1], drawn)


def _prepared(
    scene: Scene, shot: Shot, split: str, abstraction: float, included: Sequence[str]
) -> PreparedShot:
    view = ShotView(shot.camera)
    objects = scene_objects(scene, shot.time, split, shot.camera.position)
    masks = object_masks(view, objects)
    pixels = tuple(view.project(each.positions) for each in objects)
    movable = tuple(
        (not item.ground or item.name in included)
        and not mask.empty
        and bool(np.isfinite(at).all())
        for item, mask, at in zip(objects, masks, pixels, strict=True)
    )
    found = tuple(
        object_curves(mask, abstraction) if moves else None
        for mask, moves in zip(masks, movable, strict=True)
    )
    names = [each.name for each in objects]
    curves = tuple(subjective_curves(names, masks, found, abstraction))
    contacts = _contacts(scene, shot, split, objects)
    return PreparedShot(shot, view, objects, masks, pixels, found, curves, contacts, movable)


def _contacts(scene: Scene, shot: Shot, split: str, objects: Sequence[SceneObject]) -> Contacts:
    """The contacts, which depend on no camera."""
    key = (*_meshes_key(scene, shot, split), len(objects))
    if key not in _touching:
        _touching[key] = scene, find_contacts(objects)
        while len(_touching) > _KEPT:
            _touching.popitem(last=False)
    return _touching[key][1]


def _meshes_key(scene: Scene, shot: Shot, split: str) -> tuple[Any, ...]:
    """Identifies the meshes without their flow; what it identifies is kept alive beside it."""
    parts = tuple(
        id(part.attributes["POSITION"])
        for actor in scene.actors
        for shape in actor.shapes
        for part in shape.parts
    )
    poses = tuple(
        (
            id(actor.rig),
            *(id(take.base) for take in actor.takes[:1]),
            *(id(layer) for take in actor.takes[:1] for layer in take.layers),
        )
        for actor in scene.actors
    )
    return parts, poses, shot.time, split


def _camera_key(shot: Shot) -> tuple[float, ...]:
    camera = shot.camera
    return (
        *camera.position.tolist(),
        *camera.orientation.tolist(),
        *(camera.field_of_view, camera.width, camera.height),
    )


def _with_drawn(prepared: PreparedShot, drawn: Sequence[FlowCurve]) -> PreparedShot:
    """With curves drawn by hand beside the found ones, and without hidden ones."""
    if not drawn:
        return prepared
    hidden = {each.name for each in drawn if each.hidden}
    replaced = {each.name for each in drawn if not each.hidden}
    kept = [each for each in prepared.curves if each.name not in hidden | replaced]
    for each in drawn:
        own = [prepared.index_of(name) for name in each.objects]
        known = tuple(index for index in own if index is not None)
        if each.hidden or not known:
            continue
        points = resampled(each.points, _DRAWN_SAMPLES, closed=each.closed)
        kept.append(SubjectiveCurve(each.name, known, "drawn", points, each.closed))
    return replace(prepared, curves=tuple(kept))


def same_view(one: Shot, other: Shot) -> bool:
    """Whether two shots show the same."""
    return same(one.camera, other.camera) and one.time == other.time


def covered(prepared: PreparedShot, points: Floats) -> Bools:
    """(O, P) which pixels each object covers."""
    found = np.zeros((len(prepared.objects), len(points)), np.bool_)
    index = np.floor(points).astype(int)
    for row, mask in enumerate(prepared.masks):
        x, y = index[:, 0] - mask.left, index[:, 1] - mask.top
        inside = (x >= 0) & (y >= 0) & (x < mask.nearness.shape[1]) & (y < mask.nearness.shape[0])
        found[row, inside] = mask.nearness[y[inside], x[inside]] > 0
    return found
