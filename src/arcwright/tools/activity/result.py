"""Result: the undo step of an activity, for the character and the objects."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from arcwright.edits.layers import bake
from arcwright.edits.takes import fit_take
from arcwright.kinematics.sample import sample, values_at
from arcwright.scene.edit import Change, Edit
from arcwright.scene.motion import Motion
from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.tools.activity.free_prop import free_prop
from arcwright.tools.activity.object_result import (
    layer_over,
    moved_values,
    object_changes,
    unmoved,
)
from arcwright.tools.activity.options import ActivityOptions
from arcwright.tools.activity.prepared import PreparedActivity, SolvedActivity
from arcwright.tools.activity.tracks import take_beside
from arcwright.tools.tool import PreviewPose


def build_edit(solved: SolvedActivity, options: ActivityOptions, label: str) -> Edit:
    """One undo step, of the scene in which it was solved."""
    prepared = solved.prepared
    changes = [*object_changes(solved, label)]
    if not solved.body.moved.none:
        layer = layer_over(label, prepared.times, solved.body.moved, solved.body.changed)
        address = (*prepared.address, "layers")
        changes.append(Change(address, prepared.take.layers, (*prepared.take.layers, layer)))
    edit = Edit(label, tuple(changes))
    if edit.empty or options.result == "layer" or solved.body.moved.none:
        return edit
    return _merged(prepared, edit, options)


def object_poses(solved: SolvedActivity, event: int) -> Iterator[PreviewPose]:
    """Where changed objects are at an event; a prop without a take has one of no name."""
    prepared, edits = solved.prepared, solved.edits
    frame = prepared.frames[event]
    if edits.swaps or any(np.any(each != 1.0) for each in edits.scales.values()):
        yield from _new_object_poses(solved, frame)
        return
    for each in prepared.activity.objects:
        path = solved.paths[each.name]
        if not unmoved(path):
            prop = free_prop(prepared.scene.actor(each.prop))
            name = take_beside(prop, prepared.take).name if prop.takes else ""
            values, time = moved_values(prepared, prop, path, frame), float(prepared.times[frame])
            yield PreviewPose(Target(prop.name, name), time, values, rig=prop.rig)


def _new_object_poses(solved: SolvedActivity, frame: int) -> Iterator[PreviewPose]:
    """The same where objects have other sizes or forms."""
    prepared = solved.prepared
    after = Edit("", tuple(object_changes(solved, ""))).apply(prepared.scene)
    time = float(prepared.times[frame])
    for before, now in zip(prepared.scene.props, after.props, strict=True):
        if now is not before:
            name = take_beside(before, prepared.take).name if before.takes else ""
            values = values_at(take_beside(now, prepared.take), np.array([time]))[0]
            yield PreviewPose(Target(now.name, name), time, values, rig=now.rig)


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
