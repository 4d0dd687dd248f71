"""Object result: the changes of props that are moved, scaled or swapped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.curves.keys import keyed
from arcwright.kinematics.displacement_layer import PoseDisplacement, displacement_layer
from arcwright.kinematics.layering import displaced
from arcwright.kinematics.rotation import quaternion_conjugate, quaternion_rotate
from arcwright.kinematics.sample import values_at
from arcwright.scene.activity import ActivityObject
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve
from arcwright.scene.edit import Change
from arcwright.scene.layer import Layer
from arcwright.scene.rig import Kind, Rig
from arcwright.scene.scene import Actor
from arcwright.scene.take import Take
from arcwright.tools.activity.element_paths import ElementPath
from arcwright.tools.activity.free_prop import free_prop
from arcwright.tools.activity.new_props import SwappedProp, scaled_prop, swapped_prop
from arcwright.tools.activity.placement import ElementEdits
from arcwright.tools.activity.prepared import PreparedActivity, SolvedActivity
from arcwright.tools.activity.tracks import handle_joint, take_beside

NONE = 1e-9  # m or rad
MARGIN = 2  # frames beside those that change, over which layers end


def object_changes(solved: SolvedActivity, label: str) -> Iterator[Change]:
    """All changes of props, and of anchors in the activity."""
    prepared, edits = solved.prepared, solved.edits
    objects = []
    for each in prepared.activity.objects:
        prop, path = prepared.scene.actor(each.prop), solved.paths[each.name]
        address = prepared.address_of(each.prop)
        changed = _new_prop(prop, each.name, edits)
        objects.append(each if changed is prop else _new_object(each, edits))
        new = changed if unmoved(path) else free_prop(changed)
        takes = _moved_takes(prepared, new, path, label)
        if new is not prop:
            yield Change(address, prop, replace(new, takes=new.takes if takes is None else takes))
        elif takes is not None:
            yield Change((*address, "takes"), prop.takes, takes)
    if any(new is not old for new, old in zip(objects, prepared.activity.objects, strict=True)):
        at = [each.name for each in prepared.scene.activities].index(prepared.activity.name)
        before = prepared.scene.activities[at].objects
        yield Change(("activities", at, "objects"), before, tuple(objects))


def _new_prop(prop: Actor, name: str, edits: ElementEdits) -> Actor:
    if name in edits.swaps:
        prop = swapped_prop(prop, edits.swaps[name].prop)
    return scaled_prop(prop, edits.scales.get(name, np.ones(3)))


def _new_object(each: ActivityObject, edits: ElementEdits) -> ActivityObject:
    """The object with the anchors of its new prop."""
    names, offsets = list(each.anchor_names), each.anchor_offsets.copy()
    swap: SwappedProp | None = edits.swaps.get(each.name)
    if swap is not None:
        for name, offset in zip(swap.anchor_names, swap.anchor_offsets, strict=True):
            if name in names:
                offsets[names.index(name)] = offset
            else:
                names.append(name)
                offsets = np.concatenate([offsets, offset[None]])
    factors = edits.scales.get(each.name, np.ones(3))
    return replace(each, anchor_names=tuple(names), anchor_offsets=offsets * factors)


def moved_values(prepared: PreparedActivity, prop: Actor, path: ElementPath, frame: int) -> Floats:
    """(C,) the channels of a prop at one frame, as its changed takes have them."""
    take = take_beside(prop, prepared.take)
    values = values_at(take, prepared.times[frame : frame + 1])
    joints, channels, turn, add = _displacement(prop, path, slice(frame, frame + 1))
    found: Floats = displaced(prop.rig, (joints, turn), (channels, add), values)[0]
    return found


def unmoved(path: ElementPath) -> bool:
    """Whether an element goes where it went."""
    return bool(np.abs(path.move).max() <= NONE and np.abs(path.turn).max() <= NONE)


def _displacement(
    prop: Actor, path: ElementPath, frames: slice
) -> tuple[Ints, Ints, Floats, Floats]:
    """Joints that turn, channels that are added to, (T, R, 3) rad and (T, A)."""
    joint = handle_joint(prop)
    channels = _translations(prop.rig, joint)
    turns = bool(np.abs(path.turn).max() > NONE)
    back = quaternion_conjugate(prop.rig.rest[joint])[None]
    add = quaternion_rotate(back, path.move[frames])
    turned = path.turn[frames, None] if turns else np.zeros((len(add), 0, 3))
    return np.array([joint] if turns else [], np.int64), channels, turned, add


def _moved_takes(
    prepared: PreparedActivity, prop: Actor, path: ElementPath, label: str
) -> tuple[Take, ...] | None:
    """The takes of a prop that goes elsewhere; None where it stays."""
    if unmoved(path):
        return None
    joints, channels, turned, add = _displacement(prop, path, slice(None))
    take = take_beside(prop, prepared.take)
    if not prop.takes and not len(joints) and np.ptp(path.move, axis=0).max() <= NONE:
        return (_placed(take, channels, add[0]),)
    moved = PoseDisplacement(joints, turned, channels, add)
    layer = layer_over(label, prepared.times, moved, np.ones(len(add), bool))
    after = replace(take, layers=(*take.layers, layer))
    return tuple(after if each is take else each for each in prop.takes) or (after,)


def _placed(take: Take, channels: Ints, add: Floats) -> Take:
    """A take in which a prop stands elsewhere: one key for each axis."""
    curves: list[Curve | None] = [None] * len(take.rig.channels)
    for channel, value in zip(channels.tolist(), add.tolist(), strict=True):
        place = take.rig.channels.default[channel] + value
        curves[channel] = keyed(np.zeros(1), np.array([place]))
    base = take.base
    return Take(take.rig, Clip(base.name, tuple(curves), base.duration, base.rate))


def _translations(rig: Rig, joint: int) -> Ints:
    table = rig.channels
    own = np.flatnonzero((table.joint == joint) & (table.kind <= Kind.TRANSLATE_Z))
    return own[np.argsort(table.kind[own])]


def layer_over(label: str, times: Floats, moved: PoseDisplacement, changed: Bools) -> Layer:
    """A layer over the frames (T,) that change, and some beside them."""
    first, last = changed_range(changed)
    part = slice(first, last + 1)
    cut = replace(moved, turn=moved.turn[part], add=moved.add[part])
    return displacement_layer(label, float(times[first]), float(times[last]), cut)


def changed_range(changed: Bools) -> tuple[int, int]:
    """First and last frame of a layer over frames (T,) of which some change."""
    own = np.flatnonzero(changed)
    return max(int(own[0]) - MARGIN, 0), min(int(own[-1]) + MARGIN, len(changed) - 1)
