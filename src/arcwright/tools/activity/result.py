"""Result: the undo step of an activity, for the character and the objects."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.curves.keys import keyed
from arcwright.edits.layers import bake
from arcwright.edits.takes import fit_take
from arcwright.errors import BadValue
from arcwright.kinematics.displacement_layer import PoseDisplacement, displacement_layer
from arcwright.kinematics.sample import sample
from arcwright.scene.clip import Clip
from arcwright.scene.edit import Change, Edit
from arcwright.scene.layer import Layer
from arcwright.scene.motion import Motion
from arcwright.scene.rig import Kind, Rig
from arcwright.scene.scene import Actor, Scene
from arcwright.scene.take import Take
from arcwright.tools.activity.element_paths import ElementPath
from arcwright.tools.activity.options import ActivityOptions
from arcwright.tools.activity.prepared import PreparedActivity, SolvedActivity
from arcwright.tools.activity.tracks import handle_joint, take_beside

NONE = 1e-9  # m or rad
MARGIN = 2  # frames beside those that change, over which layers end


def build_edit(solved: SolvedActivity, options: ActivityOptions, label: str) -> Edit:
    """One undo step, of the scene in which it was solved."""
    prepared = solved.prepared
    changes = [*_object_changes(prepared, solved, label)]
    if not solved.body.moved.none:
        layer = _layer(label, prepared.times, solved.body.moved, solved.body.changed)
        address = (*prepared.address, "layers")
        changes.append(Change(address, prepared.take.layers, (*prepared.take.layers, layer)))
    edit = Edit(label, tuple(changes))
    if edit.empty or options.result == "layer" or solved.body.moved.none:
        return edit
    return _merged(prepared, edit, options)


def _merged(prepared: PreparedActivity, edit: Edit, options: ActivityOptions) -> Edit:
    """The edit with the layers of the character merged into keys or samples."""
    after = edit.apply(prepared.scene)
    actor, name = prepared.actor.name, prepared.take.name
    if options.result == "keys":
        merged = fit_take(after, actor, name, options.tolerance)
    elif isinstance(prepared.take.base, Motion):
        merged = bake(after, actor, name)
    else:
        merged = _sampled(after, prepared)
    return Edit(edit.label, (*edit.changes, *merged.changes))


def _sampled(scene: Scene, prepared: PreparedActivity) -> Edit:
    """A keyed take with its layers as one pose a frame."""
    take = scene.actor(prepared.actor.name).take(prepared.take.name)
    motion = sample(take, prepared.times)
    base = Change((*prepared.address, "base"), take.base, motion)
    return Edit("", (base, Change((*prepared.address, "layers"), take.layers, ())))


def _layer(
    label: str,
    times: Floats,
    moved: PoseDisplacement,
    changed: np.ndarray[tuple[int], np.dtype[np.bool_]],
) -> Layer:
    """A layer over the frames that change, and some beside them."""
    first, last = changed_range(changed)
    part = slice(first, last + 1)
    cut = replace(moved, turn=moved.turn[part], add=moved.add[part])
    return displacement_layer(label, float(times[first]), float(times[last]), cut)


def changed_range(changed: Bools) -> tuple[int, int]:
    """First and last frame of a layer over frames (T,) of which some change."""
    own = np.flatnonzero(changed)
    return max(int(own[0]) - MARGIN, 0), min(int(own[-1]) + MARGIN, len(changed) - 1)


def _object_changes(
    prepared: PreparedActivity, solved: SolvedActivity, label: str
) -> Iterator[Change]:
    for each in prepared.activity.objects:
        path = solved.paths[each.name]
        if np.abs(path.move).max() > NONE or np.abs(path.turn).max() > NONE:
            prop = prepared.scene.actor(each.prop)
            address = prepared.address_of(each.prop)
            yield _moved_prop(prepared, prop, (*address, "takes"), path, label)


def _moved_prop(
    prepared: PreparedActivity,
    prop: Actor,
    address: tuple[str | int, ...],
    path: ElementPath,
    label: str,
) -> Change:
    """The change of a prop's takes: a layer, or for one that only stands elsewhere a key."""
    joint = handle_joint(prop)
    channels = _translations(prop.rig, joint)
    moved = PoseDisplacement(
        np.array([joint] if np.abs(path.turn).max() > NONE else [], np.int64),
        path.turn[:, None] if np.abs(path.turn).max() > NONE else np.zeros((len(path.move), 0, 3)),
        channels,
        path.move,
    )
    take = take_beside(prop, prepared.take)
    everywhere = np.ones(len(path.move), bool)
    if not prop.takes and _constant(path) and not len(moved.joints):
        curves: list[object] = [None] * len(prop.rig.channels)
        for axis, channel in enumerate(channels.tolist()):
            value = prop.rig.channels.default[channel] + path.move[0, axis]
            curves[channel] = keyed(np.zeros(1), np.array([value]))
        base = take.base
        clip = Clip(base.name, tuple(curves), base.duration, base.rate)  # type: ignore[arg-type]
        return Change(address, prop.takes, (Take(prop.rig, clip),))
    layer = _layer(label, prepared.times, moved, everywhere)
    after = replace(take, layers=(*take.layers, layer))
    if not prop.takes:
        return Change(address, prop.takes, (after,))
    at = prop.takes.index(take)
    return Change((*address, at, "layers"), take.layers, after.layers)


def _constant(path: ElementPath) -> bool:
    return bool(np.ptp(path.move, axis=0).max() <= NONE)


def _translations(rig: Rig, joint: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    table = rig.channels
    own = np.flatnonzero((table.joint == joint) & (table.kind <= Kind.TRANSLATE_Z))
    if len(own) != 3:
        raise BadValue(
            f"prop joint {rig.names[joint]!r}", "translations along three axes", len(own)
        )
    return own[np.argsort(table.kind[own])]
