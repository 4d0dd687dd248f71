"""New props: an object that is scaled, or another one in its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from arcwright.arrays import Floats
from arcwright.errors import BadValue
from arcwright.kinematics.anchors import marked_anchor
from arcwright.kinematics.root_path import root_path
from arcwright.kinematics.sample import values_at
from arcwright.scene.activity import ActivityObject
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve
from arcwright.scene.motion import Motion
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Actor
from arcwright.scene.shape import Part, Shape
from arcwright.scene.take import Take
from arcwright.tools.activity.free_prop import free_prop
from arcwright.tools.activity.tracks import handle_joint

_A = TypeVar("_A", bound=Actor)


@dataclass(frozen=True, eq=False)
class SwappedProp:
    """Another prop in the place of an object, and its anchors."""

    prop: Actor
    anchor_names: tuple[str, ...]
    anchor_offsets: Floats  # (A, 3) m


def swapped_with(
    known: ActivityObject, new: Actor, names: Sequence[str] = (), offsets: Floats | None = None
) -> SwappedProp:
    """A prop for the place of an object; anchors that are not given are looked for in it."""
    found = list(names)
    places = [] if offsets is None else [*offsets]
    for name in known.anchor_names:
        marked = None if name in found else marked_anchor(new, name)
        if marked is not None:
            found.append(name)
            places.append(marked)
    return SwappedProp(new, tuple(found), np.array(places).reshape(-1, 3))


def scaled_prop(prop: _A, factors: Floats) -> _A:
    """A prop that is larger by a factor along each of its own axes, about its origin."""
    if np.all(factors == 1.0):
        return prop
    rig, root = prop.rig, handle_joint(prop)
    turned = np.abs(rig.rest[:, 0]) < 1 - 1e-9
    turned[root] = False
    if np.ptp(factors) > 1e-9 and turned.any():
        raise BadValue(f"scale of {prop.name!r}", "one factor for parts that are rotated", factors)
    inside = np.arange(len(rig.names)) != root
    offset = np.where(inside[:, None], rig.offset * factors, rig.offset)
    shapes = tuple(_scaled_shape(shape, factors) for shape in prop.shapes)
    return replace(prop, rig=replace(rig, offset=offset), shapes=shapes)


def _scaled_shape(shape: Shape, factors: Floats) -> Shape:
    """A mesh scaled about its joint; one with a skin of several joints is refused."""
    frame = np.eye(4)
    if shape.skin is not None:
        if len(shape.skin.joints) != 1:
            where = f"scale of {shape.name!r}"
            raise BadValue(where, "a rigid mesh", f"a skin of {len(shape.skin.joints)} joints")
        frame = shape.skin.inverse_bind[0]
    matrix = (np.linalg.inv(frame) @ np.diag([*factors, 1.0]) @ frame)[:3]
    return replace(shape, parts=tuple(_scaled_part(part, matrix) for part in shape.parts))


def _scaled_part(part: Part, matrix: Floats) -> Part:
    """A part whose vertices are mapped by (3, 4)."""
    linear = matrix[:, :3]
    attributes = dict(part.attributes)
    position = np.asarray(attributes["POSITION"], np.float64)
    attributes["POSITION"] = (position @ linear.T + matrix[:, 3]).astype(np.float32)
    if "NORMAL" in attributes:
        normal = np.asarray(attributes["NORMAL"], np.float64) @ np.linalg.inv(linear)
        size = np.linalg.norm(normal, axis=1, keepdims=True)
        attributes["NORMAL"] = (normal / np.maximum(size, 1e-12)).astype(np.float32)
    morphs = tuple(
        {
            name: (np.asarray(value) @ linear.T).astype(np.float32) if name == "POSITION" else value
            for name, value in morph.items()
        }
        for morph in part.morphs
    )
    return replace(part, attributes=attributes, morphs=morphs)


def swapped_prop(prop: _A, new: Actor) -> _A:
    """The prop with the rig and mesh of another one, where and how it moved before."""
    new = free_prop(replace(new, takes=())) if prop.takes else new
    old_root, root = handle_joint(prop), handle_joint(new)
    offset, rest = new.rig.offset.copy(), new.rig.rest.copy()
    offset[root], rest[root] = prop.rig.offset[old_root], prop.rig.rest[old_root]
    rig = replace(new.rig, offset=offset, rest=rest)
    takes = tuple(_carried(take, old_root, rig, root) for take in prop.takes)
    return replace(prop, rig=rig, shapes=new.shapes, look=new.look, takes=takes)


def _carried(take: Take, old_root: int, rig: Rig, root: int) -> Take:
    """A take of a prop for another rig: what its first joint does."""
    old, table = take.rig.channels, rig.channels
    mine = {int(old.kind[c]): c for c in np.flatnonzero(old.joint == old_root).tolist()}
    channels = np.flatnonzero(table.joint == root).tolist()
    same = take.rig.modes[old_root] == rig.modes[root]
    base = take.base
    if same and isinstance(base, Clip) and not take.layers:
        curves: list[Curve | None] = [None] * len(table)
        for channel in channels:
            source = mine.get(int(table.kind[channel]))
            curves[channel] = None if source is None else base.curves[source]
        return Take(rig, replace(base, curves=tuple(curves)), sections=take.sections)
    times = take.frame_times()
    where = root_path(take.rig, old_root, values_at(take, times))
    blank = np.tile(table.default, (len(times), 1))
    writer = root_path(rig, root, blank)
    if where is None or writer is None:
        raise BadValue(f"take {take.name!r}", "a prop that its first joint moves freely", "none")
    values = writer.written(blank, where.position, where.rotation)
    return Take(rig, Motion(base.name, times, values, base.rate), sections=take.sections)
