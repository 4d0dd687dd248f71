"""Prepares shots: what every edit of one needs is computed once and remembered."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.sample import values_at
from arcwright.scene.flow import FlowCurve
from arcwright.scene.scene import Actor, Scene
from arcwright.scene.shot import Shot
from arcwright.tools.flow.contacts import Contacts, find_contacts
from arcwright.tools.flow.flow_morph import is_flow
from arcwright.tools.flow.hermite import resampled
from arcwright.tools.flow.object_masks import object_masks
from arcwright.tools.flow.prepared_shot import PreparedShot
from arcwright.tools.flow.regrouped import regrouped
from arcwright.tools.flow.scene_objects import SceneObject, composed_take, scene_objects
from arcwright.tools.flow.shot_view import ShotView
from arcwright.tools.flow.subjective_curves import (
    SubjectiveCurve,
    object_curves,
    subjective_curves,
)

_KEPT = 12  # shots, or keys of one, that are remembered
_DRAWN_SAMPLES = 48


@dataclass(frozen=True, eq=False)
class Grouping:
    """What makes objects of meshes, besides how they are split: takes, and changes by hand."""

    takes: Mapping[str, str] = field(default_factory=dict)  # by actor, where not its first one
    merged: tuple[tuple[str, ...], ...] = ()
    cut: tuple[str, ...] = ()


AS_FOUND = Grouping()
_remembered: OrderedDict[tuple[Any, ...], tuple[Scene, PreparedShot | None, PreparedShot]]
_remembered = OrderedDict()
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
    grouping: Grouping = AS_FOUND,
    still: PreparedShot | None = None,
) -> PreparedShot:
    """Prepare a shot, or take it from the last few: an edit of flow keeps what it rests on.

    `still` is another moment of it through the same camera: objects that do not move between
    have the same masks and curves, to the last bit.
    """
    meshes = _meshes_key(scene, shot.time, split, grouping)
    key = (
        *meshes,
        shot.name,
        shot.time,
        _camera_key(shot),
        abstraction,
        tuple(included),
        id(still),
    )
    if key not in _remembered:
        made = _prepared(scene, shot, split, abstraction, included, grouping, still)
        _remembered[key] = scene, still, made
        while len(_remembered) > _KEPT:
            _remembered.popitem(last=False)
    _remembered.move_to_end(key)
    return _with_drawn(_remembered[key][2], drawn)


def shot_objects(
    scene: Scene, time: float, split: str, eye: Floats, grouping: Grouping = AS_FOUND
) -> tuple[SceneObject, ...]:
    """The objects of a scene at a time, s, with what was merged and split by hand."""
    found = scene_objects(scene, time, split, eye, grouping.takes)
    return regrouped(found, grouping.cut, grouping.merged)


def _prepared(
    scene: Scene,
    shot: Shot,
    split: str,
    abstraction: float,
    included: Sequence[str],
    grouping: Grouping,
    still: PreparedShot | None,
) -> PreparedShot:
    view = ShotView(shot.camera)
    objects = shot_objects(scene, shot.time, split, shot.camera.position, grouping)
    known = _unmoved(objects, still)
    drawn = iter(object_masks(view, [o for o, k in zip(objects, known, strict=True) if k is None]))
    masks = tuple(
        next(drawn) if row is None or still is None else still.masks[row] for row in known
    )
    pixels = tuple(view.project(each.positions) for each in objects)
    movable = tuple(
        (not item.ground or item.name in included)
        and not mask.empty
        and bool(np.isfinite(at).all())
        for item, mask, at in zip(objects, masks, pixels, strict=True)
    )
    found = tuple(
        None
        if not moves
        else object_curves(mask, abstraction)
        if row is None or still is None
        else still.found[row]
        for mask, moves, row in zip(masks, movable, known, strict=True)
    )
    names = [each.name for each in objects]
    curves = tuple(subjective_curves(names, masks, found, abstraction))
    contacts = _contacts(scene, shot, split, grouping, objects)
    return PreparedShot(shot, view, objects, masks, pixels, found, curves, contacts, movable)


def _unmoved(objects: Sequence[SceneObject], still: PreparedShot | None) -> list[int | None]:
    """The same object at another moment, by index, of those that have not moved since."""
    if still is None:
        return [None] * len(objects)
    rows = {each.name: row for row, each in enumerate(still.objects)}
    found: list[int | None] = []
    for item in objects:
        row = rows.get(item.name)
        moved = row is None or not np.array_equal(still.objects[row].positions, item.positions)
        found.append(None if moved else row)
    return found


def _contacts(
    scene: Scene, shot: Shot, split: str, grouping: Grouping, objects: Sequence[SceneObject]
) -> Contacts:
    """The contacts, which depend on no camera."""
    key = (*_meshes_key(scene, shot.time, split, grouping), len(objects))
    if key not in _touching:
        _touching[key] = scene, find_contacts(objects)
        while len(_touching) > _KEPT:
            _touching.popitem(last=False)
    return _touching[key][1]


def _meshes_key(scene: Scene, time: float, split: str, grouping: Grouping) -> tuple[Any, ...]:
    """Identifies the meshes without their flow; what it identifies is kept alive beside it."""
    parts = tuple(
        id(part.attributes["POSITION"])
        for actor in scene.actors
        for shape in actor.shapes
        for part in shape.parts
    )
    poses = tuple(_pose_key(actor, time, grouping.takes) for actor in scene.actors)
    return parts, poses, split, grouping.cut, grouping.merged


def _pose_key(actor: Actor, time: float, takes: Mapping[str, str]) -> tuple[Any, ...]:
    rig, take = actor.rig, composed_take(actor, takes)
    own = [n for n, name in enumerate(rig.channels.label) if not is_flow(name)]
    values = rig.channels.default if take is None else values_at(take, np.array([time]))[0]
    built = id(rig.parents), id(rig.offset), id(rig.rest), id(rig.scale)
    return actor.name, *built, values[own].tobytes()


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
    replaced = {each.name for each in drawn if not each.hidden and len(each.points)}
    locked = {each.name for each in drawn if each.locked}
    kept = [
        replace(each, locked=each.name in locked)
        for each in prepared.curves
        if each.name not in hidden | replaced
    ]
    for each in drawn:
        own = [prepared.index_of(name) for name in each.objects]
        known = tuple(index for index in own if index is not None)
        if each.hidden or not known or not len(each.points):
            continue
        points = resampled(each.points, _DRAWN_SAMPLES, closed=each.closed)
        kept.append(SubjectiveCurve(each.name, known, "drawn", points, each.closed, each.locked))
    return replace(prepared, curves=tuple(kept))
